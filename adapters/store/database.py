"""Transactions: synchronous functions of a SQLAlchemy connection, the same for both databases."""

import sqlite3
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import URL, Connection, exc, make_url

from adapters.store.transaction import Transaction
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.ports import Clock

T = TypeVar("T")
P = ParamSpec("P")
Work = Callable[[Transaction], T]
"""The statements of a transaction; run again if another write of a shared transaction fails."""

FAULTS = (exc.SQLAlchemyError, sqlite3.Error, OSError)
"""Errors to translate. sqlite3 raises its own when a transaction cannot begin."""

_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


class Connections(Protocol):
    """The connections of one kind of database."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run statements that change nothing."""

    async def write(self, work: Callable[[Connection], T], *, durable: bool) -> T:
        """Run statements in a transaction, which is rolled back if one raises."""

    async def scrub(self) -> None:
        """Leave no copy of deleted rows in our files. A database server cleans up by itself."""


class Database:
    """Transactions on one database. Raises StoreUnavailable."""

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

    async def scrub(self) -> None:
        """Leave no copy of deleted rows in the database's files."""
        try:
            await self._connections.scrub()
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


def is_sqlite(address: URL) -> bool:
    return address.get_backend_name() == "sqlite"


_SENTENCES = (
    (("SQLITE_FULL", "53100"), "store-full", "store-full"),
    (("SQLITE_NOTADB", "SQLITE_CORRUPT", "XX001", "XX002"), "store-damaged", "store-unreadable"),
    (("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH"), "", "store-unwritable"),
    (("28", "3D"), "", "store-refused"),  # PostgreSQL's: a wrong password, a missing database
)
"""Prefixes of error codes, and the sentences for them while running and at start."""
_SQL_GONE = (exc.OperationalError, exc.InterfaceError, exc.TimeoutError)
_GONE = (OSError, sqlite3.OperationalError, *_SQL_GONE)


def translate(error: Exception) -> Exception:
    """StoreUnavailable for a fault of the database while running; any other error unchanged."""
    sentence, _ = _sentences_of(error)
    is_cut_off = isinstance(error, exc.DBAPIError) and error.connection_invalidated
    if not sentence and (is_cut_off or isinstance(error, _GONE)):
        sentence = "store-gone"
    return StoreUnavailable(sentence) if sentence else error


def explain_at_start(error: BaseException, address: URL) -> SettingsError:
    """The error to raise when the database cannot be opened."""
    _, sentence = _sentences_of(error)
    if not sentence:
        is_path = isinstance(error, OSError) and address.get_backend_name() == "sqlite"
        sentence = "store-unwritable" if is_path else "store-unreached"
    return SettingsError(sentence, url=str(address.set(query={})))


def _sentences_of(error: BaseException) -> tuple[str, str]:
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    code = str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))
    matching = (sentences for codes, *sentences in _SENTENCES if code.startswith(codes))
    running, starting = next(matching, ("", ""))
    return running, starting
