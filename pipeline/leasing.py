"""Doing what one program alone may do, for as long as it has the lease of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from pipeline.background import run_beside
from pipeline.errors import LeaseLost, StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import LEASE_SECONDS, RENEWALS, Leases

_GIVING_BACK_SECONDS = 2.0
"""How long giving a lease back may wait for the database; the lease runs out anyway."""


@asynccontextmanager
async def hold_lease(leases: Leases, name: str) -> AsyncIterator[bool]:
    """Hold a lease while the context is open; yields False if another program has it.

    It is renewed meanwhile and given back at the end, whatever ends it. When it is lost, the body
    is cancelled and LeaseLost is raised: another program has it, or may have it by now, because it
    could not be renewed in time.
    """
    if (until := await _acquire(leases, name)) is None:
        yield False
        return
    ours = asyncio.timeout_at(until)
    try:
        async with ours, run_beside(_renew(leases, name, ours)):
            yield True
    except TimeoutError as error:
        if ours.expired():
            raise LeaseLost("lease-lost") from error
        raise
    finally:
        if not ours.expired():
            with suppress(StoreUnavailable), limit_patience(_GIVING_BACK_SECONDS):
                await leases.release(name)


async def _acquire(leases: Leases, name: str) -> float | None:
    """Take or renew a lease. Returns until when it lasts on our clock; None: another one has it."""
    now = asyncio.get_running_loop().time
    until = 0.0
    while until <= now():  # asking may take longer than the lease lasts
        until = now() + LEASE_SECONDS
        if not await leases.acquire(name, LEASE_SECONDS):
            return None
    return until


async def _renew(leases: Leases, name: str, ours: asyncio.Timeout) -> None:
    """Put off the end of `ours` with each renewal; bring it about if another program has it."""
    while not ours.expired():
        await asyncio.sleep(LEASE_SECONDS / RENEWALS)
        with suppress(StoreUnavailable):
            until = await _acquire(leases, name)
            if not ours.expired():
                ours.reschedule(until or asyncio.get_running_loop().time())
