"""The runs that this program has leased: until when, and whether another one took them over."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy import Connection, bindparam, select

from adapters.store.schema import inbox
from pipeline.domain import RunId
from pipeline.errors import LeaseLost
from pipeline.fencing import SHARE_UNPOSTED
from pipeline.ports import LEASE_SECONDS

SELECT_OURS = (
    select(inbox.c.run)
    .where(inbox.c.run == bindparam("wanted"), inbox.c.attempts == bindparam("attempt"))
    .where(inbox.c.finished == sa.false())
    .with_for_update(read=True)
)
"""Locks the row, so that nobody takes the run over before the transaction has ended."""


@dataclass(slots=True)
class RunLease:
    """A run that this program answers; `until` is on this program's own clock."""

    attempt: int
    until: float
    beside: bool = False
    is_cancelled: bool = False
    is_lost: bool = False
    news: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the run is cancelled or lost."""


class RunLeases:
    """What this program may write and post for runs that it has taken.

    A program that was frozen or cut off does not hear that another one took its runs over. So each
    write of a run that it took checks, in its transaction, that the attempt is still the last one,
    and each post checks that the lease lasts for a while yet by our clock, which began to count
    before the database's did. Runs that were not taken here are not checked: a command may write
    them.
    """

    def __init__(
        self, *, seconds: float = LEASE_SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.seconds, self.clock = seconds, clock
        self.takeovers = self.losses = 0
        """How many runs were taken over by this program, and lost by it, since it started."""
        self.is_due = asyncio.Event()
        """Set when all leases are to be renewed at once."""
        self._held: dict[RunId, RunLease] = {}
        self._renewed = asyncio.Event()

    def __len__(self) -> int:
        return len(self._held)

    @property
    def runs(self) -> Mapping[RunId, RunLease]:
        """Those that this program works on, with those that it lost meanwhile."""
        return self._held

    def list_renewable(self) -> Mapping[RunId, int]:
        """The attempt of each lease that is not lost."""
        return {run: each.attempt for run, each in self._held.items() if not each.is_lost}

    def count_busy(self) -> int:
        """How many of them are not commands."""
        return sum(not each.beside for each in self._held.values())

    def hold(
        self, run: RunId, attempt: int, since: float, *, beside: bool, is_cancelled: bool
    ) -> None:
        """Note that a run was taken. `since`: our clock before the statement that did it."""
        lease = RunLease(attempt, since + self.seconds, beside, is_cancelled)
        if is_cancelled:
            lease.news.set()
        self._held[run] = lease

    def note_renewal(
        self, asked: Mapping[RunId, int], renewed: Mapping[RunId, bool], since: float
    ) -> None:
        """Judge the leases, by run and attempt, that were to be renewed.

        `renewed`: whether each that was is cancelled. Those taken meanwhile are not judged.
        """
        for run, attempt in asked.items():
            lease = self._held.get(run)
            if lease is None or lease.attempt != attempt:
                continue
            if run not in renewed:
                self.lose(run)
            else:
                lease.until = since + self.seconds
                if renewed[run]:
                    self.cancel(run)
        self._wake()

    def _wake(self) -> None:
        """Have whoever waits for a renewal look again."""
        self._renewed.set()
        self._renewed = asyncio.Event()

    def cancel(self, run: RunId) -> bool:
        """Note that somebody stops a run. False if this program does not work on it."""
        if (lease := self._held.get(run)) is None:
            return False
        lease.is_cancelled = True
        lease.news.set()
        return True

    def lose(self, run: RunId) -> None:
        """Note that another program has a run, or that it is finished."""
        lease = self._held.get(run)
        if lease is not None and not lease.is_lost:
            lease.is_lost = True
            lease.news.set()
            self.losses += 1

    def drop(self, run: RunId) -> RunLease | None:
        """Note that this program does not work on a run any more."""
        self._wake()
        return self._held.pop(run, None)

    def fence(self, connection: Connection, run: str) -> None:
        """Check in a transaction that what it writes for a run may be written.

        Raises LeaseLost. Until the transaction ends, nobody can take the run over.
        """
        lease = self._held.get(RunId(run))
        if lease is None:
            return
        wanted = {"wanted": run, "attempt": lease.attempt}
        if lease.is_lost or connection.scalar(SELECT_OURS, wanted) is None:
            self.lose(RunId(run))
            raise LeaseLost("lease-lost")

    def find_attempt(self, run: str) -> int | None:
        """The number of our attempt at a run; None if this program has not taken it."""
        lease = self._held.get(RunId(run))
        return lease.attempt if lease else None

    async def check(self, run: RunId) -> None:
        """Check that something may be posted for a run.

        A lease that is about to run out by our clock is renewed first, if nobody else has taken the
        run yet: what is posted must have arrived before somebody does. Raises LeaseLost.
        """
        lease = self._held.get(run)
        if lease is None:
            return
        while (
            self._held.get(run) is lease
            and not lease.is_lost
            and self.clock() >= lease.until - self.seconds * SHARE_UNPOSTED
        ):
            renewed = self._renewed
            self.is_due.set()
            await renewed.wait()
        if lease.is_lost:
            raise LeaseLost("lease-lost")
