"""Transactions on SQLite (through aiosqlite) and PostgreSQL (through asyncpg).

Statements are synchronous functions of a SQLAlchemy connection, the same for both databases.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

import aiosqlite
from sqlalchemy import URL, AdaptedConnection, Connection, event, exc, make_url
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


class _Write(NamedTuple):
    """A queued write; `done` gets its result."""

    work: Work[Any]
    durable: bool
    done: asyncio.Future[Any]


class Database:
    """Transactions on one database. Raises RequestError when the database cannot be used."""

    def __init__(self, reader: AsyncEngine, writer: AsyncEngine, clock: Clock) -> None:
        self.clock = clock
        self._reader = reader
        self._writers = {each: writer.execution_options(durable=each) for each in (False, True)}
        self._waiting: asyncio.Queue[_Write] | None = None

    async def read(self, work: Work[T]) -> T:
        """Run statements that change nothing."""
        try:
            async with self._reader.connect() as connection:
                return await connection.run_sync(self._run, work)
        except FAULTS as error:
            raise translate(error) from error

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run statements in a transaction, which is rolled back if one raises.

        A committed write survives a crash of the program and, if `durable`, a power cut.
        """
        try:
            if self._waiting is None:
                async with self._writers[durable].begin() as connection:
                    return await connection.run_sync(self._run, work)
            done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            self._waiting.put_nowait(_Write(work, durable, done))
            return await done
        except FAULTS as error:
            raise translate(error) from error

    def _run(self, connection: Connection, work: Work[T]) -> T:
        return work(Transaction(connection, self.clock().timestamp()))

    @asynccontextmanager
    async def share_transactions(self) -> AsyncIterator[None]:
        """Group commits: writes queued during a transaction share the next one and its disk sync.

        The write of a cancelled caller is still committed. If one raises, the transaction is
        rolled back and each write runs in its own.
        """
        waiting: asyncio.Queue[_Write] = asyncio.Queue()
        self._waiting = waiting
        async with run_beside(self._keep_committing(waiting)):
            try:
                yield
            finally:
                await waiting.join()

    async def _keep_committing(self, waiting: asyncio.Queue[_Write]) -> None:
        while True:
            group = [await waiting.get()]
            while len(group) < _MOST_SHARING and not waiting.empty():
                group.append(waiting.get_nowait())
            await self._commit(group)
            for _ in group:
                waiting.task_done()

    async def _commit(self, group: Sequence[_Write]) -> None:
        durable = any(write.durable for write in group)
        try:
            async with self._writers[durable].begin() as connection:
                results = await connection.run_sync(
                    lambda it: [self._run(it, write.work) for write in group]
                )
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
    try:
        reader, writer = (_sqlite_engines if is_sqlite else _postgres_engines)(address)
    except ImportError as error:
        raise SettingsError("store-driver") from error
    except OSError as error:
        raise explain_at_start(error, address) from error
    database = Database(reader, writer, clock)
    try:
        async with database.share_transactions() if is_sqlite else nullcontext():
            yield database
    finally:
        await reader.dispose()
        await writer.dispose()


def _postgres_engines(address: URL) -> tuple[AsyncEngine, AsyncEngine]:
    # Every commit waits for the server's disk, unless the server is configured otherwise.
    engine = _make_engine(address, pool_size=_POSTGRES_CONNECTIONS, pool_pre_ping=True)
    return engine, engine


def _sqlite_engines(address: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """A pool of two connections for reads, and one connection for writes (WAL). Raises OSError."""
    assert address.database is not None
    file = Path(address.database)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.open("ab").close()  # if this fails in aiosqlite, its thread is left running
    options = {
        "pool_reset_on_return": None,  # our code ends every transaction
        "connect_args": {"isolation_level": None, "async_creator_fn": _connect},
    }
    # Each statement sees the latest commit, as on PostgreSQL, without BEGIN and ROLLBACK.
    autocommit = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    reader = _make_engine(address, pool_size=_READERS, **autocommit, **options)
    writer = _make_engine(address, pool_size=1, **options)
    for engine in (reader, writer):
        event.listen(engine.sync_engine, "connect", _prepare_connection)
    event.listen(writer.sync_engine, "begin", _begin_writing)
    return reader, writer


def _make_engine(address: URL, **options: Any) -> AsyncEngine:  # noqa: ANN401 - SQLAlchemy's
    # Parameters contain people's messages, which must not be logged.
    return create_async_engine(address, max_overflow=0, hide_parameters=True, **options)


async def _connect(file: str, **options: Any) -> aiosqlite.Connection:  # noqa: ANN401 - sqlite3's
    return await _Connection(partial(sqlite3.connect, file, **options), iter_chunk_size=1)


class _Connection(aiosqlite.Connection):
    """Makes one call to its thread per statement, where aiosqlite makes three.

    A call takes about 50 µs of CPU time, more than most statements.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
        self._thread.daemon = True  # as in SQLAlchemy: the program may exit without it

    def cursor(self) -> "_Cursor":  # type: ignore[override]
        return _Cursor(self)


class _Cursor:
    """Opens the cursor when it executes. SQLAlchemy fetches all rows, which closes it."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._cursor: aiosqlite.Cursor | None = None

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, *statement: Any) -> None:  # noqa: ANN401 - and its parameters
        self._cursor = await self._connection.execute(*statement)

    async def executemany(self, *statement: Any) -> None:  # noqa: ANN401 - and its rows
        self._cursor = await self._connection.executemany(*statement)

    async def close(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - description, rowcount, fetchall
        return getattr(self._cursor, name)


def _prepare_connection(connection: AdaptedConnection, _entry: ConnectionPoolEntry) -> None:
    script = "PRAGMA busy_timeout=10000; PRAGMA journal_mode=WAL; PRAGMA foreign_keys=ON"
    connection.run_async(lambda driver: driver.executescript(script))


def _begin_writing(connection: Connection) -> None:
    # NORMAL leaves flushing to the operating system: after a power cut, the last steps may have to
    # run again. What was acknowledged to a platform is flushed at once (FULL, 2 ms).
    level = "FULL" if connection.get_execution_options().get("durable") else "NORMAL"
    adapted = connection.connection.dbapi_connection
    assert isinstance(adapted, AdaptedConnection)
    begin = f"PRAGMA synchronous={level}; BEGIN IMMEDIATE"
    adapted.run_async(lambda driver: driver.executescript(begin))


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
