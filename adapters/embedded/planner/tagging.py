"""The words of a request as the planner reads them: concepts for the model, groups for the rules.

`lexicon/<language>.toml` holds the words; nothing else in this package knows a human language.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from adapters.embedded.lexicon import CJK, Phrases, collect_phrases, fold, list_words

LONGEST_WORD = 60
"""Letters of a word that are looked at: what is cached of a word grows with it."""
_READ = 1000
"""Characters of a text in which rules look for words: two thirds of them at its beginning."""
_SPACELESS = re.compile(rf"[{CJK}]")
_TOKEN = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """Words of a text that belong to a group: the first, and the one after the last."""

    group: str
    first: int
    last: int
    family: str
    """The groups it is one of: "language.*" for language.de; "" for a group by itself."""

    @property
    def member(self) -> str:
        """What a group stands for within its family: "de" for language.de."""
        return self.group.partition(".")[2]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaggedText:
    """A text that was looked up in the lexicon once: its words, and the groups they belong to."""

    whole: str
    """The text as it was written."""
    text: str
    """What was read of it: both ends of a long one. `spans` lie in it."""
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    matches: tuple[RuleMatch, ...]
    """By where they begin, the longest first. To ask for a family of groups, say "file.*"."""

    def find(self, *groups: str) -> list[RuleMatch]:
        """What belongs to one of the groups, in the order of the text."""
        return [match for match in self.matches if match.group in groups or match.family in groups]

    def has(self, *groups: str) -> bool:
        return bool(self.find(*groups))

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
        return next((match for match in self.find(*groups) if match.first == place), None)

    def before(self, place: int, *groups: str) -> RuleMatch | None:
        """The longest match of the groups that ends right before this word."""
        return next((match for match in self.find(*groups) if match.last == place), None)

    def find_language(self) -> tuple[str, str]:
        """The code of the last language that the text names, and the words it is named with."""
        for match in reversed(self.find("language.*")):
            start, end = self.span(match)
            return match.member, self.text[start:end]
        return "", ""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What means a concept, and what belongs to a group of the rules; `words`: those as written."""

    concepts: Phrases
    rules: Phrases
    words: Mapping[str, Sequence[str]]


@cache
def lexicon() -> Lexicon:
    """The files that come with the program, read once."""
    concepts, rules = (collect_phrases(section, tokenize) for section in ("concepts", "rules"))
    return Lexicon(concepts, rules, list_words("rules"))


def is_spaceless(text: str) -> bool:
    """Whether a text holds characters that are written without spaces between words."""
    return _SPACELESS.search(text) is not None


def shorten(text: str, length: int) -> str:
    """The beginning and the end of a text that is longer."""
    return text if len(text) <= length else f"{text[: length * 2 // 3]}\n{text[-length // 3 :]}"


def find_concepts(words: Sequence[str]) -> list[tuple[int, str]]:
    """The concepts of a clause's words, each with the place of the word it was found at."""
    runs = lexicon().concepts.find_longest([fold(word) for word in words])
    return [(at, concept) for at, _, found in runs for concept in found.split()]


def tag(whole: str) -> TaggedText:
    """Looks the words of a text up: their groups in the rules, and their concepts."""
    text = shorten(whole, _READ)
    found = list(_TOKEN.finditer(text))
    words = tuple(_normalize(match[0]) for match in found)
    known = lexicon()
    runs = [*known.rules.find_everywhere(words), *known.concepts.find_longest(words)]
    matches = [
        RuleMatch(group, at, at + size, f"{group.partition('.')[0]}.*" if "." in group else "")
        for at, size, groups in runs
        for group in groups.split()
    ]
    matches.sort(key=lambda one: (one.first, -one.last))
    spans = tuple(match.span() for match in found)
    return TaggedText(whole=whole, text=text, words=words, spans=spans, matches=tuple(matches))


def tokenize(text: str) -> tuple[str, ...]:
    """The words of a text as the rules compare them."""
    return tuple(map(_normalize, _TOKEN.findall(text[:_READ])))


def _normalize(word: str) -> str:
    return fold(unicodedata.normalize("NFKC", word[:LONGEST_WORD])[:LONGEST_WORD])
