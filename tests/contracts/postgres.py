"""A database on a PostgreSQL server for the tests that need one."""

import asyncio
import os
from collections.abc import Iterator

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.store import downgrade, upgrade
from adapters.store.database import parse_address
from adapters.store.opening import migrate, open_database
from pipeline.ports import read_clock

_SERVER = os.environ.get("TROUPE_TEST_POSTGRES_URL", "")  # noqa: TID251 - for tests only, no setting of the program


@pytest.fixture(scope="session")
def postgres(worker_id: str) -> Iterator[str]:
    """The address of a database of this test process's own, with its tables made, unmade and made
    again.
    """
    if not _SERVER:
        pytest.skip("needs a PostgreSQL server: give its address as TROUPE_TEST_POSTGRES_URL")
    name = f"{make_url(_SERVER).database}_test_{worker_id}"
    asyncio.run(order(_SERVER, f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"))
    url = make_url(_SERVER).set(database=name).render_as_string(hide_password=False)
    asyncio.run(_made_twice(url))
    yield url
    asyncio.run(order(_SERVER, f"DROP DATABASE {name}"))


async def _made_twice(url: str) -> None:
    async with open_database(parse_address(url), read_clock) as database:
        await database.write(lambda tx: migrate(tx.connection, "upgrade", "head"))
    await downgrade(url, "base")
    await upgrade(url)


async def order(url: str, *orders: str) -> None:
    """Run commands on a server, each by itself."""
    address = make_url(url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(address, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for each in orders:
            await connection.execute(text(each))
    await engine.dispose()
