"""Fits the linear model: logistic loss on request scores plus log-sum-exp over clauses."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.optimize import minimize

from adapters.embedded.planner import model
from adapters.embedded.planner.model import SHARPNESS, KindModel, LinearView
from adapters.embedded.planner.reading import Reading

LETTERS = 0.6
MANY, BATCH = 5000, 256


@dataclass
class Vocabulary:
    """The kept hashes and their weights."""

    hashes: np.ndarray
    scale: np.ndarray

    def matrix(self, docs: Sequence[np.ndarray]) -> sp.csr_matrix:
        index = np.full(2 * model.CHAR_BIT, -1, np.int64)
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
    """Hashes in `least` or more documents, scaled by the root of their IDF."""
    counts = Counter(h for d in docs for h in d.tolist())
    hashes = np.array(sorted(h for h, n in counts.items() if n >= least), np.int64)
    seen = np.array([counts[h] for h in hashes.tolist()], float)
    idf = np.log((1 + len(docs)) / (1 + seen)) + 1
    scale = np.sqrt(idf) * np.where(hashes >= model.CHAR_BIT, LETTERS, 1.0)
    return Vocabulary(hashes, np.round(np.clip(scale * 32, 1, 255)) / 32)


@dataclass
class Data:
    """Requests as features, with their kinds and sample weights."""

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
    whole = [model.document_features(r, t) for r, t in zip(readings, tags, strict=True)]
    parts = [model.clause_features(r, t) for r, t in zip(readings, tags, strict=True)]
    return Data(whole, parts, wanted, np.ones(len(whole)) if weight is None else weight)


def fit(  # noqa: PLR0913 - sizes and strengths
    d: Data,
    kinds: Sequence[str],
    *,
    penalty: float,
    rounds: int,
    rows: tuple[int, int],
    least: int = 2,
    levels: int = 127,
    many: int = MANY,
) -> KindModel:
    """Fit, keep the strongest features, fit again on those, and quantise.

    `least`: how often a hash must occur; `levels`: quantisation levels above 0; `many`: requests
    that are fitted in batches.
    """
    flat = [p for ps in d.parts for p in ps]
    one, two = vocabulary(d.whole, least), vocabulary(flat, least)
    if rows[0] < len(one.hashes) or rows[1] < len(two.hashes):
        w1, w2, _ = _solve(d, one, two, penalty, max(rounds // 2, 3), many)
        one, two = _keep(one, w1, rows[0]), _keep(two, w2, rows[1])
    w1, w2, bias = _solve(d, one, two, penalty, rounds, many)
    views = _view(one, w1, levels), _view(two, w2, levels)
    return KindModel(tuple(kinds), *views, bias.astype(np.float32), {})


def _keep(v: Vocabulary, w: np.ndarray, count: int) -> Vocabulary:
    strength = np.abs(w).max(axis=1) * v.scale
    best = np.sort(np.argsort(-strength)[:count])
    return Vocabulary(v.hashes[best], v.scale[best])


def _view(v: Vocabulary, w: np.ndarray, levels: int) -> LinearView:
    """Quantise, and zero the smallest weights: few distinct values compress well."""
    step = np.maximum(np.abs(w).max(axis=0), 1e-6) / levels
    small = np.round(w / step).astype(np.int8)
    small[np.abs(small) <= levels // 60] = 0
    order = np.argsort(v.hashes)
    scale = v.scale[order].astype(np.float32)
    return LinearView(v.hashes[order], scale, small[order], step.astype(np.float32))


def _solve(
    d: Data, one: Vocabulary, two: Vocabulary, penalty: float, rounds: int, many: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Adam in batches for many rows, L-BFGS for few."""
    a = one.matrix(d.whole).astype(np.float32)
    b = two.matrix([p for ps in d.parts for p in ps]).astype(np.float32)
    sizes = np.array([len(ps) for ps in d.parts])
    if len(sizes) > many:
        return _in_batches(d, a, b, sizes, penalty, rounds)
    return _at_once(d, a, b, sizes, penalty, rounds)


