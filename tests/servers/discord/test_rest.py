"""The played API, judged by discord.py itself."""

import io

import aiohttp
import discord
import pytest

from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.client import Listener, listening, picture
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import Account, Channel


def _scene(server: DiscordServer) -> tuple[Account, Channel]:
    ada = server.people.person("ada")
    return ada, server.people.channel(server.people.guild("team", ada), "general")


def _text(client: Listener, place: Channel) -> discord.TextChannel:
    channel = client.get_channel(place.id)
    assert isinstance(channel, discord.TextChannel)
    return channel


async def test_a_message_with_two_described_files_is_kept_as_sent() -> None:
    async with play_discord() as server:
        _, place = _scene(server)
        async with listening(server) as client:
            sent = await _text(client, place).send(
                "two", files=[picture("a.png", "one"), picture("b.png", "two")], nonce="k1"
            )
            await sent.edit(content="edited")

            said = server.transcript(place)[0]
            assert (said.content, said.versions) == ("edited", ["two"])
            assert [(u.filename, u.description) for u in said.uploads] == [
                ("a.png", "one"),
                ("b.png", "two"),
            ]
            assert await sent.attachments[0].read() == said.uploads[0].body
        assert server.violations == []


async def test_a_repeated_nonce_gives_the_first_message_back() -> None:
    async with play_discord() as server:
        _, place = _scene(server)
        async with listening(server) as client:
            first = await _text(client, place).send("once", nonce="key")
            second = await _text(client, place).send("once", nonce="key")

            assert first.id == second.id
            assert len(server.transcript(place)) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [("x" * 2001, "POST message: 50035"), ("", "POST message: 50006")],
)
async def test_text_that_discord_refuses_is_refused_and_blamed(content: str, said: str) -> None:
    async with play_discord() as server:
        _, place = _scene(server)
        async with listening(server) as client:
            with pytest.raises(discord.HTTPException):
                await _text(client, place).send(content, nonce="k")

            assert server.violations[0].startswith(said)


async def test_a_post_that_may_ping_is_blamed() -> None:
    async with play_discord() as server:
        _, place = _scene(server)
        async with listening(server) as client:
            everyone = discord.AllowedMentions.all()
            with pytest.raises(discord.HTTPException):
                await _text(client, place).send("@everyone", nonce="k", allowed_mentions=everyone)

            assert len(server.violations) == 1


async def test_a_file_over_the_limit_is_refused() -> None:
    async with play_discord() as server:
        _, place = _scene(server)
        async with listening(server) as client:
            big = discord.File(io.BytesIO(b"0" * (11 << 20)), "big.bin")
            with pytest.raises(discord.HTTPException) as caught:
                await _text(client, place).send("big", file=big, nonce="k")

            assert (caught.value.status, caught.value.code) == (413, 40005)


@pytest.mark.parametrize(
    "permission",
    ["view_channel", "send_messages", "add_reactions", "create_public_threads", "attach_files"],
)
async def test_each_missing_permission_is_refused_with_403(permission: str) -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            asked = server.people.say(ada, place, "hello")
            channel = _text(client, place)
            server.people.deny(place, permission, announced=False)
            message = channel.get_partial_message(asked.id)

            with pytest.raises(discord.Forbidden):
                await _everything(channel, message)
        assert server.violations == []


async def _everything(channel: discord.TextChannel, message: discord.PartialMessage) -> None:
    await message.add_reaction("👀")
    await message.create_thread(name="thread")
    await channel.send("text", file=picture(), nonce="k")


async def test_a_thread_has_its_roots_id_and_cannot_be_opened_twice() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        async with listening(server) as client:
            asked = server.people.say(ada, place, "hello")
            message = _text(client, place).get_partial_message(asked.id)
            thread = await message.create_thread(name="an answer")
            await thread.send("inside", nonce="k")
            with pytest.raises(discord.HTTPException) as caught:
                await message.create_thread(name="again")

            assert thread.id == asked.id
            assert caught.value.code == 160004
            assert [m.content for m in server.transcript(server.world.channels[thread.id])] == [
                "inside"
            ]
            kinds = [m.type async for m in thread.history(oldest_first=True)]
            assert kinds == [
                discord.MessageType.thread_starter_message,
                discord.MessageType.default,
            ]


async def test_history_is_paged_after_before_and_around() -> None:
    async with play_discord() as server:
        ada, place = _scene(server)
        said = [server.people.say(ada, place, str(n)) for n in range(6)]
        async with listening(server) as client:
            channel, third = _text(client, place), discord.Object(said[2].id)
            after = [m.content async for m in channel.history(after=third, limit=2)]
            before = [m.content async for m in channel.history(before=third)]
            around = [m.content async for m in channel.history(around=third, limit=3)]

            assert after == ["3", "4"]
            assert before == ["1", "0"]
            assert sorted(around) == ["1", "2", "3"]


async def test_a_429_is_waited_for_and_a_bucket_is_respected() -> None:
    async with play_discord() as server:
        _, place = _scene(server)
        server.faults.limit_everything_once = True
        async with listening(server) as client:
            for number in range(8):
                await _text(client, place).send(str(number), nonce=f"k{number}")

            assert [m.content for m in server.transcript(place)] == [str(n) for n in range(8)]
            assert server.world.limits.hits == 0


async def test_an_answer_can_be_lost_after_it_took_effect() -> None:
    async with play_discord() as server:
        _, place = _scene(server)
        async with listening(server) as client:
            server.faults.next("POST message", Trouble.LOST)
            with pytest.raises((discord.HTTPException, OSError, aiohttp.ClientError)):
                await _text(client, place).send("lost?", nonce="k")
            await _text(client, place).send("lost?", nonce="k")

            assert len(server.transcript(place)) == 1
