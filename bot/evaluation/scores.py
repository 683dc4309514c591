"""The paper's measures and tables; stricter than TaskBench's script: no plan is an empty plan."""

import json
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from bot.evaluation.rows import SHAPES, Labelled, Links

_SAMPLES = 1000
_LOW, _HIGH = 25, 974
"""The places of the bounds of 95 % among the sorted samples."""


@dataclass(frozen=True, slots=True)
class ScoredPlan:
    """A controller's plan for a labelled request; `judged` holds opinions from 0 to 100."""

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
Scores = Mapping[str, Mapping[str, Score]]
"""Shape (and "all") → measure → score."""


def score(rows: Sequence[ScoredPlan]) -> Scores:
    """The scores of all requests and of each shape."""
    return {
        shape: _score_group([row for row in rows if shape in ("all", row.gold.shape)])
        for shape in ("all", *SHAPES)
    }


def _score_group(rows: Sequence[ScoredPlan]) -> dict[str, Score]:
    found = {}
    for name, (sums_of, value_of) in _MEASURES.items():
        counted = [row for row in rows if name != "edge F1" or row.gold.shape != "single"]
        if counted:
            found[name] = _bootstrap([sums_of(row) for row in counted], value_of)
    for name in sorted({name for row in rows for name in row.measured}):
        values = [(row.measured[name],) for row in rows if name in row.measured]
        found[name] = _bootstrap(values, _mean)
    return found


def _bootstrap(each: Sequence[Sums], value_of: Callable[[Sums, int], float]) -> Score:
    """`value_of` makes a measure of the sums over requests and the number of requests."""
    rng = random.Random(0)  # noqa: S311 - the same intervals every time
    count = len(each)

    def value(rows: Sequence[Sums]) -> float:
        return value_of([sum(column) for column in zip(*rows, strict=True)], count)

    samples = sorted(value(rng.choices(each, k=count)) for _ in range(_SAMPLES))
    return Score(value(each), samples[_LOW], samples[_HIGH])


def _mean(sums: Sums, count: int) -> float:
    return sums[0] / count


def _f1(sums: Sums, _: int) -> float:
    return 200 * sums[0] / max(sums[1] + sums[2], 1)


def _count_nodes(row: ScoredPlan) -> Sums:
    """Right, found and wanted ones."""
    found, wanted = set(row.nodes), set(row.gold.nodes)
    return len(found & wanted), len(found), len(wanted)


def _count_links(row: ScoredPlan) -> Sums:
    return len(row.links & row.gold.links), len(row.links), len(row.gold.links)


def _is_exact(row: ScoredPlan) -> Sums:
    return (100.0 * (set(row.nodes) == set(row.gold.nodes)),)


def _measure_distance(row: ScoredPlan) -> Sums:
    longest = max(len(row.nodes), len(row.gold.nodes), 1)
    return (100 * edit_distance(row.nodes, row.gold.nodes) / longest,)


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein's, over names."""
    before = list(range(len(other) + 1))
    for at, name in enumerate(one, 1):
        now = [at]
        for place, wanted in enumerate(other, 1):
            now.append(min(before[place] + 1, now[-1] + 1, before[place - 1] + (name != wanted)))
        before = now
    return before[-1]


_MEASURES: Mapping[str, tuple[Callable[[ScoredPlan], Sums], Callable[[Sums, int], float]]] = {
    "accuracy": (_is_exact, _mean),
    "precision": (_count_nodes, lambda sums, _: 100 * sums[0] / max(sums[1], 1)),
    "recall": (_count_nodes, lambda sums, _: 100 * sums[0] / max(sums[2], 1)),
    "F1": (_count_nodes, _f1),
    "edge F1": (_count_links, _f1),
    "edit distance": (_measure_distance, _mean),
}
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


def format_tables(rows: Sequence[ScoredPlan], found: Scores, unread: int) -> str:
    """One table for each shape, one for what was judged, and the time a request takes."""
    shapes = (*SHAPES, "all")
    parts = [
        _format_table({f"{shape} ({_count(rows, shape)})": found[shape]}, _COLUMNS[shape])
        for shape in shapes
        if found.get(shape)
    ]
    for title, columns in (("judged by a language model", _JUDGED), ("a request takes", _SPENT)):
        if any(name in found["all"] for name in columns):
            table = _format_table({shape: found[shape] for shape in shapes}, columns)
            parts.append(f"{title}:\n\n{table}")
    median, p95 = _measure_times(rows)
    parts.append(f"ms a request: median {median:.1f}, 95 % {p95:.1f}")
    parts += [f"lines that could not be read: {unread}"] if unread else []
    return "\n\n".join(parts)


def format_json(rows: Sequence[ScoredPlan], found: Scores, unread: int) -> str:
    median, p95 = _measure_times(rows)
    judged = (*_JUDGED, "judge score")
    whole = {
        "requests": {shape: _count(rows, shape) for shape in ("all", *SHAPES)},
        "scores": {
            shape: {name: asdict(score) for name, score in group.items()}
            for shape, group in found.items()
        },
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


def _count(rows: Sequence[ScoredPlan], shape: str) -> int:
    return sum(shape in ("all", row.gold.shape) for row in rows)


def _measure_times(rows: Sequence[ScoredPlan]) -> tuple[float, float]:
    """The median and the 95th percentile, in milliseconds."""
    times = sorted(row.ms for row in rows)
    return statistics.median(times), times[min(len(times) - 1, int(0.95 * len(times)))]
