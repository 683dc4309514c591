"""Opening what lasts: the database behind an address, brought up to date, and the ports on it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from adapters.store import postgres, revisions, sqlite
from adapters.store.bodies import now
from adapters.store.cache import SqlCache
from adapters.store.database import Transactions, Work, writing
from adapters.store.engines import EngineTransactions
from adapters.store.faults import FAULTS, at_start
from adapters.store.inbox import SqlInbox
from adapters.store.journal import SqlJournal
from adapters.store.ledger import SqlLedger, SqlSeen
from adapters.store.lessons import SqlLessons
from adapters.store.store import SqlStore
from pipeline.errors import SettingsError
from pipeline.ports import Clock

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}


@dataclass(frozen=True, slots=True)
class Lasting:
    """The ports to what lasts, on one database."""

    store: SqlStore
    inbox: SqlInbox
    journal: SqlJournal
    ledger: SqlLedger
    seen: SqlSeen
    cache: SqlCache
    lessons: SqlLessons


@asynccontextmanager
async def open_lasting(
    url: str, *, clock: Clock = now, alone: bool = True
) -> AsyncIterator[Lasting]:
    """The ports on the database at an address ("sqlite+aiosqlite:///path" or "postgresql://…"), its tables brought up to date.

    `alone`: refuse when another program has opened the database so; whoever takes from the inbox must.
    Raises SettingsError.
    """
    async with _transactions(url, alone=alone) as transactions:
        await _at_start(transactions, revisions.upgrade, url)
        async with writing(transactions) as database:
            yield Lasting(
                SqlStore(database, clock),
                SqlInbox(database, clock),
                SqlJournal(database, clock),
                SqlLedger(database, clock),
                SqlSeen(database, clock),
                SqlCache(database, clock),
                SqlLessons(database),
            )


async def upgrade(url: str) -> None:
    """Bring the tables up to date. Raises SettingsError."""
    async with _transactions(url, alone=True) as transactions:
        await _at_start(transactions, revisions.upgrade, url)


async def downgrade(url: str, revision: str) -> None:
    """Bring the tables back to a revision. Raises SettingsError."""
    async with _transactions(url, alone=True) as transactions:
        await _at_start(transactions, partial(revisions.downgrade, revision=revision), url)


@asynccontextmanager
async def _transactions(url: str, *, alone: bool) -> AsyncIterator[Transactions]:
    address = _address(url)
    opened = _sqlite if address.get_backend_name() == "sqlite" else _postgres
    async with AsyncExitStack() as stack:
        try:
            transactions = await opened(stack, address, alone=alone)
        except FAULTS as error:
            raise at_start(error, str(address)) from error
        yield transactions


async def _sqlite(stack: AsyncExitStack, address: URL, *, alone: bool) -> EngineTransactions:
    sqlite.make(address)
    if alone:
        stack.enter_context(sqlite.locked(address))
    transactions = sqlite.sqlite(address)
    stack.push_async_callback(transactions.close)
    return transactions


async def _postgres(stack: AsyncExitStack, address: URL, *, alone: bool) -> EngineTransactions:
    try:
        transactions, engine = postgres.postgres(address)
    except ImportError as error:
        raise SettingsError("store-driver") from error
    stack.push_async_callback(transactions.close)
    if alone:
        await stack.enter_async_context(postgres.locked(engine))
    return transactions


def _address(url: str) -> URL:
    """The address with the driver that we use. Raises SettingsError, which names the scheme only: there may be a password."""
    scheme = url.partition(":")[0]
    driver = _DRIVERS.get(scheme.partition("+")[0])
    try:
        address = make_url(url)
    except (ArgumentError, ValueError) as error:
        raise SettingsError("store-url", url=scheme) from error
    if driver is None or address.database in (None, "", ":memory:"):
        raise SettingsError("store-url", url=scheme)
    return address.set(drivername=driver)


async def _at_start(transactions: Transactions, work: Work[None], url: str) -> None:
    try:
        await transactions.commit(work, durable=True)
    except FAULTS as error:
        raise at_start(error, str(_address(url))) from error
