"""What the contracts do not say: how long things are kept, and rows that cannot be read."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from adapters.store import Persistence, open_persistence
from adapters.store.schema import interactions, outcomes
from adapters.store.transactions import Transaction
from pipeline.domain import Link, RunId
from pipeline.errors import TroupeError
from pipeline.ports import Inbox, QueuedMessage
from tests.contracts.homes import Time
from tests.contracts.messages import NOON, OTHER, THREAD, message, turn
from tests.contracts.runs import done, run


async def remembered(kept: Persistence) -> int:
    def count(tx: Transaction) -> int:
        return tx.execute(select(func.count()).select_from(interactions)).scalar_one()

    return await kept.store.database.read(count)


async def test_finished_interactions_are_dropped_after_two_days(tmp_path: Path) -> None:
    time = Time()
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db", clock=time) as kept:
        for day in range(5):
            assert await kept.interactions.accept("slack", f"T{day}", "{}")
            await kept.interactions.finish("slack", f"T{day}")
            time.pass_by(timedelta(days=1))
        await kept.store.prune(older_than=time() - timedelta(days=90))

        assert await remembered(kept) == 2
        assert not await kept.interactions.accept("slack", "T4", "{}")
        assert await kept.interactions.accept("slack", "T0", "{}")


async def test_a_file_sent_with_a_message_is_kept_as_long_as_the_message_waits(
    tmp_path: Path,
) -> None:
    sent = "ab" * 32
    said = replace(message("1"), files=(Link(f"file:{sent}", "cat.png"),))

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        await kept.inbox.accept(said, RunId("run1"))
        assert await kept.store.file_hashes() == {sent}
        assert await kept.store.unlog(said.key) == (sent,)
        assert not await kept.store.file_hashes()


async def test_an_error_of_the_database_does_not_repeat_what_people_said(tmp_path: Path) -> None:
    def twice(tx: Transaction) -> None:
        row = {"platform": "slack", "id": "a secret", "payload": "", "reply": "", "at": 1.0}
        tx.execute(insert(interactions), [row, row])

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        with pytest.raises(IntegrityError) as broken:
            await kept.store.database.write(twice)

    assert "a secret" not in str(broken.value)


async def fill(kept: Persistence, number: int) -> None:
    async with asyncio.TaskGroup() as group:
        for each in range(number):
            group.create_task(kept.store.log(THREAD, turn(f"{each:04}")))
            group.create_task(kept.journal.record(RunId(f"run{each}"), "plan", "1"))


async def test_much_old_talk_is_pruned_to_the_end(tmp_path: Path) -> None:
    time = Time(NOON)
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db", clock=time) as kept:
        await fill(kept, 600)

        for _ in range(2):
            await kept.store.prune(older_than=NOON + timedelta(days=1))
            time.pass_by(timedelta(days=1))

        assert (await kept.store.context(THREAD, turns=9, tail=9)).turns == ()
        assert not await kept.journal.recall(RunId("run599"))
        assert not await kept.store.active_threads("slack", since=NOON - timedelta(days=1))


async def test_a_clock_that_jumps_ahead_prunes_nothing_at_once(tmp_path: Path) -> None:
    time = Time(NOON)
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db", clock=time) as kept:
        await fill(kept, 200)

        time.pass_by(timedelta(days=100))
        await kept.store.prune(older_than=time() - timedelta(days=90))
        time.pass_by(timedelta(days=-100))
        await kept.store.prune(older_than=time() - timedelta(days=90))

        assert len((await kept.store.context(THREAD, turns=500, tail=0)).turns) == 200


async def test_a_message_that_nothing_is_before_is_counted_as_it_is_accepted(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/troupe.db"
    one, two = message("1"), message("2")

    async with open_persistence(url) as kept, aclosing(taking(kept.inbox)) as taken:
        await kept.inbox.accept(message("0", OTHER), RunId("run0"))
        await anext(taken)
        await kept.inbox.accept(one, RunId("run1"))
        await kept.inbox.accept(two, RunId("run2"))
        counted = [
            found.attempt for key in (one.key, two.key) for found in await kept.inbox.of(key)
        ]
        assert counted == [1, 0]
        assert await anext(taken) == QueuedMessage(RunId("run1"), one, 1)
        await kept.inbox.finish(RunId("run1"))
        assert await anext(taken) == QueuedMessage(RunId("run2"), two, 1)

    async with open_persistence(url) as kept, aclosing(taking(kept.inbox)) as taken:
        assert {
            (found.run, found.attempt) for found in [await anext(taken), await anext(taken)]
        } == {
            ("run0", 2),
            ("run2", 2),
        }


async def taking(inbox: Inbox) -> AsyncGenerator[QueuedMessage]:
    async for taken in inbox.take():
        yield taken


async def test_a_result_that_cannot_be_read_is_none_so_that_it_is_made_anew(tmp_path: Path) -> None:
    def spoil(tx: Transaction) -> None:
        tx.execute(update(outcomes).values(body='{"from":"2019"}'))

    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        await kept.store.keep(run("run1", replace(done(), key="k1")), THREAD)
        await kept.store.database.write(spoil)

        (source,) = (await kept.store.find_results(THREAD)).values()

        assert await kept.store.load_outcome(source) is None


async def test_a_damaged_page_is_told_in_plain_words(tmp_path: Path) -> None:
    path = tmp_path / "troupe.db"
    async with open_persistence(f"sqlite:///{path}") as kept:
        await fill(kept, 200)
    pages = path.read_bytes()
    half = len(pages) // 2
    path.write_bytes(pages[:half] + b"\xff" * (len(pages) - half))

    with pytest.raises(TroupeError) as damaged:
        async with open_persistence(f"sqlite:///{path}") as kept:
            await kept.store.context(THREAD, turns=500, tail=500)

    assert damaged.value.sentence.id in {"store-damaged", "store-unreadable"}


async def test_of_what_was_dropped_no_copy_is_left_in_the_files(tmp_path: Path) -> None:
    async with open_persistence(f"sqlite:///{tmp_path}/troupe.db") as kept:
        for number in range(600):
            await kept.store.log(THREAD, turn(f"{number:04}", text=f"between us {number}"))
        await kept.store.drop_overheard(["slack"], listen="threads")

        files = await asyncio.to_thread(lambda: [file.read_bytes() for file in tmp_path.iterdir()])
        assert not any(b"between us" in content for content in files)
