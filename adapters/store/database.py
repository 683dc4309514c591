"""Transactions on SQLite (through aiosqlite) and PostgreSQL (through asyncpg).

Statements are synchronous functions of a SQLAlchemy connection, the same for both databases.
"""

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, event, exc, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from adapters.store.transaction import Transaction
from pipeline.errors import RequestError, SettingsError
from pipeline.ports import Clock

T = TypeVar("T")
P = ParamSpec("P")
Work = Callable[[Transaction], T]
"""Statements of one transaction."""

FAULTS = (exc.SQLAlchemyError, OSError)
"""What is translated. A server that cannot be reached is an OSError."""

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_READERS = 2
_POSTGRES_CONNECTIONS = 8


class Database:
    """Transactions on one database. Raises RequestError when the database cannot be used."""

    def __init__(self, reader: AsyncEngine, writer: AsyncEngine, clock: Clock) -> None:
        self.clock = clock
        self._reader, self._writer = reader, writer

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
        writer = self._writer.execution_options(durable=durable)
        try:
            async with writer.begin() as connection:
                return await connection.run_sync(self._run, work)
        except FAULTS as error:
            raise translate(error) from error

    def _run(self, connection: Connection, work: Work[T]) -> T:
        return work(Transaction(connection, self.clock().timestamp()))


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
    """Make a method that takes a transaction one that runs in one of its own."""

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
    try:
        yield Database(reader, writer, clock)
    finally:
        await reader.dispose()
        await writer.dispose()


def _postgres_engines(address: URL) -> tuple[AsyncEngine, AsyncEngine]:
    # Every commit waits for the server's disk, unless the server is told otherwise.
    engine = _make_engine(address, pool_size=_POSTGRES_CONNECTIONS, pool_pre_ping=True)
    return engine, engine


def _sqlite_engines(address: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """Two connections that read, and beside them one that writes (WAL). Raises SettingsError."""
    file = Path(str(address.database))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.open("ab").close()  # raises here what would leave a thread of aiosqlite's behind
    except OSError as error:
        raise SettingsError("store-unwritable", url=str(address)) from error
    options = {
        "pool_reset_on_return": None,  # every transaction is ended by whoever began it
        "connect_args": {"isolation_level": None},
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


def _prepare_connection(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    for setting in ("busy_timeout=10000", "journal_mode=WAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _begin_writing(connection: Connection) -> None:
    # NORMAL leaves a commit to the operating system: a power cut may take the last moments, whose
    # steps are then made again. What was acknowledged to others waits for the disk (FULL, 2 ms).
    level = "FULL" if connection.get_execution_options().get("durable") else "NORMAL"
    connection.exec_driver_sql(f"PRAGMA synchronous={level}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


_SENTENCES = (
    (("SQLITE_FULL", "53100"), "store-full", "store-full"),
    (("SQLITE_NOTADB", "SQLITE_CORRUPT", "XX001", "XX002"), "store-damaged", "store-unreadable"),
    (("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH"), "", "store-unwritable"),
    (("28", "3D"), "", "store-refused"),  # PostgreSQL's: a wrong password, a missing database
)
"""What is said of an error with a code that begins so, while the program runs and at its start."""
_GONE = (OSError, exc.OperationalError, exc.InterfaceError, exc.TimeoutError)


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
    return SettingsError(sentence or "store-unreached", url=str(address))


def _sentences_of(error: BaseException) -> tuple[str, str]:
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    code = str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))
    matching = (told for codes, *told in _SENTENCES if code.startswith(codes))
    running, starting = next(matching, ("", ""))
    return running, starting
