"""Opens the database at an address: migrates it, locks it and makes the ports."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import sqlalchemy as sa
import stamina
import structlog
from sqlalchemy import URL, Connection, inspect, select, text

from adapters.store.chat_log import SqlChatLog
from adapters.store.database import Database, is_sqlite, parse_address
from adapters.store.faults import FAULTS, explain_at_start
from adapters.store.feedback import SqlFeedback
from adapters.store.history import SqlHistory
from adapters.store.key_values import (
    SqlCache,
    SqlInstallations,
    SqlInteractions,
    SqlJournal,
    SqlLedger,
    SqlSettings,
)
from adapters.store.leases import SoleLeases, SqlLeases
from adapters.store.local_inbox import LocalInbox
from adapters.store.notifications import LocalNotifications
from adapters.store.overview import SqlOverview
from adapters.store.probe import SqlProbe
from adapters.store.programs import SqlPrograms
from adapters.store.rate_limits import LocalRateLimits, SqlRateLimits
from adapters.store.retention import SqlRetention
from adapters.store.run_index import SqlRunIndex
from adapters.store.run_leases import RunLeases
from adapters.store.runs import SqlRuns
from adapters.store.schema import HEAD, OLDEST, compatibility, metadata
from adapters.store.shares import SqlShares
from adapters.store.sqlite import hold_file, open_sqlite
from pipeline.background import run_beside
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.outage import Outage, limit_patience
from pipeline.ports import (
    Clock,
    Inbox,
    Leases,
    Notifications,
    Progress,
    RateLimits,
    Sharing,
    read_clock,
)

log = structlog.get_logger()

T = TypeVar("T")

_OLDEST = select(compatibility.c.oldest)
_PASSING = ("store-unreached", "store-crowded", "store-read-only")
"""Why a database cannot be opened that may be there soon: it starts, programs that ended leave it,
or a standby takes over."""
_VERSION_TABLE = (
    "CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"
)


class SqlStore(SqlChatLog, SqlHistory, SqlRuns, SqlFeedback, SqlSettings, SqlRetention, SqlShares):
    """The ports for conversations and runs in one class, for callers that need several."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedPorts:
    """What several programs on one database do together."""

    program: str
    """The id of this program: another one whenever it opens the database."""
    inbox: Inbox
    leases: Leases
    rate_limits: RateLimits
    notifications: Notifications
    progress: Progress | None = None
    """None where there can be no other program to read it."""


class Persistence:
    """The ports on one database, and whether they have to wait for it."""

    def __init__(self, database: Database, shared: SharedPorts) -> None:
        self.program = shared.program
        self.leases, self.rate_limits = shared.leases, shared.rate_limits
        self.notifications, self.progress = shared.notifications, shared.progress
        self.programs = SqlPrograms(database)
        self.outage = database.outage
        self.store = SqlStore(database)
        self.inbox, self.run_leases = shared.inbox, database.run_leases
        self.run_index = SqlRunIndex(database)
        self.journal = SqlJournal(database)
        self.ledger = SqlLedger(database)
        self.interactions = SqlInteractions(database)
        self.installations = SqlInstallations(database)
        self.cache = SqlCache(database)
        self.overview = SqlOverview(database)
        self.faults = database.faults
        self.probe = SqlProbe(database)


@asynccontextmanager
async def open_persistence(
    url: str,
    *,
    clock: Clock = read_clock,
    starting: float = 0.0,
    sharing: Sharing | None = None,
    head: str = HEAD,
) -> AsyncIterator[Persistence]:
    """Open the database at an address and bring its tables up to date.

    The address is "sqlite:///path" or "postgresql://…". Several programs may open the
    same database; those that take messages from the inbox must also hold `serving`.
    `starting`: for how many seconds opening waits while it is locked or away. `sharing`: how
    messages are shared, on PostgreSQL. `head`: the revision of the tables that this program knows.
    Raises SettingsError.
    """
    address, sharing = parse_address(url), sharing or Sharing()
    async with open_database(address, clock, RunLeases(seconds=sharing.seconds)) as database:
        await _prepare_tables(database, url, head, starting)
        async with _share(database, address, sharing) as shared:
            yield Persistence(database, shared)


