"""What was written while the bot was away."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from discord.utils import time_snowflake, utcnow

from pipeline.domain import Incoming, RunId, Turn
from pipeline.ports import Cached
from tests.adapters.discord.events import told, whole
from tests.adapters.discord.scene import DiscordScene, scene
from tests.fakes.chat import FakeListener
from tests.fakes.persistence import FakeCache
from tests.servers.discord import payloads
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import Message


@asynccontextmanager
async def _known_since(ago: timedelta) -> AsyncIterator[DiscordScene]:
    """A scene whose server the bot has read up to then."""
    async with scene() as at:
        async with at.running():
            await at.server.world.until(lambda: at.place.guild and at.cache.kept)
        await _set_mark(at, ago)
        at.chat = at.new_chat()
        yield at


async def _set_mark(at: DiscordScene, ago: timedelta) -> None:
    assert at.place.guild is not None
    await at.cache.put(f"discord:{at.place.guild.id}:read", str(time_snowflake(utcnow() - ago)))


def _texts(at: DiscordScene) -> list[str]:
    return [message.text for message, _ in at.listener.received]


async def test_a_mention_is_found_in_a_new_channel_however_much_was_said_after_it() -> None:
    async with _known_since(timedelta(hours=1)) as at:
        assert at.place.guild is not None
        other = at.server.people.channel(at.place.guild, "other")
        for place in (at.place, other):
            at.server.people.say(at.ada, place, f"{at.mention} draw {place.name}")
            for number in range(230):
                at.server.people.say(at.ada, place, f"chatter {number}")
        async with at.running():
            await at.listener.next(462)

        assert {"draw general", "draw other"} <= set(_texts(at))


async def test_the_first_downtime_of_a_new_bot_loses_nothing() -> None:
    async with scene() as at:
        async with at.running():
            await at.server.world.until(lambda: len(at.cache.kept) > 1)
        at.server.people.say(at.ada, at.place, f"{at.mention} draw a dot")
        at.chat = at.new_chat()
        async with at.running():
            await at.listener.next()

        assert _texts(at) == ["draw a dot"]


async def test_who_may_do_what_is_looked_up_where_it_counts() -> None:
    async with _known_since(timedelta(hours=1)) as at:
        at.server.people.say(at.ada, at.place, f"{at.mention} settings language de")
        at.server.people.say(at.ada, at.place, "nice weather")
        async with at.running():
            await at.listener.next(2)

        command, chatter = (message for message, _ in at.listener.received)
        assert "admin" in command.person.roles
        assert chatter.person.roles == frozenset()
        assert at.server.calls("GET member") == 1


class _SlowCache(FakeCache):
    """Takes its time, as when other servers are read first."""

    async def get(self, key: str) -> Cached | None:
        await asyncio.sleep(0.2)
        return await super().get(key)


async def test_an_outage_of_a_server_hides_nothing_that_was_said_meanwhile() -> None:
    async with scene() as at:
        guild, now = at.place.guild, utcnow()
        assert guild is not None
        at.cache = _SlowCache()
        await _set_mark(at, timedelta(hours=1))
        at.chat = at.new_chat()
        async with at.running():
            await _read_up(at)
            await _set_mark(at, timedelta(hours=1))
            session = next(each for each in at.server.gateway.sessions.values() if each.socket)
            session.tell("GUILD_DELETE", {"id": str(guild.id), "unavailable": True})
            missed, after = (time_snowflake(now + timedelta(minutes=n)) for n in (-30, 1))
            at.place.messages[missed] = Message(missed, at.place, at.ada, "missed")
            session.tell("GUILD_CREATE", payloads.guild(guild, at.server.bot))
            at.server.world.add_message(Message(after, at.place, at.ada, "after"))
            await at.listener.next()
            await at.listener.next(2)

        assert _texts(at) == ["missed", "after"]


async def test_what_was_said_before_a_new_bot_came_is_left_alone() -> None:
    async with scene() as at:
        at.server.people.say(at.ada, at.place, f"{at.mention} before")
        async with at.running():
            await at.asks("after")

        assert _texts(at) == ["after"]


async def _say_long_ago(at: DiscordScene, texts: Sequence[str]) -> None:
    """One text in each of so many new channels, in the middle of the gap."""
    assert at.place.guild is not None
    for number, text in enumerate(texts):
        room = at.server.people.channel(at.place.guild, f"room{number}")
        id_ = time_snowflake(utcnow() - timedelta(minutes=20)) + number
        said = Message(id_, room, at.ada, text, mentions=at.server.people.mentioned(text))
        room.messages[id_] = said


async def test_where_many_rooms_have_news_only_mentions_are_found_by_one_search() -> None:
    async with _known_since(timedelta(minutes=40)) as at:
        at.server.people.say(at.ada, at.place, "said just now")
        await _say_long_ago(at, ["people talk"] * 8 + [f"{at.mention} draw a dot"])
        async with at.running():
            await at.listener.next(2)
            await _read_up(at)

        assert sorted(_texts(at)) == ["draw a dot", "said just now"]
        assert (at.server.calls("GET search"), at.server.calls("GET messages")) == (1, 1)


async def test_more_mentions_than_a_page_of_a_search_are_all_found() -> None:
    async with _known_since(timedelta(minutes=40)) as at:
        await _say_long_ago(at, [f"{at.mention} draw {number}" for number in range(60)])
        async with at.running():
            await at.listener.next(60)

        assert at.server.calls("GET search") == 3


async def test_every_room_is_read_while_the_server_has_no_index() -> None:
    async with _known_since(timedelta(minutes=40)) as at:
        at.server.world.has_index = False
        await _say_long_ago(at, ["people talk"] * 8 + [f"{at.mention} draw a dot"])
        async with at.running():
            await at.listener.next(9)

        assert "draw a dot" in _texts(at)


async def test_a_follow_up_in_a_thread_archived_meanwhile_is_found() -> None:
    async with scene() as at:
        async with at.running():
            message, run = await at.asks("draw a dot")
            await at.chat.follow(message, run, told(*whole(run)))
            turn = Turn(
                key=message.key, person=message.person, text="draw a dot", files=(), at=message.at
            )
            await at.store.log(message.thread, turn)
            await _set_mark(at, timedelta(hours=2))
        thread = at.thread(message)
        at.server.people.say(at.ada, thread, "and a line")
        thread.archived = True
        at.listener, at.chat = FakeListener(), at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: "and a line" in _texts(at))

        assert at.server.calls("GET archived threads") == 0


@pytest.mark.parametrize("has_index", [True, False])
async def test_a_mention_in_a_thread_archived_meanwhile_is_found(*, has_index: bool) -> None:
    async with _known_since(timedelta(hours=2)) as at:
        at.server.world.has_index = has_index
        root = at.server.people.say(at.ada, at.place, "look")
        thread = at.server.people.thread(at.ada, root, "look")
        at.server.people.say(at.ada, thread, f"{at.mention} what is it?")
        thread.archived = True
        async with at.running():
            await at.listener.next(2)  # rooms are read side by side: in any order
            received = {message.text: (message, run) for message, run in at.listener.received}
            message, run = received["what is it?"]
            await at.chat.follow(message, run, told(*whole(run, "A dot.")))

        assert [m.text for m in at.server.transcript(thread)] == ["A dot."]


@pytest.mark.parametrize("has_index", [True, False])
async def test_a_post_in_a_forum_archived_meanwhile_is_found(*, has_index: bool) -> None:
    async with _known_since(timedelta(hours=2)) as at:
        at.server.world.has_index = has_index
        assert at.place.guild is not None
        forum = at.server.people.forum(at.place.guild, "help")
        at.server.people.post(
            at.ada, forum, "Printer", f"{at.mention} why?"
        ).channel.archived = True
        async with at.running():
            await at.listener.next()

        assert _texts(at) == ["Printer\n\nwhy?"]


async def test_what_was_left_to_the_people_is_not_taken_again_but_its_edit_is() -> None:
    async with scene() as at:
        said = []
        async with at.running():
            for number, text in enumerate(("nice weather", "no, rain"), 1):
                said.append(at.server.people.say(at.ada, at.place, text))
                message, _ = await at.listener.next(number)
                turn = Turn(
                    key=message.key, person=message.person, text=text, files=(), at=message.at
                )
                await at.store.log(message.thread, turn)
            await _set_mark(at, timedelta())
        at.listener = FakeListener()
        at.server.people.edit(said[1], "no, snow")
        at.chat = at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: at.listener.edits)
            await at.asks("draw a dot")

        assert [edit.text for edit in at.listener.edits] == ["no, snow"]
        assert _texts(at) == ["draw a dot"]


async def test_nothing_is_taken_that_was_read_before_or_is_older_than_three_days() -> None:
    async with _known_since(timedelta(days=30)) as at:
        old = Message(
            time_snowflake(utcnow() - timedelta(days=3, hours=1)), at.place, at.ada, "too old"
        )
        at.place.messages[old.id] = old
        at.server.people.say(at.ada, at.place, "young")
        async with at.running():
            await at.listener.next()
        assert _texts(at) == ["young"]

        at.listener.received.clear()  # as after "forget channel"
        await _set_mark(at, timedelta(minutes=-6))
        at.chat = at.new_chat()
        async with at.running():
            await at.asks("new")
        assert _texts(at) == ["new"]


async def test_an_edit_made_meanwhile_is_told() -> None:
    async with scene() as at:
        async with at.running():
            message, _ = await at.asks("draw a cat")
            turn = Turn(
                key=message.key, person=message.person, text=message.text, files=(), at=message.at
            )
            await at.store.log(message.thread, turn)
        at.server.people.edit(at.place.said[0], f"{at.mention} draw a dog")
        at.chat = at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: at.listener.edits)

        assert [edit.text for edit in at.listener.edits] == ["draw a dog"]
        assert at.listener.edits[0].key == message.key


async def test_an_edit_of_a_message_read_long_ago_is_told() -> None:
    async with _known_since(timedelta(hours=1)) as at:
        sent = Message(
            time_snowflake(utcnow() - timedelta(hours=2)), at.place, at.ada, "draw a cat"
        )
        at.place.messages[sent.id] = sent
        at.server.people.say(at.ada, at.place, "hello")
        async with at.running():
            message, _ = await at.listener.next()
            turn = Turn(
                key=message.key, person=message.person, text=message.text, files=(), at=message.at
            )
            await at.store.log(message.thread, turn)
        await _set_mark(at, timedelta(hours=1))
        at.server.people.edit(sent, "draw a dog")
        at.chat = at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: at.listener.edits)

        assert [edit.text for edit in at.listener.edits] == ["draw a dog"]


async def test_messages_deleted_meanwhile_are_told() -> None:
    async with scene() as at:
        people, sent = at.server.people, list[Message]()
        async with at.running():
            message, _ = await at.asks("draw a cat")
            thread = await at.server.world.until(lambda: at.place.said[0].thread)
            assert thread is not None
            for number, words in enumerate(("first", "second", "third"), 2):
                sent.append(people.say(at.ada, thread, words))
                await at.listener.next(number)
            for each, _ in at.listener.received:
                turn = Turn(key=each.key, person=each.person, text=each.text, files=(), at=each.at)
                await at.store.log(each.thread, turn)
        people.delete(at.place.said[0])
        people.delete(sent[0])
        people.delete(sent[2])
        people.say(at.ada, at.place, "hello")
        at.chat = at.new_chat()
        async with at.running():
            await at.server.world.until(lambda: len(at.listener.deletions) == 3)

        deleted = [message.id, str(sent[0].id), str(sent[2].id)]
        assert at.listener.deletions == [(message.thread, id_) for id_ in deleted]


@pytest.mark.parametrize("denied", ["read_message_history", "view_channel"])
async def test_where_the_bot_may_not_read_nothing_counts_as_deleted(denied: str) -> None:
    async with scene() as at:
        async with at.running():
            message, _ = await at.asks("draw a cat")
            turn = Turn(
                key=message.key, person=message.person, text=message.text, files=(), at=message.at
            )
            await at.store.log(message.thread, turn)
        at.server.people.deny(at.place, denied)
        await _set_mark(at, timedelta(hours=1))
        at.chat = at.new_chat()
        async with at.running():
            await _read_up(at)

        assert at.listener.deletions == []


async def _read_up(at: DiscordScene) -> None:
    """Wait until the server is read up since an hour ago."""
    assert at.place.guild is not None
    mark = f"discord:{at.place.guild.id}:read"
    before = time_snowflake(utcnow() - timedelta(minutes=30))
    await at.server.world.until(lambda: int(at.cache.kept[mark].value) > before)


@pytest.mark.parametrize("call", ["GET messages", "GET archived threads", "GET search"])
async def test_what_fails_is_read_up_again_and_the_rest_at_once(call: str) -> None:
    async with _known_since(timedelta(hours=2)) as at:
        assert at.place.guild is not None
        at.server.world.has_index = call == "GET search"
        other = at.server.people.channel(at.place.guild, "other")
        for place in (at.place, other):
            at.server.people.say(at.ada, place, f"{at.mention} draw {place.name}")
        at.server.faults.next(call, Trouble.UNAUTHORIZED)
        async with at.running():
            await at.listener.next(2)
            await _read_up(at)

        assert sorted(_texts(at)) == ["draw general", "draw other"]
        assert (at.server.faults.left(call), at.server.calls(call) > 0) == (0, True)


@dataclass
class _Stuck(FakeListener):
    """A conversation that never gets to accept a message."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def on_message(self, message: Incoming) -> RunId | None:
        self.asked.set()
        await asyncio.Event().wait()
        raise AssertionError("unreachable")


async def test_killed_while_reading_up_it_reads_up_again() -> None:
    async with _known_since(timedelta(hours=1)) as at:
        at.server.people.say(at.ada, at.place, f"{at.mention} draw a dot")
        stuck = at.listener = _Stuck()
        async with at.running():
            await stuck.asked.wait()
        at.listener = FakeListener()
        at.chat = at.new_chat()
        async with at.running():
            await at.listener.next()

        assert _texts(at) == ["draw a dot"]
