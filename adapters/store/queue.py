"""Which message comes next: in order within a thread, one at a time there, threads side by side."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush

from pipeline.domain import Incoming, RunId


@dataclass(frozen=True, slots=True, order=True)
class Waiting:
    """A message that waits for its turn; `id` sorts in message order."""

    id: str
    run: RunId
    message: Incoming = field(compare=False)


@dataclass(slots=True)
class Queue:
    """Messages by thread."""

    _known: dict[RunId, str] = field(default_factory=dict)
    _threads: dict[str, list[Waiting]] = field(default_factory=dict)
    _busy: dict[str, RunId] = field(default_factory=dict)
    _ready: deque[str] = field(default_factory=deque)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, waiting: Waiting) -> None:
        """A second time changes nothing."""
        if waiting.run in self._known:
            return
        thread = waiting.message.thread.key
        self._known[waiting.run] = thread
        heappush(self._threads.setdefault(thread, []), waiting)
        self._offer(thread)

    def knows(self, run: RunId) -> bool:
        return run in self._known

    def remove(self, run: RunId) -> None:
        """The message is done with: its thread is free again if it was this one's turn, else it loses its place."""
        thread = self._known.pop(run, None)
        if thread is not None and self._busy.get(thread) == run:
            del self._busy[thread]
            self._offer(thread)

    async def heads(self) -> list[Waiting]:
        """The first message of each thread that is free, which then is not; waits until there is one."""
        while True:
            heads = [head for thread in self._drained() if (head := self._head(thread))]
            if heads:
                return heads
            self._wake.clear()
            await self._wake.wait()

    def _drained(self) -> list[str]:
        threads = list(dict.fromkeys(self._ready))
        self._ready.clear()
        return threads

    def _head(self, thread: str) -> Waiting | None:
        if thread in self._busy:
            return None
        line = self._threads.get(thread, [])
        while line:
            head = heappop(line)
            if head.run in self._known:
                self._busy[thread] = head.run
                return head
        self._threads.pop(thread, None)
        return None

    def _offer(self, thread: str) -> None:
        self._ready.append(thread)
        self._wake.set()
