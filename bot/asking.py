"""One request from the command line: `troupe ask` and `troupe plan`."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import typer

from adapters.web.showing import answer_json, record_of, sketch_json, worded
from bot.intake import run_of
from bot.planning import plan_of
from bot.settings import Settings, language
from bot.wiring import House, opened
from pipeline.domain import (
    Answer,
    Answered,
    Apologised,
    Blob,
    Channel,
    Event,
    Heard,
    Incoming,
    Link,
    Person,
    RunId,
    Sentence,
    Thread,
)
from pipeline.errors import FetchError
from pipeline.ports import Taken
from pipeline.text.names import harmless
from pipeline.words import say

PLATFORM = "console"
_ME = Person("me", "me", language())


async def ask_once(settings: Settings, text: str, files: Sequence[Path], *, as_json: bool) -> int:
    """Ask, wait, print the answer; its files go into the working folder. 1 when it could not be answered.

    The message does not go through the inbox: what is broken off here is over, and not taken up at the next start.
    """
    async with opened(settings) as house:
        chat = _OneAnswer()
        message = _message(text, files)
        await house.conversation.deliver(Taken(run_of(message), message, attempt=1), chat)
        return await _print(chat.events, house, as_json=as_json)


async def plan_once(settings: Settings, text: str, files: Sequence[Path], *, as_json: bool) -> int:
    """Plan, print the plan."""
    async with opened(settings) as house:
        sketch = await plan_of(_message(text, files), _OneAnswer(), house)
    plan = sketch_json(sketch, _ME.locale)
    if as_json:
        typer.echo(json.dumps(plan, ensure_ascii=False, indent=2))
        return 0
    for task in plan["tasks"]:
        needs = f"  (after {', '.join(map(str, task['dep']))})" if task["dep"] else ""
        args = ", ".join(f"{name}: {value}" for name, value in task["args"].items())
        typer.echo(f"{task['id']}  {task['task']}  {args}{needs}")
    for told in (*plan["repairs"], *plan["notices"]):
        typer.echo(f"-  {told}")
    if not plan["tasks"]:
        typer.echo(plan["reply"] or say(_ME.locale, Sentence("plan-no-task")))
    return 0


@dataclass(slots=True)
class _OneAnswer:
    """A chat with one message in it, whose files are on this machine."""

    platform: str = PLATFORM
    events: list[Event] = field(default_factory=list)

    async def listen(self, listener: object) -> None:
        """Nothing is heard: the one message is handed over by hand."""

    async def download(self, link: Link) -> Blob:
        path = Path(link.url)
        try:
            data = await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise FetchError(
                "file-not-read", file=link.name, problem=error.strerror or ""
            ) from error
        return Blob(data, "", path.name)

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:  # noqa: ARG002 - the port's
        return ()

    async def follow(
        self,
        message: Incoming,  # noqa: ARG002 - the port's
        run: RunId,  # noqa: ARG002
        events: AsyncIterator[Event],
    ) -> None:
        async for event in events:
            self.events.append(event)


def _message(text: str, files: Sequence[Path]) -> Incoming:
    name = uuid.uuid4().hex
    thread = Thread(Channel(PLATFORM, "local", "ask"), name)
    links = tuple(Link(str(path.expanduser()), path.name) for path in files)
    return Incoming(name, thread, _ME, text, links, datetime.now(UTC), Heard(direct=True))


async def _print(events: Sequence[Event], house: House, *, as_json: bool) -> int:
    match events[-1]:
        case Answered(answer):
            paths = await _written(answer, house)
            if as_json:
                kinds, outcomes = record_of(events)
                whole = answer_json(answer, "", kinds, outcomes, _ME.locale)
                for file, path in zip(whole["files"], paths, strict=True):
                    file["path"] = str(path)
                typer.echo(json.dumps(whole, ensure_ascii=False, indent=2))
            else:
                _print_plain(answer, paths)
            return 0
        case Apologised(reason, reference):
            told = say(_ME.locale, reason)
            typer.echo(json.dumps({"error": told, "reference": reference}) if as_json else told)
            return 1
        case _:
            raise AssertionError("a run ends with an answer or an apology")


def _print_plain(answer: Answer, paths: Sequence[Path]) -> None:
    typer.echo(answer.text)
    for file, path in zip(answer.files, paths, strict=True):
        typer.echo(f"\n{path}\n  {file.alt} ({file.model})")
    for notice in worded(answer.notices, _ME.locale):
        typer.echo(f"\n- {notice}")


async def _written(answer: Answer, house: House) -> list[Path]:
    """The answer's files beside where one is, never over another file."""
    paths = []
    for file in answer.files:
        data = await house.files.get(file.attachment.hash)
        path = _free(Path(harmless(file.attachment.name)))
        await asyncio.to_thread(path.write_bytes, data)
        paths.append(path.resolve())
    return paths


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
