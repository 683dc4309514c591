"""A clock that stops while work waits in a queue."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf


class WorkClock:
    """The monotonic clock, stopped while the work waits in a queue.

    Hand `note_place` to the queue. A step with a timeout of 60 s that waits 100 s in the queue and
    works 50 s is done in time: `now` has advanced by 50 when it ends.
    """

    def __init__(self) -> None:
        self._waited = 0.0
        self._stopped_at: float | None = None
        self._timeout: asyncio.Timeout | None = None
        self._end = inf

    def now(self) -> float:
        """Seconds; only differences mean something."""
        stopped = self._stopped_at
        return (time.monotonic() if stopped is None else stopped) - self._waited

    def left(self) -> float:
        """Seconds of work left before the timeout."""
        return self._end - self.now()

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """Raise TimeoutError after so many seconds of work. Cannot be nested."""
        self._end = self.now() + seconds
        try:
            async with asyncio.timeout(seconds) as self._timeout:
                yield
        finally:
            self._timeout = None

    def note_place(self, place: int) -> None:
        """Stop at a place in a queue, go on at 0."""
        if self._timeout is None:
            return
        if place and self._stopped_at is None:
            self._stopped_at = time.monotonic()
            self._timeout.reschedule(None)
        elif not place and self._stopped_at is not None:
            self._waited += time.monotonic() - self._stopped_at
            self._stopped_at = None
            self._timeout.reschedule(asyncio.get_running_loop().time() + self.left())
