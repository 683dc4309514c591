"""PostgreSQL, through asyncpg."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog
from sqlalchemy import URL, Connection, Table, TextClause, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from adapters.store.database import DatabaseConnections
from adapters.store.faults import FAULTS, explain_at_start
from pipeline.background import run_beside
from pipeline.errors import SettingsError

log = structlog.get_logger()

T = TypeVar("T")

_CONNECTIONS = 8
_CONNECT_SECONDS = 10.0
"""For opening one: while it hangs, it has a place in the pool."""
_SILENT_SECONDS = 10
"""After which a host that does not answer is given up. Linux by itself takes 15 minutes."""
_LOCK, _MIGRATION_LOCK = 7270601, 7270602
_SETTINGS = (
    "SET idle_in_transaction_session_timeout = '3s'",
    "SET lock_timeout = '10s'",
    "SET statement_timeout = '120s'",
)
"""For each connection: a program that is frozen in a transaction must not hold its locks, and
nothing waits for ever. Not parameters at the start, which connection poolers refuse."""
_UNLIMITED = (
    "SET LOCAL idle_in_transaction_session_timeout = 0",
    "SET LOCAL lock_timeout = 0",
    "SET LOCAL statement_timeout = 0",
)

_IS_READ_ONLY = text("SELECT current_setting('transaction_read_only')::bool")
_MAY_WRITE = text(
    "SELECT bool_and(has_table_privilege(name, needed))"
    " FROM unnest(CAST(:tables AS text[])) AS name,"
    " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS needed"
)
_MAY_COUNT = text(
    "SELECT bool_and(has_sequence_privilege(pg_get_serial_sequence(name, counter), 'USAGE'))"
    " FROM unnest(CAST(:tables AS text[]), CAST(:counters AS text[])) AS counted(name, counter)"
)


@asynccontextmanager
async def open_postgres(address: URL) -> AsyncIterator[DatabaseConnections]:
    """Open a pool of connections. Raises ImportError without the driver."""
    # Parameters contain people's messages, which must not be logged. Connections are not tried
    # before each use: all of them are made anew when one is broken, and its work is repeated.
    engine = create_engine(address, pool_size=_CONNECTIONS, max_overflow=0, hide_parameters=True)
    event.listen(engine.sync_engine, "connect", _limit_waits)
    try:
        yield _Postgres(engine, engine.execution_options(isolation_level="AUTOCOMMIT"))
    finally:
        await engine.dispose()


def create_engine(address: URL, **options: Any) -> AsyncEngine:  # noqa: ANN401 - SQLAlchemy's
    """An engine whose connections break when the server's host is gone, on Linux within seconds."""
    engine = create_async_engine(address, connect_args={"timeout": _CONNECT_SECONDS}, **options)
    event.listen(engine.sync_engine, "connect", _give_up_silent_hosts)
    return engine


def _give_up_silent_hosts(connection: Any, _record: object) -> None:  # noqa: ANN401 - SQLAlchemy's
    transport = connection.driver_connection._transport  # noqa: SLF001 - it has no name in public
    opened = transport.get_extra_info("socket")
    if opened.family == socket.AF_UNIX or not hasattr(socket, "TCP_USER_TIMEOUT"):
        return
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (
        (socket.TCP_USER_TIMEOUT, _SILENT_SECONDS * 1000),  # for what was sent, and probes
        (socket.TCP_KEEPIDLE, _SILENT_SECONDS // 2),
        (socket.TCP_KEEPINTVL, _SILENT_SECONDS // 5),
    ):
        opened.setsockopt(socket.IPPROTO_TCP, option, value)


def _limit_waits(connection: DBAPIConnection, _record: object) -> None:
    cursor = connection.cursor()
    for setting in _SETTINGS:
        cursor.execute(setting)
    cursor.close()
    connection.commit()  # else a rollback takes them back


@dataclass(frozen=True)
class _Postgres(DatabaseConnections):
    engine: AsyncEngine
    plain: AsyncEngine
    """The same connections without transactions: each statement is one by itself."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        # In a transaction, too, each statement would see what was committed before it.
        async with self.plain.connect() as connection:
            return await connection.run_sync(work)

    async def write(
        self,
        work: Callable[[Connection], T],
        *,
        durable: bool,  # noqa: ARG002 - the port's
        is_single: bool = False,
    ) -> T:
        # Every commit waits for the server's disk, unless the server is configured otherwise.
        opened = self.plain.connect() if is_single else self.engine.begin()
        async with opened as connection:
            return await connection.run_sync(work)

    async def reread(self, work: Callable[[Connection], T]) -> T:
        """The server checks its pages itself."""
        return await self.read(work)

    async def scrub(self) -> None:
        """Nothing: autovacuum does it."""


def check_rights(connection: Connection, tables: Sequence[Table]) -> None:
    """Raises SettingsError if these tables, which are there, cannot be written."""
    url = str(connection.engine.url.set(query={}))
    if connection.scalar(_IS_READ_ONLY):
        raise SettingsError("store-read-only", url=url)
    names = [table.name for table in tables]
    counters = [table.autoincrement_column for table in tables]
    counted = {
        "tables": [each.table.name for each in counters if each is not None],
        "counters": [each.name for each in counters if each is not None],
    }
    may_write = connection.scalar(_MAY_WRITE, {"tables": names})
    if not (may_write and connection.scalar(_MAY_COUNT, counted)):
        raise SettingsError("store-forbidden", url=url)


def lock_for_migration(connection: Connection) -> None:
    """Wait until no other program migrates the tables, until this transaction has ended."""
    for setting in _UNLIMITED:
        connection.execute(text(setting))
    connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))


def lock_in_transaction(connection: Connection, *, alone: bool) -> bool:
    """Take the lock of a program that serves the database, until this transaction has ended.

    `alone`: only if no other has it. False if one has it in a way that excludes us.
    """
    ending = "" if alone else "_shared"
    return bool(connection.scalar(text(f"SELECT pg_try_advisory_xact_lock{ending}({_LOCK})")))


@asynccontextmanager
async def hold_advisory_lock(
    address: URL, check_every: float, *, alone: bool
) -> AsyncIterator[None]:
    """Hold the lock of a database with a connection: see `exclusive`, and `serving`."""
    in_use = SettingsError("store-in-use", file=str(address.database))
    take = text(f"SELECT pg_try_advisory_lock{'' if alone else '_shared'}({_LOCK})")
    try:
        connection = await create_engine(address, poolclass=NullPool).connect()
    except FAULTS as error:
        raise explain_at_start(error, address) from error
    try:
        if not await _take_lock(connection, take):
            raise in_use
        async with run_beside(_keep_lock(connection, take, check_every, in_use)):
            yield
    finally:
        await connection.invalidate()  # closing the connection frees the lock
        await connection.close()


async def _keep_lock(
    connection: AsyncConnection, take: TextClause, every: float, in_use: SettingsError
) -> None:
    """Check the lock from time to time; if its connection broke, take it on a new one.

    While the server is unreachable, nothing can be stored, so no work is done twice either.
    """
    while True:
        await asyncio.sleep(every)
        try:
            is_ours = await _take_lock(connection, take)
        except FAULTS:
            log.warning("database lock lost")
        else:
            if not is_ours:
                raise in_use


async def _take_lock(connection: AsyncConnection, take: TextClause) -> bool:
    """Take the lock, or check that we have it. Reconnects if the connection broke."""
    try:
        return bool(await connection.scalar(take))
    finally:
        await connection.rollback()
