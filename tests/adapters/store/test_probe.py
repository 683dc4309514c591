"""The health check of the database: a fresh value is written, and read back from disk."""

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.store import Persistence, open_persistence
from adapters.store.schema import inbox
from pipeline.domain import RunId
from pipeline.errors import StoreUnavailable
from tests.contracts.messages import message


async def fill(kept: Persistence) -> None:
    """Put messages in the inbox, in the database file itself."""
    async with asyncio.TaskGroup() as group:
        for number in range(200):
            group.create_task(kept.inbox.accept(message(f"{number:04}"), RunId(f"run{number}")))
    await kept.store.database.scrub()


def damage(path: Path) -> None:
    """Overwrite the pages of the inbox, but for its first one."""
    with sqlite3.connect(path) as reader:
        size = reader.execute("PRAGMA page_size").fetchone()[0]
        listed = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'"
        try:
            pages = [page for (page,) in reader.execute(listed, (inbox.name,))]
        except sqlite3.OperationalError:  # built without dbstat
            pages = [path.stat().st_size // size // 2]
    reader.close()
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)


def damage_everything(path: Path) -> None:
    pages = path.read_bytes()
    path.write_bytes(pages[:4096] + b"\xff" * (len(pages) - 4096))


def take_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def put_back_older(path: Path) -> None:
    """What somebody does who restores a backup while the program runs."""
    content = path.read_bytes()
    path.unlink()
    path.write_bytes(content)


def overwrite_the_head(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"no database here")


async def test_a_database_that_keeps_what_it_is_given_passes(tmp_path: Path) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/a ü?#.db") as kept:
        await fill(kept)
        await kept.probe.check()
        await kept.probe.check()


@pytest.mark.parametrize(
    "harm", [damage, damage_everything, take_away, put_back_older, overwrite_the_head]
)
async def test_a_database_that_would_lose_messages_does_not_pass(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    path = tmp_path / "troupe.db"
    async with open_persistence(f"sqlite:///{path}") as kept:
        await fill(kept)
        await kept.probe.check()
        await kept.store.database.scrub()
        harm(path)

        with pytest.raises(StoreUnavailable):
            await kept.probe.check()
