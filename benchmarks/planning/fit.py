"""Fits the embedded planner's linear model: logistic loss on request plus log-sum over clauses, by L-BFGS."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize

from adapters.embedded.planner import features
from adapters.embedded.planner.model import SHARPNESS, Model, View
from adapters.embedded.planner.reading import Reading

LETTERS = 0.6


@dataclass
class Vocabulary:
    """Hashes that are kept, and how much each weighs."""

    hashes: np.ndarray
    scale: np.ndarray

    def matrix(self, docs: Sequence[np.ndarray]) -> sp.csr_matrix:
        index = np.full(2 * features.CHAR_BIT, -1, np.int64)
        index[self.hashes] = np.arange(len(self.hashes))
        rows = [index[d] for d in docs]
        rows = [r[r >= 0] for r in rows]
        starts = np.concatenate([[0], np.cumsum([len(r) for r in rows])])
        columns = np.concatenate(rows) if rows else np.zeros(0, int)
        values = self.scale[columns]
        full = sp.csr_matrix((values, columns, starts), shape=(len(docs), len(self.hashes)))
        norms = np.sqrt(np.asarray(full.multiply(full).sum(1)).ravel())
        return sp.diags(SHARPNESS / np.maximum(norms, 1e-9)) @ full


def vocabulary(docs: Sequence[np.ndarray], least: int = 2) -> Vocabulary:
    """Hashes seen at least so often, scaled by the root of their inverse document frequency."""
    counts = Counter(h for d in docs for h in d.tolist())
    hashes = np.array(sorted(h for h, n in counts.items() if n >= least), np.int64)
    seen = np.array([counts[h] for h in hashes.tolist()], float)
    idf = np.log((1 + len(docs)) / (1 + seen)) + 1
    scale = np.sqrt(idf) * np.where(hashes >= features.CHAR_BIT, LETTERS, 1.0)
    return Vocabulary(hashes, np.round(np.clip(scale * 32, 1, 255)) / 32)


@dataclass
class Data:
    """Requests as features, what they need, and how much each counts."""

    whole: list[np.ndarray]
    parts: list[list[np.ndarray]]
    wanted: np.ndarray
    weight: np.ndarray


def data(
    readings: Sequence[Reading],
    tags: Sequence[Sequence[str]],
    wanted: np.ndarray,
    weight: np.ndarray | None = None,
) -> Data:
    whole = [features.document(r, t) for r, t in zip(readings, tags, strict=True)]
    parts = [features.clauses(r, t) for r, t in zip(readings, tags, strict=True)]
    return Data(whole, parts, wanted, np.ones(len(whole)) if weight is None else weight)


def fit(
    d: Data, kinds: Sequence[str], *, penalty: float, rounds: int, rows: tuple[int, int]
) -> Model:
    """Fit, keep the rows that matter most, fit again on those, and quantise."""
    flat = [p for ps in d.parts for p in ps]
    one, two = vocabulary(d.whole), vocabulary(flat)
    if rows[0] < len(one.hashes) or rows[1] < len(two.hashes):
        w1, w2, _ = _solve(d, one, two, penalty, max(rounds // 2, 12))
        one, two = _keep(one, w1, rows[0]), _keep(two, w2, rows[1])
    w1, w2, bias = _solve(d, one, two, penalty, rounds)
    return Model(tuple(kinds), _view(one, w1), _view(two, w2), bias.astype(np.float32), {})


def _keep(v: Vocabulary, w: np.ndarray, count: int) -> Vocabulary:
    strength = np.abs(w).max(axis=1) * v.scale
    best = np.sort(np.argsort(-strength)[:count])
    return Vocabulary(v.hashes[best], v.scale[best])


def _view(v: Vocabulary, w: np.ndarray) -> View:
    step = np.maximum(np.abs(w).max(axis=0), 1e-6) / 127
    small = np.round(w / step).astype(np.int8)
    small[np.abs(small) <= 1] = 0
    index = np.full(2 * features.CHAR_BIT, -1, np.int32)
    index[v.hashes] = np.arange(len(v.hashes), dtype=np.int32)
    return View(index, v.scale.astype(np.float32), small, step.astype(np.float32))


def _solve(
    d: Data, one: Vocabulary, two: Vocabulary, penalty: float, rounds: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    a = one.matrix(d.whole).astype(np.float32)
    b = two.matrix([p for ps in d.parts for p in ps]).astype(np.float32)
    sizes = np.array([len(ps) for ps in d.parts])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    count = d.wanted.shape[1]
    cut1, cut2 = a.shape[1] * count, (a.shape[1] + b.shape[1]) * count
    at, bt = a.T.tocsr(), b.T.tocsr()
    total = d.weight.sum()
    share = (d.weight / total)[:, None]

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w1 = flat[:cut1].reshape(-1, count).astype(np.float32)
        w2 = flat[cut1:cut2].reshape(-1, count).astype(np.float32)
        s2 = b @ w2
        top = np.maximum.reduceat(s2, starts, axis=0)
        e = np.exp(s2 - top[owner])
        z = np.add.reduceat(e, starts, axis=0)
        s = a @ w1 + top + np.log(z) + flat[cut2:]
        p = 1 / (1 + np.exp(-np.clip(s, -30, 30)))
        value = ((np.logaddexp(0, s) - d.wanted * s) * share).sum()
        g = (p - d.wanted) * share
        g1 = at @ g.astype(np.float32)
        g2 = bt @ (g[owner] * e / z[owner]).astype(np.float32)
        pull = penalty / total
        value += pull / 2 * float((w1 * w1).sum() + (w2 * w2).sum())
        out = [(g1 + pull * w1).ravel(), (g2 + pull * w2).ravel(), g.sum(0)]
        return float(value), np.concatenate(out).astype(np.float64)

    begin = np.zeros(cut2 + count)
    begin[cut2:] = -3
    found = minimize(
        loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": rounds, "maxcor": 6}
    ).x
    w1 = found[:cut1].reshape(-1, count) * 1.0
    return w1, found[cut1:cut2].reshape(-1, count) * 1.0, found[cut2:]
