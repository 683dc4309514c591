"""A controller over a labelled file: planned, judged, scored with the paper's measures, printed.

Stricter than TaskBench's script: no plan is an empty plan.
"""

import json
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median, quantiles

import typer

from bot.app import open_app
from bot.evaluation.batch import plan_by_embedded, plan_by_llm
from bot.evaluation.judging import Judge
from bot.evaluation.rows import (
    SHAPES,
    Labelled,
    Link,
    Work,
    parse_row,
    read_labelled,
    read_lines,
    use_taskbench_names,
    work_in_order,
)
from bot.settings import Settings
from pipeline.errors import PlanError, RequestError, SettingsError

_SAMPLES = 1000


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


@dataclass(frozen=True, slots=True)
class Score:
    """A measure with its interval (95 %, bootstrap)."""

    value: float
    low: float
    high: float


Scores = Mapping[str, Mapping[str, Score]]
"""Shape (and "all") → measure → score."""


async def evaluate(
    settings: Settings,
    file: Path,
    *,
    planner: str,
    judge: bool,
    as_json: bool,
    answers: bool = True,
) -> None:
    """Print the scores. With `judge`, requests that need no file are carried out too.

    `answers` turns that off. Raises FetchError, SettingsError, LlmRefused, and PlanError when no
    row is labelled.
    """
    rows = [_read_labelled_line(line, number) for number, line in read_lines(file)]
    gold = [row for row in rows if row]
    if not gold:
        raise PlanError("rows-not-labelled", file=str(file))
    words = "taskbench" if use_taskbench_names(gold) else ""
    by_model = planner == "llm"
    async with AsyncExitStack() as stack:
        work, judging = plan_by_embedded(words), None
        if by_model or judge:
            if not settings.controller:
                raise SettingsError("rows-no-llm")
            app = await stack.enter_async_context(open_app(settings))
            if by_model:
                work = plan_by_llm(app.llm, app.tools.catalogue, words)
            if judge:
                judging = Judge(app, app.tools.planners[0 if by_model else -1], answers=answers)

        async def plan(row: Labelled) -> ScoredPlan:
            return await _plan_and_judge(row, work, judging)

        plans = [scored async for scored in work_in_order(gold, plan)]
    typer.echo((_format_json if as_json else _format_table)(plans, rows.count(None)))


def _read_labelled_line(line: bytes, number: int) -> Labelled | None:
    try:
        return read_labelled(parse_row(line, number))
    except PlanError:
        return None


async def _plan_and_judge(row: Labelled, work: Work, judge: Judge | None) -> ScoredPlan:
    try:
        planned = await work({"id": row.id, "user_request": row.request}, 0)
    except RequestError:  # counts as an empty plan
        planned = {}
    return ScoredPlan(
        row,
        tuple(node["task"] for node in planned.get("task_nodes", ())),
        frozenset((link["source"], link["target"]) for link in planned.get("task_links", ())),
        planned.get("ms", 0.0),
        await judge.judge(row, planned) if judge else {},
        {name.replace("_", " "): count for name, count in planned.get("tokens", {}).items()},
    )


def score(rows: Sequence[ScoredPlan]) -> Scores:
    """The scores of all requests and of each shape; of a shape without requests there are none."""
    return {shape: _score_group(_select_shape(rows, shape)) for shape in (*SHAPES, "all")}


def _select_shape(rows: Sequence[ScoredPlan], shape: str) -> list[ScoredPlan]:
    return [row for row in rows if shape in ("all", row.gold.shape)]


def _score_group(rows: Sequence[ScoredPlan]) -> Mapping[str, Score]:
    measured = [_measure(row) for row in rows]
    names = dict.fromkeys(name for fractions in measured for name in fractions)
    return {
        name: _bootstrap([fractions[name] for fractions in measured if name in fractions])
        for name in names
    }


def _measure(row: ScoredPlan) -> Mapping[str, tuple[float, float]]:
    """Measure → a fraction. The fraction of many requests has the sums of both numbers."""
    gold = row.gold
    hits, found, wanted = _compare(row.nodes, gold.nodes)
    link_hits, links_found, links_wanted = _compare(row.links, gold.links)
    edits = edit_distance(row.nodes, gold.nodes) / max(len(row.nodes), len(gold.nodes))
    edges = {"edge F1": (200 * link_hits, links_found + links_wanted)}
    return {
        "accuracy": (100 * (hits == found == wanted), 1),
        "precision": (100 * hits, found),
        "recall": (100 * hits, wanted),
        "F1": (200 * hits, found + wanted),
        **(edges if gold.shape != "single" else {}),
        "edit distance": (100 * edits, 1),
        **{name: (value, 1) for name, value in {**row.judged, **row.spent, "ms": row.ms}.items()},
    }


def _compare(found: Collection[object], wanted: Collection[object]) -> tuple[int, int, int]:
    """How many are right, found and wanted."""
    return len({*found} & {*wanted}), len({*found}), len({*wanted})


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein's, over names."""
    before = list(range(len(other) + 1))
    for at, name in enumerate(one, 1):
        now = [at]
        for place, wanted in enumerate(other, 1):
            now.append(min(before[place] + 1, now[-1] + 1, before[place - 1] + (name != wanted)))
        before = now
    return before[-1]


def _bootstrap(fractions: Sequence[tuple[float, float]]) -> Score:
    """The fraction of all, and where it lies for samples of them; the same every time."""
    rng = random.Random(0)  # noqa: S311 - no secret
    resampled = (rng.choices(fractions, k=len(fractions)) for _ in range(_SAMPLES))
    low, *_, high = quantiles(map(_divide, resampled), n=40)
    return Score(_divide(fractions), low, high)


def _divide(fractions: Sequence[tuple[float, float]]) -> float:
    return sum(above for above, _ in fractions) / max(sum(below for _, below in fractions), 1)


def _format_table(rows: Sequence[ScoredPlan], unread: int) -> str:
    """A line for each measure, a column for each shape that there are requests of."""
    scores = {shape: group for shape, group in score(rows).items() if group}
    titles = [f"{shape} ({len(_select_shape(rows, shape))})" for shape in scores]
    lines = [["", *titles], ["---"] * (len(titles) + 1)]
    for name in scores["all"]:
        cells = (group.get(name) for group in scores.values())
        lines.append([name, *(_format_cell(cell) if cell else "-" for cell in cells)])
    typical, p95 = _measure_times(rows)
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    parts = [table, f"ms a request: median {typical:.1f}, 95 % {p95:.1f}"]
    parts += [f"lines that could not be read: {unread}"] if unread else []
    return "\n\n".join(parts)


def _format_cell(score: Score) -> str:
    return f"{score.value:.1f} [{score.low:.1f}, {score.high:.1f}]"


def _format_json(rows: Sequence[ScoredPlan], unread: int) -> str:
    typical, p95 = _measure_times(rows)
    scores = score(rows)
    whole = {
        "requests": {shape: len(_select_shape(rows, shape)) for shape in scores},
        "scores": {
            shape: {name: asdict(value) for name, value in group.items()}
            for shape, group in scores.items()
        },
        "judged": Counter(name for row in rows for name in row.judged),
        "ms": {"median": typical, "p95": p95},
        "unread": unread,
    }
    return json.dumps(whole, indent=2)


def _measure_times(rows: Sequence[ScoredPlan]) -> tuple[float, float]:
    """The median and the 95th percentile, in milliseconds."""
    times = sorted(row.ms for row in rows)
    return median(times), times[int(0.95 * (len(times) - 1))]
