"""Transactions on SQLite (through aiosqlite) and PostgreSQL (through asyncpg).

Statements are synchronous functions of a SQLAlchemy connection, the same for both databases.
"""

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

import aiosqlite
from sqlalchemy import URL, AdaptedConnection, Connection, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    InterfaceError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from pipeline.background import run_beside
from pipeline.errors import RequestError, SettingsError

T = TypeVar("T")
P = ParamSpec("P")
Work = Callable[[Connection], T]
"""Statements of one transaction. Runs again when another write of a shared transaction failed."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_READERS = 2
_POSTGRES_CONNECTIONS = 8
_MOST_SHARING = 256


class _Commit(Protocol):
    """Runs statements in a transaction of its own, or shared with others."""

    async def __call__(self, work: Work[T], *, durable: bool) -> T: ...


class Database:
    """Transactions on one database. Raises RequestError when the database cannot be used."""

    def __init__(self, reader: AsyncEngine, commit: _Commit) -> None:
        self._reader = reader
        self._commit = commit

    async def read(self, work: Work[T]) -> T:
        """Run statements in a transaction that changes nothing."""
        try:
            async with self._reader.connect() as connection:
                return await connection.run_sync(work)
        except FAULTS as error:
            raise translate(error) from error

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run statements in a transaction; when one raises, nothing is changed.

        Once committed, a killed program loses nothing; with `durable`, nor does a power cut.
        """
        try:
            return await self._commit(work, durable=durable)
        except FAULTS as error:
            raise translate(error) from error


class _OnDatabase(Protocol):
    @property
    def database(self) -> Database: ...


S = TypeVar("S", bound=_OnDatabase)
Method = Callable[Concatenate[S, Connection, P], T]
AsyncMethod = Callable[Concatenate[S, P], Coroutine[Any, Any, T]]


