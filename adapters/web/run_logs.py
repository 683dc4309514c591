"""The events of runs so far, for any number of readers, also those who come late."""

import asyncio
from collections.abc import Iterator, Sequence

from pipeline.domain import (
    Answered,
    Apologised,
    Done,
    Event,
    FileHash,
    Finished,
    Incoming,
    Masks,
    Media,
    RunId,
    Thread,
)

FILE_SCHEME = "file:"
"""Links to files that are in our own store already."""
_MAX_FINISHED = 256


class RunLog:
    """The events of one run, and its message, as far as this process saw them."""

    def __init__(self, thread: Thread, message: Incoming | None = None) -> None:
        self.thread = thread
        self.events: list[Event] = []
        self.files: set[str] = set()
        self.is_over = False
        self.message: Incoming | None = None
        self._changed = asyncio.Event()
        self.set_message(message)

    @property
    def last(self) -> Answered | Apologised | None:
        """How the run ended, once it has."""
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Answered | Apologised) else None

    def set_message(self, message: Incoming | None) -> None:
        """Note what the run answers, as soon as it is known."""
        if message is not None:
            self.message = message
            self.files.update(link.url.removeprefix(FILE_SCHEME) for link in message.files)

    def add(self, event: Event) -> None:
        self.events.append(event)
        self.files.update(_files_in(event))
        if isinstance(event, Answered | Apologised):
            self.is_over = True
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

    async def wait_until_over(self) -> None:
        """Returns when nothing more comes."""
        while not self.is_over:
            await self._changed.wait()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()


class RunLogs:
    """The runs of this process: those under way, and the last ones that ended."""

    def __init__(self) -> None:
        self._logs: dict[RunId, RunLog] = {}

    def open(self, run: RunId, thread: Thread, message: Incoming | None = None) -> RunLog:
        """The log of a run; a new one if there is none, or if it broke off before the end."""
        log = self._logs.get(run)
        if log is None or (log.is_over and log.last is None):
            log = self._logs[run] = RunLog(thread)
            self._drop_old()
        log.set_message(message)
        return log

    def get(self, run: RunId) -> RunLog | None:
        return self._logs.get(run)

    def of(self, thread: Thread) -> Sequence[tuple[RunId, RunLog]]:
        """The runs of a thread, oldest first."""
        return [(run, log) for run, log in self._logs.items() if log.thread == thread]

    def refers_to(self, person: str, file: FileHash) -> bool:
        """Whether a recent run of the person was given this file, or made it."""
        return any(
            log.thread.channel.workspace == person and file in log.files
            for log in self._logs.values()
        )

    def drop(self, run: RunId) -> None:
        """The run was forgotten."""
        self._logs.pop(run, None)

    def end(self) -> None:
        """The program stops: let all readers go."""
        for log in self._logs.values():
            log.end()

    def _drop_old(self) -> None:
        over = [run for run, log in self._logs.items() if log.is_over]
        for run in over[: max(0, len(over) - _MAX_FINISHED)]:
            del self._logs[run]


def _files_in(event: Event) -> Iterator[FileHash]:
    """The files that an event shows."""
    match event:
        case Finished(_, Done() as done):
            for value in done.output.slots.values():
                images = [mask.image for mask in value.items] if isinstance(value, Masks) else []
                media = [item for item in (value, *images) if isinstance(item, Media)]
                yield from (item.attachment.hash for item in media)
            yield from (extra.hash for extra in done.extras)
        case Answered(answer):
            yield from (file.attachment.hash for file in answer.files)
        case _:
            return
