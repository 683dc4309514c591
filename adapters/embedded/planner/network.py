"""A small network over words, their letters and what they mean, beside the linear model: it holds what stands together.

Each word is a vector; windows of three words are looked at; the strongest and the mean over the request lead to the kinds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.concepts import concepts
from adapters.embedded.planner.features import letters
from adapters.embedded.planner.reading import Reading

Floats = npt.NDArray[np.float32]

SPACE = 1 << 20
"""Keys of words and concepts are hashes up to this."""
LETTERS = 2048
"""Rows for letters, which share them by hash."""
LONGEST = 96
"""Words that are looked at: the beginning of a longer request, and a third of them from its end."""
TAGS = (*"adivt", *(f"2{t}" for t in "adivt"), *(f"o{t}" for t in "adivt"), "old", "0")
"""What is told of the files, in the order in which the weights have it."""
_MOST_LETTERS = 30


@dataclass(frozen=True, slots=True)
class Token:
    """A word: keys of what it is and of what it means, and the rows of its letters."""

    keys: tuple[int, ...]
    letters: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """Its weights. `keys` are sorted; `table` has a row for each, `letters` one for each bucket."""

    keys: npt.NDArray[np.int64]
    table: Floats
    letters: Floats
    layers: Mapping[str, Floats]

    def score(self, reading: Reading, tags: Sequence[str] = ()) -> Floats:
        """The log-odds of all kinds."""
        layers = self.layers
        told = told_of(tags)
        words = np.tanh(self._words(tokens(reading)) + told @ layers["tags"] + layers["start"])
        around = np.zeros((len(words) + 2, words.shape[1]), np.float32)
        around[1:-1] = words
        windows = np.concatenate([around[:-2], around[1:-1], around[2:]], axis=1)
        seen = np.maximum(windows @ layers["windows"] + layers["windows.bias"], 0)
        both = np.concatenate([seen, words], axis=1)
        gate = 1 + told @ layers["gate"] + layers["gate.bias"]
        mean = both.sum(axis=0) / np.sqrt(len(both))
        whole = np.concatenate([both.max(axis=0) * gate, mean * gate, told])
        hidden = np.maximum(whole @ layers["hidden"] + layers["hidden.bias"], 0)
        found: Floats = hidden @ layers["kinds"] + whole @ layers["direct"] + layers["bias"]
        return found

    def _words(self, row: Sequence[Token]) -> Floats:
        size = self.table.shape[1]
        found = np.zeros((len(row), size), np.float32)
        owner = np.repeat(np.arange(len(row)), [len(token.keys) for token in row])
        codes = np.array([code for token in row for code in token.keys], np.int64)
        places = np.minimum(np.searchsorted(self.keys, codes), len(self.keys) - 1)
        known = self.keys[places] == codes
        np.add.at(found, owner[known], self.table[places[known]])
        spelled = [at for at, token in enumerate(row) if token.letters]
        if spelled:
            counts = [len(row[at].letters) for at in spelled]
            starts = [0, *accumulate(counts)][:-1]
            of_letters = self.letters[[code for at in spelled for code in row[at].letters]]
            found[spelled] += (
                np.add.reduceat(of_letters, starts, axis=0) / np.array(counts)[:, None]
            )
        return found


def told_of(tags: Sequence[str]) -> Floats:
    """What is told of the files, as numbers."""
    return np.array([tag in tags for tag in TAGS], np.float32)


def tokens(reading: Reading) -> list[Token]:
    """The words of a request, with a mark between clauses; of a long one the beginning and the end."""
    found = [token for at, clause in enumerate(reading.clauses) for token in _clause(at, clause)]
    if len(found) > LONGEST:
        found = found[: LONGEST * 2 // 3] + found[-(LONGEST // 3) :]
    return found or [Token((key("|"),), ())]


def _clause(at: int, clause: Sequence[Any]) -> Iterator[Token]:
    if at:
        yield Token((key("|"),), ())
    words = [word.text for word in clause]
    meant: dict[int, list[int]] = {}
    for place, concept in concepts(words):
        meant.setdefault(place, []).append(key(f"@{concept}"))
    for place, word in enumerate(words):
        spelled = tuple(code % LETTERS for code in letters(word)[:_MOST_LETTERS])
        yield Token((key(f"w{word}"), *meant.get(place, ())), spelled)


def key(name: str) -> int:
    """The number of a word or a concept."""
    return crc32(name.encode()) % SPACE


def load(stored: Mapping[str, npt.NDArray[Any]], name: str) -> Network:
    """The network out of the file of weights."""
    rows = {part: _wide(stored, f"{name}.{part}") for part in ("table", "letters")}
    layers = {
        part.removeprefix(f"{name}.layer."): _wide(stored, part)
        for part in stored
        if part.startswith(f"{name}.layer.") and not part.endswith(".step")
    }
    keys = np.cumsum(stored[f"{name}.gaps"].astype(np.int64))
    return Network(keys, rows["table"], rows["letters"], layers)


def _wide(stored: Mapping[str, npt.NDArray[Any]], part: str) -> Floats:
    """Numbers of 8 bits, a step for each column."""
    found: Floats = stored[part].astype(np.float32) * stored[f"{part}.step"].astype(np.float32)
    return found
