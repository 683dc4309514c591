"""`troupe evaluate`: plan labelled requests and score the plans with the paper's measures.

Stricter than TaskBench's script: a missing plan counts as an empty one.
"""

import json
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

import typer
from pydantic import TypeAdapter

from bot.app import open_app
from bot.evaluation.batch import plan_by_embedded, plan_by_llm, require_llm
from bot.evaluation.judging import Judge
from bot.evaluation.rows import (
    SHAPES,
    Json,
    Labelled,
    Work,
    parse_row,
    read_labelled,
    read_lines,
    use_taskbench_names,
    work_in_order,
)
from bot.settings import Settings
from pipeline.errors import PlanError, RequestError

_SAMPLES = 1000


Fraction = tuple[float, float]
"""A numerator and a denominator; over many requests, both are summed."""


@dataclass(frozen=True, slots=True)
class Score:
    """A measure over a number of requests, with its 95 % bootstrap interval."""

    value: float
    low: float
    high: float
    requests: int


@dataclass(frozen=True, slots=True)
class MeasuredPlan:
    """The measures of one request's plan, by name."""

    shape: str
    fractions: Mapping[str, Fraction]


Scores = Mapping[str, Mapping[str, Score]]
"""Shape (or "all") → measure → score. Shapes without requests are left out."""


async def evaluate(
    settings: Settings,
    file: Path,
    *,
    planner: str,
    judge: bool,
    as_json: bool,
    answers: bool = True,
) -> None:
    """Print the scores of a planner. With `judge`, a language model judges the plans, too.

    With `answers`, it also judges the responses to requests without files. Raises FetchError,
    SettingsError, LlmRefused, and PlanError if no row is labelled.
    """
    rows = [_read_labelled_line(line, number) for number, line in read_lines(file)]
    gold = [row for row in rows if row]
    if not gold:
        raise PlanError("rows-not-labelled", file=str(file))
    words = "taskbench" if use_taskbench_names(gold) else ""
    by_model = planner == "llm"
    async with open_app(settings) as app:
        work, judging = plan_by_embedded(words), None
        if by_model or judge:
            llm = require_llm(app.llm)
            work = plan_by_llm(llm, app.tools.catalogue, words) if by_model else work
            planned_by = app.tools.planners[0 if by_model else -1]
            judging = Judge(app, llm, planned_by, answers) if judge else None

        async def plan(row: Labelled) -> MeasuredPlan:
            return await _plan_and_judge(row, work, judging)

        scores = score([measured async for measured in work_in_order(gold, plan)])
    if as_json:
        whole = {"scores": TypeAdapter(Scores).dump_python(scores), "unread": rows.count(None)}
        typer.echo(json.dumps(whole, indent=2))
    else:
        typer.echo(_format_table(scores, rows.count(None)))


def _read_labelled_line(line: bytes, number: int) -> Labelled | None:
    try:
        return read_labelled(parse_row(line, number))
    except PlanError:
        return None


async def _plan_and_judge(gold: Labelled, work: Work, judge: Judge | None) -> MeasuredPlan:
    try:
        planned = await work({"id": gold.id, "user_request": gold.request}, 0)
    except RequestError:  # counts as an empty plan
        planned = {"task_nodes": [], "task_links": [], "ms": 0.0}
    judged = await judge.judge(gold, planned) if judge else {}
    means = {**judged, **planned.get("tokens", {}), "ms": planned["ms"]}
    fractions = {name.replace("_", " "): (value, 1) for name, value in means.items()}
    return MeasuredPlan(gold.shape, {**measure(gold, planned), **fractions})


def measure(gold: Labelled, planned: Json) -> Mapping[str, Fraction]:
    """The paper's measures, as fractions."""
    nodes = [node["task"] for node in planned["task_nodes"]]
    links = [(link["source"], link["target"]) for link in planned["task_links"]]
    hits, predicted, expected = _compare(nodes, gold.nodes)
    link_hits, links_predicted, links_expected = _compare(links, gold.links)
    edits = edit_distance(nodes, gold.nodes) / max(len(nodes), len(gold.nodes))
    edges = {"edge F1": (200.0 * link_hits, links_predicted + links_expected)}
    return {
        "accuracy": (100.0 * (hits == predicted == expected), 1),
        "precision": (100.0 * hits, predicted),
        "recall": (100.0 * hits, expected),
        "F1": (200.0 * hits, predicted + expected),
        **(edges if gold.shape != "single" else {}),
        "edit distance": (100 * edits, 1),
    }


def _compare(predicted: Collection[object], expected: Collection[object]) -> tuple[int, int, int]:
    """Counts of distinct items: in both, predicted, expected."""
    return len({*predicted} & {*expected}), len({*predicted}), len({*expected})


def edit_distance(names: Sequence[str], others: Sequence[str]) -> int:
    """Levenshtein distance of two lists of names."""
    above = list(range(len(others) + 1))
    for number, name in enumerate(names, 1):
        row = [number]
        for column, other in enumerate(others, 1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (name != other)))
        above = row
    return above[-1]


def score(plans: Sequence[MeasuredPlan]) -> Scores:
    """The scores by shape, and of all requests."""
    groups: dict[str, dict[str, list[Fraction]]] = {shape: {} for shape in (*SHAPES, "all")}
    for plan in plans:
        for name, fraction in plan.fractions.items():
            for shape in (plan.shape, "all"):
                groups[shape].setdefault(name, []).append(fraction)
    return {
        shape: {name: _bootstrap(fractions) for name, fractions in group.items()}
        for shape, group in groups.items()
        if group
    }


def _bootstrap(fractions: Sequence[Fraction]) -> Score:
    """The score of all requests, with an interval from seeded resampling."""
    rng = random.Random(0)  # noqa: S311 - no secret
    resampled = (rng.choices(fractions, k=len(fractions)) for _ in range(_SAMPLES))
    low, *_, high = quantiles(map(_divide, resampled), n=40)
    return Score(_divide(fractions), low, high, len(fractions))


def _divide(fractions: Sequence[Fraction]) -> float:
    return sum(top for top, _ in fractions) / max(sum(bottom for _, bottom in fractions), 1)


def _format_table(scores: Scores, unread: int) -> str:
    """A line for each measure, a column for each shape."""
    titles = [f"{shape} ({group['F1'].requests})" for shape, group in scores.items()]
    lines = [["", *titles], ["---"] * (len(titles) + 1)]
    for name in scores["all"]:
        cells = (group.get(name) for group in scores.values())
        lines.append([name, *(_format_cell(cell) if cell else "-" for cell in cells)])
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{table}\n\nlines that could not be read: {unread}" if unread else table


def _format_cell(score: Score) -> str:
    return f"{score.value:.1f} [{score.low:.1f}, {score.high:.1f}]"
