"""The words of twelve languages: what the model reads as concepts, and what the rules look for.

`lexicon/<language>.txt` holds the words; nothing else in this package knows a human language.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "ru", "zh", "ja", "ko", "tr")
"""In this order: the endings that are cut off words are tried in the order of their files."""
_MOST_WORDS, _MOST_CHARACTERS = 4, 8
"""Words, or characters of scripts without spaces, that are looked up together."""
LONGEST_WORD = 60
"""Letters of a word that are looked at: what is cached of a word grows with it."""
_SHORTEST = 3
"""Letters of the beginnings and endings that words are known by."""
_READ = 1000
"""Characters of a text in which rules look for words: two thirds of them at its beginning."""
_LATIN_END = "\u0250"
_LETTER_VARIANTS = str.maketrans({"ı": "i", "ё": "е"})  # noqa: RUF001 - Turkish, Russian
CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_SPACELESS = re.compile(rf"[{CJK}\uac00-\ud7af]")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")

WordTable = dict[str, str]
"""The meanings of words, of beginnings ("x*") and of endings ("*x").

Several meanings stand in one string, with spaces between: thousands of lists would trigger the
garbage collector, which takes as long as reading the files.
"""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All files together. `words` holds the words of each group of the rules as written."""

    concepts: WordTable
    rules: WordTable
    words: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Words of a text that belong to a group: the first, and the one after the last."""

    group: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TaggedText:
    """The words of a text, where each starts and ends in it, and the groups they belong to."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    matches: tuple[RuleMatch, ...]

    def find(self, *groups: str) -> list[RuleMatch]:
        """What belongs to one of the groups, in the order of the text."""
        return [match for match in self.matches if match.group in groups]

    def has(self, *groups: str) -> bool:
        return any(match.group in groups for match in self.matches)

    def find_uncovered(self, *groups: str) -> list[str]:
        """The words that belong to none of the groups."""
        covered = {at for match in self.find(*groups) for at in range(match.first, match.last)}
        return [word for at, word in enumerate(self.words) if at not in covered]

    def span(self, match: RuleMatch) -> tuple[int, int]:
        """Where a match starts and ends in the text."""
        return self.spans[match.first][0], self.spans[match.last - 1][1]

    def skip(self, place: int, *groups: str) -> int:
        """The first word from here on that belongs to none of the groups."""
        while match := self.at(place, *groups):
            place = match.last
        return place

    def at(self, place: int, *groups: str) -> RuleMatch | None:
        """The longest match of the groups that starts at this word."""
        starting = (match for match in self.find(*groups) if match.first == place)
        return max(starting, key=lambda match: match.last, default=None)

    def before(self, place: int, *groups: str) -> RuleMatch | None:
        """The longest match of the groups that ends right before this word."""
        ending = (match for match in self.find(*groups) if match.last == place)
        return min(ending, key=lambda match: match.first, default=None)


@cache
def lexicon() -> Lexicon:
    """The files that come with the program, read once."""
    folder = Path(__file__).with_name("lexicon")
    tables: dict[str, WordTable] = {"[concepts]": {}, "[rules]": {}}
    lists: dict[str, list[str]] = defaultdict(list)
    for language in LANGUAGES:
        section = ""
        for line in folder.joinpath(f"{language}.txt").read_text("utf-8").splitlines():
            section = line if line in tables else section
            name, colon, listed = line.partition(": ")
            if not colon or line[0] == "#":
                continue
            words, table = listed.split(), tables[section]
            if section == "[rules]":
                lists[name] += words
            for word in words:
                plain = strip_accents(word)
                if not plain.isascii() and is_spaceless(plain):
                    plain = plain.replace("_", "").strip("*")
                known = table.get(plain := plain.replace("_", " "))
                if known is None or name not in known.split():
                    table[plain] = f"{known} {name}" if known else name
    return Lexicon(tables["[concepts]"], tables["[rules]"], dict(lists))


def strip_accents(word: str) -> str:
    """A word without its accents, which people leave out; those of other scripts stay."""
    if word.isascii():
        return word
    word = word.casefold().translate(_LETTER_VARIANTS)  # writes "ss" for the German sharp s
    if word.isascii() or max(word) >= _LATIN_END:
        return word
    return _ACCENTS.sub("", unicodedata.normalize("NFD", word))


