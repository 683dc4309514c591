"""What words mean: a table of words of twelve languages, by which what is learnt in one holds in the others."""

# ruff: noqa: RUF001 - words of many scripts

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files as resources

TABLE = "concepts.txt"
_LONGEST_CHARACTERS, _LONGEST_WORDS = 6, 3
_SHORTEST = 2
_LATIN_END = "\u0250"
_PLAIN = str.maketrans({"ı": "i", "ß": "ss", "ё": "е"})
_CHARACTERS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARKS = re.compile(r"[\u0300-\u036f]")

Places = Sequence[tuple[int, str]]


@dataclass(slots=True)
class Lexicon:
    """The concepts of words: whole, by their beginning, by their end, or as characters without spaces between them.

    Several concepts of a word stand in one string, with spaces between: thousands of lists would set off the garbage
    collector, which takes as long as reading the table.
    """

    whole: dict[str, str] = field(default_factory=dict)
    begins: dict[str, str] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    characters: dict[str, str] = field(default_factory=dict)

    def add(self, concept: str, word: str) -> None:
        """A word of the table."""
        plain = bare(word)
        if not plain.isascii() and _CHARACTERS.search(plain):
            held, plain = self.characters, plain.replace("_", "").strip("*")
        elif plain[-1] == "*":
            held, plain = self.begins, plain[:-1]
        elif plain[0] == "*":
            held, plain = self.ends, plain[1:]
        else:
            held, plain = self.whole, plain.replace("_", " ")
        if plain not in held:
            held[plain] = concept
        elif concept not in held[plain].split():
            held[plain] += f" {concept}"

    def meanings(self, word: str) -> tuple[str, ...]:
        """The concepts of one word (or of several, with spaces between): as it is, else by its beginning and its end."""
        if word in self.whole:
            return _apart(f"{self.whole[word]} {self.begins.get(word, '')}")
        begins = (word[:size] for size in range(len(word), _SHORTEST, -1))
        ends = (word[start:] for start in range(len(word) - _SHORTEST))
        begun = next((self.begins[part] for part in begins if part in self.begins), "")
        ended = next((self.ends[part] for part in ends if part in self.ends), "")
        return _apart(f"{begun} {ended}")


def _apart(concepts: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(concepts.split()))


@cache
def lexicon() -> Lexicon:
    """The table that comes with the program."""
    text = resources("adapters.embedded.planner").joinpath(TABLE).read_text("utf-8")
    found = Lexicon()
    for line in text.splitlines():
        concept, colon, words = line.partition(": ")
        if colon and not line.startswith("#"):
            for word in words.split():
                found.add(concept, word)
    return found


def bare(word: str) -> str:
    """A word without its accents, which people leave out; those of other scripts stay."""
    if word.isascii():
        return word
    word = word.translate(_PLAIN)
    if word.isascii() or max(word) >= _LATIN_END:
        return word
    return _MARKS.sub("", unicodedata.normalize("NFD", word))


def concepts(words: Sequence[str]) -> Places:
    """The concepts of a clause's words, each with the place of the word that it was found at."""
    plain = [bare(word) for word in words]
    found: list[tuple[int, str]] = []
    at = 0
    while at < len(plain):
        size, meant = _written(plain, at) if _CHARACTERS.match(plain[at]) else _spaced(plain, at)
        found += [(at, concept) for concept in meant]
        at += size
    return found


def _spaced(words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    """The meaning of the longest run of words from here on, up to three."""
    for size in range(min(_LONGEST_WORDS, len(words) - at), 1, -1):
        meant = _meanings(" ".join(words[at : at + size]))
        if meant:
            return size, meant
    return 1, _meanings(words[at])


def _written(words: list[str], at: int) -> tuple[int, tuple[str, ...]]:
    """The meaning of the longest run of characters from here on; a Korean word is looked through."""
    known = lexicon().characters
    if len(words[at]) > 1:
        return 1, _inside(words[at])
    run = "".join(words[at : at + _LONGEST_CHARACTERS])
    for size in range(len(run), 0, -1):
        if run[:size] in known:
            return size, _apart(known[run[:size]])
    return 1, ()


@lru_cache(maxsize=20000)
def _inside(word: str) -> tuple[str, ...]:
    known = lexicon().characters
    found: list[str] = []
    at = 0
    while at < len(word):
        sizes = range(min(_LONGEST_CHARACTERS, len(word) - at), 0, -1)
        size = next((size for size in sizes if word[at : at + size] in known), 0)
        found += known[word[at : at + size]].split() if size else []
        at += size or 1
    return tuple(found)


@lru_cache(maxsize=20000)
def _meanings(words: str) -> tuple[str, ...]:
    known = lexicon()
    if " " in words:
        return _apart(known.whole.get(words, ""))
    return known.meanings(words)
