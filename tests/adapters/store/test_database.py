"""Transactions: what is durable, what is still written, and what errors say."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

from sqlalchemy.exc import IntegrityError

from adapters.store import open_persistence
from adapters.store.database import translate
from adapters.store.transaction import Transaction
from pipeline.domain import RunId
from pipeline.errors import RequestError
from tests.contracts.talk import message


async def test_writes_that_are_cancelled_leave_the_database_as_it_is_and_usable(
    tmp_path: Path,
) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        for steps in range(30):
            async with asyncio.TaskGroup() as group:
                cancelled = group.create_task(kept.journal.record(RunId("run1"), str(steps), "1"))
                other = group.create_task(kept.journal.record(RunId("run2"), str(steps), "1"))
                for _ in range(steps):
                    await asyncio.sleep(0)
                cancelled.cancel()
            assert not other.cancelled()

        assert len(await kept.journal.recall(RunId("run2"))) == 30


async def test_accepting_waits_for_the_disk_and_recording_does_not(tmp_path: Path) -> None:
    levels: list[int] = []

    def note(tx: Transaction) -> None:
        levels.append(tx.connection.exec_driver_sql("PRAGMA synchronous").scalar_one())

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        database = kept.store.database
        await database.write(note)
        await database.write(note, durable=True)
        await database.write(note)

    assert levels == [1, 2, 1]


async def test_a_write_that_fails_fails_alone(tmp_path: Path) -> None:
    def fail(tx: Transaction) -> None:
        tx.connection.exec_driver_sql("INSERT INTO journal VALUES ('lost', 'step', '1', 0)")
        raise ZeroDivisionError

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        async with asyncio.TaskGroup() as group:
            before = group.create_task(kept.inbox.accept(message("1"), RunId("run1")))
            failing = group.create_task(_raised_by(kept.store.database.write(fail)))
            after = group.create_task(kept.inbox.accept(message("2"), RunId("run2")))

        assert isinstance(failing.result(), ZeroDivisionError)
        assert (before.result(), after.result()) == (True, True)
        assert list(await kept.inbox.waiting()) == ["run1", "run2"]
        assert not await kept.journal.recall(RunId("lost"))


async def _raised_by(work: Awaitable[None]) -> Exception | None:
    try:
        await work
    except ZeroDivisionError as error:
        return error
    return None


def test_only_what_is_the_databases_fault_is_told_as_such() -> None:
    bug = IntegrityError("insert", {}, Exception("duplicate"))
    away = translate(ConnectionRefusedError())

    assert translate(bug) is bug
    assert isinstance(away, RequestError)
    assert away.sentence.id == "store-gone"
