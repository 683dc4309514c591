"""One request from the command line: `troupe ask` and `troupe plan`."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import typer

from adapters.web.serialization import answer_json, preview_json, say_once
from bot.app import App, open_app
from bot.intake import run_id_of
from bot.settings import Settings, find_locale
from pipeline.domain import (
    Addressing,
    Answer,
    Answered,
    Apologised,
    Blob,
    Channel,
    Event,
    Incoming,
    Link,
    LocalizedText,
    Person,
    RunId,
    Thread,
)
from pipeline.errors import FetchError
from pipeline.ports import QueuedMessage
from pipeline.text.names import clean_file_name
from pipeline.words import say

PLATFORM = "console"
_ME = Person("me", "me", find_locale())


async def ask_once(settings: Settings, text: str, files: Sequence[Path], *, as_json: bool) -> int:
    """Ask, print the answer, write its files into the working folder. 1: it was not answered.

    The message does not go through the inbox: what is interrupted here is not resumed later.
    """
    async with open_app(settings) as app:
        chat = _OneAnswer()
        message = _message(text, files)
        await app.runner.deliver(QueuedMessage(run_id_of(message), message, attempt=1), chat)
        return await _print(chat.events, app, as_json=as_json)


async def plan_once(settings: Settings, text: str, files: Sequence[Path], *, as_json: bool) -> int:
    """Plan, print the plan."""
    async with open_app(settings) as app:
        preview = await app.conversation.preview(_message(text, files), _OneAnswer())
    plan = preview_json(preview, _ME.locale)
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
        typer.echo(plan["reply"] or say(_ME.locale, LocalizedText("plan-no-task")))
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
    return Incoming(name, thread, _ME, text, links, datetime.now(UTC), Addressing(direct=True))


async def _print(events: Sequence[Event], app: App, *, as_json: bool) -> int:
    match events[-1]:
        case Answered(answer):
            paths = await _written(answer, app)
            if as_json:
                whole = answer_json(answer, events, _ME.locale)
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
    for notice in say_once(answer.notices, _ME.locale):
        typer.echo(f"\n- {notice}")


async def _written(answer: Answer, app: App) -> list[Path]:
    """The answer's files beside where one is, never over another file."""
    paths = []
    for file in answer.files:
        data = await app.tools.files.get(file.attachment.hash)
        path = _free(Path(clean_file_name(file.attachment.name)))
        await asyncio.to_thread(path.write_bytes, data)
        paths.append(path.resolve())
    return paths


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
