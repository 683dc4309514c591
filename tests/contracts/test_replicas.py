"""What several programs on one database do together: leases, rate limits and notifications."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import pytest

from adapters.store import Persistence, open_persistence
from adapters.store.notifications import MOST_BYTES
from pipeline.ports import Topic
from tests.contracts.postgres import order

_ENDS_BACKENDS = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@asynccontextmanager
async def replicas(url: str, count: int = 2) -> AsyncIterator[list[Persistence]]:
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(open_persistence(url)) for _ in range(count)]


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/troupe.db"
    address: str = request.getfixturevalue("postgres")
    asyncio.run(order(address, "DELETE FROM leases", "DELETE FROM rate_limits"))
    return address


@pytest.fixture
def server(postgres: str) -> str:
    asyncio.run(order(postgres, "DELETE FROM leases", "DELETE FROM rate_limits"))
    return postgres


async def test_whoever_has_a_lease_renews_it(url: str) -> None:
    async with replicas(url, 1) as (one,):
        assert await one.leases.acquire("sweep", 60)
        assert await one.leases.acquire("sweep", 60)
        await one.leases.release("sweep")
        await one.leases.release("never taken")


async def test_a_lease_is_held_by_one_program_until_it_is_released(server: str) -> None:
    async with replicas(server) as (one, two):
        assert await one.leases.acquire("sweep", 60)
        assert not await two.leases.acquire("sweep", 60)
        assert await two.leases.acquire("prune", 60)
        await two.leases.release("sweep")
        assert not await two.leases.acquire("sweep", 60)

        await one.leases.release("sweep")
        assert await two.leases.acquire("sweep", 60)


async def test_a_lease_that_is_not_renewed_is_free(server: str) -> None:
    async with replicas(server) as (one, two):
        assert await one.leases.acquire("sweep", 0)
        assert await two.leases.acquire("sweep", 60)
        assert not await one.leases.acquire("sweep", 60)


async def test_of_many_at_once_one_gets_the_lease(server: str) -> None:
    async with replicas(server, 4) as programs:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each.leases.acquire("sweep", 60)) for each in programs * 4]

        holders = {number % 4 for number, task in enumerate(tasks) if task.result()}
        assert len(holders) == 1  # the same program may have got it several times


async def test_uses_beyond_the_limit_wait_their_turn(url: str) -> None:
    async with replicas(url, 1) as (one,):
        waits = [await one.rate_limits.reserve("k", most=3, seconds=3000) for _ in range(5)]

        assert waits[:3] == [0, 0, 0]
        assert [round((wait or 0) / 1000) for wait in waits[3:]] == [1, 2]
        assert await one.rate_limits.reserve("k", most=3, seconds=3000, patience=100) is None
        assert await one.rate_limits.reserve("another", most=3, seconds=3000, patience=0) == 0


async def test_what_need_not_wait_is_never_refused(url: str) -> None:
    async with replicas(url, 1) as (one,):
        keys = [f"k{number}" for number in range(50)]  # large numbers are rounded up or down
        for seconds in (0.001, 4.4):  # keys are new, then they are known
            for key in keys:
                wait = await one.rate_limits.reserve(key, most=1, seconds=seconds, patience=0)
                assert wait is not None
            await asyncio.sleep(0.01)


async def test_what_would_wait_too_long_is_not_counted(url: str) -> None:
    async with replicas(url, 1) as (one,):
        await one.rate_limits.reserve("k", most=1, seconds=3000)
        for _ in range(3):
            assert await one.rate_limits.reserve("k", most=1, seconds=3000, patience=0) is None

        wait = await one.rate_limits.reserve("k", most=1, seconds=3000)
        assert round((wait or 0) / 1000) == 3


async def test_all_programs_count_together(server: str) -> None:
    async with replicas(server) as (one, two):
        assert await one.rate_limits.reserve("k", most=2, seconds=3000, patience=0) == 0
        assert await two.rate_limits.reserve("k", most=2, seconds=3000, patience=0) == 0
        assert await one.rate_limits.reserve("k", most=2, seconds=3000, patience=0) is None


async def test_subscribers_hear_their_topic_and_no_other(url: str) -> None:
    async with replicas(url, 1) as (one,):
        texts, heard = list[str | None](), asyncio.Event()
        others = list[str | None]()

        def hear(text: str | None) -> None:
            texts.append(text)
            if text:
                heard.set()

        with ExitStack() as stack:
            stack.enter_context(one.notifications.subscribe(Topic.PROGRESS, hear))
            stack.enter_context(one.notifications.subscribe(Topic.PROGRAMS, others.append))
            await _publish_until_heard(one, heard, "ü a b")

        await one.notifications.publish(Topic.PROGRESS, "nobody listens")
        assert set(texts) <= {"ü a b", None}
        assert set(others) <= {None}


async def test_a_program_hears_what_another_one_publishes(server: str) -> None:
    async with replicas(server) as (one, two):
        heard = asyncio.Event()

        def hear(text: str | None) -> None:
            if text:
                heard.set()

        with two.notifications.subscribe(Topic.PROGRESS, hear):
            await _publish_until_heard(one, heard, "run1")


async def test_whoever_was_cut_off_is_told_to_look_anew(server: str) -> None:
    async with replicas(server, 1) as (one,):
        heard, again = asyncio.Event(), asyncio.Event()

        def hear(text: str | None) -> None:
            if text:
                heard.set()
            elif heard.is_set():
                again.set()

        with one.notifications.subscribe(Topic.PROGRESS, hear):
            await _publish_until_heard(one, heard, "run1")
            await order(server, _ENDS_BACKENDS)
            async with asyncio.timeout(30):
                await again.wait()


async def test_a_text_that_is_too_long_is_refused(server: str) -> None:
    async with replicas(server, 1) as (one,):
        await one.notifications.publish(Topic.PROGRESS, "x" * MOST_BYTES)
        with pytest.raises(ValueError, match="bytes"):
            await one.notifications.publish(Topic.PROGRESS, os.urandom(MOST_BYTES).hex())


async def _publish_until_heard(program: Persistence, heard: asyncio.Event, text: str) -> None:
    """The connection that listens may not be there yet."""
    async with asyncio.timeout(30):
        while not heard.is_set():
            await program.notifications.publish(Topic.PROGRESS, text)
            try:
                async with asyncio.timeout(0.5):
                    await heard.wait()
            except TimeoutError:
                continue
