"""Which message comes next: in order within a lane, one at a time there, lanes side by side."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from heapq import heappop, heappush

from pipeline.domain import Incoming, RunId


@dataclass(frozen=True, slots=True, order=True)
class Waiting:
    """A message that waits for its turn; `id` sorts in message order. `counted`: its first handing out stands in the database."""

    id: str
    run: RunId
    message: Incoming = field(compare=False)
    counted: bool = field(default=False, compare=False)


@dataclass(slots=True)
class Queue:
    """Messages by lane: those of a thread, and beside them its commands."""

    _known: dict[RunId, str] = field(default_factory=dict)
    _lanes: dict[str, list[Waiting]] = field(default_factory=dict)
    _busy: dict[str, RunId] = field(default_factory=dict)
    _ready: deque[str] = field(default_factory=deque)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, waiting: Waiting) -> None:
        """A second time changes nothing."""
        if waiting.run in self._known:
            return
        lane = waiting.message.lane
        self._known[waiting.run] = lane
        heappush(self._lanes.setdefault(lane, []), waiting)
        self._offer(lane)

    def idle(self, lane: str) -> bool:
        """Whether a message of this lane would be the next one out."""
        return lane not in self._busy and not self._lanes.get(lane)

    def knows(self, run: RunId) -> bool:
        return run in self._known

    def remove(self, run: RunId) -> None:
        """The message is done with: its lane is free again if it was this one's turn, else it loses its place."""
        lane = self._known.pop(run, None)
        if lane is not None and self._busy.get(lane) == run:
            del self._busy[lane]
            self._offer(lane)

    async def heads(self) -> list[Waiting]:
        """The first message of each lane that is free, which then is not; waits until there is one."""
        while True:
            heads = [head for lane in self._drained() if (head := self._head(lane))]
            if heads:
                return heads
            self._wake.clear()
            await self._wake.wait()

    def _drained(self) -> list[str]:
        lanes = list(dict.fromkeys(self._ready))
        self._ready.clear()
        return lanes

    def _head(self, lane: str) -> Waiting | None:
        if lane in self._busy:
            return None
        line = self._lanes.get(lane, [])
        while line:
            head = heappop(line)
            if head.run in self._known:
                self._busy[lane] = head.run
                return head
        self._lanes.pop(lane, None)
        return None

    def _offer(self, lane: str) -> None:
        self._ready.append(lane)
        self._wake.set()
