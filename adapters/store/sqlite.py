"""SQLite: one connection for writes and a few for reads, each with a thread of its own."""

import asyncio
import fcntl
import os
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, NullPool, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from adapters.store.database import Connections
from pipeline.background import run_beside
from pipeline.errors import SettingsError

T = TypeVar("T")

_READERS = 2
_MOST_SHARING = 256


@asynccontextmanager
async def open_sqlite(address: URL) -> AsyncIterator[Connections]:
    """Open connections for reads and one for writes (WAL). Raises OSError and sqlite3.Error."""
    file = make_file(str(address.database))
    writer = _SqliteThread(file)
    # Each statement sees the latest commit, as on PostgreSQL, without BEGIN and ROLLBACK.
    autocommit = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    readers = [_SqliteThread(file, **autocommit) for _ in range(_READERS)]
    async with AsyncExitStack() as stack:
        for thread in (writer, *readers):
            await stack.enter_async_context(thread)
        sqlite = _Sqlite(readers, writer)
        await stack.enter_async_context(run_beside(sqlite.keep_committing()))
        stack.push_async_callback(sqlite.waiting.join)
        yield sqlite


def make_file(path: str) -> Path:
    """Make an empty file if there is none: when aiosqlite fails to, its thread is left running.

    Only its owner may read it, and the files that SQLite makes beside it with the same rights.
    """
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT, 0o600))
    return file


@asynccontextmanager
async def hold_file(address: URL) -> AsyncIterator[None]:
    """Hold the lock of a database with a file beside it. Raises SettingsError."""
    try:
        file = await asyncio.to_thread(Path(f"{address.database}.lock").open, "w")
    except OSError as error:
        raise SettingsError("store-unwritable", url=str(address)) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SettingsError("store-in-use", file=str(address.database)) from error
        yield


class _SqliteThread(aiosqlite.Connection):
    """A connection whose thread runs whole transactions.

    aiosqlite calls the thread for each statement, which takes longer than most statements do.
    """

    def __init__(self, file: Path, **options: Any) -> None:  # noqa: ANN401 - SQLAlchemy's
        super().__init__(partial(sqlite3.connect, file, isolation_level=None), iter_chunk_size=1)
        self._thread.daemon = True  # as in SQLAlchemy: the program may exit without it
        self._engine = create_engine(
            "sqlite://",
            creator=lambda: self._conn,
            poolclass=NullPool,
            pool_reset_on_return=None,  # our code ends every transaction
            hide_parameters=True,  # they contain people's messages, which must not be logged
            **options,
        )
        event.listen(self._engine, "connect", _prepare_connection)
        self._open: Connection | None = None

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Call a function in the thread. It goes on when its caller is cancelled."""
        result: T = await self._execute(self._work, work)  # type: ignore[no-untyped-call]
        return result

    async def close(self) -> None:
        if self._open:
            await self.run(Connection.close)
        await super().close()

    def _work(self, work: Callable[[Connection], T]) -> T:
        self._open = self._open or self._engine.connect()
        return work(self._open)


def _settle(done: asyncio.Future[T], result: T, error: BaseException | None) -> None:
    if done.done():  # cancelled
        return
    if error:
        done.set_exception(error)
    else:
        done.set_result(result)


def _prepare_connection(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.executescript(
        "PRAGMA busy_timeout=10000; PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON;"
        "PRAGMA secure_delete=ON"
    )


class _Write(NamedTuple):
    """A queued write; `done` gets its result."""

    work: Callable[[Connection], Any]
    durable: bool
    done: asyncio.Future[Any]


class _Sqlite(Connections):
    """Groups commits: writes queued during a transaction share the next one and its disk sync.

    The write of a cancelled caller is still committed. If one raises, the transaction is rolled
    back and each write runs in its own.
    """

    def __init__(self, readers: Sequence[_SqliteThread], writer: _SqliteThread) -> None:
        self._readers: asyncio.Queue[_SqliteThread] = asyncio.Queue()
        for reader in readers:
            self._readers.put_nowait(reader)
        self._writer = writer
        self.waiting: asyncio.Queue[_Write] = asyncio.Queue()

    async def read(self, work: Callable[[Connection], T]) -> T:
        reader = await self._readers.get()
        try:
            return await reader.run(partial(_read, work))
        finally:
            self._readers.put_nowait(reader)

    async def write(self, work: Callable[[Connection], T], *, durable: bool) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.waiting.put_nowait(_Write(work, durable, done))
        return await done

    async def scrub(self) -> None:
        """Empty the write-ahead log: old pages stay in it, and in the file below it."""
        await self._writer.run(_checkpoint)

    async def keep_committing(self) -> None:
        while True:
            group = [await self.waiting.get()]
            while len(group) < _MOST_SHARING and not self.waiting.empty():
                group.append(self.waiting.get_nowait())
            await self._commit(group)
            for _ in group:
                self.waiting.task_done()

    async def _commit(self, group: Sequence[_Write]) -> None:
        durable = any(write.durable for write in group)
        works = [write.work for write in group]
        try:
            results = await self._writer.run(partial(_write, works, durable=durable))
        except Exception as error:  # noqa: BLE001 - raised in the caller
            if len(group) > 1:
                for write in group:
                    await self._commit([write])
            else:
                _settle(group[0].done, None, error)
        else:
            for write, result in zip(group, results, strict=True):
                _settle(write.done, result, None)


def _read(work: Callable[[Connection], T], connection: Connection) -> T:
    with connection.begin():
        return work(connection)


def _checkpoint(connection: Connection) -> None:
    driver = connection.connection.dbapi_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _write(
    works: Iterable[Callable[[Connection], T]], connection: Connection, *, durable: bool
) -> list[T]:
    # NORMAL leaves flushing to the operating system: after a power cut, the last steps may have to
    # run again. What was acknowledged to a platform is flushed at once (FULL, 2 ms).
    driver = connection.connection.dbapi_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")
    with connection.begin():
        driver.execute("BEGIN IMMEDIATE")
        return [work(connection) for work in works]
