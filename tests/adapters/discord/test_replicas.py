"""Several replicas of the program on one Discord: who connects which shard, and who answers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from structlog.testing import capture_logs

from adapters.discord.connecting.members import Members
from pipeline.domain import Command, Invocation, Reply
from pipeline.ports import Topic
from tests.adapters.discord.events import told, whole
from tests.adapters.discord.scene import QUICK, DiscordScene, scene
from tests.fakes.chat import FakeListener
from tests.fakes.replicas import FakeLeases, FakeReplicas
from tests.servers.discord.values import Channel

TIMES = replace(QUICK, lease=0.4, renewal=0.05, look=0.02)


@asynccontextmanager
async def replicas(count: int = 2, **play: float) -> AsyncIterator[list[DiscordScene]]:
    """Replicas that nobody has started yet."""
    async with scene(**play) as at:
        at.replicas, at.times = FakeReplicas(), TIMES
        at.chat = at.new_chat()
        yield [at, *(at.beside() for _ in range(count - 1))]


@asynccontextmanager
async def at_work(*each: DiscordScene) -> AsyncIterator[list["asyncio.Task[None]"]]:
    """Replicas that listen; those whose tasks are cancelled meanwhile are stopped."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(at.chat.listen(at.listener)) for at in each]
        for at in each:
            await at.chat._online.wait()  # noqa: SLF001 - nothing outside needs to know
        try:
            yield tasks
        finally:
            for task in tasks:
                task.cancel()


def place_on(at: DiscordScene, shard: int) -> Channel:
    guild = at.server.people.guild(f"team {shard}", at.ada, shard=shard)
    return at.server.people.channel(guild, "general")


def texts(at: DiscordScene) -> list[str]:
    return sorted(message.text for message, _ in at.listener.received)


async def settle(*each: DiscordScene, shares: list[int]) -> None:
    """Wait until so many shards are connected by each, the busiest first."""
    await each[0].server.world.until(
        lambda: sorted((len(at.shards) for at in each), reverse=True) == shares
    )


async def test_one_that_comes_later_gets_its_share_and_each_message_is_taken_once() -> None:
    async with replicas(shards=4) as (one, two):
        places = [place_on(one, shard) for shard in range(4)]
        async with at_work(one):
            await settle(one, shares=[4])
            async with at_work(two):
                await settle(one, two, shares=[2, 2])
                before = one.server.gateway.identified
                await asyncio.sleep(5 * TIMES.renewal)
                for place in places:
                    one.server.people.say(one.ada, place, f"{one.mention} draw {place.guild}")
                await one.listener.next(4)

                assert sorted(one.shards + two.shards) == [0, 1, 2, 3]
                assert one.server.gateway.identified == before
                assert len(one.listener.received) == 4


async def test_of_five_shards_three_replicas_have_two_two_and_one() -> None:
    async with replicas(3, shards=5) as (one, two, three), at_work(one, two, three):
        await settle(one, two, three, shares=[2, 2, 1])


async def test_a_replica_that_stops_hands_its_shards_over_and_nothing_is_missed() -> None:
    async with replicas(shards=2) as (one, two):
        places = [place_on(one, shard) for shard in range(2)]
        async with at_work(one, two) as (_, second):
            await settle(one, two, shares=[1, 1])
            await one.server.world.until(lambda: len(one.cache.kept) > 2)
            second.cancel()
            await one.server.world.until(second.done)
            for place in places:
                one.server.people.say(one.ada, place, f"{one.mention} draw {place.guild}")
            await settle(one, shares=[2])
            await one.listener.next(2)

            assert len(one.listener.received) == 2


async def test_a_frozen_replica_loses_its_shard_and_closes_it_when_it_wakes() -> None:
    async with replicas(shards=1) as (one, two), at_work(one):
        await settle(one, shares=[1])
        await one.server.world.until(lambda: len(one.cache.kept) > 1)
        async with at_work(two):
            assert isinstance(one.leases, FakeLeases)
            one.leases.runs.clear()
            await settle(one, two, shares=[1, 1])
            one.server.people.say(one.ada, one.place, f"{one.mention} draw a dot")
            await one.listener.next()
            one.leases.runs.set()
            await one.server.world.until(lambda: not one.shards)
            one.server.people.say(one.ada, one.place, f"{one.mention} draw a line")
            await one.listener.next(2)

            assert texts(one) == ["draw a dot", "draw a line"]
            assert two.shards == [0]
            assert await one.chat.is_connected()


