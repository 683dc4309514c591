"""Transactions on SQLite (through aiosqlite) and PostgreSQL (through asyncpg).

Statements are synchronous functions of a SQLAlchemy connection, the same for both databases.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

import aiosqlite
from sqlalchemy import URL, Connection, Engine, StaticPool, create_engine, event, exc, make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from adapters.store.transaction import Transaction
from pipeline.background import run_beside
from pipeline.errors import RequestError, SettingsError
from pipeline.ports import Clock

T = TypeVar("T")
P = ParamSpec("P")
Work = Callable[[Transaction], T]
"""The statements of a transaction; run again if another write of a shared transaction fails."""

FAULTS = (exc.SQLAlchemyError, sqlite3.Error, OSError)
"""Errors to translate. sqlite3 raises its own when a transaction cannot begin."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_READERS = 2
_POSTGRES_CONNECTIONS = 8
_MOST_SHARING = 256


class Connections(Protocol):
    """The connections of one kind of database."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run statements that change nothing."""

    async def write(self, work: Callable[[Connection], T], *, durable: bool) -> T:
        """Run statements in a transaction, which is rolled back if one raises."""


class Database:
    """Transactions on one database. Raises RequestError when the database cannot be used."""

    def __init__(self, connections: Connections, clock: Clock) -> None:
        self.clock = clock
        self._connections = connections

    async def read(self, work: Work[T]) -> T:
        """Run statements that change nothing."""
        try:
            return await self._connections.read(partial(self._run, work))
        except FAULTS as error:
            raise translate(error) from error

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run statements in a transaction, which is rolled back if one raises.

        A committed write survives a crash of the program and, if `durable`, a power cut.
        """
        try:
            return await self._connections.write(partial(self._run, work), durable=durable)
        except FAULTS as error:
            raise translate(error) from error

    def _run(self, work: Work[T], connection: Connection) -> T:
        return work(Transaction(connection, self.clock().timestamp()))


@dataclass(slots=True)
class SqlPort:
    """A port on the database."""

    database: Database


S = TypeVar("S", bound=SqlPort)
Method = Callable[Concatenate[S, Transaction, P], T]
AsyncMethod = Callable[Concatenate[S, P], Coroutine[Any, Any, T]]


def reads(method: Method[S, P, T]) -> AsyncMethod[S, P, T]:
    """Call a method with a transaction that only reads."""

    @wraps(method)
    async def read(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(lambda tx: method(self, tx, *args, **kwargs))

    return read


def writes(method: Method[S, P, T]) -> AsyncMethod[S, P, T]:
    """Call a method with a transaction that writes, which others may share."""

    @wraps(method)
    async def write(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.write(lambda tx: method(self, tx, *args, **kwargs))

    return write


def parse_address(url: str) -> URL:
    """The address with our driver. Raises SettingsError, which never shows a password."""
    driver = _DRIVERS.get(url.partition(":")[0].partition("+")[0])
    try:
        address = make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise SettingsError("store-url") from error
    if driver is None or address.database in (None, "", ":memory:"):
        raise SettingsError("store-url")
    return address.set(drivername=driver)


@asynccontextmanager
async def open_database(address: URL, clock: Clock) -> AsyncIterator[Database]:
    """Open the database at an address. Raises SettingsError when its file or driver is missing."""
    is_sqlite = address.get_backend_name() == "sqlite"
    async with AsyncExitStack() as stack:
        try:
            opening = _open_sqlite(address) if is_sqlite else _open_postgres(address)
            connections = await stack.enter_async_context(opening)
        except ImportError as error:
            raise SettingsError("store-driver") from error
        except FAULTS as error:
            raise explain_at_start(error, address) from error
        yield Database(connections, clock)


@asynccontextmanager
async def _open_postgres(address: URL) -> AsyncIterator[Connections]:
    # Parameters contain people's messages, which must not be logged.
    options = {"pool_pre_ping": True, "max_overflow": 0, "hide_parameters": True}
    engine = create_async_engine(address, pool_size=_POSTGRES_CONNECTIONS, **options)
    try:
        yield _Postgres(engine)
    finally:
        await engine.dispose()


@dataclass(frozen=True)
class _Postgres(Connections):
    engine: AsyncEngine

    async def read(self, work: Callable[[Connection], T]) -> T:
        async with self.engine.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T], *, durable: bool) -> T:  # noqa: ARG002
        # Every commit waits for the server's disk, unless the server is configured otherwise.
        async with self.engine.begin() as connection:
            return await connection.run_sync(work)


@asynccontextmanager
async def _open_sqlite(address: URL) -> AsyncIterator[Connections]:
    """Open connections for reads and one for writes (WAL). Raises OSError and sqlite3.Error."""
    file = _make_file(str(address.database))
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


def _make_file(path: str) -> Path:
    """Make an empty file if there is none: when aiosqlite fails to, its thread is left running."""
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.open("ab").close()
    return file


class _SqliteThread(aiosqlite.Connection):
    """A connection whose thread runs whole transactions.

    aiosqlite calls the thread for each statement. A call takes some 50 µs of CPU time, more than
    most statements do.
    """

    def __init__(self, file: Path, **options: Any) -> None:  # noqa: ANN401 - SQLAlchemy's
        super().__init__(partial(sqlite3.connect, file, isolation_level=None), iter_chunk_size=1)
        self._thread.daemon = True  # as in SQLAlchemy: the program may exit without it
        self.engine = create_engine(
            "sqlite://",
            creator=lambda: self._conn,
            poolclass=StaticPool,
            pool_reset_on_return=None,  # our code ends every transaction
            hide_parameters=True,  # they contain people's messages, which must not be logged
            **options,
        )
        event.listen(self.engine, "connect", _prepare_connection)

    async def run(self, work: Callable[[Engine], T]) -> T:
        """Call a function in the thread. It goes on when its caller is cancelled."""
        result: T = await self._execute(work, self.engine)  # type: ignore[no-untyped-call]
        return result


def _prepare_connection(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.executescript(
        "PRAGMA busy_timeout=10000; PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON"
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
        event.listen(writer.engine, "begin", _begin_writing)
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
            elif not group[0].done.done():
                group[0].done.set_exception(error)
        else:
            for write, result in zip(group, results, strict=True):
                if not write.done.done():
                    write.done.set_result(result)


def _read(work: Callable[[Connection], T], engine: Engine) -> T:
    with engine.connect() as connection:
        return work(connection)


def _write(works: Iterable[Callable[[Connection], T]], engine: Engine, *, durable: bool) -> list[T]:
    with engine.execution_options(durable=durable).begin() as connection:
        return [work(connection) for work in works]


def _begin_writing(connection: Connection) -> None:
    # NORMAL leaves flushing to the operating system: after a power cut, the last steps may have to
    # run again. What was acknowledged to a platform is flushed at once (FULL, 2 ms).
    level = "FULL" if connection.get_execution_options()["durable"] else "NORMAL"
    driver = connection.connection.dbapi_connection
    assert isinstance(driver, sqlite3.Connection)
    driver.execute(f"PRAGMA synchronous={level}")
    driver.execute("BEGIN IMMEDIATE")


_SENTENCES = (
    (("SQLITE_FULL", "53100"), "store-full", "store-full"),
    (("SQLITE_NOTADB", "SQLITE_CORRUPT", "XX001", "XX002"), "store-damaged", "store-unreadable"),
    (("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH"), "", "store-unwritable"),
    (("28", "3D"), "", "store-refused"),  # PostgreSQL's: a wrong password, a missing database
)
"""Prefixes of error codes, and the sentences for them while running and at start."""
_PATH_ERRORS = (PermissionError, NotADirectoryError, FileExistsError, IsADirectoryError)
_SQL_GONE = (exc.OperationalError, exc.InterfaceError, exc.TimeoutError)
_GONE = (OSError, sqlite3.OperationalError, *_SQL_GONE)


def translate(error: Exception) -> Exception:
    """A RequestError for a fault of the database while running; any other error unchanged."""
    sentence, _ = _sentences_of(error)
    is_cut_off = isinstance(error, exc.DBAPIError) and error.connection_invalidated
    if not sentence and (is_cut_off or isinstance(error, _GONE)):
        sentence = "store-gone"
    return RequestError(sentence) if sentence else error


def explain_at_start(error: BaseException, address: URL) -> SettingsError:
    """The error to raise when the database cannot be opened."""
    _, sentence = _sentences_of(error)
    if not sentence:
        is_path = isinstance(error, _PATH_ERRORS)
        sentence = "store-unwritable" if is_path else "store-unreached"
    return SettingsError(sentence, url=str(address.set(query={})))


def _sentences_of(error: BaseException) -> tuple[str, str]:
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    code = str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))
    matching = (sentences for codes, *sentences in _SENTENCES if code.startswith(codes))
    running, starting = next(matching, ("", ""))
    return running, starting