def _slopes(
    a: sp.csr_matrix,
    b: sp.csr_matrix,
    sizes: np.ndarray,
    wanted: np.ndarray,
    w: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores, and the loss gradient by the scores of the request and of its clauses."""
    owner = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    s2 = b @ w[1]
    top = np.maximum.reduceat(s2, starts, axis=0)
    e = np.exp(s2 - top[owner])
    z = np.add.reduceat(e, starts, axis=0)
    s = a @ w[0] + top + np.log(z) + w[2]
    g = 1 / (1 + np.exp(-np.clip(s, -30, 30))) - wanted
    return s, g, g[owner] * e / z[owner]


def _in_batches(
    d: Data, a: sp.csr_matrix, b: sp.csr_matrix, sizes: np.ndarray, penalty: float, rounds: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Adam with a step size that decays to zero."""
    rng = np.random.RandomState(0)
    count, n = d.wanted.shape[1], len(sizes)
    shapes = [(a.shape[1], count), (b.shape[1], count), (1, count)]
    w = [np.zeros(s, np.float32) for s in shapes]
    w[2] -= 3
    m, v = [np.zeros_like(x) for x in w], [np.zeros_like(x) for x in w]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    pull = penalty / d.weight.sum()
    total, done = rounds * (n // BATCH), 0
    for _ in range(rounds):
        order = rng.permutation(n)
        for at in range(0, n - BATCH + 1, BATCH):
            some = order[at : at + BATCH]
            parts = np.concatenate([np.arange(starts[i], starts[i + 1]) for i in some])
            x, y = a[some], b[parts]
            _, g, h = _slopes(x, y, sizes[some], d.wanted[some], (w[0], w[1], w[2]))
            share = (d.weight[some] / d.weight[some].sum())[:, None]
            h = h * np.repeat(share, sizes[some], axis=0)
            g = g * share
            slopes = [x.T @ g + pull * w[0], y.T @ h + pull * w[1], g.sum(0, keepdims=True)]
            done += 1
            speed = 0.02 * (1 - done / total)
            for i, slope in enumerate(slopes):
                m[i] += 0.1 * (slope - m[i])
                v[i] += 0.01 * (slope * slope - v[i])
                scale = np.sqrt(v[i] / (1 - 0.99**done)) + 1e-6
                w[i] -= speed / (1 - 0.9**done) * m[i] / scale
    return w[0].astype(float), w[1].astype(float), w[2][0].astype(float)


def _at_once(
    d: Data, a: sp.csr_matrix, b: sp.csr_matrix, sizes: np.ndarray, penalty: float, rounds: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """L-BFGS."""
    count = d.wanted.shape[1]
    cut1, cut2 = a.shape[1] * count, (a.shape[1] + b.shape[1]) * count
    at, bt = a.T.tocsr(), b.T.tocsr()
    total = d.weight.sum()
    share = (d.weight / total)[:, None]
    pull = penalty / total

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        w1 = flat[:cut1].reshape(-1, count).astype(np.float32)
        w2 = flat[cut1:cut2].reshape(-1, count).astype(np.float32)
        s, g, h = _slopes(a, b, sizes, d.wanted, (w1, w2, flat[cut2:]))
        g = g * share
        h = h * np.repeat(share, sizes, axis=0)
        value = ((np.logaddexp(0, s) - d.wanted * s) * share).sum()
        value += pull / 2 * float((w1 * w1).sum() + (w2 * w2).sum())
        g1, g2 = at @ g.astype(np.float32), bt @ h.astype(np.float32)
        out = [(g1 + pull * w1).ravel(), (g2 + pull * w2).ravel(), g.sum(0)]
        return float(value), np.concatenate(out).astype(np.float64)

    begin = np.zeros(cut2 + count)
    begin[cut2:] = -3
    found = minimize(
        loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": rounds, "maxcor": 6}
    ).x
    return found[:cut1].reshape(-1, count), found[cut1:cut2].reshape(-1, count), found[cut2:]
