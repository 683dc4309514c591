"""A SQLite file: one thread that writes, two that read.

SQLAlchemy's plain engine in threads of our own, not its asynchronous one on aiosqlite: that hops between threads for
every statement, which took 3 times the processor time for one row and 19 times in a group (benchmarks/store.py).
"""

import asyncio
import fcntl
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine, event

from adapters.store.database import Work, all_of
from pipeline.errors import SettingsError

T = TypeVar("T")

_READERS = 2


class SqliteTransactions:
    """Transactions on one file."""

    def __init__(self, url: URL) -> None:
        self._writer = _engine(url, begin="BEGIN IMMEDIATE", size=1)
        self._reader = _engine(url, begin="BEGIN", size=_READERS)
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="store-writer")
        self._reading = ThreadPoolExecutor(_READERS, thread_name_prefix="store-reader")
        self._durable = False

    async def read(self, work: Work[T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(
            self._reading, partial(_read, self._reader, work)
        )

    async def commit(self, works: Sequence[Work[object]], *, durable: bool) -> list[object]:
        return await asyncio.get_running_loop().run_in_executor(
            self._writing, partial(self._commit, works, durable=durable)
        )

    def close(self) -> None:
        for threads, engine in ((self._writing, self._writer), (self._reading, self._reader)):
            threads.shutdown(wait=True)
            engine.dispose()

    def _commit(self, works: Sequence[Work[object]], *, durable: bool) -> list[object]:
        with self._writer.connect() as connection:
            if durable != self._durable:
                _set_durable(connection, durable=durable)
                self._durable = durable
            with connection.begin():
                return all_of(connection, works)


def _read(engine: Engine, work: Work[T]) -> T:
    with engine.connect() as connection:
        return work(connection)


def _engine(url: URL, *, begin: str, size: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=size,
        max_overflow=0,
        connect_args={"check_same_thread": False, "isolation_level": None},
    )
    event.listen(engine, "connect", _connected)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _connected(connection: Any, _record: object) -> None:  # noqa: ANN401 - the driver's
    """WAL: readers and the writer do not wait for one another.

    synchronous=NORMAL: a commit is in the operating system's hands when it returns, so a killed program loses nothing;
    a power cut may take the last moments, whose steps are then made again. What was acknowledged to others cannot be
    had again, so it is committed with FULL (`_set_durable`), for which the disk is waited for: some 2 ms.
    """
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "busy_timeout=10000",
        "foreign_keys=ON",
        "temp_store=MEMORY",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _set_durable(connection: Connection, *, durable: bool) -> None:
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(f"PRAGMA synchronous={'FULL' if durable else 'NORMAL'}")


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
