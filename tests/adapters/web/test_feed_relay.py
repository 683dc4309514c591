"""What changes on the page of one program is told on that of another."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace

from adapters.store.notifications import LocalNotifications
from adapters.web.feed_relay import relay_feed
from adapters.web.live_feed import Change, LiveFeed, RunBegan, ThreadChanged
from pipeline.domain import Channel, RunId, Thread
from pipeline.ports import Topic


def thread(name: str, person: str = "ann") -> Thread:
    return Thread(Channel("web", person, name), name)


@asynccontextmanager
async def feeds(notifications: LocalNotifications) -> AsyncIterator[tuple[LiveFeed, LiveFeed]]:
    here, there = LiveFeed(), LiveFeed()
    async with AsyncExitStack() as stack:
        for feed, its in ((here, notifications), (there, replace(notifications, program="two"))):
            await stack.enter_async_context(relay_feed(feed, its))
        yield here, there


async def test_changes_are_told_there_and_once_here() -> None:
    async with feeds(LocalNotifications("one")) as (here, there):
        with here.read("ann") as own, there.read("ann") as other, there.read("bob") as bob:
            changes: list[Change] = [
                ThreadChanged(thread("a")),
                RunBegan(thread("b"), RunId("r"), None, "7"),
            ]
            for change in changes:
                here.publish(change)

            assert await other.wait_for_changes(10) == (False, changes)
            assert await own.wait_for_changes(10) == (False, changes)
            here.publish(ThreadChanged(thread("c", "bob")))
            assert await bob.wait_for_changes(10) == (False, [ThreadChanged(thread("c", "bob"))])
            assert await own.wait_for_changes(0) == (False, [])


async def test_many_changes_at_once_are_all_told_or_read_anew() -> None:
    async with feeds(LocalNotifications("one")) as (here, there):
        with there.read("ann") as other:
            few = [ThreadChanged(thread(f"{number}")) for number in range(50)]
            for change in few:
                here.publish(change)
            told = list[object]()
            while len(told) < len(few):
                is_anew, changes = await other.wait_for_changes(10)
                assert not is_anew
                told += changes
            assert told == few

            for number in range(500):
                here.publish(ThreadChanged(thread(f"{number}")))
            is_anew, _ = await other.wait_for_changes(10)
            assert is_anew


async def test_a_name_beyond_measure_is_read_anew() -> None:
    notifications = StrictNotifications("one")
    async with feeds(notifications) as (here, there):
        with there.read("ann") as other:
            here.publish(ThreadChanged(thread("x" * 9000)))

            assert await other.wait_for_changes(10) == (True, [])


async def test_whoever_may_have_missed_something_reads_anew() -> None:
    notifications = LocalNotifications("one")
    async with feeds(notifications) as (here, there):
        with here.read("ann") as own, there.read("bob") as other:
            notifications.tell_all_to_look()
            assert await own.wait_for_changes(10) == (True, [])
            assert await other.wait_for_changes(10) == (True, [])

            notifications.tell(Topic.FEED, '{"what": "a newer program says"}')
            assert await own.wait_for_changes(10) == (True, [])

            here.start_anew("bob")
            assert await other.wait_for_changes(10) == (True, [])
            await asyncio.sleep(0)
            assert await own.wait_for_changes(0) == (False, [])


class StrictNotifications(LocalNotifications):
    """As PostgreSQL: long texts are refused."""

    async def publish(self, topic: Topic, text: str = "") -> None:
        if len(text) > 7000:
            raise ValueError("too long")
        await super().publish(topic, text)
