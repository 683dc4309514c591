"""The words of twelve languages: what the model reads as concepts, and what the rules look for.

`lexicon/<language>.txt` holds the words; nothing else in this package knows a human language.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files as resources

LANGUAGES = ("en", "de", "es", "fr", "pt", "it", "nl", "ru", "zh", "ja", "ko", "tr")
"""In this order: the endings that are cut off words are tried in the order of their files."""
_MOST_CHARACTERS, _MOST_WORDS = 8, 4
_CONCEPT_CHARACTERS, _CONCEPT_WORDS = 6, 3
_SHORTEST = 2
_READ = 1000
"""Characters of a text in which rules look for words: half at its beginning, half at its end."""
_LATIN_END = "\u0250"
_LETTER_VARIANTS = str.maketrans({"ı": "i", "ß": "ss", "ё": "е"})  # noqa: RUF001 - Turkish, Russian
_CJK = "\u3040-\u30ff\u3400-\u9fff"
_SPACELESS = re.compile(rf"[{_CJK}\uac00-\ud7af]")
_ACCENTS = re.compile(r"[\u0300-\u036f]")
_TOKEN = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


@dataclass(slots=True)
class WordTable:
    """The meanings of words: whole, by their beginning, by their end, or as characters.

    Several meanings of a word stand in one string, with spaces between: thousands of lists would
    trigger the garbage collector, which takes as long as reading the files.
    """

    whole: dict[str, str] = field(default_factory=dict)
    begins: dict[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    characters: dict[str, str] = field(default_factory=dict)

    def add(self, meaning: str, word: str) -> None:
        plain = strip_accents(word)
        if not plain.isascii() and is_spaceless(plain):
            table, plain = self.characters, plain.replace("_", "").strip("*")
        elif plain[-1] == "*":
            table, plain = self.begins, plain[:-1]
        elif plain[0] == "*":
            table, plain = self.ends, plain[1:]
        else:
            table, plain = self.whole, plain.replace("_", " ")
        if plain not in table:
            table[plain] = meaning
        elif meaning not in table[plain].split():
            table[plain] += f" {meaning}"

    def meanings(self, word: str) -> tuple[str, ...]:
        """The meanings of one word: as it is, else by its longest known beginning and end."""
        if word in self.whole:
            return _unique(f"{self.whole[word]} {self.begins.get(word, '')}")
        begins = (word[:size] for size in range(len(word), _SHORTEST, -1))
        ends = (word[start:] for start in range(len(word) - _SHORTEST))
        begin = next((self.begins[part] for part in begins if part in self.begins), "")
        end = next((self.ends[part] for part in ends if part in self.ends), "")
        return _unique(f"{begin} {end}")


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
    folder = resources("adapters.embedded.planner").joinpath("lexicon")
    tables = {"[concepts]": WordTable(), "[rules]": WordTable()}
    lists: dict[str, list[str]] = defaultdict(list)
    for language in LANGUAGES:
        table, section = tables["[concepts]"], ""
        for line in folder.joinpath(f"{language}.txt").read_text("utf-8").splitlines():
            if line in tables:
                table, section = tables[line], line
            name, colon, words = line.partition(": ")
            if not colon or line[0] == "#":
                continue
            if section == "[rules]":
                lists[name] += words.split()
                lists[f"{name}@{language}"] = words.split()
            meaning = f"{name}@{language}" if name.startswith("result.") else name
            for word in words.split():
                table.add(meaning, word)
    return Lexicon(tables["[concepts]"], tables["[rules]"], dict(lists))


def strip_accents(word: str) -> str:
    """A word without its accents, which people leave out; those of other scripts stay."""
    if word.isascii():
        return word
    word = word.translate(_LETTER_VARIANTS)
    if word.isascii() or max(word) >= _LATIN_END:
        return word
    return _ACCENTS.sub("", unicodedata.normalize("NFD", word))


def is_spaceless(text: str) -> bool:
    """Whether a text holds characters that are written without spaces between words."""
    return _SPACELESS.search(text) is not None


def concepts(words: Sequence[str]) -> list[tuple[int, str]]:
    """The concepts of a clause's words, each with the place of the word it was found at."""
    return [(at, concept) for at, _, found in _concept_runs(words) for concept in found]


def shorten(text: str, length: int) -> str:
    """The beginning and the end of a text that is longer."""
    return text if len(text) <= length else f"{text[: length // 2]}\n{text[-length // 2 :]}"


