"""The events of runs, for any number of readers.

They are live from this program, or from the one that works on the run, else from the store.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import inf
from typing import Protocol

from cachetools import TTLCache

from adapters.web.elsewhere import Elsewhere
from adapters.web.live_feed import LiveFeed, RunBegan, ThreadChanged
from pipeline.codec import load_events
from pipeline.domain import (
    Answered,
    Apologised,
    Event,
    Exchange,
    Finished,
    Incoming,
    LocalizedText,
    Planned,
    Run,
    RunId,
    RunState,
    Thread,
)
from pipeline.ports import ENDED, Inbox, Position, Store

PLATFORM = "web"
FILE_SCHEME = "file:"
"""Scheme of links to files that are already in our file store."""
_MAX_FINISHED = 256
"""Logs of finished runs that are kept in memory."""
_KEEP_ALIVE_SECONDS = 15.0
"""How long a stream may be silent."""
_LOOK_SECONDS = 1.0
"""Between two looks at a run of another program, if no notification comes."""
_ENDED_SECONDS = 600.0
"""How long we know that a run of another program has ended, which it has yet to store."""
_OPEN_STATES = frozenset({RunState.ACCEPTED, RunState.RUNNING})


class Source(Protocol):
    """Adds the events to a log that another program tells."""

    async def look(self) -> None:
        """Add what was told since the last look, if that is some time ago or `note` was called."""

    def note(self) -> None:
        """There is something new."""


@dataclass(slots=True)
class RunLog:
    """The events of one run so far. `key` and `text` are those of the message that it answers.

    `telling` is raised when the story begins anew, as another program has taken the run over: then
    what was told before counts no more.
    """

    run: RunId
    thread: Thread
    key: str
    text: str
    events: list[Event] = field(default_factory=list)
    is_over: bool = False
    has_ended: bool = False
    """Whether another program has told the end, which nobody may have read here."""
    telling: int = 0
    source: Source | None = None
    """Where the events are from that another program tells; None while this one works on it."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def last(self) -> Answered | Apologised | None:
        """How the run ended, once it has."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Answered | Apologised) else None

    def add(self, event: Event | None) -> None:
        """Append an event; None ends the log."""
        self.events += () if event is None else (event,)
        self.is_over = self.is_over or event is None or self.last is not None
        self.wake()

    def begin_anew(self) -> None:
        """Forget what was told so far."""
        self.events.clear()
        self.telling += 1
        self.wake()

    def wake(self) -> None:
        """Have readers look whether there is something new."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait_for_events(self, seen: int) -> Sequence[Event]:
        """Wait for events after the first `seen`, and return them.

        Empty at the end of the run, if there are none for a while, or if the story begins anew.
        """
        now, telling = asyncio.get_running_loop().time, self.telling
        end = now() + _KEEP_ALIVE_SECONDS
        while (left := end - now()) > 0:
            changed = self._changed
            if self.source is not None:
                await self.source.look()
            if len(self.events) > seen or self.is_over or self.telling != telling:
                break
            pause = min(left, _LOOK_SECONDS) if self.source else left
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await changed.wait()
        return self.events[seen:] if self.telling == telling else ()


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run has come that is not over."""

    elapsed: float | None = None
    """Seconds since its message was accepted; None: not known."""
    waits_for: str = ""
    """The run of the thread that is answered before it; "" if it waits for none."""


@dataclass(slots=True)
class RunLogs:
    """Logs of the current runs and of the last finished ones; others are stored.

    `elsewhere`: the other programs on the database; None: there can be none.
    """

    store: Store
    inbox: Inbox
    feed: LiveFeed = field(default_factory=LiveFeed)
    elsewhere: Elsewhere | None = None
    _logs: dict[RunId, RunLog] = field(default_factory=dict)
    _ended: TTLCache[str, bool] = field(
        default_factory=lambda: TTLCache(maxsize=10_000, ttl=_ENDED_SECONDS)
    )
    """Runs that have ended at other programs."""
    _is_closed: bool = False

    def open(self, run: RunId, message: Incoming) -> RunLog:
        """The log of a run; a new one if there is none, or if it broke off before the end."""
        run_log = self._logs.get(run)
        if run_log is None or (run_log.is_over and run_log.last is None):
            run_log = RunLog(run, message.thread, message.key, message.text)
            if self.elsewhere is not None:
                run_log.source = _Reader(self, self.elsewhere, run_log)
            self._logs[run] = run_log
            ends = (id_ for id_, each in self._logs.items() if each.is_over or each.has_ended)
            finished = list(ends)
            for old in finished[:-_MAX_FINISHED]:
                del self._logs[old]
            self.feed.publish(RunBegan(message.thread, run, message.after, message.id))
            self.feed.publish(ThreadChanged(message.thread))
        return run_log

    async def follow(self, run: RunId, message: Incoming, events: AsyncIterator[Event]) -> None:
        """Take the events of a run that this program works on.

        If it stops before the end, as another program has taken the run over, that one's follow.
        """
        run_log = self.open(run, message)
        if run_log.is_over:
            async for _ in events:
                pass
            return
        source, run_log.source = run_log.source, None
        if source is not None and run_log.events:  # what another program has told
            run_log.begin_anew()
        try:
            async with self._tell_elsewhere(run_log) as note:
                async for event in events:
                    run_log.add(event)
                    note()
        finally:
            if source is not None and run_log.last is None and not self._is_closed:
                run_log.source = source
                run_log.wake()
            else:
                run_log.add(None)

    @asynccontextmanager
    async def _tell_elsewhere(self, run_log: RunLog) -> AsyncIterator[Callable[[], None]]:
        """What is yielded is called after each event."""
        if self.elsewhere is None:
            yield lambda: None
            return
        async with self.elsewhere.tell(run_log.run, run_log.events) as teller:
            yield teller.note

    def hear(self, text: str | None) -> None:
        """Take a notification of progress: a run, and how far it is stored."""
        run, _, number = (text or "").partition(" ")
        if number == ENDED:
            self._ended[run] = True
        for run_log in self._logs.values() if text is None else [self._logs.get(RunId(run))]:
            if run_log is not None and run_log.source is not None:
                run_log.has_ended = run_log.has_ended or number == ENDED
                run_log.source.note()
                run_log.wake()

    def end(self) -> None:
        """End every log at shutdown, so that no reader waits on."""
        self._is_closed = True
        for run_log in self._logs.values():
            run_log.add(None)

    def is_over(self, run: RunId) -> bool:
        """Whether a run is known to have ended, which the store may not know yet."""
        run_log = self._logs.get(run)
        return run in self._ended or (run_log is not None and run_log.last is not None)

    async def find(self, run: RunId) -> RunLog | None:
        """The log of a run; None if the run is unknown, or was erased."""
        run_log = self._logs.get(run)
        if run_log is not None and not run_log.is_over:
            if run_log.source is not None:
                await run_log.source.look()
            return run_log
        message = await self.inbox.message(run)
        if message is None or message.thread.channel.platform != PLATFORM:
            return None
        if run_log is not None and (run_log.last is not None or self.elsewhere is None):
            return run_log
        record = await self.store.load(run)
        if record is not None and record.state not in _OPEN_STATES:
            return replay(record, message.thread, (await self.store.events(run))[run])
        run_log = self.open(run, message)
        if run_log.source is not None:
            await run_log.source.look()
        return run_log

    async def find_standing(self, run_log: RunLog) -> Standing:
        """How long ago the run was accepted, and what it waits for."""
        if run_log.is_over:
            return Standing()
        accepted = {each.run: each.accepted_at for each in await self.inbox.of(run_log.key)}
        at = accepted.get(run_log.run)
        elapsed = max(0.0, (datetime.now(UTC) - at).total_seconds()) if at else None
        if run_log.events:
            return Standing(elapsed)
        return Standing(elapsed, await self._find_ahead(run_log))

    async def _find_ahead(self, run_log: RunLog) -> str:
        """The run of any branch that is answered right before this one; "" if this one began."""
        lane = run_log.thread.key
        queued = sorted(
            (each.message.id, each.run)
            for each in await self.inbox.list_backlog(run_log.thread)
            if each.message.lane == lane
        )
        runs = [run for _, run in queued]
        if run_log.run not in runs:
            return ""
        if place := runs.index(run_log.run):
            return runs[place - 1]
        for run in await self.inbox.list_waiting(run_log.thread):
            message = await self.inbox.message(run) if run not in runs else None
            if message is not None and message.lane == lane:
                return run
        return ""

    async def load(self, thread: Thread, exchanges: Sequence[Exchange]) -> Sequence[RunLog]:
        """The logs of runs of a thread, in this order; those that cannot be read are left out."""
        records = await self.store.load_all([each.run for each in exchanges])
        ended = {each.id: each for each in records if each.state not in _OPEN_STATES}
        events = await self.store.events(*ended)
        logs = []
        for exchange in exchanges:
            run, current = exchange.run, self._logs.get(exchange.run)
            if run in ended and (current is None or current.is_over):
                logs.append(replay(ended[run], thread, events[run]))
            elif (exchange.is_open or current) and (found := await self.find(run)):
                logs.append(found)
        return logs


@dataclass(slots=True)
class _Reader:
    """Reads what another program tells of a run, for all readers of its log."""

    logs: RunLogs
    elsewhere: Elsewhere
    run_log: RunLog
    _place: Position = field(default_factory=Position)
    _is_noted: bool = False
    _looked_at: float = -inf
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    def note(self) -> None:
        self._is_noted = True

    async def look(self) -> None:
        async with self._looking:
            run_log, now = self.run_log, asyncio.get_running_loop().time()
            is_noted, is_due = self._is_noted, now >= self._looked_at + _LOOK_SECONDS
            if run_log.is_over or run_log.source is None or not (is_noted or is_due):
                return
            self._is_noted, self._looked_at = False, now
            place, events = await self.elsewhere.progress.read(run_log.run, self._place)
            if run_log.source is None:  # this program works on it since
                return
            if place == self._place:
                if not is_noted:
                    await self._look_for_end()
                return
            if place.telling != self._place.telling and run_log.events:
                run_log.begin_anew()
            self._place = place
            for event in events:
                run_log.add(event)

    async def _look_for_end(self) -> None:
        """End the log if the run is over, or was forgotten, and nobody told it."""
        run, run_log = self.run_log.run, self.run_log
        if await self.logs.inbox.message(run) is None:
            run_log.add(None)
            return
        texts = (await self.logs.store.events(run))[run]
        record = await self.logs.store.load(run) if texts else None
        if record is None or record.state in _OPEN_STATES or run_log.source is None:
            return
        run_log.begin_anew()
        for event in replay(record, run_log.thread, texts).events:
            run_log.add(event)


def replay(record: Run, thread: Thread, texts: Sequence[str]) -> RunLog:
    """The log of a stored run, from its events, or from its record if they cannot be read."""
    events = [*load_events(texts)]
    if not events:
        ends = [Finished(task, outcome) for task, outcome in record.outcomes.items()]
        events = [Planned(record.plan, record.repairs), *ends]
    if not isinstance(events[-1], Answered | Apologised):
        answer, stopped = record.answer, Apologised(LocalizedText("stopped"), "")
        events.append(Answered(answer) if answer else stopped)
    return RunLog(record.id, thread, record.message, record.text, events=events, is_over=True)
