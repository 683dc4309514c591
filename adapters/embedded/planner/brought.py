"""Texts that messages bring along: below or behind a head that says what to do with them, or above it."""

# ruff: noqa: RUF001 - what people type, in many scripts

import re
from collections.abc import Iterator
from dataclasses import dataclass

from adapters.embedded.planner.called import speaks_of_files
from adapters.embedded.planner.materials import unfenced
from adapters.embedded.planner.wishes import left
from adapters.embedded.planner.words import language_in

SHORT = 120
"""Characters up to which a text may be a wish rather than material; and up to which a wish is one."""
_LONG = 240
"""Characters from which what stands above a wish is material."""
_HEAD = re.compile(
    rf"(?P<wish>[^\n:：\"“„«「]{{2,{SHORT}}}(?:[:：](?=\s)|[:：]?(?=\n)|：))\s*(?P<text>.+)",
    re.DOTALL,
)
_BEFORE_QUOTE = re.compile(
    rf"(?P<wish>[^\n\"“„«「]{{2,{SHORT}}}?[:：?？])\s*[\"“„«「](?P<text>[^\"“”„«»「」]+)[\"“”»」]\s*\Z"
)
_LISTED = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
_LEAST, _BRIEFEST = 8, 4
"""Words from which something is a text, and characters from which it is a wish."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a message says is to be done, and the text that it is to be done with."""

    wish: str
    text: str
    plain: bool = False
    """Whether the wish says nothing but what is wanted, and stands below."""

    @property
    def certain(self) -> bool:
        """Whether the wish says itself that a text follows, or is surely one."""
        return self.plain or self.wish.endswith((":", "："))

    @property
    def asks(self) -> bool:
        return self.wish.endswith(("?", "？"))


def brought(message: str) -> Iterator[Brought]:
    """The ways in which a message may be a wish and a text, the likeliest first; none where files may be meant, or more wishes."""
    message = message.strip()
    above = _above(message)
    below = _below(message)
    if above and above.certain and _is_text(above):
        yield above
    if below and (below.plain or (len(below.text) >= _LONG and not below.certain)):
        yield below
    if above and not above.certain and _is_text(above):
        yield above


def _above(message: str) -> Brought | None:
    found = _BEFORE_QUOTE.match(message) or _HEAD.match(message)
    if found is None or speaks_of_files(found["wish"]):
        return None
    return Brought(found["wish"].strip(), unfenced(found["text"]))


def _below(message: str) -> Brought | None:
    text, _, wish = message.rpartition("\n")
    if not _BRIEFEST <= len(wish.strip()) <= SHORT or speaks_of_files(wish):
        return None
    plain = not left(wish) and len(_WORD.findall(text)) >= _LEAST
    return Brought(wish.strip(), unfenced(text), plain)


def _is_text(one: Brought) -> bool:
    """Whether what stands below a wish is a text, and no more wishes."""
    if len(_WORD.findall(one.text[: 20 * _LEAST])) < _LEAST:
        return False
    asks = one.text.endswith(("?", "？")) and len(one.text) < SHORT
    goes_on = one.text[0].islower() and not one.certain
    wishes = len(one.text) < SHORT and language_in(one.text)
    return not (asks or goes_on or wishes or _LISTED.match(one.text))
