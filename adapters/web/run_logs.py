"""The events of runs, for any number of readers: live from this process, else from the store."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import structlog

from pipeline.codec import load_union
from pipeline.domain import (
    Answered,
    Apologised,
    Event,
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

log = structlog.get_logger()

_MAX_FINISHED = 256
_FINAL_STATES = frozenset({RunState.ANSWERED, RunState.APOLOGISED, RunState.STOPPED})


@dataclass(slots=True)
class RunLog:
    """The events of one run so far. `message` is None until it is known what the run answers."""

    thread: Thread
    message: Incoming | None = None
    events: list[Event] = field(default_factory=list)
    is_over: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def last(self) -> Answered | Apologised | None:
        """How the run ended, once it has."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Answered | Apologised) else None

    def add(self, event: Event) -> None:
        self.events.append(event)
        self._notify()

    def end(self) -> None:
        """Nothing more comes."""
        self.is_over = True
        self._notify()

    async def wait_for_events(self, seen: int) -> Sequence[Event]:
        """The events after the first `seen`, as soon as there are some; none at the end."""
        while seen >= len(self.events) and not self.is_over:
            await self._changed.wait()
        return self.events[seen:]

    def _notify(self) -> None:
        self.is_over = self.is_over or self.last is not None
        self._changed.set()
        self._changed = asyncio.Event()


@dataclass(slots=True)
class RunLogs:
    """The runs under way in this process and the last that ended, by id; the rest is stored."""

    store: Store
    inbox: Inbox
    _logs: dict[RunId, RunLog] = field(default_factory=dict)

    def open(self, run: RunId, thread: Thread, message: Incoming | None = None) -> RunLog:
        """The log of a run; a new one if there is none, or if it broke off before the end."""
        run_log = self._logs.get(run)
        if run_log is None or (run_log.is_over and run_log.last is None):
            run_log = self._logs[run] = RunLog(thread)
            over = [each for each, ended in self._logs.items() if ended.is_over]
            for old in over[:-_MAX_FINISHED]:
                del self._logs[old]
        run_log.message = message or run_log.message
        return run_log

    def end(self) -> None:
        """The program stops: let all readers go."""
        for run_log in self._logs.values():
            run_log.end()

    async def find(self, run: RunId) -> RunLog | None:
        """The log of a run; None where there is none, or the run was forgotten."""
        run_log = self._logs.get(run)
        if run_log is not None and not run_log.is_over:
            return run_log
        message = await self.inbox.message(run)
        if message is None:
            return None
        if run_log is not None:
            return run_log
        record = await self.store.load(run)
        if record is not None and record.state in _FINAL_STATES:
            return replay(record, message.thread, await self.store.events(run))
        return self.open(run, message.thread, message)

    async def of_thread(self, thread: Thread) -> Mapping[RunId, RunLog]:
        """The runs of a thread that this process saw, oldest first."""
        seen = [(run, each) for run, each in self._logs.items() if each.thread == thread]
        return {
            run: run_log
            for run, run_log in seen
            if not run_log.is_over or await self.inbox.message(run) is not None
        }


def replay(record: Run, thread: Thread, events: Sequence[str]) -> RunLog:
    """The log of a stored run, from its stored events, or from its record where they are older."""
    run_log = RunLog(thread)
    for event in _load_events(record.id, events) or _events_of(record):
        run_log.add(event)
    if run_log.last is None:
        answer = record.answer
        run_log.add(Answered(answer) if answer else Apologised(LocalizedText("stopped"), ""))
    return run_log


def _load_events(run: RunId, texts: Sequence[str]) -> list[Event]:
    """The events of a run; none if one of them is of another version."""
    try:
        return [load_union(Event, text) for text in texts]
    except ValueError as error:
        log.warning("stored events skipped", run=run, reason=str(error)[:200])
        return []


def _events_of(record: Run) -> Iterator[Event]:
    yield Planned(record.plan, record.repairs)
    for task, outcome in record.outcomes.items():
        yield Finished(task, outcome)
