"""The paper's measures and tables; stricter than TaskBench's script: no plan is an empty plan."""

import json
import random
import statistics
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from bot.evaluation.rows import SHAPES, Labelled, Link

_SAMPLES = 1000
_LOW, _HIGH = 25, 974
"""The places of the bounds of 95 % among the sorted samples."""


@dataclass(frozen=True, slots=True)
class ScoredPlan:
    """A controller's plan for a labelled request; `judged` holds opinions from 0 to 100."""

    gold: Labelled
    nodes: tuple[str, ...]
    links: frozenset[Link]
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
Scores = Mapping[str, Mapping[str, Score]]
"""Shape (and "all") → measure → score."""


def score(rows: Sequence[ScoredPlan]) -> Scores:
    """The scores of all requests and of each shape."""
    return {shape: _score_group(_select_shape(rows, shape)) for shape in ("all", *SHAPES)}


def _select_shape(rows: Sequence[ScoredPlan], shape: str) -> list[ScoredPlan]:
    return [row for row in rows if shape in ("all", row.gold.shape)]


def _score_group(rows: Sequence[ScoredPlan]) -> dict[str, Score]:
    scores = {}
    for name, (count, combine) in _MEASURES.items():
        counted = [row for row in rows if name != "edge F1" or row.gold.shape != "single"]
        if counted:
            scores[name] = _bootstrap([count(row) for row in counted], combine)
    for name in sorted({name for row in rows for name in row.measured}):
        values = [(row.measured[name], 1.0) for row in rows if name in row.measured]
        scores[name] = _bootstrap(values, _divide)
    return scores


def _bootstrap(rows: Sequence[Sums], combine: Callable[[Sums], float]) -> Score:
    """`combine` makes a measure of sums over requests."""
    rng = random.Random(0)  # noqa: S311 - the same intervals every time

    def measure(sample: Sequence[Sums]) -> float:
        return combine([sum(column) for column in zip(*sample, strict=True)])

    samples = sorted(measure(rng.choices(rows, k=len(rows))) for _ in range(_SAMPLES))
    return Score(measure(rows), samples[_LOW], samples[_HIGH])


def _divide(sums: Sums) -> float:
    """The first sum by the last: a mean, a precision or a recall."""
    return sums[0] / max(sums[-1], 1)


def _find_f1(sums: Sums) -> float:
    return 2 * sums[0] / max(sums[1] + sums[2], 1)


def _compare(found: Collection[object], wanted: Collection[object]) -> Sums:
    """How many are right (in hundredths), found and wanted."""
    return 100 * len({*found} & {*wanted}), len({*found}), len({*wanted})


def _measure_distance(row: ScoredPlan) -> Sums:
    longest = max(len(row.nodes), len(row.gold.nodes), 1)
    return 100 * edit_distance(row.nodes, row.gold.nodes) / longest, 1


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein's, over names."""
    before = list(range(len(other) + 1))
    for at, name in enumerate(one, 1):
        now = [at]
        for place, wanted in enumerate(other, 1):
            now.append(min(before[place] + 1, now[-1] + 1, before[place - 1] + (name != wanted)))
        before = now
    return before[-1]


_MEASURES: Mapping[str, tuple[Callable[[ScoredPlan], Sums], Callable[[Sums], float]]] = {
    "accuracy": (lambda row: (100.0 * ({*row.nodes} == {*row.gold.nodes}), 1), _divide),
    "precision": (lambda row: _compare(row.nodes, row.gold.nodes)[:2], _divide),
    "recall": (lambda row: _compare(row.nodes, row.gold.nodes), _divide),
    "F1": (lambda row: _compare(row.nodes, row.gold.nodes), _find_f1),
    "edge F1": (lambda row: _compare(row.links, row.gold.links), _find_f1),
    "edit distance": (_measure_distance, _divide),
}
"""Measure → what is counted of a request, and what the sums over requests come to."""
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "single": ("accuracy", "precision", "recall", "F1"),
    "sequential": ("edit distance", "precision", "recall", "F1", "edge F1"),
    "graph": ("judge score", "precision", "recall", "F1", "edge F1"),
    "all": ("accuracy", "precision", "recall", "F1", "edge F1", "edit distance"),
}
_JUDGED = (
    "planning passes",
    "planning rational",
    "selection passes",
    "selection rational",
    "response succeeds",
)
_SPENT = ("calls", "prompt tokens", "completion tokens", "ms")


def format_tables(rows: Sequence[ScoredPlan], unread: int) -> str:
    """One table for each shape, one for what was judged, and the time a request takes."""
    scores, shapes = score(rows), (*SHAPES, "all")
    parts = [
        _format_table(
            {f"{shape} ({len(_select_shape(rows, shape))})": scores[shape]}, _COLUMNS[shape]
        )
        for shape in shapes
        if scores[shape]
    ]
    for title, columns in (("judged by a language model", _JUDGED), ("a request takes", _SPENT)):
        if any(name in scores["all"] for name in columns):
            table = _format_table({shape: scores[shape] for shape in shapes}, columns)
            parts.append(f"{title}:\n\n{table}")
    median, p95 = _measure_times(rows)
    parts.append(f"ms a request: median {median:.1f}, 95 % {p95:.1f}")
    parts += [f"lines that could not be read: {unread}"] if unread else []
    return "\n\n".join(parts)


def format_json(rows: Sequence[ScoredPlan], unread: int) -> str:
    median, p95 = _measure_times(rows)
    judged = (*_JUDGED, "judge score")
    whole = {
        "requests": {shape: len(_select_shape(rows, shape)) for shape in ("all", *SHAPES)},
        "scores": TypeAdapter(Scores).dump_python(score(rows)),
        "judged": {name: sum(name in row.judged for row in rows) for name in judged},
        "ms": {"median": median, "p95": p95},
        "unread": unread,
    }
    return json.dumps(whole, indent=2)


def _format_table(rows: Scores, columns: Sequence[str]) -> str:
    """The rows and columns for which there is a score."""
    columns = [name for name in columns if any(name in group for group in rows.values())]
    lines = [["", *columns], ["---"] * (len(columns) + 1)]
    for name, group in rows.items():
        if group.keys() & {*columns}:
            lines.append([name, *(_format_cell(group.get(column)) for column in columns)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _format_cell(score: Score | None) -> str:
    return f"{score.value:.1f} [{score.low:.1f}, {score.high:.1f}]" if score else "-"


def _measure_times(rows: Sequence[ScoredPlan]) -> tuple[float, float]:
    """The median and the 95th percentile, in milliseconds."""
    times = sorted(row.ms for row in rows)
    return statistics.median(times), times[min(len(times) - 1, int(0.95 * len(times)))]
