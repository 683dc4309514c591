"""Words of people's languages: one data file for each, and finding their phrases in a text."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).with_name("lexicon")
LANGUAGES = ("en", "de", "fr", "es", "zh", "ja")
_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"\d+(?:[.,:]\d+)*|[{_CJK}]|[^\W\d_{_CJK}]+|[%°×<>≤≥]")
_MOST_CHARACTERS = 20_000
_LONGEST_STEM = 30
_ENDS = str.maketrans(dict.fromkeys("?？!！。;；", "\n"))


class Match(NamedTuple):
    """A phrase in a row of words: what it means ("" for a word that is not known), and where."""

    concept: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases and what they mean; a phrase that ends in `*` may go on within its last word."""

    meanings: Mapping[tuple[str, ...], str]

    @classmethod
    def of(cls, phrases: Iterable[tuple[str, str]]) -> "Phrases":
        """Of pairs of a phrase and its meaning; of equal phrases the first counts."""
        meanings: dict[tuple[str, ...], str] = {}
        for phrase, meaning in phrases:
            if key := split_words(phrase):
                key[-1] += "*" * phrase.endswith("*")
                meanings.setdefault(tuple(key), meaning)
        return cls(meanings)

    def find(self, words: Sequence[str]) -> list[Match]:
        """All words in order, each in the longest phrase that begins there."""
        longest = max(map(len, self.meanings), default=1)
        matches, at = [], 0
        while at < len(words):
            sizes = range(min(longest, len(words) - at), 0, -1)
            hits = ((self._look_up(words[at : at + size]), size) for size in sizes)
            concept, size = next((hit for hit in hits if hit[0]), ("", 1))
            matches.append(Match(concept, at, at + size))
            at += size
        return matches

    def concepts(self, text: str) -> list[str]:
        """What the phrases in a text mean, in its order, each once."""
        return list(dict.fromkeys(m.concept for m in self.find(split_words(text)) if m.concept))

    def _look_up(self, words: Sequence[str]) -> str:
        *before, last = words
        cuts = range(min(len(last), _LONGEST_STEM), 1, -1)
        forms = (last, *(f"{last[:cut]}*" for cut in cuts))
        return next(filter(None, (self.meanings.get((*before, form)) for form in forms)), "")


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


def split_parts(text: str) -> list[str]:
    """The parts of a text between its "and"s, as they are written."""
    text = unicodedata.normalize("NFC", text[:_MOST_CHARACTERS])
    spans = [match.span() for match in _WORD.finditer(text)]
    cuts = [match for match in phrases("join").find(split_words(text)) if match.concept]
    starts = [0, *(spans[match.end - 1][1] for match in cuts)]
    ends = [*(spans[match.start][0] for match in cuts), len(text)]
    parts = (text[start:end].strip(" ,") for start, end in zip(starts, ends, strict=True))
    return [part for part in parts if split_words(part)]


def split_sentences(text: str) -> list[str]:
    """The questions in a text, by their ends; those of one word or more."""
    return [part.strip() for part in text.translate(_ENDS).split("\n") if split_words(part)]


@cache
def phrases(*sections: str) -> Phrases:
    """The phrases of some sections in all languages; a meaning is `section.name`."""
    return Phrases.of(
        (phrase, f"{section}.{name}")
        for section in sections
        for file in _read_files()
        for name, entry in file.get(section, {}).items()
        for phrase in entry
    )


@cache
def _read_files() -> Sequence[Mapping[str, Mapping[str, Sequence[str]]]]:
    return [tomllib.loads(path.read_text("utf-8")) for path in sorted(_FOLDER.glob("*.toml"))]


@cache
def months() -> Mapping[str, int]:
    """The names of the months and their short forms in all languages, folded."""
    from babel.dates import get_month_names  # reads the time zones; few tables need it

    return {
        " ".join(split_words(name)): number
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, language).items()
    }
