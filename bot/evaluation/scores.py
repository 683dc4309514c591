"""The paper's measures and tables; stricter than TaskBench's script: no plan is an empty plan."""

import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from bot.evaluation.rows import SHAPES, Labelled, Links

SAMPLES = 1000
_LOW, _HIGH = 0.025, 0.975


@dataclass(frozen=True, slots=True)
class ScoredPlan:
    """What a controller made of a labelled request; `judged` holds opinions from 0 to 100."""

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
Measure = tuple[Callable[[ScoredPlan], Sums], Callable[[Sums, int], float]]
"""What is added up over requests, and what becomes of the sums and the number of requests."""


def scores(rows: Sequence[ScoredPlan]) -> dict[str, dict[str, Score]]:
    """For all requests and each shape: measure → score."""
    return {
        shape: _of([row for row in rows if shape in ("all", row.gold.shape)])
        for shape in ("all", *SHAPES)
    }


def _of(rows: Sequence[ScoredPlan]) -> dict[str, Score]:
    scored = {name: _score(rows, measure) for name, measure in _MEASURES.items()} if rows else {}
    linked = [row for row in rows if row.gold.shape != "single"]
    if linked:
        scored["edge F1"] = _score(linked, (_edge_sums, _f1))
    for name in sorted({name for row in rows for name in row.measured}):
        values = [(row.measured[name],) for row in rows if name in row.measured]
        scored[name] = _bootstrap(values, lambda sums, count: sums[0] / count)
    return scored


def _score(rows: Sequence[ScoredPlan], measure: Measure) -> Score:
    sums_of, value_of = measure
    return _bootstrap([tuple(sums_of(row)) for row in rows], value_of)


def _bootstrap(each: Sequence[Sums], value_of: Callable[[Sums, int], float]) -> Score:
    rng = random.Random(0)  # noqa: S311 - the same intervals every time
    drawn = sorted(
        value_of(_added(rng.choices(each, k=len(each))), len(each)) for _ in range(SAMPLES)
    )
    low, high = drawn[int(_LOW * SAMPLES)], drawn[int(_HIGH * SAMPLES) - 1]
    return Score(value_of(_added(each), len(each)), low, high)


def _added(each: Sequence[Sums]) -> Sums:
    return [sum(column) for column in zip(*each, strict=True)]


def _node_sums(row: ScoredPlan) -> Sums:
    found, wanted = set(row.nodes), set(row.gold.nodes)
    return len(found & wanted), len(found), len(wanted)


def _edge_sums(row: ScoredPlan) -> Sums:
    return len(row.links & row.gold.links), len(row.links), len(row.gold.links)


def _f1(sums: Sums, _: int) -> float:
    return 200 * sums[0] / max(sums[1] + sums[2], 1)


def _exact(row: ScoredPlan) -> Sums:
    return (float(set(row.nodes) == set(row.gold.nodes)),)


def _distance(row: ScoredPlan) -> Sums:
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


_MEASURES: Mapping[str, Measure] = {
    "accuracy": (_exact, lambda sums, count: 100 * sums[0] / count),
    "precision": (_node_sums, lambda sums, _: 100 * sums[0] / max(sums[1], 1)),
    "recall": (_node_sums, lambda sums, _: 100 * sums[0] / max(sums[2], 1)),
    "F1": (_node_sums, _f1),
    "edit distance": (_distance, lambda sums, count: 100 * sums[0] / count),
}


_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "single": ("accuracy", "precision", "recall", "F1"),
    "sequential": ("edit distance", "precision", "recall", "F1", "edge F1"),
    "graph": ("judge score", "precision", "recall", "F1", "edge F1"),
    "all": ("accuracy", "precision", "recall", "F1", "edge F1", "edit distance"),
}
JUDGED = (
    "planning passes",
    "planning rational",
    "selection passes",
    "selection rational",
    "response succeeds",
)
SPENT = ("calls", "prompt tokens", "completion tokens", "ms")


def as_markdown(
    rows: Sequence[ScoredPlan], found: Mapping[str, Mapping[str, Score]], left: int
) -> str:
    """One table for each shape, one for what was judged, and the time a request takes."""
    parts = [
        _table({f"{shape} ({_count(rows, shape)})": found[shape]}, _COLUMNS[shape])
        for shape in (*SHAPES, "all")
        if found.get(shape)
    ]
    for title, columns in (("judged by a language model", JUDGED), ("a request takes", SPENT)):
        if any(name in found["all"] for name in columns):
            table = _table({shape: found[shape] for shape in (*SHAPES, "all")}, columns)
            parts.append(f"{title}:\n\n{table}")
    typical, slow = _times(rows)
    parts.append(f"ms a request: median {typical:.1f}, 95 % {slow:.1f}")
    if left:
        parts.append(f"lines that could not be read: {left}")
    return "\n\n".join(parts)


def as_json(
    rows: Sequence[ScoredPlan], found: Mapping[str, Mapping[str, Score]], left: int
) -> dict[str, object]:
    typical, slow = _times(rows)
    return {
        "requests": {shape: _count(rows, shape) for shape in ("all", *SHAPES)},
        "scores": {
            shape: {name: asdict(score) for name, score in some.items()}
            for shape, some in found.items()
        },
        "judged": {
            name: sum(name in row.judged for row in rows) for name in (*JUDGED, "judge score")
        },
        "ms": {"median": typical, "p95": slow},
        "unread": left,
    }


def _table(rows: Mapping[str, Mapping[str, Score]], columns: Sequence[str]) -> str:
    """The rows and columns for which there is a score. A single missing score is left open."""
    there = [column for column in columns if any(column in scored for scored in rows.values())]
    cells = [
        [name, *(_cell(scored.get(column)) for column in there)]
        for name, scored in rows.items()
        if any(column in scored for column in there)
    ]
    lines = (["", *there], ["---"] * (len(there) + 1), *cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(score: Score | None) -> str:
    return f"{score.value:.1f} [{score.low:.1f}, {score.high:.1f}]" if score else "-"


def _count(rows: Sequence[ScoredPlan], shape: str) -> int:
    return sum(shape in ("all", row.gold.shape) for row in rows)


def _times(rows: Sequence[ScoredPlan]) -> tuple[float, float]:
    times = sorted(row.ms for row in rows)
    return statistics.median(times), times[min(len(times) - 1, int(0.95 * len(times)))]
