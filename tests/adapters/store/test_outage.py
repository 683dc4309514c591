"""A database that is locked, full or away for a while: calls wait, and nothing is done twice."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection, exc

from adapters.store import Persistence, open_persistence
from adapters.store.database import Database, DatabaseConnections
from adapters.store.faults import translate
from adapters.store.key_values import SqlInteractions
from pipeline.domain import RunId
from pipeline.errors import StoreDamaged, StoreUnavailable, is_passing
from pipeline.outage import Outage, limit_patience
from pipeline.ports import read_clock
from tests.contracts.messages import message

T = TypeVar("T")


@asynccontextmanager
async def locked(folder: Path) -> AsyncIterator[tuple[Persistence, sqlite3.Connection]]:
    """The ports, and another program that holds the write lock."""
    async with open_persistence(f"sqlite:///{folder}/troupe.db") as kept:
        with closing(sqlite3.connect(folder / "troupe.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield kept, other


async def test_what_is_written_while_another_program_has_the_lock_waits_and_is_kept(
    tmp_path: Path,
) -> None:
    async with locked(tmp_path) as (kept, other), asyncio.TaskGroup() as group:
        accepting = [
            group.create_task(kept.inbox.accept(message(str(n)), RunId(f"run{n}")))
            for n in range(40)
        ]
        with pytest.raises(StoreUnavailable), limit_patience(0):
            await kept.cache.put("key", "refused")
        other.execute("COMMIT")

        await asyncio.wait(accepting)
        assert all(task.result() for task in accepting)
        assert len(await kept.inbox.list_waiting()) == 40
        assert await kept.cache.get("key") is None


async def test_reading_goes_on_while_another_program_has_the_lock(tmp_path: Path) -> None:
    async with locked(tmp_path) as (kept, _):
        with limit_patience(0):
            assert not await kept.inbox.list_waiting()


async def test_a_write_whose_caller_has_left_before_it_began_is_not_made(tmp_path: Path) -> None:
    async with locked(tmp_path) as (kept, other), asyncio.TaskGroup() as group:
        staying = group.create_task(kept.cache.put("stays", "x"))
        await asyncio.sleep(0)
        leaving = group.create_task(kept.cache.put("leaves", "x"))
        await asyncio.sleep(0)
        leaving.cancel()
        other.execute("COMMIT")

        await staying
        assert await kept.cache.get("leaves") is None


class Cut(DatabaseConnections):
    """DatabaseConnections of which the first breaks after its commit."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self.breaks = connection, 1

    async def read(self, work: Callable[[Connection], T]) -> T:
        return work(self._connection)

    async def write(
        self, work: Callable[[Connection], T], *, durable: bool, is_single: bool = False
    ) -> T:
        result = work(self._connection)
        self.breaks -= 1
        if self.breaks >= 0:
            raise exc.DBAPIError("COMMIT", {}, Exception("cut"), connection_invalidated=True)
        return result

    async def reread(self, work: Callable[[Connection], T]) -> T:
        return work(self._connection)

    async def scrub(self) -> None:
        pass


async def test_a_commit_whose_answer_is_lost_is_not_taken_for_a_duplicate(tmp_path: Path) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:

        def accept(connection: Connection) -> tuple[bool, bool]:
            cut = SqlInteractions(Database(Cut(connection), read_clock, Outage()))
            return asyncio.run(_accept_twice(cut))

        first, second = await kept.store.database.write(lambda tx: accept(tx.connection))

    assert (first, second) == (True, False)


async def _accept_twice(port: SqlInteractions) -> tuple[bool, bool]:
    return await port.accept("slack", "1", "{}"), await port.accept("slack", "1", "{}")


class _Postgres(Exception):
    def __init__(self, code: str) -> None:
        self.sqlstate = code


@pytest.mark.parametrize(
    "code",
    ["57P01", "57P03", "08006", "08003", "53300", "53100", "40001", "40P01", "55P03", "25006"],
)
def test_faults_of_a_server_that_restarts_or_is_overloaded_pass(code: str) -> None:
    error = translate(exc.DBAPIError("SELECT 1", {}, _Postgres(code)))

    assert is_passing(error)


@pytest.mark.parametrize("code", ["42P01", "23505", "22001"])
def test_mistakes_in_a_statement_do_not_pass(code: str) -> None:
    bug = exc.DBAPIError("SELECT 1", {}, _Postgres(code))

    assert translate(bug) is bug


def test_a_damaged_database_does_not_pass() -> None:
    error = translate(exc.DBAPIError("SELECT 1", {}, _Postgres("XX001")))

    assert isinstance(error, StoreDamaged)
    assert not is_passing(error)
