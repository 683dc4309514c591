"""One request from the command line: `troupe ask` and `troupe plan`."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

import typer

from adapters.web.serialization import say_each_once, serialize_answer, serialize_preview
from bot.app import App, open_app
from bot.environment import find_locale
from bot.intake import make_run_id
from bot.runner import Runner
from bot.settings import Settings
from pipeline.domain import (
    OWNER,
    Addressing,
    Answered,
    Apologised,
    Attachment,
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
_ME = Person("me", "me", locale=find_locale(), roles=frozenset({OWNER}))


async def ask_once(settings: Settings, text: str, files: Sequence[Path], *, as_json: bool) -> int:
    """Answer one request: print the answer, save its files in the working folder.

    Returns 1 if nothing was done. The message bypasses the inbox, so an interrupted run is not
    resumed.
    """
    async with open_app(settings) as app:
        _, events = await answer_alone(app.runner, _ask(text, files))
        return await _print(events, app, as_json=as_json)


async def plan_once(settings: Settings, text: str, files: Sequence[Path], *, as_json: bool) -> int:
    """Plan one request and print the plan."""
    async with open_app(settings) as app:
        preview = await app.conversation.preview(_ask(text, files), OneAnswer())
    plan = serialize_preview(preview, _ME.locale)
    if as_json:
        typer.echo(json.dumps(plan, ensure_ascii=False, indent=2))
        return 0
    for task in plan["tasks"]:
        needs = f"  (after {', '.join(map(str, task['dep']))})" if task["dep"] else ""
        args = ", ".join(f"{name}: {value}" for name, value in task["args"].items())
        typer.echo(f"{task['id']}  {task['task']}  {args}{needs}")
    for note in (*plan["repairs"], *plan["notices"]):
        typer.echo(f"-  {note}")
    if not plan["tasks"]:
        typer.echo(plan["reply"] or say(_ME.locale, LocalizedText("plan-no-task")))
    return 0


@dataclass(slots=True)
class OneAnswer:
    """A chat with a single message, whose files are local paths. Keeps the events of its run."""

    platform: str = PLATFORM
    events: list[Event] = field(default_factory=list)

    async def listen(self, listener: object) -> None:
        """Does nothing: the only message is passed in directly."""

    async def is_connected(self) -> bool:
        return True

    async def download(self, link: Link) -> Blob:
        try:
            return Blob(await asyncio.to_thread(Path(link.url).read_bytes), "", link.name)
        except OSError as error:
            problem = error.strerror or ""
            raise FetchError("file-not-read", file=link.name, problem=problem) from error

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:  # noqa: ARG002 - the port's
        return ()

    async def reread(self, message: Incoming) -> Incoming:
        return message

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:  # noqa: ARG002 - as above
        typer.echo(say(_ME.locale, sentence), err=True)

    async def follow(
        self,
        message: Incoming,  # noqa: ARG002 - the port's
        run: RunId,  # noqa: ARG002
        events: AsyncIterator[Event],
    ) -> None:
        async for event in events:
            self.events.append(event)


async def answer_alone(runner: Runner, message: Incoming) -> tuple[RunId, Sequence[Event]]:
    """Answer a message that nobody else waits for; returns the events of its run."""
    chat, run = OneAnswer(), make_run_id(message)
    await runner.deliver(QueuedMessage(run, message, attempt=1), chat)
    return run, chat.events


def _ask(text: str, files: Sequence[Path]) -> Incoming:
    name = uuid.uuid4().hex
    return create_message(name, Thread(Channel(PLATFORM, "local", "ask"), name), _ME, text, files)


def create_message(
    id_: str, thread: Thread, person: Person, text: str, files: Sequence[Path]
) -> Incoming:
    """A message with local files."""
    links = tuple(Link(str(path.expanduser()), path.name) for path in files)
    return Incoming(
        id=id_,
        thread=thread,
        person=person,
        text=text,
        files=links,
        at=datetime.now(UTC),
        addressing=Addressing(direct=True),
    )


async def _print(events: Sequence[Event], app: App, *, as_json: bool) -> int:
    match events[-1]:
        case Answered(answer):
            paths = [await _write(file.attachment, app) for file in answer.files]
            if as_json:
                body = serialize_answer(answer, events, _ME.locale)
                shown = zip(body["files"], paths, strict=True)
                whole = {**body, "files": [{**file, "path": str(path)} for file, path in shown]}
                typer.echo(json.dumps(whole, ensure_ascii=False, indent=2))
            else:
                files = [
                    f"{path}\n  {file.alt} ({file.model})"
                    for file, path in zip(answer.files, paths, strict=True)
                ]
                notices = [f"- {notice}" for notice in say_each_once(answer.notices, _ME.locale)]
                typer.echo("\n\n".join([answer.text, *files, *notices]))
            return int(answer.is_refusal)
        case Apologised(reason, reference):
            problem = say(_ME.locale, reason)
            whole = {"error": problem, "reference": reference}
            typer.echo(json.dumps(whole) if as_json else problem)
            return 1
        case _:
            raise AssertionError("a run ends with an answer or an apology")


async def _write(file: Attachment, app: App) -> Path:
    """Write a file of the answer to the working folder. Never overwrites one."""
    plain = Path(clean_file_name(file.name))
    numbered = (plain.with_stem(f"{plain.stem}-{number}") for number in count(2))
    path = next(path for path in chain((plain,), numbered) if not path.exists())
    await asyncio.to_thread(path.write_bytes, await app.tools.files.get(file.hash))
    return path.resolve()
