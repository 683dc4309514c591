"""A PostgreSQL server, through SQLAlchemy's asynchronous engine on asyncpg."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.store.engines import EngineTransactions
from pipeline.errors import SettingsError

_LOCK = 7_270_601
"""The advisory lock of the one program that works on a database."""


def postgres(url: URL) -> tuple[EngineTransactions, AsyncEngine]:
    """Transactions on one database, and their engine. Every commit waits for the server's disk, unless the server is told otherwise."""
    engine = create_async_engine(
        url,
        pool_size=4,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,  # what people said is not for the log
    )
    return EngineTransactions(engine, engine), engine


@asynccontextmanager
async def locked(engine: AsyncEngine) -> AsyncIterator[None]:
    """Keep a second program from the database. Raises SettingsError when there is one."""
    async with engine.connect() as connection:
        free = await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK})
        if not free:
            raise SettingsError("store-in-use", file=str(engine.url.database))
        await connection.commit()
        try:
            yield
        finally:
            await connection.invalidate()  # its end frees the lock, also when the server is gone
