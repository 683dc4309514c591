"""How many calls Discord takes in a second."""

import asyncio

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
        self._room, self._left, self._period = asyncio.Semaphore(calls), calls, period

    def has_room(self, leaving: int) -> bool:
        """Whether a call may begin at once and `leaving` others, too."""
        return self._left > leaving

    async def begin(self) -> asyncio.TimerHandle:
        """Wait until a call may begin, in the order of asking; pass the result to `end`."""
        await self._room.acquire()
        self._left -= 1
        return asyncio.get_running_loop().call_later(_LONGEST_CALL, self._free)

    def end(self, call: asyncio.TimerHandle) -> None:
        """Count a call for one period more, and then no longer."""
        loop = asyncio.get_running_loop()
        if call.when() > loop.time():
            call.cancel()
            loop.call_later(self._period, self._free)

    def _free(self) -> None:
        self._left += 1
        self._room.release()
