"""Learns the links of requests: the source of each kind, or that it has none."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from adapters.embedded.planner import decoding

PULL = 3.0


@dataclass(frozen=True)
class Linked:
    """Features of each pair of a request's kinds, and its links as indexes of kinds."""

    pairs: np.ndarray
    links: tuple[tuple[int, int], ...]

    @property
    def fed(self) -> np.ndarray:
        """Target shares: 1 for each link, split among sources. Last row: kinds without a source."""
        count = len(self.pairs)
        bits = np.zeros((count + 1, count))
        for source, target in self.links:
            bits[source, target] = 1
        bits[count] = bits.sum(axis=0) == 0
        return bits / bits.sum(axis=0)


def learn(rows: Sequence[Linked]) -> dict[str, list[float]]:
    """The weights in their stored form."""
    flat = [row.pairs[~np.eye(len(row.pairs), dtype=bool)] for row in rows]
    spread = np.concatenate(flat).std(axis=0) + 1e-6
    none, source = _sources(rows, spread)
    return {
        "links": [round(float(w), 4) for w in source / spread],
        "none": [round(float(w), 4) for w in none],
    }


def _sources(rows: Sequence[Linked], spread: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights that favour each kind's right source, or having none."""
    items = [(row.pairs / spread, row.fed) for row in rows]

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = PULL * float(w @ w) / 2, PULL * w
        for pairs, right in items:
            count = len(pairs)
            sure = decoding.source_shares(pairs @ w[2:], w[:2])
            none = np.clip(1 - sure.sum(axis=0), 0, 1)
            value -= float((right * np.log(np.vstack([sure, none]) + 1e-12)).sum())
            left = float((none - right[-1]).sum())
            more = np.einsum("ij,ijk->k", sure - right[:-1], pairs)
            slope = slope + np.concatenate([[left, left * count], more])
        return value, slope

    begin = np.zeros(len(spread) + 2)
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 80}).x
    return found[:2], found[2:]
