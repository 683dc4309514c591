"""A controller over a labelled file: planned, compared, judged, told."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import structlog
import typer

from bot.app import App, open_app
from bot.evaluation.batch import by_embedded, by_llm
from bot.evaluation.judging import answer_by_words, judge_answer, judge_plan
from bot.evaluation.rows import Labelled, Work, in_taskbench_names, lines, read_labelled
from bot.evaluation.scores import ScoredPlan, as_markdown, scores
from bot.evaluation.scores import as_json as whole
from bot.providers import row_planner
from bot.settings import Settings
from pipeline.errors import LlmError, PlanError, RequestError, SettingsError
from pipeline.ports import Llm, Planner

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
    gold, left = _read(file)
    if not gold:
        raise PlanError("rows-not-labelled", file=str(file))
    words = "taskbench" if in_taskbench_names(gold) else ""
    async with AsyncExitStack() as stack:
        app = None
        if planner == "llm" or judge:
            if not settings.controller:
                raise SettingsError("rows-no-llm")
            app = await stack.enter_async_context(open_app(settings))
        answerer = app.tools.planners[0 if planner == "llm" else -1] if app and answers else None
        work = by_embedded(words)
        if app and planner == "llm":
            work = by_llm(row_planner(app.llm, app.tools.catalogue, words), words)
        rows = await _all(gold, work, app if judge else None, answerer)
    found = scores(rows)
    if as_json:
        typer.echo(json.dumps(whole(rows, found, left), indent=2))
    else:
        typer.echo(as_markdown(rows, found, left))


def _read(file: Path) -> tuple[list[Labelled], int]:
    """What is labelled, and how many lines are not."""
    found: list[Labelled] = []
    left = 0
    for _, line in lines(file):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        gold = read_labelled(row) if isinstance(row, dict) else None
        if gold is None:
            left += 1
        else:
            found.append(gold)
    return found, left


async def _all(
    gold: Sequence[Labelled], plan: Work, judge: App | None, answerer: Planner | None
) -> list[ScoredPlan]:
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int, row: Labelled) -> ScoredPlan:
        async with room:
            return await _planned(number, row, plan, judge, answerer)

    async with asyncio.TaskGroup() as group:
        works = [group.create_task(one(number, row)) for number, row in enumerate(gold, 1)]
    return [work.result() for work in works]


async def _planned(
    number: int, row: Labelled, plan: Work, judge: App | None, answerer: Planner | None
) -> ScoredPlan:
    """A plan that failed is an empty one; what could not be judged does not count as judged."""
    try:
        made = await plan({"id": row.id, "user_request": row.request}, number)
    except RequestError:
        made = {}
    opinion: dict[str, float] = {}
    if judge is not None and judge.llm is not None:
        try:
            opinion |= await judge_plan(row, made, judge.llm, judge.tools.candidates)
        except LlmError as error:
            log.warning("not judged", line=number, why=str(error))
        if answerer is not None:
            opinion |= await _response(row, judge, judge.llm, answerer)
    return ScoredPlan(
        row,
        tuple(node["task"] for node in made.get("task_nodes", ())),
        frozenset((link["source"], link["target"]) for link in made.get("task_links", ())),
        made.get("ms", 0.0),
        opinion,
        {name.replace("_", " "): count for name, count in made.get("tokens", {}).items()},
    )


async def _response(row: Labelled, app: App, llm: Llm, answerer: Planner) -> dict[str, float]:
    """Whether the response succeeds, of requests that can be carried out by their words alone."""
    try:
        said = await answer_by_words(row.request, answerer, app)
        return await judge_answer(row, said, llm) if said else {}
    except LlmError as error:
        log.warning("response not judged", request=row.id, why=str(error))
        return {}
