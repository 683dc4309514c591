"""What every inbox does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from pipeline.domain import Channel, RunId
from pipeline.ports import Inbox, QueuedMessage
from tests.contracts.homes import Home
from tests.contracts.messages import BEN, OTHER, THREAD, message, turn

ONE, TWO, THREE = RunId("run1"), RunId("run2"), RunId("run3")


@asynccontextmanager
async def taking(inbox: Inbox) -> AsyncIterator[AsyncIterator[QueuedMessage]]:
    taken = inbox.take()
    try:
        yield taken
    finally:
        await taken.aclose()  # type: ignore[attr-defined]


async def following(taken: AsyncIterator[QueuedMessage]) -> QueuedMessage:
    return await anext(taken)


async def settled() -> None:
    """Everything that is ready to run has run."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_message_is_handed_out_as_it_was_accepted(home: Home) -> None:
    said = message("1", text='ü \\ {{}} "quoted" \x00 \ud800 日本')
    async with home.open() as kept, taking(kept.inbox) as taken:
        assert await kept.inbox.accept(said, ONE)

        assert await anext(taken) == QueuedMessage(ONE, said, 1)


async def test_only_the_messages_of_the_platforms_asked_for_are_taken(home: Home) -> None:
    elsewhere = replace(message("1"), thread=replace(THREAD, channel=Channel("console", "w", "c")))
    async with home.open() as kept:
        await kept.inbox.accept(elsewhere, ONE)
        await kept.inbox.accept(message("2"), TWO)

    async with home.open() as kept:
        taken = kept.inbox.take({THREAD.channel.platform})
        assert (await anext(taken)).run == TWO
        await taken.aclose()  # type: ignore[attr-defined]
        again = kept.inbox.take({"console"})
        assert await anext(again) == QueuedMessage(ONE, elsewhere, 1)
        await again.aclose()  # type: ignore[attr-defined]


async def test_a_run_is_accepted_once(home: Home) -> None:
    async with home.open() as kept:
        assert await kept.inbox.accept(message("1"), ONE)
        assert not await kept.inbox.accept(message("1"), ONE)

    async with home.open() as kept:
        assert not await kept.inbox.accept(message("1"), ONE)


async def test_a_run_is_not_accepted_again_once_it_is_finished(home: Home) -> None:
    async with home.open() as kept:
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.finish(ONE)

        assert not await kept.inbox.accept(message("1"), ONE)
        assert not await kept.inbox.list_waiting()


async def test_a_retry_is_another_run_of_the_same_message(home: Home) -> None:
    async with home.open() as kept:
        await kept.inbox.accept(message("1"), ONE)
        assert await kept.inbox.accept(message("1"), TWO)

        found = await kept.inbox.of(message("1").key)

        assert [(taken.run, taken.attempt) for taken in found] == [(ONE, 0), (TWO, 0)]
        assert all(taken.accepted_at for taken in found)


async def test_many_accept_at_once_and_each_run_is_taken_by_one(home: Home) -> None:
    async with home.open() as kept, asyncio.TaskGroup() as group:
        accepts = [
            group.create_task(kept.inbox.accept(message(f"{n % 10}"), RunId(f"run{n % 10}")))
            for n in range(40)
        ]

    assert sum(accept.result() for accept in accepts) == 10


