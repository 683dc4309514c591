"""Words of people's languages in data files, and finding their phrases in a text.

`planner/lexicon/` and `experts/lexicon/` have a file for each language: sections of named lists of
phrases. In a phrase, `*` stands for how the last word goes on, or the only word begins.
"""

import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

LANGUAGES = ("en", "de", "es", "fr", "zh", "ja")
CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(rf"\d+(?:[.,:]\d+)*|[{CJK}]|[^\W\d_{CJK}]+|[%°×<>≤≥]")
_MOST_CHARACTERS = 20_000
"""Characters of a text that are split into words."""
_LONGEST_STEM = 30
"""Letters of a word that may go on, in a phrase with `*`."""
_ENDS = str.maketrans(dict.fromkeys("?？!！。;；", "\n"))


class Match(NamedTuple):
    """A phrase in a row of words: what it means ("" for a word that is not known), and where."""

    concept: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Phrases:
    """Phrases and what they mean: the names of the lists that they stand in, with blanks between.

    One string each, since thousands of lists would keep the garbage collector busy.
    """

    meanings: Mapping[tuple[str, ...], str]

    @classmethod
    def of(cls, phrases: Iterable[tuple[str, str]]) -> "Phrases":
        """Make them of pairs of a phrase and its meaning; the first of equal phrases counts."""
        return cls({key: names[0] for key, names in _collect(phrases, split_words).items()})

    @cached_property
    def _longest(self) -> Mapping[str, int]:
        """How many words the longest phrase has that begins with each word."""
        longest: dict[str, int] = {}
        for key in self.meanings:
            longest[key[0]] = max(len(key), longest.get(key[0], 1))
        return longest

    def with_types(self, spellings: Mapping[str, str]) -> "Phrases":
        """These, and the names of file types, which mean `type.<ending>`."""
        types = Phrases.of((name, f"type.{ending}") for name, ending in spellings.items())
        return Phrases({**self.meanings, **types.meanings})

    def find(self, words: Sequence[str]) -> list[Match]:
        """Cut words into the longest phrases, from the first word to the last.

        A word that belongs to no phrase is a match without a concept. A phrase gives up its last
        words where they and the unknown word after it are a phrase: "the most expensive" is "the"
        and "most expensive", rather than "the most" and a word that nobody knows.
        """
        matches: list[Match] = []
        at = 0
        while at < len(words):
            size, names = next(self.find_at(words, at), (1, ""))
            if not names and matches and (pair := self._share_words(words, matches[-1], at)):
                matches[-1:] = pair
            else:
                matches.append(Match(names.partition(" ")[0], at, at + size))
            at = matches[-1].end
        return matches

    def _share_words(self, words: Sequence[str], last: Match, unknown: int) -> Sequence[Match]:
        """The words of a phrase as a shorter one, and one that an unknown word is in."""
        for size, names in self.find_at(words, last.start):
            cut = last.start + size
            for length, others in self.find_at(words, cut) if cut < last.end else ():
                if cut + length > unknown:
                    first = Match(names.partition(" ")[0], last.start, cut)
                    return first, Match(others.partition(" ")[0], cut, cut + length)
        return ()

    def find_at(self, words: Sequence[str], at: int) -> Iterator[tuple[int, str]]:
        """The phrases that begin at a word, the longest first: number of words and meanings."""
        most = min(self._longest.get(words[at], 1), len(words) - at)
        for size in range(most, 0, -1):
            if names := self._look_up(words[at : at + size]):
                yield size, names

    def find_longest(self, words: Sequence[str]) -> list[tuple[int, int, str]]:
        """The longest phrases, one after the other: place, number of words and all meanings."""
        runs, at = list[tuple[int, int, str]](), 0
        while at < len(words):
            size, names = next(self.find_at(words, at), (1, ""))
            runs.append((at, size, names))
            at += size
        return runs

    def find_everywhere(self, words: Sequence[str]) -> list[tuple[int, int, str]]:
        """All phrases, also those within others: place, number of words and all meanings."""
        return [(at, *run) for at in range(len(words)) for run in self.find_at(words, at)]

    def concepts(self, text: str) -> list[str]:
        """What the phrases in a text mean, in its order, each once."""
        return list(dict.fromkeys(m.concept for m in self.find(split_words(text)) if m.concept))

    def _look_up(self, words: Sequence[str]) -> str:
        """The meanings of words as they are, else by the longest beginning or ending known."""
        *before, last = words
        get, start = self.meanings.get, tuple(before)
        own, going_on = get((*start, last), ""), get((*start, f"{last}*"), "")
        if own:
            return _join(own, going_on)
        cuts = range(min(len(last), _LONGEST_STEM), 1, -1)
        begins = next(filter(None, (get((*start, f"{last[:cut]}*")) for cut in cuts)), "")
        ends = (
            get((f"*{last[cut:]}",))
            for cut in range(max(0, len(last) - _LONGEST_STEM), len(last) - 1)
        )
        ending = next(filter(None, ends), "") if not before else ""
        return _join(begins, ending)


def _join(*names: str) -> str:
    return " ".join(dict.fromkeys(" ".join(names).split()))


def _collect(
    phrases: Iterable[tuple[str, str]], split: Callable[[str], Sequence[str]]
) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for phrase, meaning in phrases:
        if key := [*split(phrase)]:
            key[0] = "*" * phrase.startswith("*") + key[0]
            key[-1] += "*" * phrase.endswith("*")
            found[tuple(key)].append(meaning)
    return found


def split_words(text: str) -> list[str]:
    """Words without case and accents; numbers and each CJK character are words of their own."""
    words = _WORD.findall(unicodedata.normalize("NFC", text[:_MOST_CHARACTERS]))
    return [fold(word) for word in words]


def fold(word: str) -> str:
    """A word without its case, and without its accents, which people leave out."""
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
        for file in _read_files().values()
        for name, listed in file.get(section, {}).items()
        for phrase in listed
    )


def collect_phrases(section: str, split: Callable[[str], Sequence[str]]) -> Phrases:
    """The phrases of a section in words of another kind, with the names of all their lists."""
    named = ((phrase, name) for name, listed in list_words(section).items() for phrase in listed)
    found = _collect(named, split)
    return Phrases({key: " ".join(dict.fromkeys(names)) for key, names in found.items()})


@cache
def list_words(section: str) -> Mapping[str, Sequence[str]]:
    """The lists of a section, those of all languages together."""
    lists: dict[str, list[str]] = defaultdict(list)
    for file in _read_files().values():
        for name, listed in file.get(section, {}).items():
            lists[name] += listed
    return lists


@cache
def list_own_words() -> Mapping[str, frozenset[str]]:
    """For each language, the words of its phrases that stand in no other language's."""
    words: dict[str, set[str]] = defaultdict(set)
    for path, file in _read_files().items():
        for section in file.values():
            for phrase in (phrase for listed in section.values() for phrase in listed):
                words[path.stem].update(split_words(phrase))
    shared = Counter(word for own in words.values() for word in own)
    return {code: frozenset(w for w in own if shared[w] == 1) for code, own in words.items()}


@cache
def _read_files() -> Mapping[Path, Mapping[str, Mapping[str, Sequence[str]]]]:
    """The sections of each file, whose name is its language's."""
    here = Path(__file__).parent
    paths = (path for name in LANGUAGES for path in sorted(here.glob(f"*/lexicon/{name}.toml")))
    return {path: tomllib.loads(path.read_text("utf-8")) for path in paths}


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
