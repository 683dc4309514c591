"""Transactions: what is durable, what is still written, and what errors say."""

import asyncio
from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import IntegrityError

from adapters.store import open_persistence
from adapters.store.faults import translate
from adapters.store.transactions import Transaction
from pipeline.domain import RunId
from pipeline.errors import StoreUnavailable
from tests.contracts.messages import message


async def test_a_cancelled_program_still_writes_what_was_asked_for(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    begun = asyncio.Event()

    async def program() -> None:
        async with open_persistence(url) as kept, asyncio.TaskGroup() as group:
            group.create_task(kept.inbox.accept(message("1"), RunId("run1")))
            await asyncio.sleep(0)
            begun.set()
            await asyncio.Event().wait()

    async with asyncio.TaskGroup() as group:
        running = group.create_task(program())
        await begun.wait()
        running.cancel()

    assert running.cancelled()
    async with open_persistence(url) as kept:
        assert list(await kept.inbox.list_waiting()) == ["run1"]


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


async def test_writes_that_wait_share_a_transaction_which_is_durable_if_one_is(
    tmp_path: Path,
) -> None:
    begun: list[int] = []

    def note(tx: Transaction) -> None:
        if not begun or tx.connection.info.get("last") is not tx.connection.get_transaction():
            begun.append(tx.connection.exec_driver_sql("PRAGMA synchronous").scalar_one())
        tx.connection.info["last"] = tx.connection.get_transaction()

    async with (
        open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept,
        asyncio.TaskGroup() as group,
    ):
        for number in range(64):
            group.create_task(kept.store.database.write(note, durable=number == 32))

    assert begun == [2]


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
        assert list(await kept.inbox.list_waiting()) == ["run1", "run2"]
        assert not await kept.journal.recall(RunId("lost"))


async def _raised_by(work: Awaitable[None]) -> Exception | None:
    try:
        await work
    except ZeroDivisionError as error:
        return error
    return None


async def test_a_cancelled_write_does_not_cancel_those_that_share_its_transaction(
    tmp_path: Path,
) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        async with asyncio.TaskGroup() as group:
            cancelled = group.create_task(kept.inbox.accept(message("1"), RunId("run1")))
            other = group.create_task(kept.inbox.accept(message("2"), RunId("run2")))
            await asyncio.sleep(0)
            cancelled.cancel()

        assert cancelled.cancelled()
        assert other.result()
        assert list(await kept.inbox.list_waiting()) == ["run1", "run2"]


async def test_a_message_is_handed_out_when_the_database_is_back(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    troubles = iter([None, OSError(), OSError()])

    def clock() -> datetime:
        if trouble := next(troubles, None):
            raise trouble
        return datetime.now(UTC)

    async with open_persistence(url) as kept:
        await kept.inbox.accept(message("1"), RunId("run1"))

    async with open_persistence(url) as kept:
        kept.store.database.clock = clock
        handed_out = await anext(kept.inbox.take())

    assert (handed_out.run, handed_out.attempt) == ("run1", 1)


def test_only_what_is_the_databases_fault_is_told_as_such() -> None:
    bug = IntegrityError("insert", {}, Exception("duplicate"))
    away = translate(ConnectionRefusedError())

    assert translate(bug) is bug
    assert isinstance(away, StoreUnavailable)
    assert away.sentence.id == "store-gone"
