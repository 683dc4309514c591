"""Whether an answer names what an expert named, in its words, in part of them, or in another form of them."""

import re
from collections.abc import Iterable

from pipeline.response.numbers import values
from pipeline.response.spelled import counted_in
from pipeline.response.things import LANGUAGES, spoken_of, thing_of
from pipeline.response.vocabulary import NEGATED, forms

_WORD = re.compile(r"[^\W\d_]{4,}")
_SHORT = re.compile(r"[a-z]{3,4}")
_FIGURE = re.compile(r"\d+\b")


def names(text: str, label: str, others: Iterable[str] = ()) -> bool:
    """Whether a label is named, and not just to say that there is none.

    A part of it will do when none of the `others` has it ("tennis" for "playing tennis"), so will its word in another language, and
    for a short one the beginning of a word ("angry" for "ang").
    """
    small = label.casefold()
    if names_exactly(text, label) or _counts(text, small):
        return True
    foreign = {word for other in others for word in _WORD.findall(other.casefold())}
    own = [word for word in _WORD.findall(small) if word not in foreign]
    if any(_stands(text, forms(word)) for word in own) or _is_named_elsewhere(text, label):
        return True
    return bool(_SHORT.fullmatch(small)) and _stands(text, rf"{small}\w*")


def _counts(text: str, label: str) -> bool:
    """Whether a label that begins with a number is told: "three stars", "3 out of 5 stars"."""
    number, _, what = label.partition(" ")
    if not _FIGURE.fullmatch(number):
        return False
    return float(number) in counts_in(text) and (not what or _stands(text, forms(what)))


def names_exactly(text: str, label: str) -> bool:
    """Whether a label is named in its own words."""
    return _stands(text, forms(label))


def _is_named_elsewhere(text: str, label: str) -> bool:
    """Whether it is named in another language."""
    thing = thing_of(label.partition(",")[0])
    return thing is not None and any(
        found == thing for one in LANGUAGES for _, found, _ in spoken_of(text, one)
    )


def names_side(text: str, side: str) -> bool:
    """Whether what an expert says is said: a label, or a number with or without what was counted."""
    if (number := _FIGURE.match(side)) and float(number.group()) in counts_in(text):
        return True
    return names_exactly(text, side)


def counts_in(text: str) -> frozenset[float]:
    """Labels are English words; an answer in another language names them in its own, but counts alike."""
    return values([text]) | counted_in([text])


def _stands(text: str, pattern: str) -> bool:
    named = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
    return any(not NEGATED.search(text, 0, found.start()) for found in named)
