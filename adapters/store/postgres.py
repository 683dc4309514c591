"""A PostgreSQL server, through SQLAlchemy's asynchronous engine on asyncpg."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.store.database import Work, all_of
from pipeline.errors import SettingsError

T = TypeVar("T")

_LOCK = 7_270_601
"""The advisory lock of the one program that works on a database."""


class PostgresTransactions:
    """Transactions on one database. Every commit waits for the server's disk, unless the server is told otherwise."""

    def __init__(self, url: URL) -> None:
        self._engine = create_async_engine(url, pool_size=4, max_overflow=0, pool_pre_ping=True)

    async def read(self, work: Work[T]) -> T:
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)

    async def commit(self, works: Sequence[Work[object]], *, durable: bool) -> list[object]:  # noqa: ARG002 - see the class
        async with self._engine.begin() as connection:
            return await connection.run_sync(partial(all_of, works=works))

    async def close(self) -> None:
        await self._engine.dispose()

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Keep a second program from the database. Raises SettingsError when there is one."""
        async with self._engine.connect() as connection:
            free = await connection.scalar(
                text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK}
            )
            if not free:
                raise SettingsError("store-in-use", file=str(self._engine.url.database))
            await connection.commit()
            try:
                yield
            finally:
                await (
                    connection.invalidate()
                )  # its end frees the lock, also when the server is gone
