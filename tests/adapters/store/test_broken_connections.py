"""Connections to PostgreSQL that break at any moment: calls wait or say so, and none is a bug."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from adapters.store import Persistence, open_persistence, serving
from adapters.store.database import parse_address
from adapters.store.notifications import LocalNotifications
from adapters.store.postgres_notifications import listen
from pipeline.domain import AnswerPart, RunId
from pipeline.errors import StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import Position
from pipeline.ports.notifications import Topic
from tests.bot.test_chat_network import read_timeouts
from tests.contracts.conftest import EMPTIED
from tests.contracts.messages import message
from tests.contracts.postgres import order
from tests.servers.relay import Relay, write_farewell


@asynccontextmanager
async def relayed(url: str, seed: int = 0) -> AsyncIterator[tuple[Persistence, Relay]]:
    """The ports on an empty database, through a relay that breaks nothing yet."""
    await order(url, EMPTIED)
    async with Relay(url, seed).serve() as relay, open_persistence(relay.address) as kept:
        try:
            yield kept, relay
        finally:
            relay.breaks = 0.0


async def test_a_server_that_shuts_down_while_a_connection_is_opened_is_waited_for(
    postgres: str,
) -> None:
    async with relayed(postgres) as (kept, relay):
        relay.after = {b"SET lock_timeout": write_farewell("57P01")}

        async with asyncio.TaskGroup() as group:  # on several connections
            for number in range(4):
                group.create_task(kept.cache.put(str(number), "value"))

        assert not relay.after
        assert all([await kept.cache.get(str(number)) for number in range(4)])


async def test_whoever_listens_is_told_to_look_anew_after_a_servers_farewell(postgres: str) -> None:
    subscribers, told = LocalNotifications("this"), asyncio.Event()
    async with Relay(postgres).serve() as relay:
        address = parse_address(relay.address)
        with subscribers.subscribe(Topic.INBOX, lambda _: told.set()):
            async with listen(address, subscribers, check_every=0.05), asyncio.timeout(30):
                await told.wait()
                told.clear()
                relay.say_farewell("57P01")
                await told.wait()


async def test_a_duplicate_whose_connection_breaks_is_not_accepted(postgres: str) -> None:
    async with relayed(postgres) as (kept, relay):
        assert await kept.inbox.accept(message("1"), RunId("run1"))
        assert await kept.interactions.accept("slack", "T1", "{}")

        relay.after = {b"BEGIN": None}
        assert not await kept.inbox.accept(message("1"), RunId("run1"))
        relay.after = {b"BEGIN": None}
        assert not await kept.interactions.accept("slack", "T1", "{}")
        relay.after = {b"COMMIT": None}
        assert await kept.inbox.accept(message("2"), RunId("run2"))

        assert not relay.after


async def test_a_part_of_which_nobody_heard_that_it_was_stored_is_stored_once(
    postgres: str,
) -> None:
    async with relayed(postgres) as (kept, relay):
        run, first, second = RunId("run"), AnswerPart("first"), AnswerPart("second")
        assert kept.progress
        place = await kept.progress.tell(run, Position(), [first])
        relay.after = {b"COMMIT": None}

        place = await kept.progress.tell(run, place, [second])

        assert not relay.after
        assert await kept.progress.read(run, Position()) == (place, [first, second])


async def test_programs_that_check_one_database_at_once_do_not_take_it_for_damaged(
    postgres: str,
) -> None:
    async def check(kept: Persistence) -> None:
        for _ in range(10):
            await kept.probe.check()

    async with (
        open_persistence(postgres) as one,
        open_persistence(postgres) as two,
        asyncio.TaskGroup() as group,
    ):
        for each in (one, two):
            group.create_task(check(each))


@pytest.mark.parametrize("seed", range(4))
async def test_a_connection_that_breaks_anywhere_is_the_stores_outage(
    postgres: str, seed: int
) -> None:
    async with relayed(postgres, seed) as (kept, relay):
        relay.breaks = 0.05
        results: list[str] = []

        async def attempt(call: Callable[[], Awaitable[object]]) -> None:
            try:
                with limit_patience(0):
                    await call()
            except StoreUnavailable:
                results.append("refused")
            else:
                results.append("done")

        async def work(number: int) -> None:
            run = RunId(f"run{number}")
            for call in (
                lambda: kept.inbox.accept(message(str(number)), run),
                lambda: kept.journal.record(run, "plan", "{}"),
                lambda: kept.journal.recall(run),
                lambda: kept.ledger.begin(f"{run}:answer"),
                lambda: kept.leases.acquire("shard", 60),
                lambda: kept.rate_limits.reserve("anna", most=1000, seconds=60),
                lambda: kept.notifications.publish(Topic.PROGRESS, run),
                kept.inbox.measure_backlog,
                kept.probe.check,
                lambda: kept.inbox.finish(run),
            ):
                await attempt(call)

        async with asyncio.timeout(50), asyncio.TaskGroup() as group:
            for number in range(12):
                group.create_task(work(number))

    assert set(results) == {"done", "refused"}


@pytest.mark.program
@pytest.mark.parametrize("seed", range(2))
async def test_nothing_is_lost_or_doubled_however_often_connections_break(
    postgres: str, seed: int
) -> None:
    async with relayed(postgres, seed) as (kept, relay):
        relay.breaks = 0.02
        assert kept.progress
        progress, places = kept.progress, dict[int, Position]()

        async def work(number: int) -> None:
            run = RunId(f"run{number}")
            assert await kept.inbox.accept(message(str(number)), run)
            await kept.journal.record(run, "plan", str(number))
            place = Position()
            for part in "abc":
                place = await progress.tell(run, place, [AnswerPart(part)])
            places[number] = place
            assert await kept.journal.recall(run) == {"plan": str(number)}
            assert await kept.inbox.finish(run)

        async with asyncio.timeout(50), asyncio.TaskGroup() as group:
            for number in range(6):
                group.create_task(work(number))
        relay.breaks = 0.0
        told = [await progress.read(RunId(f"run{n}"), Position()) for n in places]

        assert not await kept.inbox.list_waiting()
        assert told == [(place, [AnswerPart(part) for part in "abc"]) for place in places.values()]


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
async def test_a_host_that_is_gone_is_given_up_on_every_connection(postgres: str) -> None:
    async with relayed(postgres) as (kept, relay), serving(relay.address):
        await kept.cache.put("key", "value")

        assert read_timeouts(relay.address) == {10_000}
