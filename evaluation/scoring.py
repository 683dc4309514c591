"""`troupe evaluate FILE`: plan labelled requests, score the plans; the paper's ablation.

Stricter than TaskBench's script: a missing plan counts as an empty one.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import typer

from bot.app import App, open_app
from bot.settings import Settings
from evaluation.batch import plan_by_embedded, plan_by_llm, require_llm
from evaluation.figures import (
    Fraction,
    Score,
    Scores,
    compute_average,
    format_json,
    format_rows,
    format_score,
)
from evaluation.judging import ask_judge, describe_answer, find_judge
from evaluation.rows import (
    SHAPES,
    Json,
    Labelled,
    Work,
    parse_row,
    read_labelled,
    read_lines,
    request_of,
    work_in_order,
)
from evaluation.taskbench import TASKBENCH, list_vocabulary, use_taskbench_names
from evaluation.trials import SuiteRequest, SuiteTurn, Trial, carry_out
from pipeline.errors import PlanError, RequestError
from pipeline.planning.prompt import read_demonstrations
from pipeline.ports import Llm
from pipeline.task_kinds import KINDS

_CANDIDATES = 5
_MOST_DEMONSTRATIONS = 5
"""In the ablation of their number."""


MeasuredPlan = tuple[str, Mapping[str, Fraction]]
"""The shape of a request's plan, and its measures by name."""


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

    With `answers`, it also judges the responses to the requests whose files are there. Raises
    FetchError, SettingsError, LlmRefused, and PlanError if no row is labelled.
    """
    gold = _read_gold(file)
    by_model = planner == "llm"
    async with AsyncExitStack() as stack:
        app = await stack.enter_async_context(open_app(settings))
        work, judging = plan_by_embedded(gold.words), None
        if by_model:
            catalogue = app.tools.candidates.catalogue
            work = plan_by_llm(require_llm(app.llm), catalogue, gold.words)
        if judge:
            planned_by = app.tools.planners[0 if by_model else -1]
            tools = replace(app.tools, planners=(planned_by,))
            asked = await find_judge(settings, stack, app)
            judging = _RowJudge(replace(app, tools=tools), asked, answers, file.parent)
        scores = await _score_plans(gold, work, judging)
    typer.echo(_format_scores(scores, gold.unread, as_json=as_json))


async def evaluate_ablation(settings: Settings, file: Path, *, as_json: bool) -> None:
    """Print the scores of plans with fewer and with less varied demonstrations.

    Raises FetchError, SettingsError, LlmRefused, and PlanError if no row is labelled.
    """
    gold = _read_gold(file)
    scores: dict[str, Mapping[str, Score]] = {}
    async with open_app(settings) as app:
        llm, catalogue = require_llm(app.llm), app.tools.candidates.catalogue
        for name, demonstrations in list_variants(list_vocabulary(gold.words)):
            work = plan_by_llm(llm, catalogue, gold.words, demonstrations)
            scores[name] = (await _score_plans(gold, work, None))["all"]
    typer.echo(_format_scores(scores, gold.unread, as_json=as_json))


def list_variants(kinds: Collection[str]) -> Sequence[tuple[str, tuple[str, ...]]]:
    """Prompts for these kinds: the name, and the headings of the demonstrations in it.

    All of them, then fewer, then less varied ones. The last two have equally many demonstrations,
    but with few and with many kinds of tasks; they are left out where all have the same kinds.
    """
    shown = find_demonstrations(kinds)
    planned = [heading for heading, used in shown.items() if used]
    half = len(planned) // 2
    few, many = (_pick_demonstrations(planned, shown, half, choose) for choose in (min, max))
    numbers = range(min(_MOST_DEMONSTRATIONS, len(planned)) + 1)
    varied = (few, many) if few != many else ()
    return [
        (f"all demonstrations: {len(shown)}", tuple(shown)),
        *((f"demonstrations: {number}", tuple(planned[:number])) for number in numbers),
        *((f"demonstrations: {half}, kinds: {_count_kinds(each, shown)}", each) for each in varied),
    ]


def find_demonstrations(kinds: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Heading → kinds in the plan, of the demonstrations that are shown where these kinds run."""
    return {each.heading: each.kinds for each in read_demonstrations() if each.suits(kinds)}


def _pick_demonstrations(
    headings: Sequence[str],
    kinds: Mapping[str, frozenset[str]],
    number: int,
    choose: Callable[[Collection[int]], int],
) -> tuple[str, ...]:
    """One by one, the demonstration that adds the fewest kinds (`choose` is min) or the most."""
    picked: tuple[str, ...] = ()
    for _ in range(number):
        sizes = {
            each: _count_kinds((*picked, each), kinds) for each in headings if each not in picked
        }
        best = choose(sizes.values())
        picked = (*picked, next(each for each in sizes if sizes[each] == best))
    return picked


