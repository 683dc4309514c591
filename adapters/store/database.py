"""Transactions: what the ports do in them, and how they run, the same for both databases."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
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
from pipeline.errors import SettingsError, StoreDamaged, StoreUnavailable
from pipeline.outage import Outage
from pipeline.ports import Clock

Row = Mapping[str, object]

_UPLOAD = re.compile(r"file:.{64}")


class Transaction:
    """A connection in a transaction; `at` is when it began, in seconds since 1970.

    `may_be_done`: the connection broke at an earlier attempt, which may have been committed.
    """

    def __init__(self, connection: Connection, at: float, *, may_be_done: bool = False) -> None:
        self.connection, self.at, self.may_be_done = connection, at, may_be_done
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


class DatabaseConnections(Protocol):
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
    """Transactions on one database.

    They wait while it is locked or away. Raises StoreDamaged, and StoreUnavailable for callers of
    limited patience: then nothing was changed.
    """

    def __init__(self, connections: DatabaseConnections, clock: Clock, outage: Outage) -> None:
        self.clock, self.outage = clock, outage
        self.faults = Counter[str]()
        """How often it could not be used, by the sentence that says why."""
        self._connections = connections

    async def read(self, work: Work[T]) -> T:
        """Run statements that change nothing."""
        run = partial(self._run, work)
        return await self.outage.wait_out(lambda: self._try(self._connections.read(run)))

    async def write(self, work: Work[T], *, durable: bool = False) -> T:
        """Run statements in a transaction, which is rolled back if one raises.

        A committed write survives a crash of the program and, if `durable`, a power cut.
        """
        may_be_done = False

        async def attempt() -> T:
            nonlocal may_be_done
            run = partial(self._run, work, may_be_done=may_be_done)
            try:
                return await self._try(self._connections.write(run, durable=durable))
            except StoreUnavailable as error:
                may_be_done = may_be_done or _is_cut_off(error.__cause__)
                raise

        return await self.outage.wait_out(attempt)

    async def reread(self, work: Work[T]) -> T:
        """Read from disk, and check that it is not damaged. Raises StoreUnavailable at once."""
        return await self._try(self._connections.reread(partial(self._run, work)))

    async def scrub(self) -> None:
        """Leave no copy of deleted rows in the database's files."""
        await self.outage.wait_out(lambda: self._try(self._connections.scrub()))

    async def _try(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except FAULTS as error:
            translated = translate(error)
            if isinstance(translated, StoreUnavailable):
                self.faults[translated.sentence.id] += 1
            raise translated from error

    def _run(self, work: Work[T], connection: Connection, *, may_be_done: bool = False) -> T:
        return work(Transaction(connection, self.clock().timestamp(), may_be_done=may_be_done))


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


_Running = tuple[type[StoreUnavailable], str]
_GONE: _Running = (StoreUnavailable, "store-gone")
_FULL: _Running = (StoreUnavailable, "store-full")
_DAMAGED: _Running = (StoreDamaged, "store-damaged")
_BY_CODE: tuple[tuple[tuple[str, ...], _Running, str], ...] = (
    (("SQLITE_FULL", "53100"), _FULL, "store-full"),
    (("SQLITE_NOTADB", "SQLITE_CORRUPT", "XX001", "XX002"), _DAMAGED, "store-unreadable"),
    (("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM"), _GONE, "store-unwritable"),
    (("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"), _GONE, "store-unreached"),
    (("SQLITE_IOERR", "SQLITE_NOMEM", "SQLITE_INTERRUPT"), _GONE, "store-unreached"),
    (("28", "3D"), _GONE, "store-refused"),  # PostgreSQL's: a wrong password, a missing database
    (("08", "40", "53", "55P03", "57", "58", "25006"), _GONE, "store-unreached"),
)
"""Prefixes of error codes, what they mean while running, and the sentence for them at start.

The last are PostgreSQL's: connections, lost races, too many connections, locks, restarts, disks, a
server that only reads.
"""


def translate(error: Exception) -> Exception:
    """StoreUnavailable for a fault of the database while running; any other error unchanged."""
    meaning, _ = _look_up(error)
    if meaning is None and isinstance(error, (OSError, exc.TimeoutError)):  # also of the pool
        meaning = _GONE
    if meaning is None and _is_cut_off(error):
        meaning = _GONE
    return error if meaning is None else meaning[0](meaning[1])


def _is_cut_off(error: BaseException | None) -> bool:
    """Whether the connection broke."""
    return isinstance(error, exc.DBAPIError) and error.connection_invalidated


def explain_at_start(error: BaseException, address: URL) -> SettingsError:
    """The error to raise when the database cannot be opened."""
    _, sentence = _look_up(error)
    if not sentence:
        is_path = isinstance(error, OSError) and address.get_backend_name() == "sqlite"
        sentence = "store-unwritable" if is_path else "store-unreached"
    return SettingsError(sentence, url=str(address.set(query={})))


def _look_up(error: BaseException) -> tuple[_Running | None, str]:
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    code = str(getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", ""))
    rows = ((meaning, starting) for codes, meaning, starting in _BY_CODE if code.startswith(codes))
    return next(rows, (None, ""))
