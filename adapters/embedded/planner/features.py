"""Turns a reading into hashed features, by CRC-32: the same on every machine and in every year."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.lexicon import concepts, lexicon
from adapters.embedded.planner.reading import Reading, Word

BITS = 20
CHAR_BIT = 1 << BITS
"""Set in the hash of a feature of letters, which weigh less than features of words."""
_TOGETHER = 12
"""Concepts of which all pairs are looked at."""
_LEAST_STEM = 4

Hashes = npt.NDArray[np.int64]


def document_features(reading: Reading, tags: Sequence[str] = ()) -> Hashes:
    """The features of the request as a whole. `tags` say which files there are."""
    return _features([word for clause in reading.clauses for word in clause], reading, tags)


def clause_features(reading: Reading, tags: Sequence[str] = ()) -> list[Hashes]:
    """The features of each clause, with the words of the one before."""
    before: tuple[Sequence[Word], ...] = ((), *reading.clauses)
    return [
        _features(clause, reading, tags, last)
        for clause, last in zip(reading.clauses, before, strict=False)
    ]


def _features(
    row: Sequence[Word], reading: Reading, tags: Sequence[str], before: Sequence[Word] = ()
) -> Hashes:
    words = [word.text for word in row]
    names = _ngrams(words, tags) + [f"F{tag}" for tag in tags]
    names += [f"p{stem(word.text)}" for word in before]
    for word in row:
        names += _quote_features(reading.inside.get(word.start, ()))
    if tags:
        names += _concept_features(words, tags)
    hashes = {crc32(name.encode()) % CHAR_BIT for name in names}
    hashes.update(*map(letter_features, words))
    return np.fromiter(hashes, np.int64, len(hashes))


@lru_cache(maxsize=20000)
def stem(word: str) -> str:
    """A word without its most common endings."""
    for ending in lexicon().words["ending"]:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=20000)
def letter_features(word: str) -> tuple[int, ...]:
    """The hashes of runs of three to five letters of a word."""
    edged = f"<{word}>"
    return tuple(
        CHAR_BIT | crc32(f"c{edged[i : i + n]}".encode()) % CHAR_BIT
        for n in (3, 4, 5)
        for i in range(len(edged) - n + 1)
    )


def _ngrams(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    stems = ["<", *(stem(word) for word in words), ">"]
    pairs = [f"{a}_{b}" for a, b in pairwise(stems)]
    triples = [f"{p}_{c}" for p, c in zip(pairs, stems[2:], strict=False)]
    skips = [f"{a}*{c}" for a, c in zip(stems, stems[2:], strict=False)]
    names = [*(f"w{word}" for word in words), *stems, *pairs, *triples, *skips]
    for tag in tags:
        names += [f"{tag}|{name}" for name in (*stems, *pairs)]
    return names


def _quote_features(words: Sequence[str]) -> list[str]:
    """A question or an instruction in quotes: its words, and how it begins and ends."""
    if not words:
        return []
    stems = [stem(word) for word in words]
    edges = (f"<{stems[0]}", "_".join(["<", *stems[:2]]), f"{stems[-1]}>")
    return [*(f"q{word}" for word in stems), *(f"q{edge}" for edge in edges)]


def _concept_features(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The concepts of the words, those that follow one another, and those that stand together."""
    found = [concept for _, concept in concepts(words)]
    names = [f"@{one}" for one in found]
    names += [f"@{a}>{b}" for a, b in pairwise(["<", *found, ">"])]
    several = sorted(set(found))[:_TOGETHER]
    pairs = [f"@{a}+{b}" for a, b in combinations(several, 2)]
    names += pairs
    for tag in tags:
        names += [f"{tag}|@{one}" for one in several] + [f"{tag}|{pair}" for pair in pairs]
    return names