def _count_kinds(headings: Collection[str], kinds: Mapping[str, frozenset[str]]) -> int:
    return len({kind for heading in headings for kind in kinds[heading]})


@dataclass(frozen=True, slots=True)
class _Gold:
    """The labelled rows of a file, and how many of its lines are not."""

    rows: Sequence[Labelled]
    unread: int

    @property
    def words(self) -> str:
        return "taskbench" if use_taskbench_names(self.rows) else ""


def _read_gold(file: Path) -> _Gold:
    """Raises FetchError, and PlanError if no row is labelled."""
    rows = [_read_labelled_line(line, number) for number, line in read_lines(file)]
    gold = _Gold([row for row in rows if row], rows.count(None))
    if not gold.rows:
        raise PlanError("rows-not-labelled", file=str(file))
    return gold


def _read_labelled_line(line: bytes, number: int) -> Labelled | None:
    try:
        return read_labelled(parse_row(line, number))
    except PlanError:
        return None


async def _score_plans(gold: _Gold, work: Work, judge: "_RowJudge | None") -> Scores:
    """Plan all rows, several at once."""

    async def plan(row: Labelled) -> MeasuredPlan:
        try:
            planned = await work({"id": row.id, "user_request": row.request}, 0)
        except RequestError:  # counts as an empty plan
            planned = {"task_nodes": [], "task_links": [], "ms": 0.0}
        judged = await judge.judge(row, planned) if judge else {}
        means = {**judged, **planned.get("tokens", {}), "ms": planned["ms"]}
        fractions = {name.replace("_", " "): (value, 1) for name, value in means.items()}
        return row.shape, {**measure(row, planned), **fractions}

    return score([measured async for measured in work_in_order(gold.rows, plan)])


@dataclass(frozen=True, slots=True)
class _RowJudge:
    """Judges plans; with `answers`, also the responses to requests whose files are in `folder`."""

    app: App
    llm: Llm
    answers: bool
    folder: Path

    async def judge(self, gold: Labelled, plan: Json) -> dict[str, float]:
        """Measure → 0 to 100. What could not be judged is left out."""
        names = sorted({node["task"] for node in plan["task_nodes"]})
        models = {name: await self._find_models(name, gold.request) for name in names}
        material = {
            "Request": gold.request,
            "Plan": {key: plan[key] for key in ("task_nodes", "task_links")},
            "Models chosen, with the other candidates": models,
            "Expected": {"tasks": gold.nodes, "links": sorted(gold.links)},
        }
        trial = await self._carry_out(gold) if self.answers else None
        told = describe_answer(trial, (), {}) if trial else None
        judged = await ask_judge(self.llm, gold.id, material, told)
        marks = {
            "planning passes": bool(names) and not plan.get("repairs"),
            "selection passes": all(models.values()),
            **judged.marks,
        }
        scores = {} if judged.score is None else {"judge score": judged.score}
        return {**{name: 100.0 * mark for name, mark in marks.items()}, **scores}

    async def _find_models(self, name: str, text: str) -> Sequence[str]:
        """The models for a task, in the order in which they would be tried."""
        ours = {theirs: kind for kind, theirs in TASKBENCH.items()}
        kind = KINDS.get(ours.get(name, name))
        candidates, request = self.app.tools.candidates, request_of(text, "")
        models = await candidates.shortlist(kind, request, limit=_CANDIDATES) if kind else ()
        return [f"{model.id}: {model.description}"[:120] for model in models]

    async def _carry_out(self, gold: Labelled) -> Trial | None:
        """Run a request. None if its files are not there."""
        paths = [self.folder / name for name in gold.files]
        if not all(path.parent == self.folder and path.is_file() for path in paths):
            return None
        if not paths and request_of(gold.request, "").files:
            return None
        request = SuiteRequest(str(gold.id), (SuiteTurn(gold.request, gold.files, ()),))
        (trial,) = await carry_out(request, self.folder, self.app)
        return trial


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
    for shape, fractions in plans:
        for name, fraction in fractions.items():
            for group in (groups[shape], groups["all"]):
                group.setdefault(name, []).append(fraction)
    return {
        shape: {name: compute_average(fractions) for name, fractions in group.items()}
        for shape, group in groups.items()
        if group
    }


def _format_scores(scores: Scores, unread: int, *, as_json: bool) -> str:
    """A line for each measure, a column for each group of requests; or JSON."""
    if as_json:
        return format_json({"scores": scores, "unread": unread})
    titles = [f"{shape} ({group['F1'].requests})" for shape, group in scores.items()]
    lines = [["", *titles], ["---"] * (len(titles) + 1)]
    names = dict.fromkeys(name for group in scores.values() for name in group)
    for name in names:
        cells = (group.get(name) for group in scores.values())
        lines.append([name, *(format_score(cell) if cell else "-" for cell in cells)])
    table = format_rows(lines)
    return f"{table}\n\nlines that could not be read: {unread}" if unread else table
