"""Scores by type: node F1, edge F1, exact sets, with bootstrap intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from adapters.embedded.planner.model import TALK
from benchmarks.planning.rows import Rows


@dataclass(frozen=True)
class Answer:
    """A predicted plan."""

    kinds: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    confidence: float


def show(answers: Sequence[Answer], rows: Rows) -> None:
    """Print the scores of all rows and of each type, and the calibration of confidence."""
    gold = [{k for k, y in zip(rows.kinds, w, strict=True) if y and k != TALK} for w in rows.wanted]
    edges = [{(rows.kinds[a], rows.kinds[b]) for a, b in links} for links in rows.links]
    right = np.array([set(a.kinds) == g for a, g in zip(answers, gold, strict=True)])
    nodes = np.array([_counts(set(a.kinds), g) for a, g in zip(answers, gold, strict=True)])
    links = np.array([_counts(set(a.links), e) for a, e in zip(answers, edges, strict=True)])
    shape = np.array(rows.shape)
    print("| rows | n | n-F1 | e-F1 | exact set |\n| --- | --- | --- | --- | --- |")
    for name in ("all", *sorted(set(rows.shape))):
        of = np.flatnonzero((shape == name) | (name == "all"))
        several = of[~np.isin(shape[of], ("single", "talk")) & rows.known[of]]
        cells = [_interval(nodes, of, _f1), _interval(links, several, _f1) if len(several) else "-"]
        print(f"| {name} | {len(of)} | {cells[0]} | {cells[1]} | {_interval(right, of, _mean)} |")
    print("\n| confidence | rows | right |\n| --- | --- | --- |")
    sure = np.array([answer.confidence for answer in answers])
    for low, high in ((0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        near = (sure >= low) & (sure < high)
        if near.any():
            print(f"| {low} to {min(high, 1)} | {near.sum()} | {right[near].mean():.0%} |")


def _counts(found: set[object], wanted: set[object]) -> tuple[int, int, int]:
    return len(found & wanted), len(found), len(wanted)


def _f1(counts: np.ndarray) -> float:
    hit, found, wanted = counts.sum(axis=0)
    return 200 * hit / max(found + wanted, 1)


def _mean(right: np.ndarray) -> float:
    return 100 * float(right.mean())


def _interval(values: np.ndarray, of: np.ndarray, score: Callable[[np.ndarray], float]) -> str:
    rng = np.random.RandomState(0)
    samples = [score(values[rng.choice(of, len(of))]) for _ in range(1000)]
    low, high = np.percentile(samples, [2.5, 97.5])
    return f"{score(values[of]):.1f} [{low:.1f}, {high:.1f}]"
