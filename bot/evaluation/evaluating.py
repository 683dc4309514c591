"""A controller over a labelled file: planned, judged, scored, printed."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import typer

from bot.app import open_app
from bot.evaluation.batch import AT_ONCE, plan_by_embedded, plan_by_llm
from bot.evaluation.judging import Judge
from bot.evaluation.rows import (
    Labelled,
    Work,
    parse_row,
    read_labelled,
    read_lines,
    use_taskbench_names,
)
from bot.evaluation.scores import ScoredPlan, format_json, format_tables
from bot.settings import Settings
from pipeline.errors import PlanError, RequestError, SettingsError


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
        plans = await _plan_and_judge(gold, work, judging)
    typer.echo((format_json if as_json else format_tables)(plans, rows.count(None)))


def _read_labelled_line(line: bytes, number: int) -> Labelled | None:
    try:
        return read_labelled(parse_row(line, number))
    except PlanError:
        return None


async def _plan_and_judge(
    gold: Sequence[Labelled], work: Work, judge: Judge | None
) -> list[ScoredPlan]:
    room = asyncio.Semaphore(AT_ONCE)

    async def plan(number: int, row: Labelled) -> ScoredPlan:
        async with room:
            try:
                planned = await work({"id": row.id, "user_request": row.request}, number)
            except RequestError:  # counts as an empty plan
                planned = {}
            return ScoredPlan(
                row,
                tuple(node["task"] for node in planned.get("task_nodes", ())),
                frozenset(
                    (link["source"], link["target"]) for link in planned.get("task_links", ())
                ),
                planned.get("ms", 0.0),
                await judge.judge(row, planned) if judge else {},
                {name.replace("_", " "): n for name, n in planned.get("tokens", {}).items()},
            )

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(plan(number, row)) for number, row in enumerate(gold, 1)]
    return [task.result() for task in tasks]
