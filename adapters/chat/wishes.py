"""Wishes about a message, which chat platforms offer in the message's menu."""

from pipeline.domain import LocalizedText
from pipeline.words import say

WISHES = ("describe", "read", "transcribe", "translate", "summarize")


def name_wish(wish: str, locale: str) -> str:
    """What the menu calls a wish."""
    return say(locale, LocalizedText(f"menu-{wish}"))


def word_wish(wish: str, locale: str) -> str:
    """A wish as the person would write it."""
    return say(locale, LocalizedText(f"menu-{wish}-wish"))


def join_request(wish: str, text: str) -> str:
    """The text of a request: the wish in words, then the message that it is about, in quotes.

    So nothing that the message asks for is taken for a wish.
    """
    inner = text.replace('"', "”")
    return f'{wish}\n\n"{inner}"' if text else wish
