"""The paper's measures, stricter than TaskBench's script: a request without a plan counts as an empty plan."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bot.evaluation.gold import SHAPES, Labelled, Links

SAMPLES = 1000
_LOW, _HIGH = 0.025, 0.975


@dataclass(frozen=True, slots=True)
class Planned:
    """What a controller made of a labelled request; `judged` is what a language model thinks of it, from 0 to 100."""

    gold: Labelled
    nodes: tuple[str, ...]
    links: Links
    ms: float
    judged: dict[str, float]
    spent: dict[str, float] = field(default_factory=dict)
    """Calls of the language model for the plan, and their tokens."""

    @property
    def measured(self) -> dict[str, float]:
        return {**self.judged, **self.spent, "ms": self.ms}


@dataclass(frozen=True, slots=True)
class Score:
    """A measure with its interval (95 %, bootstrap)."""

    value: float
    low: float
    high: float


Sums = Sequence[float]
Measure = tuple[Callable[[Planned], Sums], Callable[[Sums, int], float]]
"""What is added up over requests, and what becomes of the sums and the number of requests."""


def scores(rows: Sequence[Planned]) -> dict[str, dict[str, Score]]:
    """For all requests and each shape: measure → score."""
    return {
        shape: _of([row for row in rows if shape in ("all", row.gold.shape)])
        for shape in ("all", *SHAPES)
    }


def _of(rows: Sequence[Planned]) -> dict[str, Score]:
    told = {name: _score(rows, measure) for name, measure in _MEASURES.items()} if rows else {}
    linked = [row for row in rows if row.gold.shape != "single"]
    if linked:
        told["edge F1"] = _score(linked, (_edge_sums, _f1))
    for name in sorted({name for row in rows for name in row.measured}):
        asked = [row for row in rows if name in row.measured]
        told[name] = _score(asked, (_opinion(name), _mean))
    return told


def _score(rows: Sequence[Planned], measure: Measure) -> Score:
    sums_of, value_of = measure
    each = [tuple(sums_of(row)) for row in rows]
    rng = random.Random(0)  # noqa: S311 - the same intervals every time
    drawn = sorted(
        value_of(_added(rng.choices(each, k=len(each))), len(each)) for _ in range(SAMPLES)
    )
    low, high = drawn[int(_LOW * SAMPLES)], drawn[int(_HIGH * SAMPLES) - 1]
    return Score(value_of(_added(each), len(each)), low, high)


def _added(each: Sequence[Sums]) -> Sums:
    return [sum(column) for column in zip(*each, strict=True)]


def _node_sums(row: Planned) -> Sums:
    found, wanted = set(row.nodes), set(row.gold.nodes)
    return len(found & wanted), len(found), len(wanted)


def _edge_sums(row: Planned) -> Sums:
    return len(row.links & row.gold.links), len(row.links), len(row.gold.links)


def _exact(row: Planned) -> Sums:
    return (float(set(row.nodes) == set(row.gold.nodes)),)


def _distance(row: Planned) -> Sums:
    longest = max(len(row.nodes), len(row.gold.nodes), 1)
    return (edit_distance(row.nodes, row.gold.nodes) / longest,)


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein's, over names."""
    before = list(range(len(other) + 1))
    for at, name in enumerate(one, 1):
        now = [at]
        for place, wanted in enumerate(other, 1):
            now.append(min(before[place] + 1, now[-1] + 1, before[place - 1] + (name != wanted)))
        before = now
    return before[-1]


def _opinion(name: str) -> Callable[[Planned], Sums]:
    return lambda row: (row.measured[name],)


def _precision(sums: Sums, _: int) -> float:
    return 100 * sums[0] / max(sums[1], 1)


def _recall(sums: Sums, _: int) -> float:
    return 100 * sums[0] / max(sums[2], 1)


def _f1(sums: Sums, _: int) -> float:
    return 200 * sums[0] / max(sums[1] + sums[2], 1)


def _mean(sums: Sums, count: int) -> float:
    return sums[0] / max(count, 1)


def _share(sums: Sums, count: int) -> float:
    return 100 * _mean(sums, count)


_MEASURES: dict[str, Measure] = {
    "accuracy": (_exact, _share),
    "precision": (_node_sums, _precision),
    "recall": (_node_sums, _recall),
    "F1": (_node_sums, _f1),
    "edit distance": (_distance, _share),
}
