"""SQLite: one connection for writes and a few for reads, each with a thread of its own."""

import asyncio
import fcntl
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar
from urllib.parse import quote

import aiosqlite
import structlog
from sqlalchemy import URL, Connection, NullPool, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from adapters.store.database import DatabaseConnections
from adapters.store.schema import deliveries, inbox, interactions, journal, runs, threads, turns
from pipeline.background import run_beside
from pipeline.errors import SettingsError, StoreDamaged, StoreUnavailable

T = TypeVar("T")
log = structlog.get_logger()

_READERS = 2
_BUSY_MILLISECONDS = 1000
"""How long SQLite itself waits for a lock; whoever called tries again after that."""
_CHECKED = (inbox, threads, deliveries, interactions, journal, turns, runs)
_CHECK_SECONDS = 0.2
"""How long tables are checked at once; large ones are checked only in part."""
_STEPS = 1000
"""SQLite's steps between two looks at the clock."""
_MOST_SHARING = 256


@asynccontextmanager
async def open_sqlite(address: URL) -> AsyncIterator[DatabaseConnections]:
    """Open connections for reads and one for writes (WAL). Raises OSError and sqlite3.Error."""
    file = make_file(str(address.database))
    writer = _SqliteThread(file)
    # Each statement sees the latest commit, as on PostgreSQL, without BEGIN and ROLLBACK.
    autocommit = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    readers = [_SqliteThread(file, **autocommit) for _ in range(_READERS)]
    async with AsyncExitStack() as stack:
        for thread in (writer, *readers):
            await stack.enter_async_context(thread)
        sqlite = _Sqlite(file, readers, writer)
        await stack.enter_async_context(run_beside(sqlite.keep_committing()))
        stack.push_async_callback(sqlite.waiting.join)
        yield sqlite


def make_file(path: str) -> Path:
    """Make an empty file if there is none: when aiosqlite fails to, its thread is left running.

    Only its owner may read it, and the files that SQLite makes beside it with the same rights. Its
    lock file is made with it, so that one which is missing later was deleted.
    """
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    for each in (file,) if file.exists() else (_find_lock(file), file):
        os.close(os.open(each, os.O_WRONLY | os.O_CREAT, 0o600))
    return file


def _find_lock(database: Path) -> Path:
    return database.with_name(f"{database.name}.lock")


@asynccontextmanager
async def hold_file(address: URL, check_every: float) -> AsyncIterator[None]:
    """Hold the lock of a database with a file beside it: see `exclusive`. Raises SettingsError.

    A lock outlasts the name of its file. So a program that finds none where one should be waits
    until another, which may still hold it, has seen that it is gone.
    """
    database = str(address.database)
    lock = _FileLock(Path(database), SettingsError("store-in-use", file=database))
    try:
        was_deleted = await asyncio.to_thread(lock.was_deleted)
        await asyncio.to_thread(lock.take)
    except OSError as error:
        raise SettingsError("store-unwritable", url=str(address)) from error
    try:
        if was_deleted:
            log.warning("lock file was deleted", database=database)
            await asyncio.sleep(2 * check_every)
            await asyncio.to_thread(lock.check)
        async with run_beside(lock.keep(check_every)):
            yield
    finally:
        lock.release()


