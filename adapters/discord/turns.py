"""Who may call Discord next: it takes fifty calls a second of a bot in all, and what matters less leaves room for what matters more."""

import asyncio
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum

import aiohttp


class Rank(IntEnum):
    """How many calls may have been made within a second for one of this rank to be made as well."""

    MEANWHILE = 20
    """Progress, a first message that has nothing to say yet, reading up: what can wait or be merged."""
    COURTESY = 30
    """Eyes and typing: made at once or not at all."""
    NEEDED = 48
    """What people wait for: a thread, the first sight of a plan, the end of a run."""


@dataclass(slots=True)
class Turns:
    """Counts every call that the library makes, and gives out turns. `second` is how long a call counts after its answer.

    Answers to interactions need no turn, but count, which Discord would not demand.
    """

    second: float = 1.0
    _given: deque[float] = field(default_factory=deque)
    _made: deque[float] = field(default_factory=deque)
    _under_way: int = 0

    @property
    def trace(self) -> aiohttp.TraceConfig:
        """For the library's session: tells of each request, so that no call is missed."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._began)
        trace.on_request_end.append(self._ended)
        trace.on_request_exception.append(self._ended)
        return trace

    def taken(self, rank: Rank) -> bool:
        """Whether there is room for a call of this rank, which then is counted."""
        now = asyncio.get_running_loop().time()
        for times in (self._given, self._made):
            while times and times[0] <= now - self.second:
                times.popleft()
        if len(self._given) + len(self._made) + self._under_way >= rank:
            return False
        self._given.append(now)
        return True

    async def take(self, rank: Rank, unless: asyncio.Event | None = None) -> bool:
        """Wait for one's turn; False when the event came before it."""
        unless = unless or asyncio.Event()
        while not self.taken(rank):
            try:
                async with asyncio.timeout(self._soon()):
                    await unless.wait()
            except TimeoutError:
                continue
            return False
        return True

    def _soon(self) -> float:
        """Seconds until there may be more room; what is under way now counts for at least a second more."""
        oldest = min((times[0] for times in (self._given, self._made) if times), default=None)
        now = asyncio.get_running_loop().time()
        return self.second if oldest is None else max(0.0, oldest + self.second - now)

    async def _began(self, *_: object) -> None:
        if self._given:
            self._given.popleft()
        self._under_way += 1

    async def _ended(self, *_: object) -> None:
        self._under_way -= 1
        self._made.append(asyncio.get_running_loop().time())
