"""The wishes in the menu of each message: their words, and what of the message each is about."""

from collections.abc import Mapping, Sequence
from mimetypes import guess_type

from pipeline.domain import Link, LocalizedText, Type
from pipeline.domain.files import type_of
from pipeline.errors import RequestError
from pipeline.words import say

WISHES = ("describe", "read", "transcribe", "translate", "summarize")
"""What a message can be asked for with one click, in the order of the menu."""
_MEDIA: Mapping[str, Sequence[frozenset[Type]]] = {
    "describe": (
        frozenset({Type.IMAGE, Type.VIDEO}),
        frozenset({Type.AUDIO, Type.DOCUMENT, Type.TABLE}),
    ),
    "transcribe": (frozenset({Type.AUDIO, Type.VIDEO}),),
}
"""The files that a wish is about, the best first; other wishes are about the words, if any."""
_ANY = ("", "application/octet-stream")
"""Types of files that say nothing: the name tells more."""


def name_wish(wish: str, locale: str) -> str:
    """What the menu calls a wish."""
    return say(locale, LocalizedText(f"menu-{wish}"))


def word_wish(wish: str, locale: str) -> str:
    """A wish as the person would write it."""
    return say(locale, LocalizedText(f"menu-{wish}-wish"))


def choose_object(wish: str, text: str, files: Sequence[Link]) -> tuple[str, tuple[Link, ...]]:
    """What of a message a wish is about: its words or its files, so that nobody has to guess.

    Raises RequestError if there is nothing of that sort.
    """
    if wish not in _MEDIA:
        if text.strip() or files:
            return (text, ()) if text.strip() else ("", tuple(files))
        raise RequestError("menu-none")
    for types in _MEDIA[wish]:
        if chosen := tuple(file for file in files if _guess_type(file) in {*types, None}):
            return "", chosen
    raise RequestError(f"menu-{wish}-none")


def _guess_type(file: Link) -> Type | None:
    """The type of a file, as far as its platform or its name tells."""
    media_type = file.media_type if file.media_type not in _ANY else guess_type(file.name)[0]
    return type_of(media_type) if media_type else None


def join_request(wish: str, text: str) -> str:
    """The text of a request: the wish in words, then the message that it is about, in quotes.

    So nothing that the message asks for is taken for a wish.
    """
    inner = text.replace('"', "”")
    return f'{wish}\n\n"{inner}"' if text else wish
