"""The terminal as a place where people talk."""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.live import Live

from adapters.chat.presenter import Delivery, Presenter, Rhythm
from adapters.console.keyboard import catch_interrupts, find_file, parse_line, read_lines
from adapters.console.screen import BoardRenderer, Screen, Terminal
from pipeline.domain import (
    Action,
    Addressing,
    Audience,
    Blob,
    ButtonClick,
    Channel,
    Event,
    Incoming,
    Link,
    Person,
    RunId,
    Thread,
)
from pipeline.errors import FetchError
from pipeline.ports import Files, Ledger, Listener
from pipeline.text.names import clean_file_name

PLATFORM = "console"
_PROMPT = "> "
_QUIT = frozenset({"/quit", "/exit", "/q"})
_RHYTHM = Rhythm(gather=0.0, silent=0.0, between=0.1)
_LONGEST_ECHO = 80


def _new_thread() -> Thread:
    return Thread(Channel(PLATFORM, "local", "terminal"), secrets.token_hex(8))


@dataclass(slots=True)
class ConsoleChat:
    """One person at a terminal, or lines through a pipe. Answers' files go into a folder."""

    files: Files
    ledger: Ledger
    folder: Path
    console: Console = field(default_factory=lambda: Console(highlight=False))
    lines: Callable[[], AsyncIterator[str]] = read_lines
    language: str = "en"
    _thread: Thread = field(default_factory=_new_thread)
    _attached: list[Path] = field(default_factory=list)
    _asked: dict[str, asyncio.Event] = field(default_factory=dict)
    """By the message's id; set when it was answered."""
    _running: RunId | None = None
    _screens: int = 0
    _is_warned: bool = False

    @property
    def platform(self) -> str:
        return PLATFORM

    # --- what is typed ---

    async def listen(self, listener: Listener) -> None:
        async with asyncio.TaskGroup() as group:
            if self.console.is_terminal:
                self._terminal.say("console-welcome", "bold")
                self._terminal.say("console-keys", "dim")
            talking = group.create_task(self._talk(listener))
            with catch_interrupts(lambda: self._interrupt(group, talking, listener)):
                await asyncio.wait((talking,))

    async def _talk(self, listener: Listener) -> None:
        lines = self.lines()
        while True:
            self._prompt()
            line = await anext(lines, None)
            if line is None or line.strip() in _QUIT:
                return
            self._is_warned = False
            await self._take(line.strip(), listener)

    async def _take(self, line: str, listener: Listener) -> None:
        command, _, path = line.partition(" ")
        if line == "/new":
            self._thread = _new_thread()
            self._attached.clear()
            self._terminal.say("console-new", "dim")
        elif command == "/file" and path:
            file = find_file(path)
            self._attach((file,) if file else (), "" if file else path.strip())
        elif line:
            typed = parse_line(line)
            self._attach(typed.files, typed.missing, is_alone=not typed.text)
            if typed.text and not typed.missing:
                await self._ask(self._message(typed.text), listener)

    def _attach(self, files: Sequence[Path], missing: str, *, is_alone: bool = True) -> None:
        """Keep files for the next message; none when one of them is missing."""
        if missing:
            self._terminal.say("console-no-file", "red", path=missing)
            return
        self._attached += files
        for file in files if is_alone else ():
            self._terminal.say("console-attached", "dim", name=file.name)

    async def _ask(self, message: Incoming, listener: Listener) -> None:
        is_over = self._asked[message.id] = asyncio.Event()
        with self._terminal.tell_errors():
            self._running = await listener.on_message(message)
            if self._running is None:
                self._terminal.say("console-not-taken", "red")
            else:
                await is_over.wait()
        self._asked.pop(message.id, None)
        self._running = None

    def _message(self, text: str) -> Incoming:
        id_ = f"{time.time_ns():020d}-{secrets.token_hex(3)}"
        files = tuple(
            Link(str(path), clean_file_name(path.name), size=path.stat().st_size)
            for path in self._attached
        )
        self._attached.clear()
        addressing = Addressing(direct=True, audience=Audience.WORKSPACE)
        person, now = self._person, datetime.now(UTC)
        return Incoming(id_, self._thread, person, text, files, now, addressing)

    def _interrupt(
        self, group: asyncio.TaskGroup, talking: asyncio.Task[None], listener: Listener
    ) -> None:
        """Ctrl-C stops what is running; once more, it leaves."""
        if self._is_warned:
            talking.cancel()
            return
        self._is_warned = True
        if self._running is None:
            self._terminal.say("console-leave", "dim")
            self._prompt()
            return
        self._terminal.say("console-stopping", "yellow")
        id_, run = secrets.token_hex(12), self._running
        click = ButtonClick(id_, Action.STOP, run, self._person, self._thread)
        group.create_task(self._click(click, listener))

    async def _click(self, click: ButtonClick, listener: Listener) -> None:
        with self._terminal.tell_errors():
            await listener.on_click(click)

    # --- the rest of the port ---

    async def download(self, link: Link) -> Blob:
        try:
            return Blob(await asyncio.to_thread(Path(link.url).read_bytes), "", link.name)
        except OSError as error:
            problem = error.strerror or str(error)
            raise FetchError("console-file-unreadable", name=link.name, problem=problem) from error

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:  # noqa: ARG002 - the port's
        """Every conversation here begins with us."""
        return ()

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        is_over = self._asked.get(message.id)
        is_drawn = self.console.is_terminal and not self._screens
        going_on = "" if is_over else message.text[:_LONGEST_ECHO]
        live = Live(console=self.console, refresh_per_second=10) if is_drawn else None
        screen = Screen(self._terminal, self.folder, live, going_on)
        delivery, locale = Delivery(self.ledger, self.files), self.language
        self._screens += 1
        try:
            presenter = Presenter(run, locale, screen, BoardRenderer(), delivery, _RHYTHM)
            await presenter.follow(events)
        finally:
            self._screens -= 1
            screen.close()
            if is_over:
                is_over.set()

    @property
    def _terminal(self) -> Terminal:
        return Terminal(self.console, self.language)

    @property
    def _person(self) -> Person:
        return Person("me", "me", self.language)

    def _prompt(self) -> None:
        if self.console.is_terminal:
            self.console.print(_PROMPT, style="bold cyan", end="")