async def test_a_thread_has_one_message_out_at_a_time_in_message_order(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        for number, run in (("10", ONE), ("30", THREE), ("20", TWO)):
            await kept.inbox.accept(message(number), run)
        order = []
        for _ in range(3):
            out = await anext(taken)
            order.append(out.run)
            await kept.inbox.finish(out.run)

    assert order == [ONE, TWO, THREE]


async def test_the_next_message_of_a_thread_waits_until_the_one_before_is_finished(
    home: Home,
) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken, asyncio.TaskGroup() as group:
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.accept(message("2"), TWO)
        assert (await anext(taken)).run == ONE
        later = group.create_task(following(taken))
        await settled()
        assert not later.done()

        await kept.inbox.finish(ONE)

        assert (await later).run == TWO


async def test_threads_do_not_wait_for_one_another(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1", THREAD), ONE)
        await kept.inbox.accept(message("2", OTHER), TWO)

        assert {(await anext(taken)).run, (await anext(taken)).run} == {ONE, TWO}


async def test_who_waits_for_messages_is_woken_by_one(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken, asyncio.TaskGroup() as group:
        waiting = group.create_task(following(taken))
        await settled()

        await kept.inbox.accept(message("1"), ONE)

        assert (await waiting).run == ONE


async def test_what_was_not_finished_is_handed_out_again_and_counted(home: Home) -> None:
    for attempt in range(1, 8):
        async with home.open() as kept, taking(kept.inbox) as taken:
            if attempt == 1:
                await kept.inbox.accept(message("1"), ONE)
                await kept.inbox.accept(message("2"), TWO)
            out = await anext(taken)
            assert (out.run, out.attempt) == (ONE, attempt)

    async with home.open() as kept, taking(kept.inbox) as taken:
        await anext(taken)
        await kept.inbox.finish(ONE)
        later = await anext(taken)
        assert (later.run, later.attempt) == (TWO, 1)


async def test_what_was_finished_is_not_handed_out_again(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1"), ONE)
        await anext(taken)
        await kept.inbox.finish(ONE)

    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("2"), TWO)
        assert (await anext(taken)).run == TWO


async def test_a_message_finished_before_its_turn_is_passed_over(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        for number, run in (("1", ONE), ("2", TWO), ("3", THREE)):
            await kept.inbox.accept(message(number), run)
        await anext(taken)
        await kept.inbox.finish(TWO)
        await kept.inbox.finish(ONE)

        assert (await anext(taken)).run == THREE


async def test_a_message_cancelled_before_it_is_out_is_known_to_be(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1"), ONE)
        assert await kept.inbox.cancel(ONE)

        assert (await anext(taken)).run == ONE
        await kept.inbox.await_cancellation(ONE)


async def test_a_message_is_cancelled_while_it_is_out(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken, asyncio.TaskGroup() as group:
        await kept.inbox.accept(message("1"), ONE)
        await anext(taken)
        told = group.create_task(kept.inbox.await_cancellation(ONE))
        await settled()
        assert not told.done()

        assert await kept.inbox.cancel(ONE)

        await told


async def test_a_cancelled_message_is_cancelled_after_a_restart(home: Home) -> None:
    async with home.open() as kept:
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.cancel(ONE)

    async with home.open() as kept, taking(kept.inbox) as taken:
        await anext(taken)
        await kept.inbox.await_cancellation(ONE)


async def test_a_finished_or_unknown_run_cannot_be_cancelled(home: Home) -> None:
    async with home.open() as kept:
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.finish(ONE)

        assert not await kept.inbox.cancel(ONE)
        assert not await kept.inbox.cancel(TWO)


async def test_those_waiting_are_listed_oldest_first(home: Home) -> None:
    async with home.open() as kept:
        await kept.inbox.accept(message("2", OTHER), TWO)
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.accept(message("3"), THREE)
        await kept.inbox.finish(THREE)

        assert list(await kept.inbox.list_waiting()) == [TWO, ONE]
        assert list(await kept.inbox.list_waiting(THREAD)) == [ONE]


async def test_the_message_of_a_run_is_known_also_when_it_is_finished(home: Home) -> None:
    said = message("1", person=BEN)
    async with home.open() as kept:
        await kept.inbox.accept(said, ONE)
        await kept.inbox.finish(ONE)

        assert await kept.inbox.message(ONE) == said
        assert await kept.inbox.message(TWO) is None


async def test_a_waiting_message_that_was_forgotten_is_not_handed_out(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.accept(message("2"), TWO)
        assert (await anext(taken)).run == ONE
        await kept.inbox.finish(TWO)
        await kept.store.unlog(message("2").key)
        await kept.inbox.accept(message("3"), THREE)
        await kept.inbox.finish(ONE)

        assert (await anext(taken)).run == THREE


async def test_a_deleted_message_is_not_accepted_again_by_an_edit_or_a_click(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1"), ONE)
        await anext(taken)
        await kept.store.unlog(message("1").key)

        assert not await kept.inbox.accept(message("1"), TWO, after=ONE)
        assert await kept.inbox.message(TWO) is None


async def test_an_edit_changes_what_a_retry_of_its_finished_runs_reads(home: Home) -> None:
    edited = message("1", text="edited")
    async with home.open() as kept:
        for run in (ONE, TWO):
            await kept.inbox.accept(replace(message("1"), click=run), run)
        await kept.inbox.finish(ONE)

        await kept.inbox.amend(edited)

        assert await kept.inbox.message(ONE) == replace(edited, click=ONE)
        assert await kept.inbox.message(TWO) == replace(message("1"), click=TWO)
        assert await kept.inbox.accept(edited, THREE, after=ONE)


async def test_a_message_is_handed_out_though_its_platform_is_gone_meanwhile(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken, asyncio.timeout(5):
        async with asyncio.TaskGroup() as group:
            following_one = group.create_task(following(taken))
            await asyncio.sleep(0.1)
            accepting = group.create_task(kept.inbox.accept(message("1"), ONE))
            await asyncio.sleep(0)
            accepting.cancel()

        assert following_one.result().run == ONE


async def test_a_deleted_message_is_not_logged_by_its_run_afterwards(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1"), ONE)
        await anext(taken)
        await kept.store.log(THREAD, turn("1"), run=ONE)
        await kept.store.unlog(message("1").key)

        await kept.store.log(THREAD, turn("1"), run=ONE)
        await kept.store.relog(THREAD, turn("1"))
        await kept.store.log(THREAD, turn("2"), run=TWO)

        turns = (await kept.store.context(THREAD, turns=9, tail=0)).turns
        assert [each.key for each in turns] == [turn("2").key]


async def test_a_command_does_not_wait_for_what_is_under_way_in_its_thread(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.accept(message("2"), TWO)
        assert (await anext(taken)).run == ONE

        await kept.inbox.accept(replace(message("3"), beside=True), THREE)

        assert (await anext(taken)).run == THREE
        assert list(await kept.inbox.list_waiting(THREAD)) == [ONE, TWO, THREE]


async def test_who_finishes_what_was_forgotten_is_told(home: Home) -> None:
    async with home.open() as kept:
        await kept.inbox.accept(message("1"), ONE)

        assert await kept.inbox.finish(ONE)
        assert not await kept.inbox.finish(TWO)


async def test_what_was_not_taken_yet_is_in_the_backlog_with_when_it_came(home: Home) -> None:
    async with home.open() as kept, taking(kept.inbox) as taken:
        await kept.inbox.accept(message("1"), ONE)
        await kept.inbox.accept(message("2"), TWO)
        assert (await anext(taken)).run == ONE

        (waiting,) = await kept.inbox.list_backlog()
        assert (waiting.run, waiting.attempt) == (TWO, 0)
        assert waiting.accepted_at is not None

        await kept.inbox.finish(ONE)
        assert await anext(taken) == QueuedMessage(TWO, message("2"), 1)
        assert not await kept.inbox.list_backlog()
