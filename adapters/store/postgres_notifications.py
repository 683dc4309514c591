"""Notifications through PostgreSQL's LISTEN and NOTIFY."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import asyncpg
import sqlalchemy as sa
import structlog
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import NullPool

from adapters.store.database import SqlPort, writes_once
from adapters.store.faults import FAULTS
from adapters.store.notifications import MOST_BYTES, LocalNotifications
from adapters.store.postgres import create_engine
from adapters.store.transactions import Transaction
from pipeline.background import run_beside
from pipeline.ports import Hear, Topic

log = structlog.get_logger()

CHANNEL = "troupe"
"""The one channel; a payload is a topic, a space and a text."""
NOTIFY = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("payload")))
"""For a transaction that changes something: the notification is sent when it is committed."""
_CHECK_EVERY = 5.0
"""Seconds between two checks whether the connection still lives: a cut one may not tell."""
_PAUSE = 0.5
"""Seconds before a broken connection is made again."""
_CONNECTION_FAULTS = (
    *FAULTS,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
)
"""Errors of a broken connection; a TimeoutError is an OSError."""


@dataclass(slots=True)
class PostgresNotifications(SqlPort):
    """Sends through the pool, hears on a connection of its own, which PgBouncer must not share."""

    subscribers: LocalNotifications

    @property
    def program(self) -> str:
        return self.subscribers.program

    @writes_once
    def publish(self, tx: Transaction, topic: Topic, text: str = "") -> None:
        payload = format_payload(topic, text)
        tx.execute(NOTIFY, {"payload": payload})

    @contextmanager
    def subscribe(self, topic: Topic, hear: Hear) -> Iterator[None]:
        with self.subscribers.subscribe(topic, hear):
            yield


def format_payload(topic: Topic, text: str = "") -> str:
    """The payload of a notification. Raises ValueError if it is too long to be sent."""
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(f"a notification of more than {MOST_BYTES} bytes")
    return f"{topic} {text}"


@asynccontextmanager
async def listen(
    address: URL, subscribers: LocalNotifications, *, check_every: float = _CHECK_EVERY
) -> AsyncIterator[None]:
    """Pass on what is notified while the context is open, on a connection that is renewed."""
    async with run_beside(_keep_listening(address, subscribers, check_every)):
        yield


async def _keep_listening(
    address: URL, subscribers: LocalNotifications, check_every: float
) -> None:
    engine = create_engine(address, poolclass=NullPool)
    while True:
        try:
            async with engine.connect() as connection:
                await _listen_until_broken(connection, subscribers, check_every)
        except _CONNECTION_FAULTS as error:
            log.info("notifications broke off", why=type(error).__name__)
        await asyncio.sleep(_PAUSE)


async def _listen_until_broken(
    connection: AsyncConnection, subscribers: LocalNotifications, check_every: float
) -> None:
    """Raises what the driver raises when the connection is broken."""
    driver = (await connection.get_raw_connection()).driver_connection
    assert isinstance(driver, asyncpg.Connection)

    def pass_on(_connection: object, _process: int, _channel: str, payload: object) -> None:
        topic, _, text = str(payload).partition(" ")
        subscribers.tell(topic, text)

    await driver.add_listener(CHANNEL, pass_on)
    subscribers.tell_all_to_look()
    while True:
        await asyncio.sleep(check_every)
        await driver.fetchval("SELECT 1", timeout=_CHECK_EVERY)
