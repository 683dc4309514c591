"""Files of JSON lines on the command line: read one by one, each answered by a line of its own."""

import asyncio
import json
import math
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path

import structlog
import typer

from pipeline.domain import Sentence
from pipeline.errors import FetchError, PlanError, RequestError
from pipeline.words import say

Json = dict[str, object]
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
    """One JSON line for each line of the file, in its order, as soon as it is there; `width` of them are worked on at once.

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
        told = Sentence("row-broke", {"line": number})
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
