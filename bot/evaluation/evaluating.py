"""A controller over a labelled file: planned, compared, judged, told."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import structlog
import typer

from bot.batch import by_embedded, by_llm
from bot.evaluation.answering import answered
from bot.evaluation.gold import Labelled, in_taskbench_names, labelled
from bot.evaluation.judging import judged, judged_answer
from bot.evaluation.scores import Planned, scores
from bot.evaluation.tables import as_json as whole
from bot.evaluation.tables import as_markdown
from bot.rows import Json, Work, lines
from bot.settings import Settings
from bot.wiring import House, opened, row_planner
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
    """Print the tables. Where it is judged, requests that need no file are carried out too, unless `answers` is false. Raises FetchError, PlanError where nothing is labelled, SettingsError, LlmRefused."""
    gold, left = _read(file)
    if not gold:
        raise PlanError("rows-not-labelled", file=str(file))
    words = "taskbench" if in_taskbench_names(gold) else ""
    async with AsyncExitStack() as stack:
        house = None
        if planner == "llm" or judge:
            if not settings.controller:
                raise SettingsError("rows-no-llm")
            house = await stack.enter_async_context(opened(settings))
        answerer = (
            house.tools.planners[0 if planner == "llm" else -1] if house and answers else None
        )
        work = by_embedded(words)
        if house and planner == "llm":
            work = by_llm(row_planner(house, words), words)
        rows = await _all(gold, work, house if judge else None, answerer)
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
        gold = labelled(row) if isinstance(row, dict) else None
        if gold is None:
            left += 1
        else:
            found.append(gold)
    return found, left


async def _all(
    gold: Sequence[Labelled], plan: Work, judge: House | None, answerer: Planner | None
) -> list[Planned]:
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int, row: Labelled) -> Planned:
        async with room:
            return await _planned(number, row, plan, judge, answerer)

    async with asyncio.TaskGroup() as group:
        works = [group.create_task(one(number, row)) for number, row in enumerate(gold, 1)]
    return [work.result() for work in works]


async def _planned(
    number: int, row: Labelled, plan: Work, judge: House | None, answerer: Planner | None
) -> Planned:
    """A plan that could not be made is an empty one; what could not be judged is not counted as judged."""
    try:
        made = await plan({"id": row.id, "user_request": row.request}, number)
    except RequestError:
        made = {}
    opinion: dict[str, float] = {}
    if judge is not None and judge.llm is not None:
        try:
            opinion |= await judged(row, made, judge.llm, judge.tools.shelf)
        except LlmError as error:
            log.warning("not judged", line=number, why=str(error))
        if answerer is not None:
            opinion |= await _response(row, judge, judge.llm, answerer)
    return Planned(row, _nodes(made), _links(made), _ms(made), opinion, _spent(made))


async def _response(row: Labelled, house: House, llm: Llm, answerer: Planner) -> dict[str, float]:
    """Whether the response succeeds, of requests that can be carried out by their words alone."""
    try:
        said = await answered(row.request, answerer, house)
        return await judged_answer(row, said, llm) if said else {}
    except LlmError as error:
        log.warning("response not judged", request=row.id, why=str(error))
        return {}


def _spent(made: Json) -> dict[str, float]:
    """Calls and tokens, as far as they were told; none where no language model was asked."""
    spent = made.get("tokens")
    told = spent if isinstance(spent, dict) else {}
    return {name.replace("_", " "): float(count) for name, count in told.items()}


def _nodes(made: Json) -> tuple[str, ...]:
    nodes = made.get("task_nodes")
    return tuple(str(node["task"]) for node in nodes) if isinstance(nodes, list) else ()


def _links(made: Json) -> frozenset[tuple[str, str]]:
    links = made.get("task_links")
    listed = links if isinstance(links, list) else []
    return frozenset((str(link["source"]), str(link["target"])) for link in listed)


def _ms(made: Json) -> float:
    ms = made.get("ms", 0.0)
    return float(ms) if isinstance(ms, int | float) else 0.0
