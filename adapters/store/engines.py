"""Transactions through SQLAlchemy's asynchronous engines, whatever the database."""

from typing import TypeVar

from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.store.database import Work

T = TypeVar("T")


class EngineTransactions:
    """Transactions on one database: one writes at a time, some read beside it."""

    def __init__(self, reader: AsyncEngine, writer: AsyncEngine) -> None:
        self._reader = reader
        self._writers = {
            durable: writer.execution_options(durable=durable) for durable in (True, False)
        }

    async def read(self, work: Work[T]) -> T:
        async with self._reader.connect() as connection:
            return await connection.run_sync(work)

    async def commit(self, work: Work[T], *, durable: bool) -> T:
        async with self._writers[durable].begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        for engine in (self._writers[True], self._reader):
            await engine.dispose()
