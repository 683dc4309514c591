"""The words that texts are searched by, the same in every database: no case, no accents.

Of scripts that put no spaces between words, every character is a word:

    split_words("Crème brûlée, 東京!") == ["creme", "brulee", "東", "京"]
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_MOST_CHARACTERS = 100_000
"""Of a text; what comes after them is not found."""
_LONGEST_WORD = 64
"""Characters by which words are told apart."""
_MOST_WORDS = 20
"""Of a query."""
_LONGEST_QUERY = 500
"""Characters of a query that are read."""
_MOST_SEARCHED = 20_000
"""Characters of a text in which the place for its excerpt is looked for."""
_BEFORE = 50
"""Characters of an excerpt before the words that were found."""
_LONGEST_EXCERPT = 160
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]")
"""Accents, and the points of Hebrew and Arabic, which most people leave out."""
_SINGLE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai, Lao, Burmese, Khmer, Chinese, Japanese and Korean."""
_JOINED = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff"
"""Marks inside words that Python does not count as letters: accents, and vowels of India."""
_WORD = re.compile(f"[{_SINGLE}]|(?:(?![{_SINGLE}_])[\\w{_JOINED}])+")
_TERM = re.compile(r'"([^"]*)("?)|([^\s"]+)')
_EMPHASIS = re.compile(r"(\*\*|`)(?=\S)([^*`]+)(?<=\S)\1")
"""Bold words and code in Markdown."""


@dataclass(frozen=True, slots=True)
class Term:
    """Words that stand side by side; of a prefix, the last may go on."""

    words: tuple[str, ...]
    is_prefix: bool = False


def split_words(text: str) -> list[str]:
    """The words of a text, in their order."""
    return [word[:_LONGEST_WORD] for word in _WORD.findall(_normalise(text[:_MOST_CHARACTERS]))]


def _normalise(text: str) -> str:
    if text.isascii():
        return text.lower()
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", plain)[:_MOST_CHARACTERS]


def read_query(query: str) -> tuple[Term, ...]:
    """What somebody looks for: all of the terms. The last may be the beginning of a word.

    Quotation marks make a term of several words; so does what is written without spaces, such as
    "re-run" or "東京".
    """
    terms: list[Term] = []
    room = _MOST_WORDS
    for quoted, closing, plain in _TERM.findall(query[:_LONGEST_QUERY]):
        words = tuple(split_words(quoted or plain)[:room])
        room -= len(words)
        terms += [Term(words, is_prefix=not closing)] if words else []
    return tuple(
        Term(term.words, is_prefix=term.is_prefix and number == len(terms))
        for number, term in enumerate(terms, 1)
    )


def matches(words: Sequence[str], term: Term) -> bool:
    """Whether a term is among the words of a text."""
    places = range(len(words) - len(term.words) + 1)
    return any(_is_at(term, words[place : place + len(term.words)]) for place in places)


def make_excerpt(text: str, terms: Sequence[Term]) -> str:
    """The part of a text around the first of the terms, on one line; "" without any of them.

    Markdown's signs of emphasis are left out: it is shown as plain text.
    """
    for term in terms:
        place = _find(text[:_MOST_SEARCHED], term)
        if place is not None:
            return _cut_around(text, place)
    return ""


def _find(text: str, term: Term) -> int | None:
    """Where a term begins in a text."""
    last: deque[tuple[int, str]] = deque(maxlen=len(term.words))
    for place, word in _place_words(text):
        last.append((place, word))
        if len(last) == len(term.words) and _is_at(term, [each for _, each in last]):
            return last[0][0]
    return None


def _place_words(text: str) -> Iterator[tuple[int, str]]:
    for match in _WORD.finditer(text):
        for word in split_words(match.group()):
            yield match.start(), word


def _is_at(term: Term, words: Sequence[str]) -> bool:
    *firsts, last = term.words
    is_last = words[-1].startswith(last) if term.is_prefix else words[-1] == last
    return is_last and list(words[:-1]) == firsts


def _cut_around(text: str, place: int) -> str:
    start = max(0, place - _BEFORE)
    if start:  # at a blank, if one is near
        start = max(start, text.find(" ", start, place) + 1)
    piece = " ".join(text[start : start + 2 * _LONGEST_EXCERPT].split())
    piece = _EMPHASIS.sub(r"\2", piece)
    cut = piece[:_LONGEST_EXCERPT]
    is_end = start + 2 * _LONGEST_EXCERPT >= len(text) and cut == piece
    return f"{'…' if start else ''}{cut}{'' if is_end else '…'}"
