"""Transactions: what the ports do in them, and how they run, the same for both databases."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial, wraps
from importlib import import_module
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy import URL, Connection, Table, exc, make_url
from sqlalchemy.dialects.sqlite import Insert

from adapters.store.schema import file_uses
from pipeline.domain import Channel, Thread
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.ports import Clock

Row = Mapping[str, object]

_UPLOAD = re.compile(r"file:.{64}")


class Transaction:
    """A connection in a transaction; `at` is when it began, in seconds since 1970."""

    def __init__(self, connection: Connection, at: float) -> None:
        self.connection, self.at = connection, at
        self.execute, self.scalar = connection.execute, connection.scalar
        self.scalars = connection.scalars

    def exists(self, *conditions: sa.ColumnElement[bool]) -> bool:
        return bool(self.scalar(sa.select(sa.exists().where(*conditions))))

    def add(self, table: Table, *rows: Row) -> bool:
        """Insert the rows whose keys are not there already; False for a single one that is."""
        insert = _insert_absent(self.connection.dialect.name, table)
        return bool(rows) and self.execute(insert, rows).rowcount > 0

    def put(self, table: Table, *rows: Row, key: str = "") -> None:
        """Insert rows; those with the same `key` (default: primary key) get the new values."""
        if rows:
            self.execute(_upsert(self.connection.dialect.name, table, key), rows)

    def refer_to_files(self, owner: str, *texts: str) -> None:
        """Record which files an owner (a turn by its key, a run by `run_owner`) refers to.

        Parses the JSON, so that a hash that somebody typed is not taken for a reference.
        """
        hashes = set().union(*map(_find_files, texts))
        self.add(file_uses, *({"owner": owner, "hash": name} for name in hashes))


def workspace_key(channel: Channel) -> str:
    return f"{channel.platform}:{channel.workspace}"


def place_of(thread: Thread) -> Row:
    """The columns `thread`, `channel` and `workspace` of a row."""
    channel = thread.channel
    return {"thread": thread.key, "channel": channel.key, "workspace": workspace_key(channel)}


def run_owner(run: str) -> str:
    """A run as an owner of files. The bot's turn has the id of the run as its key."""
    return f"run {run}"


def _find_files(text: str) -> set[str]:
    """Hashes of the attachments and uploads in a JSON text."""
    hashes = set()

    def note_file(fields: dict[str, object]) -> None:
        match fields:
            case {"hash": str(name), "media_type": str(), "size": int()}:
                hashes.add(name)
            case {"url": str(url), "name": str()} if _UPLOAD.fullmatch(url):
                hashes.add(url.removeprefix("file:"))

    # Most values contain no files and need not be parsed.
    if '"media_type"' in text or '"file:' in text:
        with suppress(ValueError, RecursionError):
            json.loads(text, object_hook=note_file)
    return hashes


def insert_into(dialect: str, table: Table) -> Insert:
    """The INSERT of a dialect; both support ON CONFLICT in the same way."""
    # Only one of them is imported: PostgreSQL's takes a quarter of a second.
    insert: Insert = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    return insert


# Cached, because building a statement takes longer than running it.
@cache
def _insert_absent(dialect: str, table: Table) -> Insert:
    return insert_into(dialect, table).on_conflict_do_nothing()


@cache
def _upsert(dialect: str, table: Table, key: str) -> Insert:
    statement = insert_into(dialect, table)
    primary = table.primary_key.columns.keys()
    keys = [key] if key else primary
    new = {each.name: each for each in statement.excluded if each.name not in (*keys, *primary)}
    return statement.on_conflict_do_update(index_elements=keys, set_=new)


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

    async def reread(self, work: Callable[[Connection], T]) -> T:
        """Run statements that change nothing on a connection that has nothing in memory.

        Raises also if the tables that messages need are seen to be damaged.
        """

    async def scrub(self) -> None:
        """Leave no copy of deleted rows in our files. A database server cleans up by itself."""


class Database:
    """Transactions on one database. Raises StoreUnavailable."""

    def __init__(self, connections: Connections, clock: Clock) -> None:
        self.clock = clock
        self.faults = Counter[str]()
        """How often it could not be used, by the sentence that says why."""
        self._connections = connections

    async def read(self, work: Work[T]) -> T:
        """Run statements that change nothing."""
        try:
            return await self._connections.read(partial(self._run, work))
        except FAULTS as error:
            raise self._translate(error) from error

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run statements in a transaction, which is rolled back if one raises.

        A committed write survives a crash of the program and, if `durable`, a power cut.
        """
        try:
            return await self._connections.write(partial(self._run, work), durable=durable)
        except FAULTS as error:
            raise self._translate(error) from error

    async def reread(self, work: Work[T]) -> T:
        """Read from disk, and check that it is not damaged."""
        try:
            return await self._connections.reread(partial(self._run, work))
        except FAULTS as error:
            raise translate(error) from error

    async def scrub(self) -> None:
        """Leave no copy of deleted rows in the database's files."""
        try:
            await self._connections.scrub()
        except FAULTS as error:
            raise self._translate(error) from error

    def _translate(self, error: Exception) -> Exception:
        translated = translate(error)
        if isinstance(translated, StoreUnavailable):
            self.faults[translated.sentence.id] += 1
        return translated

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
