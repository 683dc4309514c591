"""A SQLite file, through SQLAlchemy's asynchronous engine on aiosqlite: one connection that writes, two that read.

aiosqlite gives every connection a thread and hops there and back for every call, some 50 µs of processor time each, so a
transaction makes few: it is begun by one, and what is of the same kind goes into one statement (`Database.merge`).
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, AdaptedConnection, Connection, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.store.engines import EngineTransactions
from pipeline.errors import SettingsError

_READERS = 2
_OPENED = """
PRAGMA journal_mode=WAL;
PRAGMA busy_timeout=10000;
PRAGMA foreign_keys=ON;
PRAGMA temp_store=MEMORY;
"""
"""WAL: readers and the writer do not wait for one another."""

_BEGIN = {
    True: "PRAGMA synchronous=FULL; BEGIN IMMEDIATE",
    False: "PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE",
}
"""By whether the commit is durable.

NORMAL: a commit is in the operating system's hands when it returns, so a killed program loses nothing; a power cut may
take the last moments, whose steps are then made again. What was acknowledged to others cannot be had again, so it is
committed with FULL, for which the disk is waited for: some 2 ms.
"""


def make(url: URL) -> None:
    """Make the file and its folder, so that it is said here where they cannot be. Raises OSError.

    aiosqlite leaves a thread behind, which complains at the end, when it opens what cannot be opened.
    """
    assert url.database is not None
    file = Path(url.database)
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab"):
        pass


def sqlite(url: URL) -> EngineTransactions:
    """Transactions on one file."""
    reader, writer = _engine(url, size=_READERS), _engine(url, size=1)
    event.listen(reader.sync_engine, "begin", _begin_reading)
    event.listen(writer.sync_engine, "begin", _begin_writing)
    return EngineTransactions(reader, writer)


def _engine(url: URL, *, size: int) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=size,
        max_overflow=0,
        hide_parameters=True,  # what people said is not for the log
        pool_reset_on_return=None,  # every transaction is ended by whoever began it
        connect_args={"isolation_level": None},
    )
    event.listen(engine.sync_engine, "connect", _opened)
    return engine


def _opened(connection: AdaptedConnection, _record: object) -> None:
    connection.run_async(lambda driver: driver.executescript(_OPENED))


def _begin_reading(connection: Connection) -> None:
    _run(connection, "BEGIN")


def _begin_writing(connection: Connection) -> None:
    _run(connection, _BEGIN[connection.get_execution_options()["durable"]])


def _run(connection: Connection, script: str) -> None:
    """A script in one call, where a statement of SQLAlchemy's would be three."""
    adapted = connection.connection.dbapi_connection
    assert isinstance(adapted, AdaptedConnection)
    adapted.run_async(lambda driver: driver.executescript(script))


@contextmanager
def locked(url: URL) -> Iterator[None]:
    """Keep a second program from the file. Raises SettingsError when there is one."""
    file = Path(f"{url.database}.lock")
    with file.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise SettingsError("store-in-use", file=str(url.database)) from error
        yield
