"""Turns a reading into hashed features, by CRC-32, which is the same on every machine and in every year."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from zlib import crc32

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.concepts import concepts
from adapters.embedded.planner.reading import Reading, Word

BITS = 20
CHAR_BIT = 1 << BITS
"""Set in the hash of a feature of letters, which weigh less than features of words."""

_TOGETHER = 12
"""Concepts of which all pairs are looked at."""

Hashes = npt.NDArray[np.int64]

_ENDINGS = [
    "ization",
    "ification",
    "ations",
    "ation",
    "ising",
    "izing",
    "ings",
    "ing",
    "ies",
    "ied",
    "ed",
    "es",
    "s",
    "ly",
    "ion",
    "ions",
    "e",
    "ungen",
    "ung",
    "ieren",
    "iere",
    "iert",
    "ando",
    "iendo",
    "ación",
    "ciones",
    "ción",
    "ment",
    "ement",
    "er",
    "ez",
]


def document(reading: Reading, tags: Sequence[str] = ()) -> Hashes:
    """What is known of the request as a whole. `tags` say which files there are."""
    words = [word.text for clause in reading.clauses for word in clause]
    names = _ngrams(words, tags) + [f"F{tag}" for tag in tags]
    for quote in reading.inside.values():
        names += _quoted(quote)
    if tags:
        names += _meant(words, tags)
    return _hashes(names, words)


def clauses(reading: Reading, tags: Sequence[str] = ()) -> list[Hashes]:
    """What is known of each clause, with a glance at the one before."""
    found = []
    before: tuple[Word, ...] = ()
    for clause in reading.clauses:
        words = [word.text for word in clause]
        names = _ngrams(words, tags) + [f"F{tag}" for tag in tags]
        names += [f"p{stem(word.text)}" for word in before]
        for word in clause:
            names += _quoted(reading.inside.get(word.start, ()))
        if tags:
            names += _meant(words, tags)
        found.append(_hashes(names, words))
        before = clause
    return found


def by_word(
    clause: Sequence[Word],
) -> tuple[Hashes, npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """The features that hold words of a clause: hashes, the number of the word, and its share of the feature."""
    stems = ["<", *(stem(word.text) for word in clause), ">"]
    spans: list[tuple[str, tuple[int, ...]]] = []
    for at, word in enumerate(clause):
        spans += [(f"w{word.text}", (at,)), (stems[at + 1], (at,))]
    for at, (a, b) in enumerate(pairwise(stems)):
        spans.append((f"{a}_{b}", (at - 1, at)))
    for at, (a, b, c) in enumerate(zip(stems, stems[1:], stems[2:], strict=False)):
        spans += [(f"{a}_{b}_{c}", (at - 1, at, at + 1)), (f"{a}*{c}", (at - 1, at + 1))]
    found = []
    for name, of in spans:
        inside = [at for at in of if 0 <= at < len(clause)]
        code = crc32(name.encode()) % CHAR_BIT
        found += [(code, at, 1 / len(inside)) for at in inside]
    for at, word in enumerate(clause):
        found += [(code, at, 1.0) for code in letters(word.text)]
    hashes, words, shares = zip(*found, strict=True)
    return np.array(hashes), np.array(words), np.array(shares, np.float32)


@lru_cache(maxsize=20000)
def stem(word: str) -> str:
    """A word without its most common endings."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:  # noqa: PLR2004
            return word[: -len(ending)]
    return word


def _ngrams(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    stems = ["<", *(stem(word) for word in words), ">"]
    pairs = [f"{a}_{b}" for a, b in pairwise(stems)]
    triples = [f"{p}_{c}" for p, c in zip(pairs, stems[2:], strict=False)]
    skips = [f"{a}*{c}" for a, c in zip(stems, stems[2:], strict=False)]
    names = [*(f"w{word}" for word in words), *stems, *pairs, *triples, *skips]
    for tag in tags:
        names += [f"{tag}|{name}" for name in (*stems, *pairs)]
    return names


def _quoted(words: Sequence[str]) -> list[str]:
    """A question or an instruction in quotes: its words, and how it begins and ends."""
    if not words:
        return []
    stems = [stem(word) for word in words]
    return [
        *(f"q{a}" for a in stems),
        *(f"q{edge}" for edge in (f"<{stems[0]}", "_".join(["<", *stems[:2]]), f"{stems[-1]}>")),
    ]


def _meant(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """The concepts of the words, those that follow one another, and those that stand together."""
    found = [concept for _, concept in concepts(words)]
    row = ["<", *found, ">"]
    names = [f"@{one}" for one in found]
    names += [f"@{a}>{b}" for a, b in pairwise(row)]
    several = sorted(set(found))[:_TOGETHER]
    pairs = [f"@{a}+{b}" for a, b in combinations(several, 2)]
    names += pairs
    for tag in tags:
        names += [f"{tag}|@{one}" for one in several] + [f"{tag}|{pair}" for pair in pairs]
    return names


def _hashes(names: list[str], words: Sequence[str]) -> Hashes:
    found = {crc32(name.encode()) % CHAR_BIT for name in names}
    for word in words:
        found.update(letters(word))
    return np.fromiter(found, np.int64, len(found))


@lru_cache(maxsize=20000)
def letters(word: str) -> tuple[int, ...]:
    """The hashes of runs of three to five letters of a word."""
    edged = f"<{word}>"
    return tuple(
        CHAR_BIT | crc32(f"c{edged[i : i + n]}".encode()) % CHAR_BIT
        for n in (3, 4, 5)
        for i in range(len(edged) - n + 1)
    )
