"""Queues that serve the run that began first."""

import asyncio
from bisect import insort
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import inf

ReportPlace = Callable[[int], None]
"""Reports the place in a queue, from 1; 0: out of the queue, the work begins."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a caller brings to a queue: when its run began, on the monotonic clock.

    Without a time it is served before all runs. That is for short work on files, so that plans are
    soon visible.
    """

    began: float = -inf
    report: ReportPlace = lambda _place: None


FIRST = Ticket()


@dataclass(slots=True, eq=False)
class _Waiter:
    ticket: Ticket
    called: asyncio.Future[None]
    place: float = inf
    """The best one so far."""


class PrioritySemaphore:
    """Lets `count` callers in at once; of those that wait, the one whose run began first is next.

    Callers of one run are served in the order of their arrival. For example, with one slot that
    another run holds: a step of run B (began at 20) waits, then one of run A (began at 10). A is
    served first. A's `report` is told 1, then 0; B's is told 1, and 0 when A is done.
    """

    def __init__(self, count: float = inf) -> None:
        self._free = count
        self._waiting: list[_Waiter] = []  # the next one first

    @property
    def waiting(self) -> int:
        """How many callers wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def slot(self, ticket: Ticket) -> AsyncIterator[None]:
        """Wait for a slot and hold it. Places are reported only to those that have to wait."""
        if self._free > 0:
            self._free -= 1
        else:
            await self._wait(ticket)
        try:
            yield
        finally:
            self._release()

    async def _wait(self, ticket: Ticket) -> None:
        called = asyncio.get_running_loop().create_future()
        waiter = _Waiter(ticket, called)
        insort(self._waiting, waiter, key=lambda each: each.ticket.began)
        self._report_places()
        try:
            await called
        except asyncio.CancelledError:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
                self._report_places()
            elif not called.cancelled():  # called and cancelled in the same moment
                self._release()
            raise
        ticket.report(0)

    def _release(self) -> None:
        while self._waiting:
            called = self._waiting.pop(0).called
            if not called.done():  # it would be if its caller was cancelled
                called.set_result(None)
                self._report_places()
                return
        self._free += 1

    def _report_places(self) -> None:
        """Report the places that got better: an earlier run's next step would make them flicker."""
        for place, waiter in enumerate(self._waiting, 1):
            if place < waiter.place:
                waiter.place = place
                waiter.ticket.report(place)
