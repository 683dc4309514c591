"""The learned model: log-odds of each kind of task, by a linear model and a small network.

Features are hashed by CRC-32: the same on every machine and in every year.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.reading import Reading, Word
from adapters.embedded.planner.tagging import find_concepts, lexicon

Floats = npt.NDArray[np.float32]
Hashes = npt.NDArray[np.int64]
Stored = Mapping[str, npt.NDArray[Any]]

CHAR_BIT = 1 << 20
"""Set in the hash of a feature of letters, which weigh less than features of words."""
_TOGETHER = 12
"""Concepts of which all pairs are looked at."""
_LEAST_STEM = 4
"""Letters that are left of a word without its ending."""
TALK = "talk"
"""Stands for the empty set of kinds: plain talk."""
NONE = "none"
"""Stands for a wish that no kind fulfils; it may stand beside kinds."""
SHARPNESS = 8.0
"""What unit vectors are multiplied with before the sum."""
KEY_SPACE = 1 << 20
"""Keys of words and concepts are hashes below this."""
LETTER_ROWS = 2048
"""Rows of the network for letters, which share them by hash."""
MOST_TOKENS = 96
"""Words the network sees: the beginning of a longer request, and a third of them from its end."""
_MOST_LETTERS = 30
"""Runs of letters of a word that the network sees."""
TAGS = (*"adivt", *(f"2{t}" for t in "adivt"), *(f"o{t}" for t in "adivt"), "old", "0")
"""What the network knows of the files, in the order of its weights."""
_NONE = -9.0
"""Log-odds of every kind for a text without words."""


@dataclass(frozen=True, slots=True)
class LinearView:
    """The weights of one view (request or clause), a row for each of the sorted hashes."""

    hashes: Hashes
    scale: Floats
    weights: npt.NDArray[np.int8]
    step: Floats

    def score(self, hashes: Hashes) -> Floats:
        """The scores of all kinds for one set of features, by a dot product.

        Each known feature stands for a row of weights and a scale, which is how telling it is. The
        scales are made a vector of length `SHARPNESS`, so that long texts do not score higher. With
        the features "sum" (scale 3) and "up" (scale 4), a third one that is not known, and
        `SHARPNESS` 8, the rows count 8 × 3/5 and 8 × 4/5; a kind whose weights there are 10 and 5
        steps of 0.1 gets 4.8 × 1.0 + 6.4 × 0.5 = 8.0.
        """
        rows = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        rows = rows[self.hashes[rows] == hashes]
        if not len(rows):
            return np.zeros(len(self.step), np.float32)
        values = self.scale[rows]
        values /= float(np.sqrt(values @ values)) / SHARPNESS
        return np.asarray((values @ self.weights[rows].astype(np.float32)) * self.step)


@dataclass(frozen=True, slots=True)
class Token:
    """A word for the network: keys of what it is and means, and the rows of its letters."""

    keys: tuple[int, ...]
    letters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NeuralNetwork:
    """Word vectors, a window of three words, maximum and mean over the request, one hidden layer.

    `keys` are sorted; `table` has a row for each, `letters` one for each bucket.
    """

    keys: npt.NDArray[np.int64]
    table: Floats
    letters: Floats
    layers: Mapping[str, Floats]

    def score(self, reading: Reading, tags: Sequence[str] = ()) -> Floats:
        """The log-odds of all kinds."""
        layers, files = self.layers, tag_vector(tags)
        words = np.tanh(self._embed(tokens(reading)) + files @ layers["tags"] + layers["start"])
        around = np.zeros((len(words) + 2, words.shape[1]), np.float32)
        around[1:-1] = words
        windows = np.concatenate([around[:-2], around[1:-1], around[2:]], axis=1)
        seen = np.maximum(windows @ layers["windows"] + layers["windows.bias"], 0)
        both = np.concatenate([seen, words], axis=1)
        gate = 1 + files @ layers["gate"] + layers["gate.bias"]
        mean = both.sum(axis=0) / np.sqrt(len(both))
        whole = np.concatenate([both.max(axis=0) * gate, mean * gate, files])
        hidden = np.maximum(whole @ layers["hidden"] + layers["hidden.bias"], 0)
        return np.asarray(hidden @ layers["kinds"] + whole @ layers["direct"] + layers["bias"])

    def _embed(self, row: Sequence[Token]) -> Floats:
        """The vector of each word: those of its keys, and the mean of those of its letters."""
        vectors = np.zeros((len(row), self.table.shape[1]), np.float32)
        owner = np.repeat(np.arange(len(row)), [len(token.keys) for token in row])
        codes = np.array([code for token in row for code in token.keys], np.int64)
        places = np.minimum(np.searchsorted(self.keys, codes), len(self.keys) - 1)
        known = self.keys[places] == codes
        np.add.at(vectors, owner[known], self.table[places[known]])
        counts = np.array([len(token.letters) for token in row])
        letters = self.letters[[code for token in row for code in token.letters]]
        np.add.at(
            vectors,
            np.repeat(np.arange(len(row)), counts),
            letters / np.repeat(counts, counts)[:, None],
        )
        return vectors


@dataclass(frozen=True, slots=True)
class Scores:
    """What the model makes of a request."""

    kinds: tuple[str, ...]
    odds: Floats
    """Log-odds of each kind."""
    by_clause: Floats
    where: npt.NDArray[np.float32]
    """Number of the clause that speaks most of each kind."""

    def __getitem__(self, kind: str) -> float:
        return float(self.odds[self.kinds.index(kind)])


@dataclass(frozen=True, slots=True)
class KindModel:
    """A vocabulary of kinds with its weights. `rules` hold what decoding learned (JSON)."""

    kinds: tuple[str, ...]
    request: LinearView
    clause: LinearView
    bias: Floats
    rules: Mapping[str, Any]
    network: NeuralNetwork | None = None
    """A second opinion, of the same weight."""

    def score(self, reading: Reading, tags: Sequence[str] = ()) -> Scores:
        """Scores of all kinds for a request; `tags` name the files."""
        parts = clause_features(reading, tags)
        if not parts:
            none = np.full((1, len(self.kinds)), _NONE, np.float32)
            return Scores(self.kinds, none[0], none, np.zeros_like(none[0]))
        by_clause = np.stack([self.clause.score(part) for part in parts])
        whole = self.request.score(document_features(reading, tags))
        odds = whole + np.logaddexp.reduce(by_clause, axis=0) + self.bias
        if self.network is not None:
            odds = (odds + self.network.score(reading, tags)) / 2
        where = by_clause.argmax(axis=0).astype(np.float32)
        return Scores(self.kinds, odds.astype(np.float32), by_clause, where)


def tag_vector(tags: Sequence[str]) -> Floats:
    """What is known of the files, as numbers."""
    return np.array([tag in tags for tag in TAGS], np.float32)


def tokens(reading: Reading) -> list[Token]:
    """The words of a request, with a mark between clauses; the beginning and end of a long one."""
    found = [token for at, clause in enumerate(reading.clauses) for token in _clause(at, clause)]
    if len(found) > MOST_TOKENS:
        found = found[: MOST_TOKENS * 2 // 3] + found[-(MOST_TOKENS // 3) :]
    return found or [Token((key("|"),), ())]


def key(name: str) -> int:
    """The number of a word or a concept."""
    return crc32(name.encode()) % KEY_SPACE


def load(stored: Stored, name: str) -> KindModel:
    """The model of a vocabulary out of the file of weights."""
    about = json.loads(bytes(stored[f"{name}.about"]).decode())
    return KindModel(
        tuple(about["kinds"]),
        _load_view(stored, f"{name}.request"),
        _load_view(stored, f"{name}.clause"),
        stored[f"{name}.bias"].astype(np.float32),
        about["rules"],
        load_network(stored, f"{name}.network") if f"{name}.network.gaps" in stored else None,
    )


def load_network(stored: Stored, name: str) -> NeuralNetwork:
    """The network out of the file of weights."""
    layers = {
        part.removeprefix(f"{name}.layer."): _dequantize(stored, part)
        for part in stored
        if part.startswith(f"{name}.layer.") and not part.endswith(".step")
    }
    keys = np.cumsum(stored[f"{name}.gaps"].astype(np.int64))
    table, letters = (_dequantize(stored, f"{name}.{part}") for part in ("table", "letters"))
    return NeuralNetwork(keys, table, letters, layers)


def _clause(at: int, clause: Sequence[Word]) -> Iterator[Token]:
    if at:
        yield Token((key("|"),), ())
    found = find_concepts([word.text for word in clause])
    for place, word in enumerate(clause):
        meanings = (key(f"@{concept}") for where, concept in found if where == place)
        letters = letter_features(word.text)[:_MOST_LETTERS]
        rows = tuple(code % LETTER_ROWS for code in letters)
        yield Token((key(f"w{word.text}"), *meanings), rows)


def _load_view(stored: Stored, name: str) -> LinearView:
    return LinearView(
        np.cumsum(stored[f"{name}.gaps"].astype(np.int64)),
        (stored[f"{name}.scale"] / 32).astype(np.float32),
        np.ascontiguousarray(stored[f"{name}.weights"].T),
        stored[f"{name}.step"].astype(np.float32),
    )


def _dequantize(stored: Stored, part: str) -> Floats:
    """Numbers of 8 bits, with a step for each column."""
    return np.asarray(stored[part].astype(np.float32) * stored[f"{part}.step"].astype(np.float32))


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
    return hash_names(names, *map(letter_features, words))


def hash_names(names: Iterable[str], *others: Iterable[int]) -> Hashes:
    """The hashes of named features, and others."""
    hashes = {crc32(name.encode()) % CHAR_BIT for name in names}.union(*others)
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
    found = [concept for _, concept in find_concepts(words)]
    names = [f"@{one}" for one in found]
    names += [f"@{a}>{b}" for a, b in pairwise(["<", *found, ">"])]
    several = sorted(set(found))[:_TOGETHER]
    pairs = [f"@{a}+{b}" for a, b in combinations(several, 2)]
    names += pairs
    for tag in tags:
        names += [f"{tag}|@{one}" for one in several] + [f"{tag}|{pair}" for pair in pairs]
    return names
