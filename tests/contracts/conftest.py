"""What the contract suites are run on."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.store import downgrade
from tests.contracts.homes import DatabaseHome, FakeHome, Home

_SERVER = os.environ.get("TROUPE_TEST_POSTGRES_URL", "")  # noqa: TID251 - for tests only, no setting of the program


@pytest.fixture(params=["fake", "sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """Somewhere empty to keep things."""
    match request.param:
        case "fake":
            return FakeHome()
        case "sqlite":
            return DatabaseHome(f"sqlite:///{tmp_path}/troupe.db")
        case _:
            url = request.getfixturevalue("postgres")
            asyncio.run(downgrade(url, "base"))
            return DatabaseHome(url)


@pytest.fixture(scope="session")
def postgres(worker_id: str) -> Iterator[str]:
    """The address of a database of this test process's own."""
    if not _SERVER:
        pytest.skip("needs a PostgreSQL server: give its address as TROUPE_TEST_POSTGRES_URL")
    name = f"troupe_test_{worker_id}"
    asyncio.run(_order(f"DROP DATABASE IF EXISTS {name}", f"CREATE DATABASE {name}"))
    yield make_url(_SERVER).set(database=name).render_as_string(hide_password=False)
    asyncio.run(_order(f"DROP DATABASE {name}"))


async def _order(*orders: str) -> None:
    url = make_url(_SERVER).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        for order in orders:
            await connection.execute(text(order))
    await engine.dispose()
