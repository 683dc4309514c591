"""Rate limits: each key has the moment at which all its uses so far are refilled (GCRA).

A use moves that moment by `seconds / most`. The use has to wait while the moment is further ahead
than `seconds`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from math import inf
from time import monotonic

import sqlalchemy as sa
from cachetools import TTLCache

from adapters.store.database import SqlPort
from adapters.store.leases import DATABASE_NOW
from adapters.store.schema import rate_limits
from adapters.store.transactions import Transaction

_MOST_KEYS = 10_000
"""Keys that one program keeps in memory."""
_KEPT_SECONDS = 3_600
"""For how long it keeps each: longer than any limit is counted for."""
_ROUNDING = 1e-6
"""Seconds by which a wait may be off, because it is a difference of large numbers."""


class SqlRateLimits(SqlPort):
    """Limits in PostgreSQL, shared by all programs on the database.

    Keys name persons, so their hashes are stored.
    """

    async def reserve(
        self, key: str, *, most: int, seconds: float, patience: float = inf
    ) -> float | None:
        step, row = seconds / most, sha256(key.encode()).hexdigest()

        def count(tx: Transaction) -> float | None:
            insert = tx.insert(rate_limits).values(key=row, at=DATABASE_NOW + step)
            refilled = sa.func.greatest(rate_limits.c.at, DATABASE_NOW) + step
            wait = refilled - DATABASE_NOW - seconds
            take = insert.on_conflict_do_update(
                index_elements=["key"],
                set_={"at": refilled},
                where=None if patience == inf else wait <= patience + _ROUNDING,
            )
            waits: float | None = tx.scalar(
                take.returning(rate_limits.c.at - DATABASE_NOW - seconds)
            )
            return waits

        waits = await self.database.write(count)
        return None if waits is None else max(0.0, float(waits))


@dataclass(slots=True)
class LocalRateLimits:
    """Limits in memory, for a program that is alone."""

    clock: Callable[[], float] = monotonic
    _refilled: TTLCache[str, float] = field(
        default_factory=lambda: TTLCache(maxsize=_MOST_KEYS, ttl=_KEPT_SECONDS)
    )

    async def reserve(
        self, key: str, *, most: int, seconds: float, patience: float = inf
    ) -> float | None:
        now = self.clock()
        refilled = max(self._refilled.get(key, now), now) + seconds / most
        wait = refilled - now - seconds
        if wait > patience + _ROUNDING:
            return None
        self._refilled[key] = refilled
        return max(0.0, wait)
