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
"""Statements of one transaction. Runs again when another write of a shared transaction failed."""

FAULTS = (exc.SQLAlchemyError, sqlite3.Error, OSError)
"""What is translated. SQLite's own errors come from a transaction that could not begin."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_READERS = 2
_POSTGRES_CONNECTIONS = 8
_MOST_SHARING = 256


class _Write(NamedTuple):
    """A write that somebody waits for."""

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
        """Run statements in a transaction that changes nothing."""
        try:
            async with self._reader.connect() as connection:
                return await connection.run_sync(self._run, work)
        except FAULTS as error:
            raise translate(error) from error

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run statements in a transaction; when one raises, nothing is changed.

        Once committed, a killed program loses nothing; with `durable`, nor does a power cut.
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
        """Commit in groups: writes that wait while a transaction is under way share the next one.

        The disk is waited for once for all of them. A caller that is cancelled leaves its write to
        be committed. When a write raises, the transaction is rolled back, and each runs alone.
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
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
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
    """What every port on the database has."""

    database: Database


S = TypeVar("S", bound=SqlPort)
Method = Callable[Concatenate[S, Transaction, P], T]
AsyncMethod = Callable[Concatenate[S, P], Coroutine[Any, Any, T]]


def reads(method: Method[S, P, T]) -> AsyncMethod[S, P, T]:
    """Make a method that takes a transaction one that runs in one of its own, which only reads."""

    @wraps(method)
    async def read(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(lambda tx: method(self, tx, *args, **kwargs))

    return read


def writes(method: Method[S, P, T]) -> AsyncMethod[S, P, T]:
    """Make a method that takes a transaction one that runs in one of its own, or a shared one."""

    @wraps(method)
    async def write(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.write(lambda tx: method(self, tx, *args, **kwargs))

    return write


def parse_address(url: str) -> URL:
    """The address with our driver. Raises SettingsError, which tells the scheme, no password."""
    scheme = url.partition(":")[0]
    driver = _DRIVERS.get(scheme.partition("+")[0])
    try:
        address = make_url(url)
    except (exc.ArgumentError, ValueError) as error:
        raise SettingsError("store-url", url=scheme) from error
    if driver is None or address.database in (None, "", ":memory:"):
        raise SettingsError("store-url", url=scheme)
    return address.set(drivername=driver)


@asynccontextmanager
async def open_database(address: URL, clock: Clock) -> AsyncIterator[Database]:
    """The database at an address. Raises SettingsError when its file or driver is missing."""
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
    # Every commit waits for the server's disk, unless the server is told otherwise.
    engine = _make_engine(address, pool_size=_POSTGRES_CONNECTIONS, pool_pre_ping=True)
    return engine, engine


def _sqlite_engines(address: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """Two connections that read, and beside them one that writes (WAL). Raises OSError."""
    assert address.database is not None
    file = Path(address.database)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.open("ab").close()  # raises here what would leave a thread of aiosqlite's behind
    options = {
        "pool_reset_on_return": None,  # every transaction is ended by whoever began it
        "connect_args": {"isolation_level": None, "async_creator_fn": _connect},
    }
    # Each statement reads for itself, as on PostgreSQL, and needs no BEGIN and ROLLBACK.
    alone = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    reader = _make_engine(address, pool_size=_READERS, **alone, **options)
    writer = _make_engine(address, pool_size=1, **options)
    for engine in (reader, writer):
        event.listen(engine.sync_engine, "connect", _prepare_connection)
    event.listen(writer.sync_engine, "begin", _begin_writing)
    return reader, writer


def _make_engine(address: URL, **options: Any) -> AsyncEngine:  # noqa: ANN401 - SQLAlchemy's
    # What people said is not for the log.
    return create_async_engine(address, max_overflow=0, hide_parameters=True, **options)


async def _connect(file: str, **options: Any) -> aiosqlite.Connection:  # noqa: ANN401 - sqlite3's
    return await _Connection(partial(sqlite3.connect, file, **options), iter_chunk_size=1)


class _Connection(aiosqlite.Connection):
    """Opens cursors that cost one call of its thread for a statement, where aiosqlite's cost three.

    Such a call takes some 50 µs of processor time, more than most statements.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
        self._thread.daemon = True  # as in SQLAlchemy: an end of the program does not wait for it

    def cursor(self) -> "_Cursor":  # type: ignore[override]
        return _Cursor(self)


class _Cursor:
    """A cursor that is opened by its statement. SQLAlchemy fetches all rows, which closes it."""

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
    # NORMAL leaves a commit to the operating system: a power cut may take the last moments, whose
    # steps are then made again. What was acknowledged to others waits for the disk (FULL, 2 ms).
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
"""What is said of an error with a code that begins so, while the program runs and at its start."""
_PATH_ERRORS = (PermissionError, NotADirectoryError, FileExistsError, IsADirectoryError)
_SQL_GONE = (exc.OperationalError, exc.InterfaceError, exc.TimeoutError)
_GONE = (OSError, sqlite3.OperationalError, *_SQL_GONE)


def translate(error: Exception) -> Exception:
    """An error while the program runs. What is not the database's fault stays what it is."""
    sentence, _ = _sentences_of(error)
    is_cut_off = isinstance(error, exc.DBAPIError) and error.connection_invalidated
    if not sentence and (is_cut_off or isinstance(error, _GONE)):
        sentence = "store-gone"
    return RequestError(sentence) if sentence else error


def explain_at_start(error: BaseException, address: URL) -> SettingsError:
    """An error while the database is opened."""
    _, sentence = _sentences_of(error)
    if not sentence:
        is_path = isinstance(error, _PATH_ERRORS)
        sentence = "store-unwritable" if is_path else "store-unreached"
    return SettingsError(sentence, url=str(address))


def _sentences_of(error: BaseException) -> tuple[str, str]:
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    code = str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))
    matching = (told for codes, *told in _SENTENCES if code.startswith(codes))
    running, starting = next(matching, ("", ""))
    return running, starting
