"""Rows of JSON on the command line: requests, and requests labelled with their tasks."""

import asyncio
import json
import math
from collections import Counter
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import structlog
import typer

from pipeline.domain import (
    Attachment,
    Channel,
    Context,
    FileHash,
    LocalizedText,
    NamedFile,
    Person,
    Request,
    RunId,
    Thread,
)
from pipeline.errors import FetchError, PlanError, RequestError
from pipeline.text.lenient_json import load_object
from pipeline.words import say

Json = dict[str, Any]
Row = Mapping[str, object]
Link = tuple[str, str]
Work = Callable[[Row, int], Awaitable[Json]]
"""(row, line number) → the fields to print."""
Item = TypeVar("Item")
Result = TypeVar("Result")

REQUESTS = ("user_request", "instruction", "request", "query")
_LINKS = ("links", "task_links", "tool_links", "sampled_links")
_NODES = ("sequence", "nodes", "task_nodes", "tool_nodes", "sampled_nodes", "gold_set", "tasks")
SHAPES = ("single", "sequential", "graph")
_SHAPES = dict(zip(("single", "chain", "dag"), SHAPES, strict=True))
"""TaskBench's name of a shape → the paper's."""
_AT_ONCE = 8
_AROUND_NAMES = str.maketrans(dict.fromkeys("\"'`,;:()[]{}<>|=!?*“”‘’「」", " "))  # noqa: RUF001
_ENDINGS: Mapping[str, str] = {
    "image/jpeg": "jpg jpeg png gif bmp webp tiff",
    "audio/wav": "wav mp3 flac ogg m4a",
    "video/mp4": "mp4 avi mov mkv webm",
    "text/csv": "csv tsv",
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}
_MEDIA_TYPES = {end: type_ for type_, ends in _ENDINGS.items() for end in ends.split()}
"""File extension → media type."""

log = structlog.get_logger()


def read_lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The non-blank lines with their numbers. Raises FetchError."""
    try:
        with file.open("rb") as opened:
            for number, line in enumerate(opened, 1):
                bare = line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line
                if bare.strip():
                    yield number, bare
    except OSError as error:
        raise FetchError("rows-not-read", file=str(file), problem=error.strerror or "") from error


def parse_row(line: bytes, number: int) -> Row:
    """Parse the JSON object in a line. Raises PlanError."""
    try:
        row = json.loads(line, parse_float=_parse_finite, parse_constant=_parse_finite)
    except (ValueError, RecursionError) as error:
        raise PlanError("row-not-json", line=number) from error
    if not isinstance(row, dict):
        raise PlanError("row-no-object", line=number)
    return row


def _parse_finite(text: str) -> float:
    """Raises ValueError for NaN and infinity, which JSON does not have."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("not a JSON number")
    return number


async def work_in_order(
    items: Iterable[Item], work: Callable[[Item], Coroutine[Any, Any, Result]]
) -> AsyncIterator[Result]:
    """Yield the results in the order of the items; several are worked on at once."""
    remaining = iter(items)
    while chunk := list(islice(remaining, _AT_ONCE)):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(work(item)) for item in chunk]
        for task in tasks:
            yield task.result()


async def print_rows(file: Path, work: Work) -> None:
    """Print one JSON line for each line of the file, in order.

    A line that fails is printed with the reason under "error"; the rest goes on.
    Raises FetchError.
    """

    async def work_on(numbered: tuple[int, bytes]) -> Json:
        number, line = numbered
        row: Row = {}
        try:
            row = parse_row(line, number)
            return {"id": row.get("id", ""), **await work(row, number)}
        except RequestError as error:
            problem = error.sentence
        except Exception:  # boundary: one broken row must not stop the others
            log.exception("row broke", line=number)
            problem = LocalizedText("row-broke", {"line": number})
        no_plan: Json = {"task_nodes": [], "task_links": [], "confidence": 0.0, "ms": 0.0}
        return {"id": row.get("id", ""), **no_plan, "line": number, "error": say("en", problem)}

    async for printed in work_in_order(read_lines(file), work_on):
        typer.echo(json.dumps(printed))


