"""PostgreSQL, through asyncpg."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import structlog
from sqlalchemy import URL, Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from adapters.store.database import DatabaseConnections
from adapters.store.faults import FAULTS, explain_at_start
from pipeline.background import run_beside
from pipeline.errors import SettingsError

log = structlog.get_logger()

T = TypeVar("T")

_CONNECTIONS = 8
_TAKE_LOCK = text("SELECT pg_try_advisory_lock(7270601)")


@asynccontextmanager
async def open_postgres(address: URL) -> AsyncIterator[DatabaseConnections]:
    """Open a pool of connections. Raises ImportError without the driver."""
    # Parameters contain people's messages, which must not be logged.
    options = {"pool_pre_ping": True, "max_overflow": 0, "hide_parameters": True}
    engine = create_async_engine(address, pool_size=_CONNECTIONS, **options)
    try:
        yield _Postgres(engine)
    finally:
        await engine.dispose()


@dataclass(frozen=True)
class _Postgres(DatabaseConnections):
    engine: AsyncEngine

    async def read(self, work: Callable[[Connection], T]) -> T:
        async with self.engine.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T], *, durable: bool) -> T:  # noqa: ARG002
        # Every commit waits for the server's disk, unless the server is configured otherwise.
        async with self.engine.begin() as connection:
            return await connection.run_sync(work)

    async def reread(self, work: Callable[[Connection], T]) -> T:
        """The server checks its pages itself."""
        return await self.read(work)

    async def scrub(self) -> None:
        """Nothing: autovacuum does it."""


@asynccontextmanager
async def hold_advisory_lock(address: URL, check_every: float) -> AsyncIterator[None]:
    """Hold the lock of a database with a connection: see `exclusive`."""
    in_use = SettingsError("store-in-use", file=str(address.database))
    try:
        connection = await create_async_engine(address, poolclass=NullPool).connect()
    except FAULTS as error:
        raise explain_at_start(error, address) from error
    try:
        if not await _take_lock(connection):
            raise in_use
        async with run_beside(_keep_lock(connection, check_every, in_use)):
            yield
    finally:
        await connection.invalidate()  # closing the connection frees the lock
        await connection.close()


async def _keep_lock(connection: AsyncConnection, every: float, in_use: SettingsError) -> None:
    """Check the lock from time to time; if its connection broke, take it on a new one.

    While the server is unreachable, nothing can be stored, so no work is done twice either.
    """
    while True:
        await asyncio.sleep(every)
        try:
            is_ours = await _take_lock(connection)
        except FAULTS:
            log.warning("database lock lost")
        else:
            if not is_ours:
                raise in_use


async def _take_lock(connection: AsyncConnection) -> bool:
    """Take the lock, or check that we have it. Reconnects if the connection broke."""
    try:
        return bool(await connection.scalar(_TAKE_LOCK))
    finally:
        await connection.rollback()