def is_spaceless(text: str) -> bool:
    """Whether a text holds characters that are written without spaces between words."""
    return _SPACELESS.search(text) is not None


def shorten(text: str, length: int) -> str:
    """The beginning and the end of a text that is longer."""
    return text if len(text) <= length else f"{text[: length * 2 // 3]}\n{text[-length // 3 :]}"


def concepts(words: Sequence[str]) -> list[tuple[int, str]]:
    """The concepts of a clause's words, each with the place of the word it was found at."""
    return [(at, concept) for at, _, found in _concept_runs(words) for concept in found]


@lru_cache(maxsize=128)
def tag(text: str) -> TaggedText:
    """The words of a text with the groups of the rules, and the concepts, they belong to."""
    text = shorten(text, _READ)
    found = list(_TOKEN.finditer(text))
    words = tuple(_normalize(match[0]) for match in found)
    runs = [
        *((at, *run) for at in range(len(words)) for run in _runs(lexicon().rules, words, at)),
        *_concept_runs(words),
    ]
    matches = [RuleMatch(group, at, at + size) for at, size, groups in runs for group in groups]
    matches.sort(key=lambda one: (one.first, -one.last))
    return TaggedText(text, words, tuple(match.span() for match in found), tuple(matches))


def tokenize(text: str) -> tuple[str, ...]:
    """The words of a text as the rules compare them."""
    return tuple(map(_normalize, _TOKEN.findall(text[:_READ])))


def _normalize(word: str) -> str:
    plain = unicodedata.normalize("NFKC", word[:LONGEST_WORD])[:LONGEST_WORD].casefold()
    return strip_accents(plain.replace("\u0307", ""))  # the dot of a Turkish capital I


def language_in(text: str) -> str:
    """The code of the last language that a text names, or ""."""
    return language_named(text)[0]


def language_named(text: str) -> tuple[str, str]:
    """The code of the last language that a text names, and the words it is named with."""
    tagged = tag(text)
    for match in reversed(tagged.matches):
        if match.group.startswith("language."):
            start, end = tagged.span(match)
            return match.group.removeprefix("language."), tagged.text[start:end]
    return "", ""


def _concept_runs(words: Sequence[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The longest runs of words that mean something together: place, number of words, concepts."""
    plain, at = [strip_accents(word) for word in words], 0
    while at < len(plain):
        size, found = next(_runs(lexicon().concepts, plain, at), (1, ()))
        yield at, size, found
        at += size


def _runs(table: WordTable, words: Sequence[str], at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The runs from a word on that mean something, the longest first: their size and meanings."""
    joint = "" if is_spaceless("".join(words[at : at + 2])) else " "
    most = _MOST_WORDS if joint else _MOST_CHARACTERS
    for size in range(min(most, len(words) - at), 1, -1):
        if known := table.get(joint.join(words[at : at + size])):
            yield size, tuple(known.split())
    if found := _meanings(table is lexicon().rules, words[at]):
        yield 1, found


@lru_cache(maxsize=20000)
def _meanings(rules: bool, word: str) -> tuple[str, ...]:  # noqa: FBT001 - a table has no hash
    """The meanings of a word as it is, else by the longest beginning and ending that is known.

    A Korean word is searched for all that it holds.
    """
    table = lexicon().rules if rules else lexicon().concepts
    if known := table.get(word):
        return tuple(dict.fromkeys(f"{known} {table.get(f'{word}*', '')}".split()))
    if len(word) > 1 and is_spaceless(word):
        parts = [table[word[start:end]] for start, end in _known_parts(table, word)]
    else:
        begins = (f"{word[:size]}*" for size in range(len(word), _SHORTEST - 1, -1))
        ends = (f"*{word[start:]}" for start in range(len(word) - _SHORTEST + 1))
        parts = [next((table[p] for p in ways if p in table), "") for ways in (begins, ends)]
    return tuple(dict.fromkeys(" ".join(parts).split()))


def _known_parts(table: WordTable, word: str) -> Iterator[tuple[int, int]]:
    """The longest parts of a word that are known, one after the other."""
    at = 0
    while at < len(word):
        ends = range(min(at + _MOST_CHARACTERS, len(word)), at, -1)
        end = next((end for end in ends if word[at:end] in table), 0)
        if end:
            yield at, end
        at = end or at + 1
