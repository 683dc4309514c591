"""How transactions run: shared, repeated after a fault, on the connections of either database."""

from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from sqlalchemy import URL, Connection, exc, make_url

from adapters.store.faults import FAULTS, is_cut_off, translate
from adapters.store.run_leases import RunLeases
from adapters.store.transactions import Transaction
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.outage import Outage
from pipeline.ports import Clock

T = TypeVar("T")
P = ParamSpec("P")
Work = Callable[[Transaction], T]
"""The statements of a transaction; run again if another write of a shared transaction fails."""
_DRIVERS = {
    "sqlite": "sqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_PARAMETERS = {
    "database",
    "host",
    "passfile",
    "password",
    "port",
    "prepared_statement_cache_size",
    "ssl",
    "target_session_attrs",
    "user",
}
"""What may follow a "?" in the address of a server: what the driver takes as a text."""


class DatabaseConnections(Protocol):
    """The connections of one kind of database."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run statements that change nothing."""

    async def write(
        self, work: Callable[[Connection], T], *, durable: bool, is_single: bool = False
    ) -> T:
        """Run statements in a transaction, which is rolled back if one raises.

        `is_single`: there is only one statement, so that a server need not be told of it.
        """

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

    def __init__(
        self,
        connections: DatabaseConnections,
        clock: Clock,
        outage: Outage,
        run_leases: RunLeases | None = None,
    ) -> None:
        self.clock, self.outage = clock, outage
        self.run_leases = RunLeases() if run_leases is None else run_leases
        """The runs that this program took where others may take them over; none on SQLite."""
        self.faults = Counter[str]()
        """How often it could not be used, by the sentence that says why."""
        self._connections = connections

    async def read(self, work: Work[T]) -> T:
        """Run statements that change nothing."""
        run = partial(self._run, work)
        return await self.outage.wait_out(lambda: self._try(self._connections.read(run)))

    async def write(self, work: Work[T], *, durable: bool = False, is_single: bool = False) -> T:
        """Run statements in a transaction, or a single one, which is rolled back if one raises.

        A committed write survives a crash of the program and, if `durable`, a power cut.
        """
        may_be_done = may_commit = False

        def run(connection: Connection) -> T:
            nonlocal may_commit
            may_commit = is_single
            result = self._run(work, connection, may_be_done=may_be_done)
            may_commit = True
            return result

        async def attempt() -> T:
            nonlocal may_be_done, may_commit
            may_commit = False
            try:
                write = self._connections.write(run, durable=durable, is_single=is_single)
                return await self._try(write)
            except StoreUnavailable as error:
                may_be_done = may_be_done or (may_commit and is_cut_off(error.__cause__))
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
        at, leases = self.clock().timestamp(), self.run_leases
        return work(Transaction(connection, at, leases, may_be_done=may_be_done))


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


def writes_once(method: Method[S, P, T]) -> AsyncMethod[S, P, T]:
    """Call a method that executes one statement, and reads at most what is there then."""

    @wraps(method)
    async def write(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        work = lambda tx: method(self, tx, *args, **kwargs)  # noqa: E731 - a parameter's
        return await self.database.write(work, is_single=True)

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
    if "@" in (address.host or ""):  # the end of a password, which would be shown
        raise SettingsError("store-url")
    address = address.set(drivername=driver)
    return address if is_sqlite(address) else _read_parameters(address)


def _read_parameters(address: URL) -> URL:
    """The address with our driver's name for `sslmode`, as all others call it."""
    named = {"ssl" if name == "sslmode" else name: it for name, it in address.query.items()}
    if unknown := sorted({*address.query} - {*_PARAMETERS, "sslmode"}):
        raise SettingsError("store-url-parameters", names=", ".join(unknown))
    return address.set(query=named)


def is_sqlite(address: URL) -> bool:
    return address.get_backend_name() == "sqlite"
