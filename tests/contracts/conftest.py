"""What the contract suites are run on."""

import asyncio
import shutil
from pathlib import Path

import pytest

from adapters.store import upgrade
from adapters.store.schema import metadata
from tests.contracts.homes import DatabaseHome, FakeHome, Home
from tests.contracts.postgres import order

EMPTIED = "DO $$ BEGIN {} END $$".format(
    " ".join(f"DELETE FROM {table};" for table in reversed(metadata.sorted_tables))
)


@pytest.fixture(params=["fake", "sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """Somewhere empty to keep things."""
    match request.param:
        case "fake":
            return FakeHome()
        case "sqlite":
            shutil.copy(request.getfixturevalue("empty"), tmp_path / "troupe.db")
            return DatabaseHome(f"sqlite:///{tmp_path}/troupe.db")
        case _:
            url = request.getfixturevalue("postgres")
            asyncio.run(order(url, EMPTIED))
            return DatabaseHome(url)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the tables and nothing in them: copied, since to make them takes ten times as
    long.
    """
    file = tmp_path_factory.mktemp("store") / "troupe.db"
    asyncio.run(upgrade(f"sqlite:///{file}"))
    return file
