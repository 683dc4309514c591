"""Fifty calls a second in all: who may make them, and what is left out in a rush."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from adapters.discord.web_api.limits import MOST_CALLS, PROGRESS_RESERVE, RateLimit
from pipeline.domain import Answer, Answered, Command
from pipeline.errors import ChatError, is_passing
from tests.adapters.discord.events import Told, begun, told, whole
from tests.adapters.discord.scene import scene
from tests.servers.discord import payloads
from tests.servers.discord.faults import Trouble

LONG = 3600.0


async def fill(calls: RateLimit, leaving: int) -> int:
    """Make calls until only so many are left; how many there was room for."""
    count = 0
    while calls.has_room(leaving):
        calls.end(await calls.begin())
        count += 1
    return count


async def test_progress_leaves_room_for_answers() -> None:
    calls = RateLimit(MOST_CALLS, LONG)

    progress = await fill(calls, PROGRESS_RESERVE)
    async with asyncio.timeout(1):
        await calls.begin()

    assert 0 < progress < 50


async def test_an_answer_waits_until_there_is_room_again() -> None:
    calls = RateLimit(MOST_CALLS, 0.01)

    async with asyncio.timeout(1):
        for _ in range(100):
            calls.end(await calls.begin())


async def test_a_call_counts_while_it_is_on_its_way_and_for_a_period_after_it() -> None:
    calls, now = RateLimit(2, LONG), RateLimit(2, 0.0)

    for limit in (calls, now):
        first = await limit.begin()
        await limit.begin()
        assert not limit.has_room(0)
        limit.end(first)
        await asyncio.sleep(0.01)

    assert not calls.has_room(0)
    assert now.has_room(0)


async def test_the_thread_is_opened_as_soon_as_the_message_is_heard_and_only_once() -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        root = at.place.messages[int(message.id)]
        await at.server.world.until(lambda: root.thread)
        await at.chat.follow(message, run, told(*whole(run)))

        assert at.server.calls("POST thread") == 1
        assert [m.text for m in at.answers(message)] == ["A dot."]


@pytest.mark.parametrize("trouble", [Trouble.BLOCKED, Trouble.BANNED])
async def test_while_the_network_blocks_our_address_the_answer_waits(trouble: Trouble) -> None:
    async with scene() as at, at.running():
        message, run = await at.asks("draw a dot")
        at.server.faults.next("POST message", trouble)
        with pytest.raises(ChatError) as caught:
            await at.chat.follow(message, run, told(whole(run)[-1]))
        await at.chat.follow(message, run, told(whole(run)[-1]))

        assert is_passing(caught.value)
        assert [m.text for m in at.answers(message)] == ["A dot."]


async def test_when_discord_lets_the_commands_wait_too_long_messages_are_heard() -> None:
    async with scene() as at:
        at.times = replace(at.times, registering=0.2)
        at.chat = at.new_chat()
        at.listener.commands = (Command("help"),)
        at.server.faults.wait = LONG
        at.server.faults.next("PUT commands", Trouble.LIMITED)
        async with at.running():
            message, _ = await at.asks("draw a dot")

        assert message.text == "draw a dot"
        assert at.server.world.commands == []


async def test_when_discord_lets_a_thread_wait_too_long_the_answer_is_a_reply() -> None:
    async with scene() as at:
        at.times = replace(at.times, opening=0.2)
        at.chat = at.new_chat()
        async with at.running():
            at.server.faults.wait = LONG
            at.server.faults.next("POST thread", Trouble.LIMITED)
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run)))

        (answer,) = at.server.transcript(at.place)
        assert answer.text == "A dot."
        assert answer.reference is at.place.messages[int(message.id)]


async def test_inside_of_threads_the_bot_types_also_in_a_rush() -> None:
    async with scene() as at, at.running():
        roots = [at.server.people.say(at.ada, at.place, f"talk {n}") for n in range(10)]
        threads = [at.server.people.thread(at.ada, root, root.text) for root in roots]
        asked = [at.server.people.say(at.ada, place, at.mention) for place in threads]

        await at.server.world.until(lambda: all(place.typing for place in threads))
        assert not any(said.reactions for said in asked)
        assert not at.place.typing


async def test_in_a_rush_progress_waits_and_the_end_does_not() -> None:
    async with scene() as at:
        at.times = replace(at.times, rate_period=LONG)
        at.chat = at.new_chat()
        async with at.running():
            message, run = await at.asks("draw a dot")
            events = Told()
            async with asyncio.TaskGroup() as group:
                group.create_task(at.chat.follow(message, run, aiter(events)))
                events.tell(*begun()[:1])
                await at.sees("Making a picture from words")
                client = (await at.chat._wait_until_online()).client  # noqa: SLF001 - others are busy
                await fill(client.calls, PROGRESS_RESERVE)
                events.tell(*begun()[1:])
                await at.server.world.until(lambda: events.told)
                events.tell(Answered(Answer(run, "A dot.")), None)

            (answer,) = at.answers(message)
            assert answer.text == "A dot."
            assert len(answer.versions) == 1


async def test_every_call_is_counted_whoever_makes_it_and_whatever_was_asked_before() -> None:
    async with scene() as at:
        at.times = replace(at.times, rate_period=LONG)
        at.chat = at.new_chat()
        async with at.running():
            client = (await at.chat._wait_until_online()).client  # noqa: SLF001 - others are busy
            assert client.calls.has_room(0)
            await fill(client.calls, 0)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2), asyncio.TaskGroup() as group:
                    group.create_task(client.fetch_channel(at.place.id))

            assert at.server.calls("GET channel") == 0


async def test_twenty_people_in_twenty_channels_hit_no_limit() -> None:
    async with scene(window=0.2) as at:
        guild = at.place.guild
        assert guild is not None
        at.times = replace(at.times, rate_period=0.3)
        at.chat = at.new_chat()
        places = [at.server.people.channel(guild, f"room{n}") for n in range(20)]
        async with at.running():
            for place in places:
                at.server.world.tell("CHANNEL_CREATE", payloads.channel(place), place)
                at.server.people.say(at.ada, place, f"{at.mention} a dot in {place.name}")
            await at.listener.next(20)
            async with asyncio.TaskGroup() as group:
                for message, run in at.listener.received:
                    group.create_task(at.chat.follow(message, run, told(*whole(run))))

            assert all(len(at.answers(message)) == 1 for message, _ in at.listener.received)
            assert at.server.world.limits.hits == 0
