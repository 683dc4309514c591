"""How many calls Discord takes in a second."""

import asyncio
from collections import deque

MOST_CALLS = 48
"""Calls in any second. Discord allows fifty: the library keeps the limits of single routes, but
learns of the global limit only by exceeding it.
"""
PROGRESS_RESERVE = 20
"""Calls that progress leaves for threads and answers."""
_LONGEST_CALL = 10.0
"""Seconds after which a call that never ends leaves its room to others."""


class RateLimit:
    """A limit of calls in any period, however long each is on its way.

    A call is counted from its start until a period after its end. So those that arrive within one
    period are all counted when the last of them starts. What never ends is forgotten after a while.
    """

    def __init__(self, calls: int, period: float) -> None:
        self._most = self._left = calls
        self._period = period
        self._waiting: deque[asyncio.Future[None]] = deque()

    def share(self, replicas: int) -> None:
        """Leave the other replicas their part of the limit, which Discord has for all together."""
        most = max(1, MOST_CALLS // replicas)
        self._left += most - self._most
        self._most = most
        self._admit()

    def has_room(self, leaving: int) -> bool:
        """Whether a call may begin at once and `leaving` of `MOST_CALLS` others, too."""
        return self._left > leaving * self._most / MOST_CALLS

    async def begin(self) -> asyncio.TimerHandle:
        """Wait until a call may begin, in the order of asking; pass the result to `end`."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._free()
            raise
        return loop.call_later(_LONGEST_CALL, self._free)

    def end(self, call: asyncio.TimerHandle) -> None:
        """Count a call for one period more, and then no longer."""
        loop = asyncio.get_running_loop()
        if call.when() > loop.time():
            call.cancel()
            loop.call_later(self._period, self._free)

    def _free(self) -> None:
        self._left += 1
        self._admit()

    def _admit(self) -> None:
        while self._left > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._left -= 1
