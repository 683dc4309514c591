"""`troupe db copy`: all that an SQLite file has is in the database on a server afterwards."""

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from adapters.store import exclusive, open_persistence
from adapters.store.database import parse_address
from adapters.store.opening import open_database
from adapters.store.schema import metadata
from bot.operations.database_move import copy_to_server
from bot.setting_sources import read_settings
from bot.settings import Settings
from pipeline.errors import SettingsError
from pipeline.ports import read_clock
from tests.contracts.conftest import EMPTIED
from tests.contracts.messages import message
from tests.contracts.postgres import order

NOT_KEPT = {"leases", "programs", "progress", "rate_limits", "compatibility"}
TABLES = [table for table in metadata.sorted_tables if table.name not in NOT_KEPT]


@pytest.fixture
def settings(tmp_path: Path, empty: Path, postgres: str) -> Settings:
    """A home with an SQLite file that has rows in every table, and an empty database."""
    asyncio.run(order(postgres, EMPTIED))
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "troupe.db").write_bytes(empty.read_bytes())
    with closing(sqlite3.connect(home / "troupe.db")) as database, database:
        for table in metadata.sorted_tables:
            for number in range(1, 4):
                row = [_make(column, number) for column in table.columns]
                marks = ", ".join("?" * len(row))
                names = ", ".join(column.name for column in table.columns)
                database.execute(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", row)
    return read_settings({"TROUPE_HOME": str(home), "TROUPE_DATABASE_URL": postgres})


def _make(column: sa.Column[Any], number: int) -> object:
    if isinstance(column.type, sa.Boolean):
        return number % 2
    if isinstance(column.type, sa.Integer | sa.BigInteger):
        return number
    if isinstance(column.type, sa.Double):
        return number + 0.25
    return f"{number} Grüße \N{ZEBRA FACE}"


def in_file(file: Path) -> Mapping[str, Sequence[tuple[object, ...]]]:
    with closing(sqlite3.connect(file)) as database:
        return {table.name: _sort(database.execute(_select(table))) for table in TABLES}


async def on_server(url: str) -> Mapping[str, Sequence[tuple[object, ...]]]:
    async with open_database(parse_address(url), read_clock) as database:
        return await database.read(
            lambda tx: {table.name: _sort(tx.execute(sa.text(_select(table)))) for table in TABLES}
        )


def _select(table: sa.Table) -> str:
    return f"SELECT {', '.join(column.name for column in table.columns)} FROM {table.name}"


def _sort(rows: Any) -> Sequence[tuple[object, ...]]:
    return sorted((tuple(row) for row in rows), key=repr)


async def test_every_row_of_every_table_is_copied_and_the_file_stays(settings: Settings) -> None:
    file = settings.home / "troupe.db"
    before = in_file(file)

    await copy_to_server(settings, None)

    copied = await on_server(settings.database_url)
    assert {name: len(rows) for name, rows in copied.items()} == {
        name: len(rows) for name, rows in before.items()
    }
    assert copied == before
    assert in_file(file) == before


async def test_numbers_go_on_where_those_of_the_file_end(settings: Settings) -> None:
    await copy_to_server(settings, None)

    async with open_persistence(settings.database_url) as persistence:
        assert await persistence.inbox.accept(message("9"), message("9").key)  # type: ignore[arg-type]

    assert max(row[0] for row in (await on_server(settings.database_url))["inbox"]) == 4  # type: ignore[type-var]


async def test_a_database_with_something_in_it_is_refused_and_stays(settings: Settings) -> None:
    await copy_to_server(settings, None)
    before = await on_server(settings.database_url)

    with pytest.raises(SettingsError) as refused:
        await copy_to_server(settings, None)

    assert refused.value.sentence.id == "copy-not-empty"
    assert await on_server(settings.database_url) == before


async def test_nothing_is_copied_while_a_program_serves_either(settings: Settings) -> None:
    for url in (settings.database_url, f"sqlite:///{settings.home}/troupe.db"):
        async with exclusive(url):
            with pytest.raises(SettingsError) as refused:
                await copy_to_server(settings, None)

        assert refused.value.sentence.id == "store-in-use"
    assert not any((await on_server(settings.database_url)).values())


async def test_without_a_server_or_a_file_the_way_out_is_told(tmp_path: Path) -> None:
    for values, sentence in (
        ({"TROUPE_HOME": str(tmp_path)}, "copy-to-server"),
        (
            {"TROUPE_HOME": str(tmp_path), "TROUPE_DATABASE_URL": "postgresql://h/d"},
            "copy-nothing",
        ),
    ):
        with pytest.raises(SettingsError) as refused:
            await copy_to_server(read_settings(values), None)

        assert refused.value.sentence.id == sentence