async def _prepare_tables(database: Database, url: str, head: str, starting: float) -> None:
    """Bring the tables up to date, unless those that are there will do. Raises SettingsError."""
    is_file = is_sqlite(parse_address(url))
    check = are_usable if is_file else _are_usable_on_server
    if await _run_at_start(database, lambda it: check(it, head), url, starting):
        return
    if is_file:
        async with exclusive(url):
            await _run_at_start(database, upgrade_tables, url, starting)
    else:
        await _run_at_start(database, _upgrade_beside_others, url, starting)


def _are_usable_on_server(connection: Connection, head: str) -> bool:
    """`are_usable`, of tables that others may own, on a server that may only be read."""
    # Imported here for the reason in `open_database`.
    from adapters.store.postgres import check_rights  # noqa: PLC0415

    is_usable = are_usable(connection, head)
    if is_usable:
        check_rights(connection, metadata.sorted_tables)
    return is_usable


def _upgrade_beside_others(connection: Connection) -> None:
    """Bring the tables of a server up to date; of programs that start at once, one does it.

    Programs that can work with the new tables may go on meanwhile. Raises SettingsError.
    """
    # Imported here for the reason in `open_database`.
    from adapters.store.postgres import lock_for_migration, lock_in_transaction  # noqa: PLC0415

    lock_for_migration(connection)
    if are_usable(connection, HEAD):  # another program was first
        return
    revision = revision_of(connection)
    if not lock_in_transaction(connection, alone=revision is not None and revision < OLDEST):
        raise SettingsError("store-in-use", file=str(connection.engine.url.database))
    upgrade_tables(connection)


@asynccontextmanager
async def _share(database: Database, address: URL, sharing: Sharing) -> AsyncIterator[SharedPorts]:
    """On PostgreSQL any number of programs are at work; with SQLite there is only this one."""
    program = uuid4().hex
    if is_sqlite(address):
        yield SharedPorts(
            program=program,
            inbox=LocalInbox(database),
            leases=SoleLeases(),
            rate_limits=LocalRateLimits(),
            notifications=LocalNotifications(program),
        )
        return
    # Imported here for the reason in `open_database`.
    from adapters.store.postgres_inbox import PostgresInbox  # noqa: PLC0415
    from adapters.store.postgres_notifications import (  # noqa: PLC0415
        PostgresNotifications,
        listen,
    )
    from adapters.store.progress import SqlProgress  # noqa: PLC0415

    subscribers = LocalNotifications(program)
    notifications = PostgresNotifications(database, subscribers)
    inbox = PostgresInbox(database, notifications, program, sharing.most_runs)
    async with listen(address, subscribers), run_beside(inbox.renew_leases()):
        try:
            log.info("shares a database", program=program)
            yield SharedPorts(
                program=program,
                inbox=inbox,
                leases=SqlLeases(database, program),
                rate_limits=SqlRateLimits(database),
                notifications=notifications,
                progress=SqlProgress(database),
            )
        finally:
            await inbox.close()


@asynccontextmanager
async def open_overview(url: str) -> AsyncIterator[SqlOverview]:
    """Open a database as it is, beside a program that serves it; nothing is made or upgraded.

    Raises SettingsError, and FileNotFoundError if there is none yet.
    """
    address = parse_address(url)
    if is_sqlite(address) and not await asyncio.to_thread(Path(str(address.database)).exists):
        raise FileNotFoundError(address.database)
    async with open_database(address, read_clock) as database:
        yield SqlOverview(database)


@asynccontextmanager
async def open_database(
    address: URL, clock: Clock, run_leases: RunLeases | None = None
) -> AsyncIterator[Database]:
    """Open the database at an address. Raises SettingsError when its file or driver is missing."""
    async with AsyncExitStack() as stack:
        try:
            if is_sqlite(address):
                opening = open_sqlite(address)
            else:  # imported here because it is slow: SQLAlchemy's asyncio brings the whole ORM
                from adapters.store.postgres import open_postgres  # noqa: PLC0415

                opening = open_postgres(address)
            connections = await stack.enter_async_context(opening)
        except ImportError as error:
            raise SettingsError("store-driver") from error
        except FAULTS as error:
            raise explain_at_start(error, address) from error
        yield Database(connections, clock, Outage(), run_leases)


def find_database_files(url: str) -> Sequence[Path]:
    """The files of an SQLite database, of which some may not exist; none of a database server."""
    address = parse_address(url)
    if not is_sqlite(address):
        return ()
    return [Path(f"{address.database}{ending}") for ending in ("", "-wal", "-shm")]