def request_of(text: str, raw: str, earlier: str = "") -> Request:
    """A request to which the files named in `text` and `raw` are attached.

    Files named in `earlier` are earlier files of the thread instead.
    """
    older = find_files(earlier)
    older_names = {file.name for file in older}
    files = tuple(file for file in find_files(f"{text}\n{raw}") if file.name not in older_names)
    thread = Thread(Channel("batch", "", ""), "")
    context = Context(older=older)
    return Request(
        run=RunId("batch"),
        thread=thread,
        person=Person("", ""),
        text=text,
        files=files,
        context=context,
    )


def find_files(text: str) -> tuple[NamedFile, ...]:
    """The files that a text names, recognised by extension, without duplicates."""
    words = text.translate(_AROUND_NAMES).split()
    names = dict.fromkeys(word.rstrip(".").rpartition("/")[-1] for word in words if "." in word)
    return tuple(
        NamedFile(
            name,
            Attachment(hash=FileHash(name), media_type=_MEDIA_TYPES[ending], name=name, size=1),
        )
        for name in names
        if (ending := name.rpartition(".")[2].casefold()) in _MEDIA_TYPES
    )


@dataclass(frozen=True, slots=True)
class Labelled:
    """A request and the tasks it needs, in topological order."""

    id: object
    request: str
    shape: str
    nodes: tuple[str, ...]
    links: frozenset[Link]
    files: tuple[str, ...] = ()
    """Names of files that lie beside the file of rows."""


def read_labelled(row: Row) -> Labelled | None:
    """Parse a labelled row; None if it has no request or no tasks."""
    request = next((row[name] for name in REQUESTS if isinstance(row.get(name), str)), "")
    nodes = tuple(dict.fromkeys(filter(None, map(_read_node, find_list(row, _NODES)))))
    if not isinstance(request, str) or not request.strip() or not nodes:
        return None
    links = frozenset(link for link in read_links(row) if {*link} <= {*nodes})
    shape = _SHAPES.get(str(row.get("type"))) or _find_shape(nodes, links)
    files = row.get("files")
    names = tuple(map(str, files)) if isinstance(files, list) else ()
    return Labelled(row.get("id", ""), request, shape, _sort_by_links(nodes, links), links, names)


def find_list(row: Row, names: Sequence[str]) -> list[object]:
    """The first list under one of the names; strings are parsed as JSON."""
    values = (row.get(name) for name in names)
    lists = (load_object(value) if isinstance(value, str) else value for value in values)
    return next((value for value in lists if isinstance(value, list)), [])


def read_links(row: Row) -> list[Link]:
    """The links between tasks, as (source, target)."""
    links = []
    for link in find_list(row, _LINKS):
        match link:
            case {"source": str(source), "target": str(target)} | [str(source), str(target)]:
                links.append((source, target))
            case _:
                pass
    return links


def _read_node(node: object) -> str:
    if isinstance(node, dict):
        node = node.get("task")
    return node.strip() if isinstance(node, str) else ""


def _find_shape(nodes: Sequence[str], links: frozenset[Link]) -> str:
    if len(nodes) == 1:
        return "single"
    ends = Counter((side, end) for link in links for side, end in enumerate(link))
    return "graph" if max(ends.values(), default=0) > 1 else "sequential"


def _sort_by_links(nodes: Sequence[str], links: frozenset[Link]) -> tuple[str, ...]:
    """Topological order; ties and cycles as listed."""
    remaining, order = list(nodes), list[str]()
    while remaining:
        blocked = {target for source, target in links if source in remaining}
        order.append(next((node for node in remaining if node not in blocked), remaining[0]))
        remaining.remove(order[-1])
    return tuple(order)
