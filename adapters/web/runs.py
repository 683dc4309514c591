"""What happened in runs so far, for any number of onlookers, also those who come late."""

import asyncio
from collections.abc import Sequence

from pipeline.domain import Answered, Apologised, Event, Incoming, RunId, Thread

_KEPT = 256


class RunLog:
    """The events of one run, and the message that it answers, as far as this process heard it."""

    def __init__(self, thread: Thread, message: Incoming | None = None) -> None:
        self.thread = thread
        self.message = message
        self.events: list[Event] = []
        self.over = False
        self._news = asyncio.Event()

    @property
    def last(self) -> Answered | Apologised | None:
        """How the run ended, once it has."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Answered | Apologised) else None

    def add(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, Answered | Apologised):
            self.over = True
        self._tell()

    def end(self) -> None:
        """Nothing more comes."""
        self.over = True
        self._tell()

    async def after(self, seen: int) -> Sequence[Event]:
        """The events after the first `seen`, as soon as there are some; none when nothing more comes."""
        while seen >= len(self.events) and not self.over:
            await self._news.wait()
        return self.events[seen:]

    async def finished(self) -> None:
        """Returns when nothing more comes."""
        while not self.over:
            await self._news.wait()

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class RunLogs:
    """The runs of this process: those under way, and the last ones that ended."""

    def __init__(self) -> None:
        self._logs: dict[RunId, RunLog] = {}

    def open(self, run: RunId, thread: Thread, message: Incoming | None = None) -> RunLog:
        """The log of a run; a new one if there is none, or if it broke off before the end."""
        log = self._logs.get(run)
        if log is None or (log.over and log.last is None):
            log = self._logs[run] = RunLog(thread)
            self._forget_old()
        log.message = message or log.message
        return log

    def get(self, run: RunId) -> RunLog | None:
        return self._logs.get(run)

    def of(self, thread: Thread) -> Sequence[tuple[RunId, RunLog]]:
        """The runs of a thread, oldest first."""
        return [(run, log) for run, log in self._logs.items() if log.thread == thread]

    def drop(self, run: RunId) -> None:
        """The run was forgotten."""
        self._logs.pop(run, None)

    def end(self) -> None:
        """Let everybody go who still waits: the program stops."""
        for log in self._logs.values():
            log.end()

    def _forget_old(self) -> None:
        over = [run for run, log in self._logs.items() if log.over]
        for run in over[: max(0, len(over) - _KEPT)]:
            del self._logs[run]
