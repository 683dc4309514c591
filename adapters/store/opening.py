"""Opening what lasts: the database behind an address, brought up to date, and the ports on it."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from adapters.store import revisions
from adapters.store.bodies import now
from adapters.store.database import Transactions, Work, writing
from adapters.store.faults import at_start
from adapters.store.inbox import SqlInbox
from adapters.store.journal import SqlJournal
from adapters.store.ledger import SqlLedger, SqlSeen
from adapters.store.sqlite import SqliteTransactions, locked
from adapters.store.store import SqlStore
from pipeline.errors import SettingsError
from pipeline.ports import Clock

_DRIVERS = {
    "sqlite": "sqlite+pysqlite",
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


@asynccontextmanager
async def open_lasting(
    url: str, *, clock: Clock = now, alone: bool = True
) -> AsyncIterator[Lasting]:
    """The ports on the database at an address ("sqlite:///path" or "postgresql://…"), its tables brought up to date.

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
    async with AsyncExitStack() as stack:
        try:
            if address.get_backend_name() == "sqlite":
                transactions = _sqlite(stack, address, alone=alone)
            else:
                transactions = await _postgres(stack, address, alone=alone)
        except (SQLAlchemyError, OSError) as error:
            raise at_start(error, str(address)) from error
        yield transactions


def _sqlite(stack: AsyncExitStack, address: URL, *, alone: bool) -> Transactions:
    assert address.database is not None
    Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    if alone:
        stack.enter_context(locked(address))
    transactions = SqliteTransactions(address)
    stack.callback(transactions.close)
    return transactions


async def _postgres(stack: AsyncExitStack, address: URL, *, alone: bool) -> Transactions:
    # Imported here, since it takes a quarter of a second that only those who use it need to spend.
    from adapters.store.postgres import PostgresTransactions  # noqa: PLC0415

    try:
        transactions = PostgresTransactions(address)
    except ImportError as error:
        raise SettingsError("store-driver") from error
    stack.push_async_callback(transactions.close)
    if alone:
        await stack.enter_async_context(transactions.locked())
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
        await transactions.commit([work], durable=True)
    except (SQLAlchemyError, OSError) as error:
        raise at_start(error, str(_address(url))) from error
