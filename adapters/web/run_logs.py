"""The events of runs, for any number of readers: live from this process, else from the store."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime

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
from pipeline.ports import Inbox, Store

PLATFORM = "web"
FILE_SCHEME = "file:"
"""Scheme of links to files that are already in our file store."""
_MAX_FINISHED = 256
"""Logs of finished runs that are kept in memory."""
_KEEP_ALIVE_SECONDS = 15.0
"""How long a stream may be silent."""
_OPEN_STATES = frozenset({RunState.ACCEPTED, RunState.RUNNING})


@dataclass(slots=True)
class RunLog:
    """The events of one run so far. `key` and `text` are those of the message that it answers."""

    run: RunId
    thread: Thread
    key: str
    text: str
    events: list[Event] = field(default_factory=list)
    is_over: bool = False
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
        self._changed.set()
        self._changed = asyncio.Event()

    async def wait_for_events(self, seen: int) -> Sequence[Event]:
        """Wait for events after the first `seen`, and return them.

        Empty at the end of the run, or if there are none for a while.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(_KEEP_ALIVE_SECONDS):
                while seen >= len(self.events) and not self.is_over:
                    await self._changed.wait()
        return self.events[seen:]


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run has come that is not over."""

    elapsed: float | None = None
    """Seconds since its message was accepted; None: not known."""
    waits_for: str = ""
    """The run of the thread that is answered before it; "" if it waits for none."""


@dataclass(slots=True)
class RunLogs:
    """Logs of this process's current runs and of the last finished ones; others are stored."""

    store: Store
    inbox: Inbox
    feed: LiveFeed = field(default_factory=LiveFeed)
    _logs: dict[RunId, RunLog] = field(default_factory=dict)

    def open(self, run: RunId, message: Incoming) -> RunLog:
        """The log of a run; a new one if there is none, or if it broke off before the end."""
        run_log = self._logs.get(run)
        if run_log is None or (run_log.is_over and run_log.last is None):
            run_log = RunLog(run, message.thread, message.key, message.text)
            self._logs[run] = run_log
            finished = [id_ for id_, each in self._logs.items() if each.is_over]
            for old in finished[:-_MAX_FINISHED]:
                del self._logs[old]
            self.feed.publish(RunBegan(message.thread, run, message.after, message.id))
            self.feed.publish(ThreadChanged(message.thread))
        return run_log

    def end(self) -> None:
        """End every log at shutdown, so that no reader waits on."""
        for run_log in self._logs.values():
            run_log.add(None)

    def is_over(self, run: RunId) -> bool:
        """Whether a run is known to have ended, which the store may not know yet."""
        run_log = self._logs.get(run)
        return run_log is not None and run_log.last is not None

    async def find(self, run: RunId) -> RunLog | None:
        """The log of a run; None if the run is unknown, or was erased."""
        run_log = self._logs.get(run)
        if run_log is not None and not run_log.is_over:
            return run_log
        message = await self.inbox.message(run)
        if message is None or message.thread.channel.platform != PLATFORM:
            return None
        if run_log is not None:
            return run_log
        record = await self.store.load(run)
        if record is not None and record.state not in _OPEN_STATES:
            return replay(record, message.thread, (await self.store.events(run))[run])
        return self.open(run, message)

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
