"""The dispatcher of a chat's events, and what was missed of them."""

import asyncio
import warnings
from datetime import UTC, datetime, timedelta

from adapters.chat.events import Backfill, ChatPorts, Dispatcher, Gap
from tests.adapters.slack.stage import PlainFetch
from tests.fakes.lasting import FakeCache, FakeFiles, FakeInteractions, FakeLedger
from tests.fakes.stages import FakeMedia
from tests.fakes.store import FakeStore


async def test_what_comes_while_we_shut_down_is_dropped_quietly() -> None:
    begun: list[str] = []

    async def handle() -> None:
        begun.append("handled")

    async with asyncio.TaskGroup() as group:
        dispatcher = Dispatcher(group)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no coroutine is left behind
        dispatcher.start(handle)

    assert begun == []


async def test_a_message_that_comes_before_the_missed_ones_are_read_hides_none() -> None:
    gaps: list[Gap] = []
    cache, now = FakeCache(), datetime.now(UTC)

    async def read_rooms(gap: Gap) -> None:
        gaps.append(gap)

    async def delete(*_: object) -> None:
        pass

    backfill = Backfill(
        platform="chat",
        ports=ChatPorts(
            ledger=FakeLedger(),
            files=FakeFiles(),
            media=FakeMedia(),
            sign=lambda _: "",
            fetch=PlainFetch(),
            chat_log=FakeStore(),
            cache=cache,
            interactions=FakeInteractions(),
        ),
        find_time=datetime.fromisoformat,
        make_id=datetime.isoformat,
        read_rooms=read_rooms,
        skip=lambda *_: None,
        delete=delete,
    )
    await cache.put("chat:place:read", (now - timedelta(hours=1)).isoformat())

    await backfill.advance("place", now.isoformat())
    await backfill.read("place")

    assert [gap.since < now - timedelta(hours=1) for gap in gaps] == [True]