async def test_a_replica_without_a_shard_answers_what_another_one_heard() -> None:
    async with replicas(shards=1) as (one, two), at_work(one):
        await settle(one, shares=[1])
        async with at_work(two):
            message, run = await one.asks("draw a dot")
            again = await two.chat.reread(message)
            await two.chat.follow(message, run, told(*whole(run, "A dot.")))
            earlier = await two.chat.history(message.thread, before="9" * 19, most=5)
            one.server.people.say(one.ada, one.thread(message), "and a line")
            follow_up, later = await one.listener.next(2)
            await two.chat.follow(follow_up, later, told(*whole(later, "A line.")))

            assert two.shards == []
            assert again is not None
            assert again.text == "draw a dot"
            assert [m.text for m in one.answers(message)] == ["A dot.", "A line."]
            assert [each.text for each in earlier] == ["draw a dot"]
            assert one.server.calls("GET guild") == 1


async def test_a_replica_without_a_shard_answers_a_direct_message() -> None:
    async with replicas(shards=1) as (one, two):
        direct = one.server.people.dm(one.ada)
        async with at_work(one):
            await settle(one, shares=[1])
            async with at_work(two):
                one.server.people.say(one.ada, direct, "hello")
                message, run = await one.listener.next()
                await two.chat.follow(message, run, told(*whole(run, "A dot.")))
                earlier = await two.chat.history(message.thread, before="9" * 19, most=5)

                assert [m.text for m in one.server.transcript(direct)] == ["A dot."]
                assert [each.text for each in earlier] == ["hello"]


async def test_a_replica_of_another_number_of_shards_is_named_once_in_the_log() -> None:
    shared = FakeReplicas()
    members = [
        Members(notifications=shared.notifications(), count=count, patience=1.0)
        for count in (2, 2, 4)
    ]

    texts = list[str | None]()

    with shared.notifications().subscribe(Topic.SHARDS, texts.append), capture_logs() as logs:
        for each in (*members, *members):
            await each.announce(1)
        for text in texts:
            for each in members:
                each.hear(text)

    assert sorted((each["here"], each["there"]) for each in logs) == [(2, 4), (2, 4), (4, 2)]
    assert len(members[0].list_loads()) == 1


async def test_replicas_that_start_together_identify_one_after_the_other() -> None:
    async with replicas(3, shards=4, identify_seconds=0.1) as each:
        for at in each:
            at.times = replace(TIMES, identify=0.4)
            at.chat = at.new_chat()
        async with at_work(*each):
            await settle(*each, shares=[2, 1, 1])

        assert each[0].server.violations == []


async def test_no_session_is_begun_while_discord_takes_none() -> None:
    async with replicas(1, shards=1) as (one,):
        one.server.world.sessions_left = 0
        async with asyncio.TaskGroup() as group:
            task = group.create_task(one.chat.listen(one.listener))
            await one.server.world.until(lambda: one.server.calls("GET gateway") > 2)
            assert one.server.gateway.identified == 0
            one.server.world.sessions_left = 5
            await settle(one, shares=[1])
            task.cancel()


@dataclass
class _StuckListener(FakeListener):
    """Carries out no command, as if it took long."""

    async def on_command(self, invocation: Invocation) -> Reply:
        await FakeListener.on_command(self, invocation)
        await asyncio.Event().wait()
        return self.reply


async def test_a_command_is_left_to_its_replica_until_that_is_dead() -> None:
    async with replicas(2, shards=1) as (one, two):
        clock = [0.0]
        one.replicas.now = two.replicas.now = lambda: clock[0]
        one.listener = _StuckListener((Command("help"),))
        one.chat = one.new_chat()
        async with at_work(one) as (first,):
            await one.server.world.until(lambda: one.server.world.commands)
            use = one.server.people.command(one.ada, one.place, "help")
            await one.listener.next_commands()
            two.listener, two.chat = FakeListener((Command("help"),)), two.new_chat()
            async with at_work(two):
                assert two.listener.invocations == []
            first.cancel()
        clock[0] = 60.0
        async with at_work(two.beside()):
            await one.server.world.until(lambda: use.answers and use.answers[-1].text == "done")

        assert len(two.listener.invocations) == 1