def reads(method: Method[S, P, T]) -> AsyncMethod[S, P, T]:
    """Make a method that takes a connection one that runs in a reading transaction."""

    @wraps(method)
    async def read(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.read(
            lambda connection: method(self, connection, *args, **kwargs)
        )

    return read


def writes(method: Method[S, P, T]) -> AsyncMethod[S, P, T]:
    """Make a method that takes a connection one that runs in a writing transaction."""

    @wraps(method)
    async def write(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.database.write(
            lambda connection: method(self, connection, *args, **kwargs)
        )

    return write


def parse_address(url: str) -> URL:
    """The address with our driver. Raises SettingsError, which tells the scheme, no password."""
    scheme = url.partition(":")[0]
    driver = _DRIVERS.get(scheme.partition("+")[0])
    try:
        address = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise SettingsError("store-url", url=scheme) from error
    if driver is None or address.database in (None, "", ":memory:"):
        raise SettingsError("store-url", url=scheme)
    return address.set(drivername=driver)


@asynccontextmanager
async def open_database(address: URL) -> AsyncIterator[Database]:
    """The database at an address. Raises SettingsError when its file or driver is missing."""
    is_sqlite = address.get_backend_name() == "sqlite"
    try:
        if is_sqlite:
            _make_file(address)
        engines = _sqlite_engines(address) if is_sqlite else (_postgres_engine(address),)
    except ImportError as error:
        raise SettingsError("store-driver") from error
    except OSError as error:
        raise explain_at_start(error, address) from error
    try:
        if is_sqlite:
            commits = _GroupCommit(engines[-1])
            async with run_beside(commits.keep_committing(), end=commits.close):
                yield Database(engines[0], commits.commit)
        else:
            yield Database(engines[0], partial(_commit, engines[0]))
    finally:
        for engine in engines:
            await engine.dispose()


def _sqlite_engines(address: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """Two connections that read, and beside them one that writes (WAL)."""
    # Each statement reads for itself, as on PostgreSQL, and needs no BEGIN and ROLLBACK.
    alone = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
    reader = _sqlite_engine(address, pool_size=_READERS, **alone)
    writer = _sqlite_engine(address, pool_size=1)
    event.listen(writer.sync_engine, "begin", _begin_writing)
    return reader, writer


def _make_file(address: URL) -> None:
    """Make the file and its folder. Raises OSError, where aiosqlite would leave a thread behind."""
    assert address.database is not None
    file = Path(address.database)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.open("ab").close()


def _sqlite_engine(address: URL, **options: Any) -> AsyncEngine:  # noqa: ANN401 - SQLAlchemy's
    engine = create_async_engine(
        address,
        max_overflow=0,
        hide_parameters=True,  # what people said is not for the log
        pool_reset_on_return=None,  # every transaction is ended by whoever began it
        connect_args={"isolation_level": None, "async_creator_fn": _connect},
        **options,
    )
    event.listen(engine.sync_engine, "connect", _prepare_connection)
    return engine


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

    async def execute(self, statement: str, parameters: Sequence[Any] = ()) -> None:
        self._cursor = await self._connection.execute(statement, parameters)

    async def executemany(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        self._cursor = await self._connection.executemany(statement, rows)

    async def close(self) -> None:
        pass

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - description, rowcount, fetchall
        return getattr(self._cursor, name)


def _prepare_connection(connection: AdaptedConnection, _entry: ConnectionPoolEntry) -> None:
    pragmas = ("busy_timeout=10000", "journal_mode=WAL", "foreign_keys=ON")
    script = "".join(f"PRAGMA {pragma};" for pragma in pragmas)
    connection.run_async(lambda driver: driver.executescript(script))


def _begin_writing(connection: Connection) -> None:
    # NORMAL leaves a commit to the operating system: a power cut may take the last moments, whose
    # steps are then made again. What was acknowledged to others waits for the disk (FULL, 2 ms).
    level = "FULL" if connection.get_execution_options().get("durable") else "NORMAL"
    adapted = connection.connection.dbapi_connection
    assert isinstance(adapted, AdaptedConnection)
    begin = f"PRAGMA synchronous={level}; BEGIN IMMEDIATE"
    adapted.run_async(lambda driver: driver.executescript(begin))


def _postgres_engine(address: URL) -> AsyncEngine:
    # Every commit waits for the server's disk, unless the server is told otherwise.
    return create_async_engine(
        address,
        pool_size=_POSTGRES_CONNECTIONS,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,
    )


async def _commit(engine: AsyncEngine, work: Work[T], *, durable: bool) -> T:  # noqa: ARG001
    async with engine.begin() as connection:
        return await connection.run_sync(work)


@dataclass(frozen=True, slots=True)
class _Write:
    """A write that somebody waits for."""

    work: Work[Any]
    durable: bool
    done: asyncio.Future[Any]


class _GroupCommit:
    """Commits in groups: writes that wait while a transaction is under way share the next one.

    The disk is waited for once for all of them. A caller that is cancelled leaves its write to be
    committed. When a write raises, the transaction is rolled back, and each runs again alone.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engines = {
            durable: engine.execution_options(durable=durable) for durable in (False, True)
        }
        self._waiting: deque[_Write] = deque()
        self._wake = asyncio.Event()
        self._closing = False

    async def commit(self, work: Work[T], *, durable: bool) -> T:
        if self._closing:
            raise RuntimeError("the database is closed")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Write(work, durable, done))
        self._wake.set()
        return await done

    def close(self) -> None:
        """Commit what waits, and end."""
        self._closing = True
        self._wake.set()

    async def keep_committing(self) -> None:
        while self._waiting or not self._closing:
            self._wake.clear()
            count = min(len(self._waiting), _MOST_SHARING)
            if count:
                await self._commit_group([self._waiting.popleft() for _ in range(count)])
            else:
                await self._wake.wait()

    async def _commit_group(self, group: Sequence[_Write]) -> None:
        def run_all(connection: Connection) -> list[Any]:
            return [write.work(connection) for write in group]

        durable = any(write.durable for write in group)
        try:
            async with self._engines[durable].begin() as connection:
                results = await connection.run_sync(run_all)
        except Exception as error:  # noqa: BLE001 - raised where it is waited for
            if len(group) > 1:
                for write in group:
                    await self._commit_group([write])
            elif not group[0].done.done():
                group[0].done.set_exception(error)
            return
        for write, result in zip(group, results, strict=True):
            if not write.done.done():
                write.done.set_result(result)


FAULTS = (SQLAlchemyError, sqlite3.Error, OSError)
"""What is translated. SQLite's own errors come from a transaction that could not begin."""

_FULL = ("SQLITE_FULL", "53100")
_UNWRITABLE = ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH")
_PATH_ERRORS = (PermissionError, NotADirectoryError, FileExistsError, IsADirectoryError)
_DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT", "XX001", "XX002")
_GONE = (OSError, OperationalError, InterfaceError, PoolTimeout, sqlite3.OperationalError)
_REFUSED = ("28", "3D")
"""PostgreSQL's classes of wrong password and missing database."""


def translate(error: Exception) -> Exception:
    """An error while the program runs. What is not the database's fault stays what it is."""
    code = _code_of(error)
    if code.startswith(_FULL):
        return RequestError("store-full")
    if code.startswith(_DAMAGED):
        return RequestError("store-damaged")
    if isinstance(error, _GONE) or _is_disconnect(error):
        return RequestError("store-gone")
    return error


def explain_at_start(error: BaseException, address: URL) -> SettingsError:
    """An error while the database is opened."""
    code, url = _code_of(error), str(address)
    if code.startswith(_FULL):
        return SettingsError("store-full")
    if code.startswith(_DAMAGED):
        return SettingsError("store-unreadable", url=url)
    if code.startswith(_UNWRITABLE) or isinstance(error, _PATH_ERRORS):
        return SettingsError("store-unwritable", url=url)
    if code.startswith(_REFUSED):
        return SettingsError("store-refused", url=url)
    return SettingsError("store-unreached", url=url)


def _code_of(error: BaseException) -> str:
    cause = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))


def _is_disconnect(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and error.connection_invalidated
