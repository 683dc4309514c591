"""A linear model over hashed features: a score for each kind, from the whole request and from its best clause."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner import features, network
from adapters.embedded.planner.features import Hashes
from adapters.embedded.planner.network import Network
from adapters.embedded.planner.reading import Reading, Word

Floats = npt.NDArray[np.float32]
SHARPNESS = 8.0
"""What unit vectors are multiplied with before the sum."""


@dataclass(frozen=True, slots=True)
class View:
    """The weights of one view (request or clause). `index` leads from a hash to a row."""

    index: npt.NDArray[np.int32]
    scale: Floats
    weights: npt.NDArray[np.int8]
    step: Floats

    def score(self, hashes: Hashes) -> Floats:
        """Scores of all kinds for one set of features."""
        rows = self.index[hashes]
        rows = rows[rows >= 0]
        if not len(rows):
            return np.zeros(len(self.step), np.float32)
        values = self.scale[rows]
        values /= float(np.sqrt(values @ values)) / SHARPNESS
        found: Floats = (values @ self.weights[rows].astype(np.float32)) * self.step
        return found

    def score_words(self, clause: Sequence[Word]) -> Floats:
        """What each word of a clause adds to its score: (words, kinds)."""
        hashes, words, shares = features.by_word(clause)
        rows = self.index[hashes]
        known = rows >= 0
        rows, words = rows[known], words[known]
        once = self.scale[sorted({*rows.tolist()})]
        values = (
            shares[known] * self.scale[rows] * (SHARPNESS / max(float(np.sqrt(once @ once)), 1))
        )
        spread = np.zeros((len(clause), len(rows)), np.float32)
        spread[words, np.arange(len(rows))] = values
        found: Floats = (spread @ self.weights[rows].astype(np.float32)) * self.step
        return found


@dataclass(frozen=True, slots=True)
class Scores:
    """What the model thinks of a request: log-odds of each kind, and where in the text each is spoken of."""

    kinds: tuple[str, ...]
    odds: Floats
    by_clause: Floats
    where: npt.NDArray[np.float32]
    """Number of the clause that speaks most of each kind."""

    def __getitem__(self, kind: str) -> float:
        return float(self.odds[self.kinds.index(kind)])


@dataclass(frozen=True, slots=True)
class Model:
    """A vocabulary of kinds with its weights. `rules` hold what decoding learned (JSON)."""

    kinds: tuple[str, ...]
    request: View
    clause: View
    bias: Floats
    rules: Mapping[str, Any]
    network: Network | None = None
    """A second opinion, of the same weight."""

    def score(self, reading: Reading, tags: Sequence[str] = ()) -> Scores:
        """Scores of all kinds for a request; `tags` name the files."""
        parts = features.clauses(reading, tags)
        if not parts:
            none = np.full(len(self.kinds), -9.0, np.float32)
            return Scores(self.kinds, none, none[None, :], np.zeros(len(self.kinds), np.float32))
        by_clause = np.stack([self.clause.score(part) for part in parts])
        whole = self.request.score(features.document(reading, tags))
        odds = whole + np.logaddexp.reduce(by_clause, axis=0) + self.bias
        if self.network is not None:
            odds = (odds + self.network.score(reading, tags)) / 2
        where = by_clause.argmax(axis=0).astype(np.float32)
        return Scores(self.kinds, odds.astype(np.float32), by_clause, where)


def load(stored: Mapping[str, npt.NDArray[Any]], name: str) -> Model:
    """The model of a vocabulary out of the file of weights."""
    about = json.loads(bytes(stored[f"{name}.about"]).decode())
    return Model(
        tuple(about["kinds"]),
        _view(stored, f"{name}.request"),
        _view(stored, f"{name}.clause"),
        stored[f"{name}.bias"].astype(np.float32),
        about["rules"],
        network.load(stored, f"{name}.network") if f"{name}.network.gaps" in stored else None,
    )


def _view(stored: Mapping[str, npt.NDArray[Any]], name: str) -> View:
    hashes = np.cumsum(stored[f"{name}.gaps"].astype(np.int64))
    index = np.full(2 * features.CHAR_BIT, -1, np.int32)
    index[hashes] = np.arange(len(hashes), dtype=np.int32)
    return View(
        index,
        (stored[f"{name}.scale"] / 32).astype(np.float32),
        np.ascontiguousarray(stored[f"{name}.weights"].T),
        stored[f"{name}.step"].astype(np.float32),
    )
