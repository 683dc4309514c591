"""The writer that merges what is wanted at the same time."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import IntegrityError

from adapters.store import open_lasting
from adapters.store.database import Database, Work, writing
from adapters.store.faults import translated
from pipeline.domain import RunId
from pipeline.errors import RequestError
from tests.contracts.talk import message

T = TypeVar("T")


@dataclass
class FakeTransactions:
    """Does what it is asked to, one commit after the other, and keeps which were durable."""

    commits: list[bool] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def read(self, work: Work[T]) -> T:
        raise NotImplementedError

    async def commit(self, work: Work[T], *, durable: bool) -> T:
        self.commits.append(durable)
        await self.gate.wait()
        engine = create_engine("sqlite://")
        try:
            with engine.connect() as connection:
                return work(connection)
        finally:
            engine.dispose()


@dataclass
class Doubling:
    """Doubles numbers, and keeps which it was given together."""

    given: list[list[int]] = field(default_factory=list)

    def together(self, _connection: Connection, numbers: Sequence[int]) -> list[int]:
        self.given.append(list(numbers))
        return [2 * number for number in numbers]


def answer(_connection: Connection) -> int:
    return 42


def fail(_connection: Connection) -> int:
    raise ZeroDivisionError


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_what_is_wanted_during_a_commit_goes_together_into_the_next() -> None:
    transactions = FakeTransactions()
    async with writing(transactions) as database, asyncio.TaskGroup() as group:
        first = group.create_task(database.write(answer))
        await settled()
        rest = [group.create_task(database.write(answer, durable=n == 3)) for n in range(5)]
        await settled()
        transactions.gate.set()

    assert [task.result() for task in (first, *rest)] == [42] * 6
    assert transactions.commits == [False, True]


async def test_what_is_of_the_same_kind_is_done_together_and_each_gets_its_own_result() -> None:
    transactions = FakeTransactions()
    doubling = Doubling()
    double = doubling.together
    async with writing(transactions) as database, asyncio.TaskGroup() as group:
        doubled = [group.create_task(database.merge(double, number)) for number in (1, 2)]
        other = group.create_task(database.write(answer))
        doubled.append(group.create_task(database.merge(double, 3)))
        transactions.gate.set()

    assert [task.result() for task in (*doubled, other)] == [2, 4, 6, 42]
    assert doubling.given == [[1, 2, 3]]


async def test_what_fails_fails_alone() -> None:
    transactions = FakeTransactions()
    async with writing(transactions) as database, asyncio.TaskGroup() as group:
        good = [group.create_task(database.write(answer)) for _ in range(2)]
        bad = group.create_task(failing(database))
        transactions.gate.set()

    assert [task.result() for task in good] == [42, 42]
    assert bad.done()
    assert transactions.commits == [False] * 4


async def failing(database: Database) -> None:
    with pytest.raises(ZeroDivisionError):
        await database.write(fail)


async def test_who_gives_up_waiting_harms_no_other() -> None:
    transactions = FakeTransactions()
    async with writing(transactions) as database, asyncio.TaskGroup() as group:
        impatient = group.create_task(database.write(answer))
        patient = group.create_task(database.write(answer))
        await settled()
        impatient.cancel()
        transactions.gate.set()

    assert impatient.cancelled()
    assert patient.result() == 42


async def test_what_was_asked_for_is_written_before_the_end_and_nothing_after() -> None:
    transactions = FakeTransactions()
    transactions.gate.set()
    async with asyncio.TaskGroup() as group, writing(transactions) as database:
        last = group.create_task(database.write(answer))
        await asyncio.sleep(0)

    assert last.result() == 42
    with pytest.raises(RuntimeError):
        await database.write(answer)


async def test_a_cancelled_program_still_writes_what_was_asked_for(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    begun = asyncio.Event()

    async def program() -> None:
        async with open_lasting(url) as kept, asyncio.TaskGroup() as group:
            group.create_task(kept.inbox.accept(message("1"), RunId("run1")))
            await asyncio.sleep(0)
            begun.set()
            await asyncio.Event().wait()

    async with asyncio.TaskGroup() as group:
        running = group.create_task(program())
        await begun.wait()
        running.cancel()

    assert running.cancelled()
    async with open_lasting(url) as kept:
        assert list(await kept.inbox.waiting()) == ["run1"]


async def test_accepting_waits_for_the_disk_and_recording_does_not(tmp_path: Path) -> None:
    levels: list[int] = []

    def note(connection: Connection) -> None:
        levels.append(connection.exec_driver_sql("PRAGMA synchronous").scalar_one())

    async with open_lasting(f"sqlite:///{tmp_path}/troupe.db") as kept:
        database = kept.store.database
        await database.write(note)
        await database.write(note, durable=True)
        await database.write(note)

    assert levels == [1, 2, 1]


def test_only_what_is_the_databases_fault_is_told_as_such() -> None:
    bug = IntegrityError("insert", {}, Exception("duplicate"))
    away = translated(ConnectionRefusedError())

    assert translated(bug) is bug
    assert isinstance(away, RequestError)
    assert away.sentence.id == "store-gone"
