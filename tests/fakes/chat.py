"""Fakes of a chat platform and of the conversation that listens to it."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline.domain import (
    Answer,
    Answered,
    Apologised,
    Blob,
    ButtonClick,
    Command,
    Event,
    Incoming,
    InputForm,
    Invocation,
    Link,
    LocalizedText,
    Overview,
    Person,
    Reply,
    RunId,
    Thread,
)
from pipeline.errors import ChatError, FetchError, TroupeError
from pipeline.ports import Listener
from tests.fakes.persistence import LockedStore


@dataclass
class FakeListener:
    """Accepts each message once, and records everything it receives."""

    commands: Sequence[Command] = ()
    refuses: TroupeError | None = None
    refuses_clicks: TroupeError | None = None
    reply: Reply = field(default_factory=lambda: Reply("done"))
    known: Overview = field(default_factory=lambda: Overview(abilities=(), is_admin=False))
    received: list[tuple[Incoming, RunId]] = field(default_factory=list)
    edits: list[Incoming] = field(default_factory=list)
    deletions: list[tuple[Thread, str]] = field(default_factory=list)
    retracted: list[RunId] = field(default_factory=list)
    presses: list[ButtonClick] = field(default_factory=list)
    invocations: list[Invocation] = field(default_factory=list)
    forms: Mapping[str, InputForm] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def on_message(self, message: Incoming) -> RunId | None:
        if self.refuses is not None:
            raise self.refuses
        if any(message.key == received.key for received, _ in self.received):
            return None
        run = RunId(f"run-{message.key}".replace(":", "-"))
        self.received.append((message, run))
        self._news.set()
        return run

    async def next(self, number: int = 1) -> tuple[Incoming, RunId]:
        """The message with this number, counted from 1, as soon as it arrives."""
        while len(self.received) < number:
            self._news.clear()
            await self._news.wait()
        return self.received[number - 1]

    async def on_edit(self, message: Incoming) -> None:
        self.edits.append(message)

    async def on_delete(self, thread: Thread, message: str) -> None:
        self.deletions.append((thread, message))

    async def on_retract(self, run: RunId) -> None:
        self.retracted.append(run)

    async def on_click(self, click: ButtonClick) -> Reply:
        if self.refuses_clicks is not None:
            raise self.refuses_clicks
        self.presses.append(click)
        return self.reply

    async def on_command(self, invocation: Invocation) -> Reply:
        self.invocations.append(invocation)
        self._news.set()
        return self.reply

    async def next_commands(self, number: int = 1) -> Sequence[Invocation]:
        """The commands so far, as soon as there are this many."""
        while len(self.invocations) < number:
            self._news.clear()
            await self._news.wait()
        return self.invocations

    async def form(self, invocation: Invocation) -> InputForm | None:
        return self.forms.get(invocation.command)

    async def completions(
        self, command: str, option: str, typed: str, locale: str
    ) -> Sequence[str]:
        return [name for name in ("one", "two") if name.startswith(typed)]

    async def overview(self, person: Person, thread: Thread) -> Overview:
        return self.known


@dataclass
class LockedListener(FakeListener):
    """Accepts nothing while a store is locked."""

    store: LockedStore = field(default_factory=LockedStore)

    async def on_message(self, message: Incoming) -> RunId | None:
        await self.store.wait()
        return await FakeListener.on_message(self, message)


@dataclass
class FakeChat:
    """A chat platform. `transcript` holds the final answers, `events` all events of each run."""

    platform: str = "fake"
    files: Mapping[str, Blob] = field(default_factory=dict)
    earlier: Sequence[Incoming] = ()
    current: dict[str, Incoming | None] = field(default_factory=dict)
    """Messages as they stand now, by id; None if deleted."""
    unreachable: bool = False
    hangs: bool = False
    """Whether the platform answers no question about what was written."""
    reads: list[str] = field(default_factory=list)
    """The threads that were read, by their roots; "" for the channel."""
    connected: bool = True
    transcript: list[Answer | Apologised | LocalizedText] = field(default_factory=list)
    events: dict[RunId, list[Event]] = field(default_factory=dict)
    notified: list[tuple[RunId, LocalizedText]] = field(default_factory=list)
    incoming: asyncio.Queue[Incoming] = field(default_factory=asyncio.Queue)
    _delivered: set[RunId] = field(default_factory=set)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self, listener: Listener) -> None:
        while True:
            await listener.on_message(await self.incoming.get())

    async def is_connected(self) -> bool:
        return self.connected

    async def download(self, link: Link) -> Blob:
        if link.url not in self.files:
            raise FetchError("fetch-status", host=link.url, status=404)
        return self.files[link.url]

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:
        if self.unreachable:
            raise ChatError("slack-unreachable")
        if self.hangs:
            await asyncio.Event().wait()
        self.reads.append(thread.root)
        places = {
            thread,
            *(replace(thread, root=each.id) for each in self.earlier if not thread.root),
        }
        written = [each for each in self.earlier if each.thread in places and each.id < before]
        return written[-most:]

    async def reread(self, message: Incoming) -> Incoming | None:
        return self.current.get(message.id, message)

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        async for event in events:
            self.events.setdefault(run, []).append(event)
            if run not in self._delivered:
                self._deliver(run, event)
            self._news.set()

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:
        self.notified.append((run, sentence))
        self._news.set()

    def _deliver(self, run: RunId, event: Event) -> None:
        match event:
            case Answered(answer):
                self.transcript.append(answer)
            case Apologised():
                self.transcript.append(event)
            case _:
                return
        self._delivered.add(run)

    async def wait_for_answer(self, number: int = 1) -> Answer | Apologised | LocalizedText:
        """The answer with this number, counted from 1, as soon as it is posted."""
        while len(self.transcript) < number:
            await self.changed()
        return self.transcript[number - 1]

    async def changed(self) -> None:
        """Wait for the next event."""
        self._news.clear()
        await self._news.wait()
