"""What every journal, ledger and store of interactions and installations does."""

import asyncio
from datetime import timedelta

from pipeline.domain import RunId
from pipeline.ports import PendingInteraction, Posting
from tests.contracts.homes import Home

ONE, TWO = RunId("run1"), RunId("run2")


async def test_what_a_step_returned_is_recalled_after_a_restart(home: Home) -> None:
    async with home.open() as kept:
        await kept.journal.record(ONE, "plan", '{"text":"ü \\u0000 \ud800"}')
        await kept.journal.record(ONE, "task:1", "[]")
        await kept.journal.record(TWO, "plan", "{}")

    async with home.open() as kept:
        assert set(await kept.journal.recall(ONE)) == {"plan", "task:1"}
        assert await kept.journal.recall(TWO) == {"plan": "{}"}
        assert await kept.journal.recall(RunId("unknown")) == {}


async def test_the_first_value_of_a_step_stays(home: Home) -> None:
    async with home.open() as kept:
        await kept.journal.record(ONE, "plan", "1")
        await kept.journal.record(ONE, "plan", "2")

        assert await kept.journal.recall(ONE) == {"plan": "1"}


async def test_many_steps_recorded_at_once_are_all_there(home: Home) -> None:
    async with home.open() as kept:
        async with asyncio.TaskGroup() as group:
            for number in range(100):
                run = RunId(f"run{number % 10}")
                group.create_task(kept.journal.record(run, f"step{number}", str(number)))

        assert len(await kept.journal.recall(RunId("run3"))) == 10


async def test_a_post_is_fresh_then_unsure_then_posted(home: Home) -> None:
    async with home.open() as kept:
        assert await kept.ledger.begin("run1:answer") == (Posting.FRESH, "")
    async with home.open() as kept:
        assert await kept.ledger.begin("run1:answer") == (Posting.UNSURE, "")
        await kept.ledger.done("run1:answer", "123.45")

    async with home.open() as kept:
        assert await kept.ledger.begin("run1:answer") == (Posting.POSTED, "123.45")
        assert await kept.ledger.begin("run1:answer:2") == (Posting.FRESH, "")
        assert await kept.ledger.find_run("123.45") == "run1"
        assert await kept.ledger.find_run("123") is None


async def test_a_post_found_at_the_platform_is_posted_without_having_been_begun(
    home: Home,
) -> None:
    async with home.open() as kept:
        await kept.ledger.done("run1:answer", "9")

        assert await kept.ledger.begin("run1:answer") == (Posting.POSTED, "9")


async def test_an_interaction_is_accepted_once(home: Home) -> None:
    async with home.open() as kept:
        assert await kept.interactions.accept("slack", "T1", "{}")
        assert not await kept.interactions.accept("slack", "T1", "{}")
        assert await kept.interactions.accept("slack", "T2", "{}")
        assert await kept.interactions.accept("discord", "T1", "{}")
        await kept.interactions.finish("slack", "T1")

    home.time.pass_by(timedelta(days=1))
    async with home.open() as kept:
        assert not await kept.interactions.accept("slack", "T1", "{}")


async def test_an_interaction_accepted_many_times_at_once_is_accepted_once(home: Home) -> None:
    async with home.open() as kept, asyncio.TaskGroup() as group:
        accepting = [
            group.create_task(kept.interactions.accept("slack", "T1", "{}")) for _ in range(20)
        ]

    assert [each.result() for each in accepting].count(True) == 1


async def test_interactions_are_pending_with_their_reply_until_they_are_finished(
    home: Home,
) -> None:
    async with home.open() as kept:
        for id_ in ("T2", "T1", "T3"):
            await kept.interactions.accept("slack", id_, f'{{"text":"{id_} ü"}}')
        await kept.interactions.accept("discord", "T4", "{}")
        assert await kept.interactions.record("slack", "T1", "reply")
        assert not await kept.interactions.record("slack", "T1", "of a program that was frozen")
        await kept.interactions.finish("slack", "T3")
        assert not await kept.interactions.record("slack", "T3", "too late")

    async with home.open() as kept:
        assert [*await kept.interactions.list_pending("slack")] == [
            PendingInteraction("T2", '{"text":"T2 ü"}'),
            PendingInteraction("T1", '{"text":"T1 ü"}', "reply"),
        ]
        (only,) = await kept.interactions.list_pending("slack", "T1")
        assert only.id == "T1"
        assert not await kept.interactions.list_pending("slack", "T3")
        assert not await kept.interactions.list_pending("slack", "T4")


async def test_the_latest_installation_of_a_place_is_kept_until_it_is_removed(home: Home) -> None:
    async with home.open() as kept:
        await kept.installations.save("slack", "T1", "old")
        await kept.installations.save("slack", "T1", "new")
        await kept.installations.save("slack", "T2", "second")
        await kept.installations.save("other", "T1", "elsewhere")

    async with home.open() as kept:
        assert await kept.installations.load("slack") == {"T1": "new", "T2": "second"}
        await kept.installations.remove("slack", "T1")
        await kept.installations.remove("slack", "unknown")
        assert await kept.installations.load("slack") == {"T2": "second"}
        assert await kept.installations.load("other") == {"T1": "elsewhere"}
