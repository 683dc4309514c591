"""Learns from out-of-fold scores to choose sets of kinds, and which kinds feed which."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize

from adapters.embedded.planner.decoding import DecodingWeights, candidate_sets, set_features


def counted(
    wanted: np.ndarray,
    links: Sequence[Sequence[tuple[int, int]]],
    feeds: np.ndarray,
) -> np.ndarray:
    """Log-probability that one kind feeds another if both are needed."""
    several = wanted.sum(axis=1) > 1
    many = wanted[several].astype(float)
    both = many.T @ many
    fed = np.zeros_like(both)
    for row in links:
        for source, target in row:
            fed[source, target] += 1
    return np.asarray(np.log((fed + 0.5 * feeds + 0.02) / (both + 2.0)))


def weights(
    rules: Sequence[DecodingWeights],
    odds: np.ndarray,
    wanted: np.ndarray,
    given: np.ndarray,
    sent: np.ndarray,
    *,
    pull: float = 0.02,
) -> np.ndarray:
    """Weights that favour the right set or, if it is no candidate, the nearest ones."""
    items = []
    for rule, o, y, g, s in zip(
        rules, odds.astype(np.float32), wanted.astype(bool), given, sent, strict=True
    ):
        sets = candidate_sets(o, rule)
        items.append((set_features(sets, o, rule, g, s).astype(float), target(sets, y)))
    stacked = np.concatenate([f for f, _ in items])
    spread = stacked.std(axis=0) + 1e-6

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        value, slope = 0.0, np.zeros_like(w)
        for f, t in items:
            z = (f / spread) @ w
            z -= z.max()
            p = np.exp(z)
            p /= p.sum()
            value -= float((t * np.log(p + 1e-12)).sum())
            slope += (f / spread).T @ (p - t)
        count = len(items)
        return value / count + pull * float(w @ w) / 20, slope / count + pull * w / 10

    begin = np.zeros(stacked.shape[1])
    begin[0] = spread[0]
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found / spread


def target(sets: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    same = (sets == wanted).all(axis=1)
    if same.any():
        return same.astype(float)
    shared = 2 * (sets & wanted).sum(axis=1) / (sets.sum(axis=1) + wanted.sum())
    close = np.exp(12 * (shared - shared.max()))
    return close / close.sum()