@dataclass(slots=True)
class _FileLock:
    """A lock on a file beside a database, as long as it is open."""

    database: Path
    in_use: SettingsError
    """What is raised if another program has the lock."""
    _file: IO[bytes] | None = None

    def was_deleted(self) -> bool:
        return self.database.exists() and not _find_lock(self.database).exists()

    def take(self) -> None:
        """Raises SettingsError, OSError."""
        file = _find_lock(self.database).open("wb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise self.in_use from error
        self.release()
        self._file = file

    def release(self) -> None:
        if self._file:
            self._file.close()

    def check(self) -> None:
        """Take the lock again if its file was deleted. Raises as `take`."""
        assert self._file is not None
        path, held = _find_lock(self.database), os.fstat(self._file.fileno())
        if not (path.exists() and os.path.samestat(held, path.stat())):
            self.take()

    async def keep(self, every: float) -> None:
        """Check from time to time; a folder that is away tells nothing. Raises SettingsError."""
        while True:
            await asyncio.sleep(every)
            with suppress(OSError):
                await asyncio.to_thread(self.check)


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


def _is_locked(error: Exception) -> bool:
    """Whether another program has the write lock, so that no transaction can begin."""
    return str(getattr(error, "sqlite_errorname", "")).startswith("SQLITE_BUSY")


def _prepare_connection(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.executescript(
        f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}; PRAGMA journal_mode=WAL;"
        "PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON"
    )


class _Write(NamedTuple):
    """A queued write; `done` gets its result."""

    work: Callable[[Connection], Any]
    durable: bool
    done: asyncio.Future[Any]


class _Sqlite(DatabaseConnections):
    """Groups commits: writes queued during a transaction share the next one and its disk sync.

    The write of a caller that was cancelled meanwhile is left out. If one raises, the transaction
    is rolled back and each write runs in its own; if none could begin, all of them fail.
    """

    def __init__(self, file: Path, readers: Sequence[_SqliteThread], writer: _SqliteThread) -> None:
        self._file, self._identity = file, _identify(file)
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

    async def write(
        self,
        work: Callable[[Connection], T],
        *,
        durable: bool,
        is_single: bool = False,  # noqa: ARG002 - it shares a transaction in any case
    ) -> T:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.waiting.put_nowait(_Write(work, durable, done))
        return await done

    async def reread(self, work: Callable[[Connection], T]) -> T:
        await self._writer.run(partial(_checkpoint, mode="PASSIVE"))  # else read from the log
        result = await asyncio.to_thread(_reread, self._file, work)
        if _identify(self._file) != self._identity:  # what we write is in no file any more
            raise StoreUnavailable("store-gone")
        return result

    async def scrub(self) -> None:
        """Empty the write-ahead log: old pages stay in it, and in the file below it."""
        await self._writer.run(partial(_checkpoint, mode="TRUNCATE"))

    async def keep_committing(self) -> None:
        while True:
            group = [await self.waiting.get()]
            while len(group) < _MOST_SHARING and not self.waiting.empty():
                group.append(self.waiting.get_nowait())
            await self._commit(group)
            for _ in group:
                self.waiting.task_done()

    async def _commit(self, group: Sequence[_Write]) -> None:
        group = [write for write in group if not write.done.cancelled()]
        durable = any(write.durable for write in group)
        works = [write.work for write in group]
        try:
            results = await self._writer.run(partial(_write, works, durable=durable))
        except Exception as error:  # noqa: BLE001 - raised in the caller
            if len(group) > 1 and not _is_locked(error):
                for write in group:
                    await self._commit([write])
            else:
                for write in group:
                    _settle(write.done, None, error)
        else:
            for write, result in zip(group, results, strict=True):
                _settle(write.done, result, None)


def _read(work: Callable[[Connection], T], connection: Connection) -> T:
    with connection.begin():
        return work(connection)


def _identify(file: Path) -> tuple[int, int]:
    """Which file has this name now."""
    found = file.stat()
    return found.st_dev, found.st_ino


def _reread(file: Path, work: Callable[[Connection], T]) -> T:
    """Read on a new connection, and check the tables. Raises sqlite3.Error, StoreUnavailable."""
    address = f"file:{quote(str(file))}?mode=rw"  # a file that is gone is not made anew
    connect = partial(sqlite3.connect, address, uri=True, timeout=_CHECK_SECONDS)
    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool, hide_parameters=True)
    with engine.connect() as connection:
        result = work(connection)
        driver = connection.connection.dbapi_connection
        assert isinstance(driver, sqlite3.Connection)
        _check_tables(driver)
        return result


def _check_tables(driver: sqlite3.Connection) -> None:
    """Check the pages of the tables that messages need, as many as can be read in short time."""
    until = time.monotonic() + _CHECK_SECONDS
    driver.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        for table in _CHECKED:
            if driver.execute(f"PRAGMA quick_check('{table.name}')").fetchall() != [("ok",)]:
                raise StoreDamaged("store-damaged")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname != "SQLITE_INTERRUPT":
            raise


def _checkpoint(connection: Connection, *, mode: str) -> None:
    """Copy the write-ahead log into the database file."""
    driver = connection.connection.dbapi_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()


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
