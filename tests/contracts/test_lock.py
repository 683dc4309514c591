"""The lock of the serving program, on PostgreSQL: it goes with its connection."""

import asyncio

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.store import exclusive
from pipeline.errors import SettingsError, cause

_HOLDERS = "FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database"
_TERMINATE = f"SELECT count(pg_terminate_backend(pid)) {_HOLDERS} WHERE datname = :name)"
_COUNT = f"SELECT count(*) {_HOLDERS} WHERE datname = :name)"
_HOLDER = f"SELECT max(pid) {_HOLDERS} WHERE datname = :name)"


async def ask(url: str, query: str) -> int:
    address = make_url(url).set(drivername="postgresql+asyncpg")
    engine = create_async_engine(address)
    async with engine.connect() as connection:
        number: int = await connection.scalar(text(query), {"name": address.database}) or 0
    await engine.dispose()
    return number


async def until(url: str, query: str, wanted: int) -> None:
    async with asyncio.timeout(10):
        while await ask(url, query) != wanted:
            pass


async def test_a_second_program_cannot_hold_the_lock(postgres: str) -> None:
    async with exclusive(postgres):
        with pytest.raises(SettingsError) as refused:
            async with exclusive(postgres):
                pass

    assert refused.value.sentence.id == "store-in-use"
    await until(postgres, _COUNT, 0)


async def test_a_lost_lock_is_taken_again(postgres: str) -> None:
    async with exclusive(postgres, check_every=0.05):
        first = await ask(postgres, _HOLDER)
        assert await ask(postgres, _TERMINATE) == 1
        async with asyncio.timeout(10):
            while await ask(postgres, _HOLDER) in (0, first):
                pass

        with pytest.raises(SettingsError):
            async with exclusive(postgres):
                pass


async def wait_with_the_lock_of_another(url: str) -> None:
    async with exclusive(url, check_every=0.5):
        await ask(url, _TERMINATE)
        await until(url, _COUNT, 0)
        async with exclusive(url):
            await asyncio.Event().wait()


async def test_work_stops_when_another_program_has_taken_a_lost_lock(postgres: str) -> None:
    with pytest.raises(ExceptionGroup) as stopped:
        await wait_with_the_lock_of_another(postgres)

    problem = cause(stopped.value)
    assert problem
    assert problem.sentence.id == "store-in-use"
