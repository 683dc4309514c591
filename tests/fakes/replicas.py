"""What replicas of the program share, in memory: leases, rate limits and notifications."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from time import monotonic
from uuid import uuid4

from adapters.store.leases import SoleLeases
from adapters.store.notifications import LocalNotifications
from adapters.store.rate_limits import LocalRateLimits
from pipeline.ports import Leases


@dataclass
class FakeLeases:
    """The leases of one replica."""

    program: int
    rows: dict[str, tuple[int, float]]
    now: Callable[[], float]
    runs: asyncio.Event = field(default_factory=asyncio.Event)
    """Cleared while the replica is frozen."""

    def __post_init__(self) -> None:
        self.runs.set()

    async def acquire(self, name: str, seconds: float) -> bool:
        await self.runs.wait()
        holder, until = self.rows.get(name, (self.program, 0.0))
        if holder != self.program and until >= self.now():
            return False
        self.rows[name] = self.program, self.now() + seconds
        return True

    async def release(self, name: str) -> None:
        if self.rows.get(name, (None,))[0] == self.program:
            del self.rows[name]


@dataclass
class FakeReplicas:
    """One database, as far as replicas share it. Each `leases()` and `notifications()` are
    another replica's."""

    alone: bool = False

    rows: dict[str, tuple[int, float]] = field(default_factory=dict)
    rate_limits: LocalRateLimits = field(default_factory=LocalRateLimits)
    now: Callable[[], float] = monotonic
    _subscribers: LocalNotifications = field(default_factory=lambda: LocalNotifications("all"))
    _numbers: Iterator[int] = field(default_factory=count)

    def notifications(self) -> LocalNotifications:
        return replace(self._subscribers, program=uuid4().hex)

    def leases(self) -> Leases:
        return SoleLeases() if self.alone else FakeLeases(next(self._numbers), self.rows, self.now)