async def upgrade(url: str) -> None:
    """Bring the tables up to date. Raises SettingsError, also if another program has the lock."""
    async with open_persistence(url):
        pass


async def downgrade(url: str, revision: str) -> None:
    """Migrate back to a revision ("base": no tables); data that only newer tables hold is lost.

    Raises SettingsError, also if there is no such older revision.
    """
    async with open_database(parse_address(url), read_clock) as database, exclusive(url):
        if not await _run_at_start(database, lambda it: migrate(it, "downgrade", revision), url):
            raise SettingsError("store-no-revision", revision=revision)


async def _run_at_start(
    database: Database, work: Callable[[Connection], T], url: str, seconds: float = 0.0
) -> T:
    """Run statements; for so long, try again while the database is locked or cannot be written."""

    async def attempt() -> T:
        try:
            with limit_patience(0):
                return await database.write(lambda tx: work(tx.connection), durable=True)
        except (StoreUnavailable, *FAULTS) as error:
            raise explain_at_start(error.__cause__ or error, parse_address(url)) from error

    retrying = stamina.AsyncRetryingCaller(attempts=None, timeout=seconds or None, wait_max=2.0)
    return await (retrying(_may_pass, attempt) if seconds else attempt())


def _may_pass(error: Exception) -> bool:
    return isinstance(error, SettingsError) and error.sentence.id in _PASSING


def upgrade_tables(connection: Connection) -> None:
    """Bring the tables to the newest revision. Raises SettingsError when they are newer."""
    if revision_of(connection) is None:  # as the migrations do, but 100 times faster
        metadata.create_all(connection)
        connection.execute(text(_VERSION_TABLE))
        connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": HEAD})
        connection.execute(sa.insert(compatibility).values(oldest=OLDEST))
    elif not migrate(connection, "upgrade", "head"):
        raise SettingsError("store-newer", revision=str(revision_of(connection)))


def migrate(connection: Connection, direction: str, revision: str) -> bool:
    """Run migrations. False if there is no path between the revisions."""
    # Imported here because it is slow, and seldom needed.
    from alembic import command, config, util  # noqa: PLC0415

    context = config.Config(attributes={"connection": connection})
    context.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    try:
        getattr(command, direction)(context, revision)
    except util.CommandError:
        return False
    return True


def revision_of(connection: Connection) -> str | None:
    """The revision of the tables; None when there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def are_usable(connection: Connection, head: str) -> bool:
    """Whether the tables are those of a program that knows the revision `head`, or will do.

    Raises SettingsError when they are newer and it must not work with them.
    """
    revision = revision_of(connection)
    if revision is None or revision <= head:
        return revision == head
    if (oldest := connection.scalar(_OLDEST)) is None or oldest > head:
        raise SettingsError("store-newer", revision=revision)
    return True


@asynccontextmanager
async def serving(url: str, *, check_every: float = 1.0) -> AsyncIterator[None]:
    """Hold the lock of a program that serves a database: see `exclusive`.

    With SQLite one program serves it, on PostgreSQL any number, while none is `exclusive`.
    """
    async with _hold_lock(url, check_every, alone=False):
        yield


@asynccontextmanager
async def exclusive(url: str, *, check_every: float = 1.0) -> AsyncIterator[None]:
    """Hold the lock of the only program at work on a database.

    Programs that only read or answer a single request do not need it. Open the database first,
    which makes its folder; `open_persistence` takes this lock while it migrates.

    On PostgreSQL a connection holds the lock, with SQLite an open file. Every `check_every` seconds
    it is checked, and taken again if lost: the connection broke, or the file was deleted. If
    another program has it by then, the body of the context is cancelled.
    Raises SettingsError if another program holds the lock; after a loss, in an exception group.
    """
    async with _hold_lock(url, check_every, alone=True):
        yield


def _hold_lock(url: str, check_every: float, *, alone: bool) -> AbstractAsyncContextManager[None]:
    address = parse_address(url)
    if is_sqlite(address):
        return hold_file(address, check_every)
    from adapters.store.postgres import hold_advisory_lock  # noqa: PLC0415 - as above

    return hold_advisory_lock(address, check_every, alone=alone)
