"""The terminal as a place where people talk."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from adapters.console.keyboard import interrupts, typed_lines
from adapters.console.reading import file_at, typed
from adapters.console.screen import Screen
from pipeline.domain import (
    Action,
    Answer,
    Answered,
    Apologised,
    Audience,
    Blob,
    Channel,
    Event,
    Heard,
    Incoming,
    Link,
    Person,
    Press,
    RunId,
    Shown,
    Thread,
)
from pipeline.errors import FetchError, TroupeError
from pipeline.ports import Files, Ledger, Listener, Posting
from pipeline.text.names import harmless
from pipeline.words import say

PLATFORM = "console"
_PROMPT = "> "
_QUIT = frozenset({"/quit", "/exit", "/q"})
Lines = Callable[[], AsyncIterator[str]]


class ConsoleChat:
    """One person at a terminal, or lines through a pipe. Files of answers are written into a folder."""

    platform = PLATFORM

    def __init__(
        self,
        files: Files,
        *,
        folder: Path,
        ledger: Ledger | None = None,
        console: Console | None = None,
        lines: Lines | None = None,
        language: str = "en",
    ) -> None:
        self._files = files
        self._folder = folder
        self._ledger = ledger
        self._console = console or Console(highlight=False)
        self._lines = lines or typed_lines
        self._person = Person("me", "me", language)
        self._thread = _new_thread()
        self._attached: list[Path] = []
        self._over: dict[RunId, asyncio.Event] = {}
        self._delivered: set[RunId] = set()
        self._asked: set[str] = set()
        self._running: RunId | None = None
        self._screens = 0
        self._leave = asyncio.Event()
        self._warned = False

    # --- hearing ---

    async def listen(self, listener: Listener) -> None:
        self._leave.clear()
        async with asyncio.TaskGroup() as group:
            with interrupts(lambda: self._interrupted(group, listener)):
                if self._console.is_terminal:
                    self._say("console-welcome", "bold")
                    self._say("console-keys", "dim")
                talking = group.create_task(self._talk(listener))
                leaving = group.create_task(self._leave.wait())
                await asyncio.wait((talking, leaving), return_when=asyncio.FIRST_COMPLETED)
                talking.cancel()
                leaving.cancel()

    async def _talk(self, listener: Listener) -> None:
        lines = self._lines()
        while True:
            self._prompt()
            line = await anext(lines, None)
            if line is None or line.strip() in _QUIT:
                return
            self._warned = False
            await self._take(line.strip(), listener)

    async def _take(self, line: str, listener: Listener) -> None:
        if line == "/new":
            self._thread = _new_thread()
            self._attached.clear()
            self._say("console-new", "dim")
        elif line.startswith("/file "):
            self._attach(line.removeprefix("/file "))
        elif line:
            await self._send(line, listener)

    def _attach(self, path: str) -> None:
        found = file_at(path)
        if found is None:
            self._say("console-no-file", "red", path=path.strip())
            return
        self._attached.append(found)
        self._say("console-attached", "dim", name=found.name)

    async def _send(self, line: str, listener: Listener) -> None:
        said = typed(line)
        if said.missing:
            self._say("console-no-file", "red", path=said.missing)
            return
        self._attached += said.files
        if not said.text:
            for each in said.files:
                self._say("console-attached", "dim", name=each.name)
            return
        links = tuple(
            Link(str(path), harmless(path.name), size=path.stat().st_size)
            for path in self._attached
        )
        self._attached = []
        await self._ask(self._message(said.text, links), listener)

    async def _ask(self, message: Incoming, listener: Listener) -> None:
        try:
            run = await listener.said(message)
        except TroupeError as error:
            self._console.print(Text(say(self._person.locale, error.sentence), style="red"))
            return
        if run is None:
            self._say("console-not-taken", "red")
            return
        self._running = run
        await self._over.setdefault(run, asyncio.Event()).wait()
        self._running = None

    def _message(self, text: str, links: tuple[Link, ...]) -> Incoming:
        number = f"{time.time_ns():020d}-{secrets.token_hex(3)}"
        self._asked.add(number)
        return Incoming(
            number,
            self._thread,
            self._person,
            text,
            links,
            datetime.now(UTC),
            Heard(direct=True, audience=Audience.WORKSPACE),
        )

    def _interrupted(self, group: asyncio.TaskGroup, listener: Listener) -> None:
        """Ctrl-C: stop what is running; once more: leave."""
        if self._warned:
            self._leave.set()
            return
        self._warned = True
        if self._running is None:
            self._say("console-leave", "dim")
            self._prompt()
            return
        self._say("console-stopping", "yellow")
        press = Press(secrets.token_hex(12), Action.STOP, self._running, self._person, self._thread)
        group.create_task(self._press(press, listener))

    async def _press(self, press: Press, listener: Listener) -> None:
        try:
            await listener.pressed(press)
        except TroupeError as error:
            self._console.print(Text(say(self._person.locale, error.sentence), style="red"))

    async def download(self, link: Link) -> Blob:
        path = Path(link.url)
        try:
            return Blob(await asyncio.to_thread(path.read_bytes), "", link.name)
        except OSError as error:
            problem = error.strerror or str(error)
            raise FetchError("console-file-unreadable", name=link.name, problem=problem) from error

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:  # noqa: ARG002 - the port's
        """Every conversation here begins with us."""
        return ()

    # --- showing ---

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        over = self._over.setdefault(run, asyncio.Event())
        try:
            if await self._stands(run):
                async for _ in events:
                    pass
            else:
                await self._show(message, run, events)
        finally:
            over.set()

    async def _stands(self, run: RunId) -> bool:
        """Whether the answer was printed before."""
        if run in self._delivered:
            return True
        if self._ledger is None:
            return False
        known, _ = await self._ledger.begin(_key(run))
        return known is Posting.POSTED

    async def _show(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        last: Event | None = None
        if message.id not in self._asked:
            self._say("console-going-on", "dim", text=message.text[:80])
        self._screens += 1
        screen = Screen(self._console, self._person.locale, alone=self._screens == 1)
        try:
            with screen:
                async for event in events:
                    last = event
                    screen.show(event)
        finally:
            self._screens -= 1
        await self._deliver(run, last, screen)

    async def _deliver(self, run: RunId, last: Event | None, screen: Screen) -> None:
        match last:
            case Answered(answer):
                screen.answer(answer, await self._written(answer))
            case Apologised():
                screen.apology(last)
            case _:
                self._say("console-broken", "yellow")
                return
        self._delivered.add(run)
        if self._ledger is not None:
            await self._ledger.done(_key(run), "printed")

    async def _written(self, answer: Answer) -> list[Path]:
        return [await self._write(file) for file in answer.files]

    async def _write(self, file: Shown) -> Path:
        data = await self._files.get(file.attachment.hash)
        return await asyncio.to_thread(_put, self._folder, harmless(file.attachment.name), data)

    def _prompt(self) -> None:
        if self._console.is_terminal:
            self._console.print(Text(_PROMPT, style="bold cyan"), end="")

    def _say(self, id: str, style: str = "", **args: str | float) -> None:  # noqa: A002 - the sentence's own word
        Screen(self._console, self._person.locale, alone=False).say(id, style, **args)


def _key(run: RunId) -> str:
    return f"{run}:answer"


def _new_thread() -> Thread:
    return Thread(Channel(PLATFORM, "local", "terminal"), secrets.token_hex(8))


def _put(folder: Path, name: str, data: bytes) -> Path:
    """Write a file, never over another one."""
    folder.mkdir(parents=True, exist_ok=True)
    path, number = folder / name, 1
    while path.exists() and path.read_bytes() != data:
        number += 1
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    path.write_bytes(data)
    return path.resolve()
