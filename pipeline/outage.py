"""Outages of the store: calls wait until it is back, and people are told that they have to."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from math import inf
from typing import TypeVar

import stamina
import structlog

from pipeline.background import run_beside
from pipeline.domain import LocalizedText
from pipeline.errors import (
    LeaseLost,
    StoreUnavailable,
    is_disk_full,
    is_passing,
    translate_disk_error,
)

T = TypeVar("T")
Tell = Callable[[LocalizedText], Awaitable[object]]
"""Tells a person that what they asked for has to wait."""

_LATE_SECONDS = 3.0
_HANGING = 2.0
"""How much longer than the patience an attempt may take: it is better not to cut it off."""
_SLOW = "store-slow"
"""The reason told for a call that has not failed: it only takes long."""
_FIRST_PAUSE = 0.1
"""Seconds before the first repetition."""
_LONGEST_PAUSE = 1.0
"""Seconds between repetitions, at most."""
_PATIENCE: ContextVar[float] = ContextVar("patience", default=inf)

log = structlog.get_logger()


async def wait_for_room(work: Callable[[], Awaitable[T]]) -> T:
    """Do work that needs temporary files, and repeat it for a while if the disk is full.

    Raises StoreUnavailable if it stays full, and what `work` raises.
    """

    async def attempt() -> T:
        try:
            return await work()
        except OSError as error:
            if is_disk_full(error):
                raise translate_disk_error(error) from error
            raise

    retrying = stamina.AsyncRetryingCaller(attempts=5, timeout=20.0, wait_initial=0.5, wait_max=4.0)
    return await retrying(StoreUnavailable, attempt)


@contextmanager
def limit_patience(seconds: float) -> Iterator[None]:
    """Within the block, calls raise StoreUnavailable if they cannot be stored for so many seconds.

    For callers that must answer in time and can tell people to try again. A call that raised was
    not stored. With 0, a call is made once, however long it takes.
    """
    token = _PATIENCE.set(seconds)
    try:
        yield
    finally:
        _PATIENCE.reset(token)


class Outage:
    """Whether calls have to wait because the database is locked or away, or the disk is full.

    An outage begins when a call still fails after `late` seconds, or has neither failed nor
    returned after twice as long.
    """

    def __init__(self, *, late: float = _LATE_SECONDS, hanging: float = _HANGING) -> None:
        self._late, self._hanging = late, hanging
        self._late_calls: set[object] = set()
        self._reason = _SLOW
        self._began_at = inf
        self._has_begun, self._is_over = asyncio.Event(), asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many calls have to wait."""
        return len(self._late_calls)

    @property
    def seconds(self) -> float:
        """How long it has lasted; 0 if there is none."""
        return max(0.0, asyncio.get_running_loop().time() - self._began_at)

    @property
    def notice(self) -> LocalizedText:
        """What people who have to wait are told."""
        return LocalizedText("store-waiting", {"problem": self._reason})

    async def wait_out(self, call: Callable[[], Awaitable[T]]) -> T:
        """Make a call, and repeat it while it raises a StoreUnavailable that passes.

        Raises that error when the patience of the caller is over.
        """
        this_call = object()
        timer = asyncio.get_running_loop().call_later(2 * self._late, self._begin, this_call, _SLOW)
        patience = _PATIENCE.get()
        try:
            async with asyncio.timeout(patience + self._hanging if 0 < patience < inf else None):
                return await self._repeat(call, patience, this_call)
        except TimeoutError as error:
            raise StoreUnavailable(self._reason) from error
        finally:
            timer.cancel()
            self._end(this_call)

    async def _repeat(
        self, call: Callable[[], Awaitable[T]], patience: float, this_call: object
    ) -> T:
        # Not by stamina, which would log every attempt of every call that waits.
        clock = asyncio.get_running_loop().time
        began, pause = clock(), _FIRST_PAUSE
        while True:
            try:
                return await call()
            except StoreUnavailable as error:
                waited = clock() - began
                if not is_passing(error) or waited + pause > patience:
                    raise
                if waited >= self._late:
                    self._begin(this_call, error.sentence.id)
                elif not self._late_calls:
                    self._reason = error.sentence.id
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _begin(self, call: object, reason: str) -> None:
        if not self._late_calls or reason != _SLOW:
            self._reason = reason
        if not self._late_calls:
            log.warning("nothing can be stored", why=self._reason)
            self._began_at = asyncio.get_running_loop().time()
            self._is_over.clear()
            self._has_begun.set()
        self._late_calls.add(call)

    def _end(self, call: object) -> None:
        if call not in self._late_calls:
            return
        self._late_calls.remove(call)
        if not self._late_calls:
            log.warning("stored again", seconds=round(self.seconds))
            self._began_at, self._reason = inf, _SLOW
            self._has_begun.clear()
            self._is_over.set()

    @asynccontextmanager
    async def tell_if_late(self, tell: Tell, *, after: float | None = None) -> AsyncIterator[None]:
        """Call `tell` once if the block still runs during an outage.

        `after`: the seconds that it must have run; by default, as long as a call may take.
        """

        async def watch() -> None:
            await asyncio.sleep(self._late if after is None else after)
            await self._has_begun.wait()
            try:
                with suppress(LeaseLost):  # another program has the run, and tells if it must
                    await tell(self.notice)
            except Exception:  # boundary: what waits goes on
                log.exception("not told")

        async with run_beside(watch()):
            yield

    @asynccontextmanager
    async def timeout(self, seconds: float) -> AsyncIterator[None]:
        """Like `asyncio.timeout`, but the time of an outage does not count."""
        clock = asyncio.get_running_loop().time

        async def leave_out(limit: asyncio.Timeout) -> None:
            while True:
                await self._has_begun.wait()
                if limit.expired():
                    return
                left = (limit.when() or 0.0) - clock() + self._late
                limit.reschedule(None)
                await self._is_over.wait()
                limit.reschedule(clock() + left)

        async with asyncio.timeout(seconds) as limit, run_beside(leave_out(limit)):
            yield