@lru_cache(maxsize=128)
def tag(text: str) -> TaggedText:
    """The words of a text with the groups of the rules, and the concepts, they belong to."""
    text = shorten(text, _READ)
    found = list(_TOKEN.finditer(text))
    words = tuple(_normalize(match[0]) for match in found)
    spans = tuple(match.span() for match in found)
    matches = list(_rule_matches(words))
    for at, size, meanings in _concept_runs(words):
        matches += [RuleMatch(meaning, at, at + size) for meaning in meanings]
    return TaggedText(
        text, words, spans, tuple(sorted(matches, key=lambda one: (one.first, -one.last)))
    )


def tokenize(text: str) -> tuple[str, ...]:
    """The words of a text as the rules compare them."""
    return tuple(map(_normalize, _TOKEN.findall(text[:_READ])))


def _normalize(word: str) -> str:
    return strip_accents(word.casefold().replace("\u0307", ""))  # the dot of a Turkish capital I


def language_in(text: str) -> str:
    """The code of the last language that a text names, or ""."""
    return language_named(text)[0]


def language_named(text: str) -> tuple[str, str]:
    """The code of the last language that a text names, and the words it is named with."""
    tagged = tag(text)
    match = next(
        (one for one in reversed(tagged.matches) if one.group.startswith("language.")), None
    )
    if match is None:
        return "", ""
    start, end = tagged.spans[match.first][0], tagged.spans[match.last - 1][1]
    return match.group.removeprefix("language."), tagged.text[start:end]


def _concept_runs(words: Sequence[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The longest runs of words that mean something together: place, number of words, concepts."""
    plain = [strip_accents(word) for word in words]
    at = 0
    while at < len(plain):
        run = _written_run if is_spaceless(plain[at][:1]) else _spaced_run
        size, found = run(plain, at)
        yield at, size, found
        at += size


def _spaced_run(words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    for size in range(min(_CONCEPT_WORDS, len(words) - at), 1, -1):
        if known := lexicon().concepts.whole.get(" ".join(words[at : at + size])):
            return size, _unique(known)
    return 1, _word_concepts(words[at])


def _written_run(words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    """The longest run of characters; a Korean word is searched for all that it holds."""
    if len(words[at]) > 1:
        return 1, _inner_concepts(words[at])
    run = "".join(words[at : at + _CONCEPT_CHARACTERS])
    size = _longest_known(run, 0)
    return size or 1, _unique(lexicon().concepts.characters.get(run[:size], ""))


def _longest_known(text: str, at: int) -> int:
    """The length of the longest run of characters from here on that means something, or 0."""
    known = lexicon().concepts.characters
    sizes = range(min(_CONCEPT_CHARACTERS, len(text) - at), 0, -1)
    return next((size for size in sizes if text[at : at + size] in known), 0)


@lru_cache(maxsize=20000)
def _inner_concepts(word: str) -> tuple[str, ...]:
    found: list[str] = []
    at = 0
    while at < len(word):
        size = _longest_known(word, at)
        found += lexicon().concepts.characters[word[at : at + size]].split() if size else []
        at += size or 1
    return tuple(found)


@lru_cache(maxsize=20000)
def _word_concepts(word: str) -> tuple[str, ...]:
    return lexicon().concepts.meanings(word)


def _rule_matches(words: Sequence[str]) -> Iterator[RuleMatch]:
    """Every run of words that belongs to a group."""
    table = lexicon().rules
    for at, word in enumerate(words):
        for size in range(2, min(_MOST_WORDS, len(words) - at) + 1):
            for group in table.whole.get(" ".join(words[at : at + size]), "").split():
                yield RuleMatch(group, at, at + size)
        for group in _word_groups(word):
            yield RuleMatch(group, at, at + 1)
        if word.isdigit() or is_spaceless(word[:1]):
            yield from _written_matches(words, at)


@lru_cache(maxsize=20000)
def _word_groups(word: str) -> tuple[str, ...]:
    table = lexicon().rules
    begins = (table.begins.get(word[:size], "") for size in range(1, len(word) + 1))
    ends = (table.ends.get(word[start:], "") for start in range(len(word)))
    return _unique(" ".join((table.whole.get(word, ""), *begins, *ends)))


def _written_matches(words: Sequence[str], at: int) -> Iterator[RuleMatch]:
    """The groups of the characters from the start of a word on, over several words too."""
    table, run = lexicon().rules.characters, ""
    for last in range(at, min(at + _MOST_CHARACTERS, len(words))):
        begun, run = len(run), run + words[last]
        for size in range(begun + 1, min(len(run), _MOST_CHARACTERS) + 1):
            for group in table.get(run[:size], "").split():
                yield RuleMatch(group, at, last + 1)


def _unique(meanings: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(meanings.split()))
