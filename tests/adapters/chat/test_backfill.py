"""What was written while the bot was away is read when it is back."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from adapters.chat.backfill import Backfill, Gap
from adapters.chat.ports import ChatPorts
from pipeline.domain import Thread
from pipeline.errors import ChatError, StoreUnavailable
from pipeline.outage import Outage
from pipeline.ports import LEASE_SECONDS
from tests.adapters.slack.stage import PlainFetch
from tests.fakes.clock import SkippingLoop
from tests.fakes.persistence import FakeCache, FakeFiles, FakeInteractions, FakeLedger
from tests.fakes.replicas import FakeReplicas
from tests.fakes.stages import FakeMedia
from tests.fakes.store import FakeStore


class InterruptedStore(FakeStore):
    """Is away when it is asked first."""

    is_away: bool = True

    async def active_threads(
        self, platform: str, *, since: datetime, workspace: str = "", noted: bool = True
    ) -> Sequence[tuple[Thread, str]]:
        was_away, self.is_away = self.is_away, False
        if was_away:
            raise StoreUnavailable("store-unavailable")
        return await super().active_threads(platform, since=since, workspace=workspace, noted=noted)


def _backfill(
    cache: FakeCache,
    read_rooms: Callable[[Gap], Awaitable[None]],
    store: FakeStore | None = None,
    replicas: FakeReplicas | None = None,
) -> Backfill:
    async def delete(*_: object) -> None:
        pass

    return Backfill(
        platform="chat",
        ports=ChatPorts(
            ledger=FakeLedger(),
            files=FakeFiles(),
            media=FakeMedia(),
            sign=lambda _file, _run: "",
            fetch=PlainFetch(),
            chat_log=store or FakeStore(),
            cache=cache,
            interactions=FakeInteractions(),
            leases=(replicas or FakeReplicas()).leases(),
            rate_limits=FakeReplicas().rate_limits,
            notifications=FakeReplicas().notifications(),
            outage=Outage(),
        ),
        find_time=datetime.fromisoformat,
        make_id=datetime.isoformat,
        read_rooms=read_rooms,
        skip=lambda *_: None,
        delete=delete,
        pause=0.01,
        shared=replicas is not None,
    )


async def _mark(cache: FakeCache, at: datetime) -> None:
    await cache.put("chat:place:read", at.isoformat())


async def test_a_message_that_comes_before_the_missed_ones_are_read_hides_none() -> None:
    gaps: list[Gap] = []
    cache, now = FakeCache(), datetime.now(UTC)

    async def read_rooms(gap: Gap) -> None:
        gaps.append(gap)

    backfill = _backfill(cache, read_rooms)
    await _mark(cache, now - timedelta(hours=1))

    await backfill.advance("place", now.isoformat())
    await backfill.read("place")

    assert [gap.since < now - timedelta(hours=1) for gap in gaps] == [True]


async def test_messages_are_missed_for_no_clock_that_is_minutes_ahead() -> None:
    gaps: list[Gap] = []
    cache, now = FakeCache(), datetime.now(UTC)

    async def read_rooms(gap: Gap) -> None:
        gaps.append(gap)

    await _backfill(cache, read_rooms).read("place")
    await _backfill(cache, read_rooms).read("place")

    assert [gap.since < now - timedelta(minutes=4) for gap in gaps] == [True]


async def test_what_was_missed_is_read_once_the_database_is_back() -> None:
    gaps: list[Gap] = []
    cache = FakeCache()

    async def read_rooms(gap: Gap) -> None:
        gaps.append(gap)

    await _mark(cache, datetime.now(UTC))
    await _backfill(cache, read_rooms, InterruptedStore()).read("place")

    assert len(gaps) == 1


async def test_a_place_that_the_bot_was_removed_from_is_not_read_for_ever() -> None:
    cache = FakeCache()

    async def read_rooms(gap: Gap) -> None:
        gap.failures.append(ChatError("slack-refused"))
        backfill.leave("place")

    backfill = _backfill(cache, read_rooms)
    await _mark(cache, datetime.now(UTC))

    async with asyncio.timeout(5):
        with pytest.raises(ChatError):
            await backfill.read("place")


async def test_of_several_replicas_one_reads_what_all_have_missed() -> None:
    gaps: list[Gap] = []
    cache, replicas, may_end = FakeCache(), FakeReplicas(), asyncio.Event()

    async def read_rooms(gap: Gap) -> None:
        gaps.append(gap)
        await may_end.wait()

    every = [_backfill(cache, read_rooms, replicas=replicas) for _ in range(3)]
    await _mark(cache, datetime.now(UTC) - timedelta(hours=1))
    async with asyncio.TaskGroup() as tasks:
        for each in every:
            tasks.create_task(each.read("place"))
        await asyncio.sleep(0.05)
        may_end.set()

    assert len(gaps) == 1
    for each in every:
        before = cache.kept["chat:place:read"].value
        await each.advance("place", (datetime.now(UTC) + timedelta(minutes=1)).isoformat())
        assert cache.kept["chat:place:read"].value > before
        await _mark(cache, datetime.now(UTC) - timedelta(hours=1))


async def test_what_a_dead_replica_was_reading_another_one_reads() -> None:
    gaps: list[Gap] = []
    cache, clock = FakeCache(), [0.0]
    replicas = FakeReplicas(now=lambda: clock[0])

    async def read_rooms(gap: Gap) -> None:
        gaps.append(gap)

    await _mark(cache, datetime.now(UTC) - timedelta(hours=1))
    assert await replicas.leases().acquire("read:chat:place", LEASE_SECONDS)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_backfill(cache, read_rooms, replicas=replicas).read("place"))
        await asyncio.sleep(0.05)
        assert gaps == []
        clock[0] = 60.0

    assert len(gaps) == 1


def test_a_replica_that_loses_the_lease_leaves_the_rest_to_the_other() -> None:
    gaps: list[Gap] = []
    cache = FakeCache()

    async def run() -> None:
        replicas = FakeReplicas(now=asyncio.get_running_loop().time)
        other = replicas.leases()
        is_reading = asyncio.Event()

        async def hang(gap: Gap) -> None:
            gaps.append(gap)
            is_reading.set()
            await asyncio.Event().wait()

        await _mark(cache, datetime.now(UTC) - timedelta(hours=1))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_backfill(cache, hang, replicas=replicas).read("place"))
            await is_reading.wait()
            replicas.rows.clear()
            assert await other.acquire("read:chat:place", 3 * LEASE_SECONDS)
            await _mark(cache, datetime.now(UTC))

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(run())

    assert len(gaps) == 1
