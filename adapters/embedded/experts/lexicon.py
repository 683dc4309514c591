"""Words of people's languages: one data file for each, and finding their phrases in a text."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel.dates import get_month_names

_FOLDER = Path(__file__).with_name("lexicon")
LANGUAGES = ("en", "de", "fr", "es", "zh", "ja")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"\d+(?:[.,:]\d+)*|[{_CJK}]|[^\W\d_{_CJK}]+|[%°×<>≤≥]")
_MOST_CHARACTERS = 20_000
_SHORTEST_STEM = 3
_ENDS = str.maketrans(dict.fromkeys("?？!！。;；", "\n"))


class Match(NamedTuple):
    """A phrase in a row of words: what it means ("" for a word that is not known), and where."""

    concept: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases and what they mean; a phrase that ends in `*` may go on within its last word."""

    exact: Mapping[tuple[str, ...], str]
    stems: Mapping[tuple[str, ...], str]
    longest: int

    @classmethod
    def of(cls, phrases: Iterable[tuple[str, str]]) -> "Phrases":
        """Of pairs of a phrase and its meaning; of equal phrases the first counts."""
        exact: dict[tuple[str, ...], str] = {}
        stems: dict[tuple[str, ...], str] = {}
        for phrase, concept in phrases:
            if key := tuple(split_words(phrase)):
                (stems if phrase.endswith("*") else exact).setdefault(key, concept)
        return cls(exact, stems, max(map(len, (*exact, *stems)), default=1))

    def find(self, words: Sequence[str]) -> list[Match]:
        """All words in order, each in the longest phrase that begins there."""
        matches, at = [], 0
        while at < len(words):
            size, concept = self._longest(words, at)
            matches.append(Match(concept, at, at + size))
            at += size
        return matches

    def concepts(self, text: str) -> list[str]:
        """What the phrases in a text mean, in its order, each once."""
        return list(dict.fromkeys(m.concept for m in self.find(split_words(text)) if m.concept))

    def _longest(self, words: Sequence[str], at: int) -> tuple[int, str]:
        for size in range(min(self.longest, len(words) - at), 0, -1):
            *before, last = words[at : at + size]
            if concept := self.exact.get((*before, last)):
                return size, concept
            cuts = range(min(len(last), 30), 1, -1)
            stems = (self.stems.get((*before, last[:cut])) for cut in cuts)
            if concept := next(filter(None, stems), None):
                return size, concept
        return 1, ""


def split_words(text: str) -> list[str]:
    """Words without case and accents; numbers and each CJK character are words of their own."""
    words = _WORD.findall(unicodedata.normalize("NFC", text[:_MOST_CHARACTERS]))
    return [_fold(word) for word in words]


def _fold(word: str) -> str:
    if word.isascii():
        return word.casefold()
    parts = unicodedata.normalize("NFKD", word.casefold())
    kept = "".join(part for part in parts if not "\u0300" <= part <= "\u036f")
    return unicodedata.normalize("NFC", kept)


def split_sentences(text: str) -> list[str]:
    """The questions in a text, by their ends; those of one word or more."""
    return [part.strip() for part in text.translate(_ENDS).split("\n") if split_words(part)]


@cache
def phrases(*sections: str) -> Phrases:
    """The phrases of some sections in all languages; a meaning is `section.name`."""
    return Phrases.of(
        (phrase, f"{section}.{name}")
        for section in sections
        for name, entry in entries(section).items()
        for phrase in entry
    )


def inflect(word: str) -> list[str]:
    """A word with its other forms, such as the plural, by the endings of all languages."""
    endings = [tuple(form.split("/")) for form in entries("endings")["forms"]]
    return [
        word,
        *(
            word.removesuffix(one) + other
            for one, other in (*endings, *(pair[::-1] for pair in endings))
            if word.endswith(one) and len(word) - len(one) >= _SHORTEST_STEM
        ),
    ]


@cache
def months() -> Mapping[str, int]:
    """The names of the months and their short forms in all languages, folded."""
    return {
        " ".join(split_words(name)): number
        for path in sorted(_FOLDER.glob("*.toml"))
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, path.stem).items()
    }


@cache
def entries(section: str) -> Mapping[str, Sequence[str]]:
    """The entries of a section by name, of all languages together."""
    merged: dict[str, list[str]] = {}
    for lexicon in _load():
        for name, entry in lexicon.get(section, {}).items():
            merged.setdefault(name, []).extend(entry)
    return merged


@cache
def _load() -> Sequence[Mapping[str, Mapping[str, Sequence[str]]]]:
    return [tomllib.loads(path.read_text("utf-8")) for path in sorted(_FOLDER.glob("*.toml"))]
