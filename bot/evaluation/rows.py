"""Rows of JSON on the command line: requests, and requests labelled with their tasks."""

import asyncio
import json
import math
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
import typer

from pipeline.domain import LocalizedText
from pipeline.errors import FetchError, PlanError, RequestError
from pipeline.planning.batch import TASKBENCH
from pipeline.words import say

Json = dict[str, Any]
Row = Mapping[str, object]
Work = Callable[[Row, int], Awaitable[Json]]
"""A row and the number of its line → what is printed for it."""

_ESCAPED = re.compile(r"[\x85\u2028\u2029\ud800-\udfff]")
"""What some take for the end of a line, and halves of characters, which cannot be written."""

log = structlog.get_logger()


def lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, with their numbers. Raises FetchError."""
    try:
        with file.open("rb") as opened:
            for number, line in enumerate(opened, 1):
                bare = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if bare.strip():
                    yield number, bare
    except OSError as error:
        raise FetchError("rows-not-read", file=str(file), problem=error.strerror or "") from error


def request_in(row: Row, number: int) -> str:
    """The words of a row. Raises PlanError."""
    text = row.get("user_request")
    if not isinstance(text, str) or not text.strip():
        raise PlanError("row-no-request", line=number)
    return text


async def work_through(file: Path, work: Work, *, width: int) -> None:
    """Print one JSON line for each line of the file, in order, `width` rows at a time.

    A line that cannot be used gives a line with the reason under "error"; the rest goes on.
    Raises BrokenPipeError where nobody reads on.
    """
    gone: list[BaseException] = []
    try:
        async with asyncio.TaskGroup() as group:
            waiting: deque[asyncio.Task[Json]] = deque()
            for number, line in lines(file):
                waiting.append(group.create_task(_answered(line, number, work)))
                if len(waiting) >= width:
                    _print(await waiting.popleft())
            while waiting:
                _print(await waiting.popleft())
    except* BrokenPipeError as error:
        gone += error.exceptions
    if gone:  # by itself the command line knows it and ends quietly
        raise gone[0]


async def _answered(line: bytes, number: int, work: Work) -> Json:
    row: Row = {}
    try:
        row = _parsed(line, number)
        return await work(row, number)
    except RequestError as error:
        told = error.sentence
    except Exception:  # the boundary of a row: what breaks with one harms no other
        log.exception("row broke", line=number)
        told = LocalizedText("row-broke", {"line": number})
    nothing: Json = {"task_nodes": [], "task_links": [], "confidence": 0.0, "ms": 0.0}
    return {"id": row.get("id", ""), **nothing, "line": number, "error": say("en", told)}


def _parsed(line: bytes, number: int) -> Row:
    try:
        row = json.loads(line, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise PlanError("row-not-json", line=number) from error
    if not isinstance(row, dict):
        raise PlanError("row-no-object", line=number)
    return row


def _finite(written: str) -> float:
    """A number that can be written as JSON again. Raises ValueError."""
    number = float(written)
    if not math.isfinite(number):
        raise ValueError("no number of JSON")
    return number


def _print(row: Json) -> None:
    written = json.dumps(row, ensure_ascii=False)
    typer.echo(_ESCAPED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", written).encode())


Links = frozenset[tuple[str, str]]

_REQUESTS = ("user_request", "instruction", "request", "query")
_NODES = ("sequence", "nodes", "task_nodes", "tool_nodes", "sampled_nodes", "gold_set", "tasks")
_LINKS = ("links", "task_links", "tool_links", "sampled_links")
_SHAPES: Mapping[str, str] = {
    "single": "single",
    "node": "single",
    "chain": "sequential",
    "sequential": "sequential",
    "dag": "graph",
    "graph": "graph",
}
SHAPES = ("single", "sequential", "graph")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A request and the tasks it needs, in an order that their links allow."""

    id: object
    request: str
    shape: str
    nodes: tuple[str, ...]
    links: Links


def read_labelled(row: Row) -> Labelled | None:
    """A row of a labelled file; None when it is none."""
    request = next((row[name] for name in _REQUESTS if isinstance(row.get(name), str)), "")
    listed = _first(row, _NODES)
    nodes = tuple(dict.fromkeys(filter(None, map(_name, listed))))
    if not isinstance(request, str) or not request.strip() or not nodes:
        return None
    links = frozenset(
        link
        for link in map(read_link, _first(row, _LINKS))
        if link is not None and set(link) <= {*nodes}
    )
    told = str(row.get("type") or row.get("sampled_type") or "").casefold()
    shape = _SHAPES.get(told) or _shape(nodes, links)
    return Labelled(row.get("id", ""), request, shape, _ordered(nodes, links), links)


def in_taskbench_names(rows: Sequence[Labelled]) -> bool:
    """Whether the names are TaskBench's, and not our own."""
    names = {name for row in rows for name in row.nodes}
    return len(names & set(TASKBENCH.values())) > len(names & TASKBENCH.keys())


def _first(row: Row, names: Sequence[str]) -> list[object]:
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, list):
            return value
    return []


def _name(node: object) -> str:
    if isinstance(node, dict):
        node = node.get("task") or node.get("name") or node.get("kind")
    return node.strip() if isinstance(node, str) else ""


def read_link(link: object) -> tuple[str, str] | None:
    """Source and target of a link between two steps; None where it is none."""
    match link:
        case {"source": str(source), "target": str(target)} | [str(source), str(target)]:
            return source, target
        case _:
            return None


def _shape(nodes: Sequence[str], links: Links) -> str:
    if len(nodes) == 1:
        return "single"
    fans = max(
        (sum(end == node for end in ends) for node in nodes for ends in zip(*links, strict=True)),
        default=0,
    )
    return "graph" if fans > 1 else "sequential"


def _ordered(nodes: Sequence[str], links: Links) -> tuple[str, ...]:
    """Each after those that feed it; the rest as listed."""
    left, order = list(nodes), list[str]()
    while left:
        free = (one for one in left if not any(s in left for s, target in links if target == one))
        one = next(free, left[0])
        left.remove(one)
        order.append(one)
    return tuple(order)
