"""A controller over a labelled file: planned, judged, scored, printed."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import structlog
import typer

from bot.app import App, open_app
from bot.evaluation.batch import by_embedded, by_llm
from bot.evaluation.judging import answer_without_files, judge_answer, judge_plan
from bot.evaluation.rows import Json, Labelled, Work, in_taskbench_names, lines, read_labelled
from bot.evaluation.scores import ScoredPlan, format_json, format_tables, score
from bot.providers import row_planner
from bot.settings import Settings
from pipeline.errors import LlmError, PlanError, RequestError, SettingsError
from pipeline.ports import Llm

_AT_ONCE = 8

log = structlog.get_logger()


async def evaluate(
    settings: Settings,
    file: Path,
    *,
    planner: str,
    judge: bool,
    as_json: bool,
    answers: bool = True,
) -> None:
    """Print the tables. With `judge`, requests that need no file are carried out too.

    `answers` turns that off. Raises FetchError, SettingsError, LlmRefused, and PlanError when no
    row is labelled.
    """
    gold, unread = _read_labelled_file(file)
    if not gold:
        raise PlanError("rows-not-labelled", file=str(file))
    words = "taskbench" if in_taskbench_names(gold) else ""
    by_model = planner == "llm"
    async with AsyncExitStack() as stack:
        work, judging = by_embedded(words), None
        if by_model or judge:
            if not settings.controller:
                raise SettingsError("rows-no-llm")
            app = await stack.enter_async_context(open_app(settings))
            assert app.llm is not None
            if by_model:
                work = by_llm(row_planner(app.llm, app.tools.catalogue, words), words)
            if judge:
                judging = _Judge(app, app.llm, 0 if by_model else -1, answers=answers)
        rows = await _plan_and_judge(gold, work, judging)
    found = score(rows)
    typer.echo((format_json if as_json else format_tables)(rows, found, unread))


def _read_labelled_file(file: Path) -> tuple[list[Labelled], int]:
    """The labelled rows, and how many lines are none."""
    labelled, unread = list[Labelled](), 0
    for _, line in lines(file):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        gold = read_labelled(row) if isinstance(row, dict) else None
        labelled += [gold] if gold else []
        unread += gold is None
    return labelled, unread


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judges plans, and the responses of requests that can be carried out by their words alone."""

    app: App
    llm: Llm
    planner_at: int
    answers: bool

    async def judge(self, row: Labelled, plan: Json) -> dict[str, float]:
        """The opinions; what could not be judged does not count as judged."""
        opinion: dict[str, float] = {}
        try:
            opinion |= await judge_plan(row, plan, self.llm, self.app.tools.candidates)
            if self.answers:
                said = await answer_without_files(row.request, self.planner_at, self.app)
                opinion |= await judge_answer(row, said, self.llm) if said else {}
        except LlmError as error:
            log.warning("not judged", request=row.id, why=str(error))
        return opinion


async def _plan_and_judge(
    gold: Sequence[Labelled], work: Work, judge: _Judge | None
) -> list[ScoredPlan]:
    room = asyncio.Semaphore(_AT_ONCE)

    async def plan(number: int, row: Labelled) -> ScoredPlan:
        async with room:
            try:
                planned = await work({"id": row.id, "user_request": row.request}, number)
            except RequestError:  # counts as an empty plan
                planned = {}
            return _to_scored_plan(row, planned, await judge.judge(row, planned) if judge else {})

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(plan(number, row)) for number, row in enumerate(gold, 1)]
    return [task.result() for task in tasks]


def _to_scored_plan(gold: Labelled, plan: Json, judged: dict[str, float]) -> ScoredPlan:
    return ScoredPlan(
        gold,
        tuple(node["task"] for node in plan.get("task_nodes", ())),
        frozenset((link["source"], link["target"]) for link in plan.get("task_links", ())),
        plan.get("ms", 0.0),
        judged,
        {name.replace("_", " "): count for name, count in plan.get("tokens", {}).items()},
    )
