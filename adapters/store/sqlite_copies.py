"""Copies of an SQLite database: taken while a program writes to it, checked, and put back."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from adapters.store.database import parse_address
from adapters.store.faults import explain_at_start
from adapters.store.opening import upgrade
from adapters.store.sqlite import make_file
from pipeline.errors import SettingsError

_BUSY_SECONDS = 30.0


async def copy_database(url: str, copy: Path) -> None:
    """Write the database at an address to a new file; others may write to it meanwhile.

    Nothing of what was deleted is in the copy. Raises SettingsError.
    """
    await asyncio.to_thread(_copy, url, copy)


def _copy(url: str, copy: Path) -> None:
    with _connect(url) as source:
        source.execute("VACUUM INTO ?", (str(copy),))


async def check_copy(copy: Path) -> None:
    """Raises SettingsError for a damaged copy, or one of a newer version; upgrades an older one."""
    url = f"sqlite:///{quote(str(copy))}"
    await asyncio.to_thread(_check, url)
    await upgrade(url)


def _check(url: str) -> None:
    with _connect(url) as copy:
        (problem,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if problem != "ok":
            raise SettingsError("store-unreadable", url=url)


async def has_conversations(url: str) -> bool:
    """Whether a database, which need not exist, holds any. Raises SettingsError."""
    return await asyncio.to_thread(_has_conversations, url)


def _has_conversations(url: str) -> bool:
    if not Path(str(parse_address(url).database)).exists():
        return False
    with _connect(url) as database:
        tables = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'threads'")
        return bool(tables.fetchone() and database.execute("SELECT 1 FROM threads").fetchone())


async def put_back(url: str, copy: Path) -> None:
    """Replace all that is in the database at an address by a copy, in one transaction.

    Raises SettingsError.
    """
    await asyncio.to_thread(_put_back, url, copy)


def _put_back(url: str, copy: Path) -> None:
    make_file(str(parse_address(url).database))
    with _connect(url) as database, closing(sqlite3.connect(copy)) as source:
        database.execute("PRAGMA synchronous=FULL")
        source.backup(database)


@contextmanager
def _connect(url: str) -> Iterator[sqlite3.Connection]:
    """A connection to a database that exists. Raises SettingsError for its faults."""
    address = parse_address(url)
    file = f"file:{quote(str(address.database))}?mode=rw"
    try:
        with closing(sqlite3.connect(file, uri=True, timeout=_BUSY_SECONDS)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise explain_at_start(error, address) from error
