"""The chat port for one person at a terminal, or for lines from a pipe."""

import asyncio
import secrets
import signal
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from adapters.console.screen import Terminal, show_run
from adapters.console.typed_lines import find_file, parse_line, read_lines
from pipeline.domain import (
    OWNER,
    Action,
    Addressing,
    Audience,
    Blob,
    ButtonClick,
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
from pipeline.ports import Files, Ledger, Listener, Posting
from pipeline.text.names import clean_file_name

PLATFORM = "console"
_PROMPT = "> "
_QUIT = frozenset({"/quit", "/exit", "/q"})
_LONGEST_ECHO = 80
"""Characters of an earlier message that are shown when its answer comes."""


def _new_thread() -> Thread:
    return Thread(Channel(PLATFORM, "local", "terminal"), secrets.token_hex(8))


@dataclass(slots=True, kw_only=True)
class ConsoleChat:
    """One person at a terminal, or lines from a pipe. Answers' files are saved in `folder`."""

    files: Files
    ledger: Ledger
    folder: Path
    console: Console = field(default_factory=lambda: Console(highlight=False))
    lines: Callable[[], AsyncIterator[str]] = read_lines
    language: str = "en"
    _thread: Thread = field(default_factory=_new_thread)
    _attached: list[Path] = field(default_factory=list)
    _answered: dict[str, asyncio.Event] = field(default_factory=dict)
    """By message id; set when the message is answered."""
    _running: RunId | None = None
    _is_warned: bool = False

    platform = PLATFORM

    @property
    def _terminal(self) -> Terminal:
        return Terminal(self.console, self.language)

    @property
    def _person(self) -> Person:
        return Person("me", "me", locale=self.language, roles=frozenset({OWNER}))

    async def listen(self, listener: Listener) -> None:
        if self.console.is_terminal:
            self._terminal.say("console-welcome", "bold")
            self._terminal.say("console-keys", "dim")
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            talking = group.create_task(self._talk(listener))
            loop.add_signal_handler(signal.SIGINT, self._interrupt, group, talking, listener)
            try:
                await asyncio.wait((talking,))
            finally:
                loop.remove_signal_handler(signal.SIGINT)

    async def _talk(self, listener: Listener) -> None:
        self._prompt()
        async for line in self.lines():
            if line.strip() in _QUIT:
                return
            self._is_warned = False
            await self._handle_line(line.strip(), listener)
            self._prompt()

    async def _handle_line(self, line: str, listener: Listener) -> None:
        command, _, path = line.partition(" ")
        if line == "/new":
            self._thread = _new_thread()
            self._attached.clear()
            self._terminal.say("console-new", "dim")
            return
        text, files, missing = parse_line(line)
        if command == "/file" and path:
            file = find_file(path)
            text, files, missing = "", [file] if file else [], "" if file else path
        if missing:
            self._terminal.say("console-no-file", "red", path=missing)
            return
        self._attached += files
        if text:
            await self._ask(text, listener)
        for file in () if text else files:
            self._terminal.say("console-attached", "dim", name=file.name)

    async def _ask(self, text: str, listener: Listener) -> None:
        """Send a message and wait until it is answered."""
        message = Incoming(
            id=f"{time.time_ns():020d}-{secrets.token_hex(3)}",
            thread=self._thread,
            person=self._person,
            text=text,
            files=tuple(
                Link(str(path), clean_file_name(path.name), size=path.stat().st_size)
                for path in self._attached
            ),
            at=datetime.now(UTC),
            addressing=Addressing(direct=True, audience=Audience.WORKSPACE),
        )
        self._attached.clear()
        is_over = self._answered[message.id] = asyncio.Event()
        with self._terminal.print_errors():
            self._running = await listener.on_message(message)
            await is_over.wait()
        self._answered.pop(message.id)
        self._running = None

    def _interrupt(
        self, group: asyncio.TaskGroup, talking: asyncio.Task[None], listener: Listener
    ) -> None:
        """Ctrl-C stops the current run; a second Ctrl-C quits."""
        if self._is_warned:
            talking.cancel()
        elif self._running is None:
            self._terminal.say("console-leave", "dim")
            self._prompt()
        else:
            self._terminal.say("console-stopping", "yellow")
            group.create_task(self._stop(self._running, listener))
        self._is_warned = True

    async def _stop(self, run: RunId, listener: Listener) -> None:
        id_ = secrets.token_hex(12)
        click = ButtonClick(
            id=id_, action=Action.STOP, run=run, person=self._person, thread=self._thread
        )
        with self._terminal.print_errors():
            await listener.on_click(click)

    def _prompt(self) -> None:
        if self.console.is_terminal:
            self.console.print(_PROMPT, style="bold cyan", end="")

    async def is_connected(self) -> bool:
        return True

    async def download(self, link: Link) -> Blob:
        try:
            return Blob(await asyncio.to_thread(Path(link.url).read_bytes), "", link.name)
        except OSError as error:
            problem = error.strerror or str(error)
            raise FetchError("console-file-unreadable", name=link.name, problem=problem) from error

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:  # noqa: ARG002 - the port's
        """Empty: the bot has seen every message here."""
        return ()

    async def reread(self, message: Incoming) -> Incoming | None:
        return message

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:  # noqa: ARG002 - the port's
        self._terminal.say(sentence.id, "dim", **sentence.args)

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        is_over = self._answered.get(message.id)
        key = f"{run}:delivered"
        state, _ = await self.ledger.begin(key)
        if state is Posting.POSTED:
            return
        if is_over is None:
            self._terminal.say("console-going-on", "dim", text=message.text[:_LONGEST_ECHO])
        try:
            if await show_run(self._terminal, events, self.files, self.folder):
                await self.ledger.done(key, "printed")
        finally:
            if is_over:
                is_over.set()
