"""Fifty calls a second in all: who may make them, and what is left out in a rush."""

import asyncio
from dataclasses import replace

import aiohttp

from adapters.discord.turns import Rank, Turns
from pipeline.domain import Answer, Answered
from tests.adapters.discord.events import Told, begun, told, whole
from tests.adapters.discord.scene import scene
from tests.servers.discord import payloads, play_discord

LONG = 3600.0


def left(turns: Turns, rank: Rank) -> int:
    """How many more calls of a rank there is room for; they are taken."""
    count = 0
    while turns.taken(rank):
        count += 1
    return count


async def test_what_matters_less_leaves_room_for_what_matters_more() -> None:
    turns = Turns(LONG)

    meanwhile, courtesies = left(turns, Rank.MEANWHILE), left(turns, Rank.COURTESY)
    needed = left(turns, Rank.NEEDED)

    assert 0 < meanwhile < meanwhile + courtesies < meanwhile + courtesies + needed < 50


async def test_a_turn_comes_when_the_second_is_over() -> None:
    turns = Turns(0.01)
    left(turns, Rank.NEEDED)

    assert await turns.take(Rank.MEANWHILE)


async def test_a_turn_is_not_waited_for_when_it_is_not_needed_any_more() -> None:
    turns, over = Turns(LONG), asyncio.Event()
    left(turns, Rank.NEEDED)
    over.set()

    assert not await turns.take(Rank.MEANWHILE, unless=over)


async def test_a_call_with_a_turn_counts_once_and_one_without_counts_too() -> None:
    turns = Turns(LONG)
    async with (
        play_discord() as server,
        aiohttp.ClientSession(trace_configs=[turns.trace]) as session,
    ):
        await turns.take(Rank.NEEDED)
        for _ in range(3):
            async with session.get(f"{server.api}/gateway"):
                pass

    assert left(turns, Rank.NEEDED) == Rank.NEEDED - 3


async def test_the_thread_is_opened_as_soon_as_the_message_is_heard_and_only_once() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        root = at.place.messages[int(message.id)]
        await at.server.world.until(lambda: root.thread)
        await at.chat.follow(message, run, told(*whole(run)))

        assert at.server.calls("POST thread") == 1
        assert [m.content for m in at.answers(message)] == ["A dot."]


async def test_where_no_thread_is_opened_there_are_eyes_also_in_a_rush() -> None:
    async with scene() as at, at.running():
        roots = [at.server.people.say(at.ada, at.place, f"talk {n}") for n in range(10)]
        threads = [at.server.people.thread(at.ada, root, root.content) for root in roots]
        asked = [at.server.people.say(at.ada, place, at.mention) for place in threads]

        await at.server.world.until(lambda: all(said.reactions for said in asked))


async def test_in_a_rush_progress_waits_and_the_end_does_not() -> None:
    async with scene() as at:
        at.pace = replace(at.pace, second=LONG, edit=0.0)
        at.chat = at.new_chat()
        async with at.running():
            message, run = await at.asks("draw a dot")
            events = Told()
            async with asyncio.TaskGroup() as group:
                group.create_task(at.chat.follow(message, run, aiter(events)))
                events.tell(*begun()[:1])
                await at.sees("Making a picture from words")
                left(at.chat._turns, Rank.MEANWHILE)  # noqa: SLF001 - others are busy
                events.tell(*begun()[1:])
                await at.server.world.until(lambda: events.told)
                events.tell(Answered(Answer(run, "A dot.")), None)

            (answer,) = at.answers(message)
            assert answer.content == "A dot."
            assert len(answer.versions) == 1


async def test_twenty_people_in_twenty_channels_hit_no_limit() -> None:
    async with scene(window=0.2) as at:
        guild = at.place.guild
        assert guild is not None
        at.pace = replace(at.pace, second=0.2)
        at.chat = at.new_chat()
        places = [at.server.people.channel(guild, f"room{n}") for n in range(20)]
        async with at.running():
            for place in places:
                at.server.world.tell("CHANNEL_CREATE", payloads.channel(place), place)
                at.server.people.say(at.ada, place, f"{at.mention} a dot in {place.name}")
            await at.listener.next(20)
            async with asyncio.TaskGroup() as group:
                for message, run in at.listener.heard:
                    group.create_task(at.chat.follow(message, run, told(*whole(run))))

            assert all(len(at.answers(message)) == 1 for message, _ in at.listener.heard)
            assert at.server.world.limits.hits == 0
