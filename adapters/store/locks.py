"""The lock that keeps a second program from serving the same database."""

import asyncio
import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import structlog
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from adapters.store.database import FAULTS, explain_at_start, parse_address
from pipeline.background import run_beside
from pipeline.errors import SettingsError

log = structlog.get_logger()

_TAKE = text("SELECT pg_try_advisory_lock(7270601)")


@asynccontextmanager
async def exclusive(url: str, *, check_every: float = 2.0) -> AsyncIterator[None]:
    """Hold the lock of the one program that serves a database.

    Programs that only read, or answer one request by themselves, do without. Open the database
    first, which makes its folder: `open_persistence` takes this lock by itself while it migrates.

    PostgreSQL ties the lock to a connection. It is checked every `check_every` seconds and taken
    again when it was lost; when another program was faster, the body of the context is cancelled.
    Raises SettingsError when another program holds the lock.
    """
    address = parse_address(url)
    if address.get_backend_name() == "sqlite":
        hold = _hold_file(address)
    else:
        hold = _hold_advisory_lock(address, check_every)
    async with hold:
        yield


@asynccontextmanager
async def _hold_file(address: URL) -> AsyncIterator[None]:
    try:
        file = await asyncio.to_thread(Path(f"{address.database}.lock").open, "w")
    except OSError as error:
        raise explain_at_start(error, address) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SettingsError("store-in-use", file=str(address.database)) from error
        yield


@asynccontextmanager
async def _hold_advisory_lock(address: URL, check_every: float) -> AsyncIterator[None]:
    in_use = SettingsError("store-in-use", file=str(address.database))
    try:
        connection = await create_async_engine(address, poolclass=NullPool).connect()
    except ImportError as error:
        raise SettingsError("store-driver") from error
    except FAULTS as error:
        raise explain_at_start(error, address) from error
    scope = asyncio.timeout(None)
    try:
        if not await _take_lock(connection):
            raise in_use
        async with scope, run_beside(_keep_lock(connection, check_every, scope)):
            yield
    except TimeoutError:
        if not scope.expired():
            raise
        raise in_use from None
    finally:
        await connection.invalidate()  # closing the connection frees the lock
        await connection.close()


async def _keep_lock(connection: AsyncConnection, every: float, scope: asyncio.Timeout) -> None:
    """Take the lock again and again, also on a new connection after a loss.

    While the server cannot be reached nothing can be stored, so no work is doubled either. Ends
    `scope` when another program has taken the lock.
    """
    has_lock = True
    while has_lock:
        await asyncio.sleep(every)
        try:
            has_lock = await _take_lock(connection)
        except FAULTS:
            log.warning("database lock lost")
    log.warning("another program took the database lock")
    scope.reschedule(asyncio.get_running_loop().time())


async def _take_lock(connection: AsyncConnection) -> bool:
    """Whether this connection holds the lock now. One that broke is made anew."""
    try:
        return bool(await connection.scalar(_TAKE))
    finally:
        await connection.rollback()
