"""The paper's tables as Markdown, and all of it as JSON."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from bot.evaluation.gold import SHAPES
from bot.evaluation.scores import Planned, Score

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
    rows: Sequence[Planned], found: Mapping[str, Mapping[str, Score]], left: int
) -> str:
    """One table for each shape, one for what was judged, and the time a request takes."""
    parts = [
        _table(f"{shape} ({_count(rows, shape)})", columns, found[shape])
        for shape in (*SHAPES, "all")
        if found.get(shape) and (columns := _COLUMNS[shape])
    ]
    for title, columns in (("judged by a language model", JUDGED), ("a request takes", SPENT)):
        if any(name in found["all"] for name in columns):
            parts.append(f"{title}:\n\n{_by_shape(columns, found)}")
    typical, slow = _times(rows)
    parts.append(f"ms a request: median {typical:.1f}, 95 % {slow:.1f}")
    if left:
        parts.append(f"lines that could not be read: {left}")
    return "\n\n".join(parts)


def as_json(
    rows: Sequence[Planned], found: Mapping[str, Mapping[str, Score]], left: int
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


def _by_shape(columns: Sequence[str], found: Mapping[str, Mapping[str, Score]]) -> str:
    """A row for each shape. A measure that was not taken of one is left open."""
    there = [column for column in columns if column in found["all"]]
    rows = [
        [shape, *(_cell(found[shape].get(column)) for column in there)]
        for shape in (*SHAPES, "all")
        if any(column in found.get(shape, {}) for column in there)
    ]
    lines = (["", *there], ["---"] * (len(there) + 1), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(score: Score | None) -> str:
    return f"{score.value:.1f} [{score.low:.1f}, {score.high:.1f}]" if score else "-"


def _table(name: str, columns: Sequence[str], found: Mapping[str, Score]) -> str:
    there = [column for column in columns if column in found]
    cells = [_cell(found[column]) for column in there]
    lines = (["", *there], ["---"] * (len(there) + 1), [name, *cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _count(rows: Sequence[Planned], shape: str) -> int:
    return sum(shape in ("all", row.gold.shape) for row in rows)


def _times(rows: Sequence[Planned]) -> tuple[float, float]:
    times = sorted(row.ms for row in rows)
    return statistics.median(times), times[min(len(times) - 1, int(0.95 * len(times)))]
