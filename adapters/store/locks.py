"""The lock that keeps a second program from serving the same database."""

import asyncio
import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

import structlog
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from adapters.store.database import FAULTS, explain_at_start, parse_address
from pipeline.background import run_beside
from pipeline.errors import SettingsError

log = structlog.get_logger()

_KEY = 7_270_601
"""Of PostgreSQL's advisory lock."""


@asynccontextmanager
async def exclusive(url: str, *, check_every: float = 2.0) -> AsyncIterator[None]:
    """Hold the lock of the one program that serves a database.

    Programs that only read, or answer one request by themselves, do without. Open the database
    first: `open_persistence` takes this lock by itself while it migrates.

    PostgreSQL ties the lock to a connection. It is checked every `check_every` seconds and taken
    again when it was lost; when another program was faster, the body of the context is cancelled.
    Raises SettingsError when another program holds the lock.
    """
    address = parse_address(url)
    hold = _hold_file(address) if address.get_backend_name() == "sqlite" else None
    async with hold or _hold_advisory_lock(address, check_every):
        yield


@asynccontextmanager
async def _hold_file(address: URL) -> AsyncIterator[None]:
    try:
        file = await asyncio.to_thread(_open_lock_file, Path(f"{address.database}.lock"))
    except OSError as error:
        raise explain_at_start(error, address) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SettingsError("store-in-use", file=str(address.database)) from error
        yield


def _open_lock_file(path: Path) -> IO[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w")


@asynccontextmanager
async def _hold_advisory_lock(address: URL, check_every: float) -> AsyncIterator[None]:
    try:
        engine = create_async_engine(address, poolclass=NullPool)
        connection = await _take_lock(engine)
    except ImportError as error:
        raise SettingsError("store-driver") from error
    except FAULTS as error:
        raise explain_at_start(error, address) from error
    if connection is None:
        raise SettingsError("store-in-use", file=str(address.database))
    scope = asyncio.timeout(None)
    try:
        async with scope, run_beside(_keep_lock(engine, connection, check_every, scope)):
            yield
    except TimeoutError:
        if not scope.expired():
            raise
        raise SettingsError("store-in-use", file=str(address.database)) from None


async def _keep_lock(
    engine: AsyncEngine, connection: AsyncConnection, check_every: float, scope: asyncio.Timeout
) -> None:
    """Check the lock's connection; take the lock again after a loss. Ends `scope` if it is gone."""
    try:
        while True:
            await asyncio.sleep(check_every)
            try:
                await connection.scalar(text("SELECT 1"))
                await connection.commit()
            except FAULTS:
                log.warning("database lock lost")
                await connection.invalidate()
                again = await _take_lock_when_reachable(engine, check_every)
                if again is None:
                    log.warning("another program took the database lock")
                    scope.reschedule(asyncio.get_running_loop().time())
                    return
                connection = again
    finally:
        await connection.invalidate()  # closing the connection frees the lock


async def _take_lock_when_reachable(engine: AsyncEngine, every: float) -> AsyncConnection | None:
    """While the server cannot be reached nothing can be stored, so no work is doubled either."""
    while True:
        try:
            return await _take_lock(engine)
        except FAULTS:
            await asyncio.sleep(every)


async def _take_lock(engine: AsyncEngine) -> AsyncConnection | None:
    """The connection that holds the lock; None when another program holds it."""
    connection = await engine.connect()
    if await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _KEY}):
        await connection.commit()
        return connection
    await connection.close()
    return None
