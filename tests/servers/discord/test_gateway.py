"""The played gateway, judged by discord.py itself."""

import discord
import pytest

from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.client import Listener, listener, listening
from tests.servers.discord.values import Channel


def _channel(server: DiscordServer) -> Channel:
    ada = server.people.person("ada")
    return server.people.channel(server.people.guild("team", ada), "general")


async def _hears(server: DiscordServer, client: Listener, place: Channel, text: str) -> None:
    guild = place.guild
    assert guild is not None
    server.people.say(guild.owner, place, text)
    await server.world.until(lambda: any(m.content == text for m in client.addressing))


async def test_a_client_connects_and_hears_a_message_with_its_content() -> None:
    async with play_discord() as server:
        place = _channel(server)
        async with listening(server) as client:
            await _hears(server, client, place, "hello there")

            assert client.addressing[0].channel.id == place.id
            assert [guild.name for guild in client.guilds] == ["team"]
        assert server.violations == []


async def test_without_the_content_intent_only_mentions_and_direct_messages_have_text() -> None:
    async with play_discord() as server:
        place = _channel(server)
        ada = next(a for a in server.world.accounts.values())
        async with listening(server, content=False) as client:
            server.people.say(ada, place, "secret")
            server.people.say(ada, place, f"<@{server.bot.id}> open")
            server.people.say(ada, server.people.dm(ada), "direct")
            await server.world.until(lambda: len(client.addressing) == 3)

            assert [m.content for m in client.addressing] == [
                "",
                f"<@{server.bot.id}> open",
                "direct",
            ]


async def test_two_shards_each_hear_their_own_servers() -> None:
    async with play_discord(shards=2) as server:
        ada = server.people.person("ada")
        guilds = [server.people.guild(f"team {n}", ada, shard=n) for n in (0, 1)]
        places = [server.people.channel(guild, "general") for guild in guilds]
        async with listening(server) as client:
            for place in places:
                server.people.say(ada, place, place.guild.name if place.guild else "")
            await server.world.until(lambda: len(client.addressing) == 2)

            assert sorted(m.content for m in client.addressing) == ["team 0", "team 1"]
            assert server.gateway.identified == 2


@pytest.mark.parametrize("how", ["reset", "reconnect", "resumable", "closed"])
async def test_a_lost_socket_is_resumed_and_nothing_said_meanwhile_is_lost(how: str) -> None:
    async with play_discord() as server:
        place = _channel(server)
        async with listening(server) as client:
            await _hears(server, client, place, "before")

            if how == "reset":
                server.gateway.reset()
            elif how == "reconnect":
                server.gateway.ask_to_reconnect()
            elif how == "resumable":
                server.gateway.invalidate(resumable=True)
            else:
                await server.gateway.close(4000)
            await _hears(server, client, place, "meanwhile")
            await server.world.until(lambda: client.resumed == 1)

            assert [m.content for m in client.addressing] == ["before", "meanwhile"]
        assert server.violations == []


async def test_an_invalid_session_begins_anew() -> None:
    async with play_discord() as server:
        place = _channel(server)
        async with listening(server) as client:
            server.gateway.invalidate()
            await server.world.until(lambda: server.gateway.identified == 2)
            await _hears(server, client, place, "again")

            assert client.resumed == 0


async def test_a_silent_gateway_is_left_and_resumed() -> None:
    async with play_discord(interval=0.1) as server:
        place = _channel(server)
        async with listening(server, heartbeat_timeout=0.3) as client:
            await server.world.until(lambda: server.gateway.sockets[0].heartbeats > 1)
            server.gateway.silence()
            await server.world.until(lambda: client.resumed == 1)
            await _hears(server, client, place, "back")


async def test_an_event_can_be_delivered_three_times() -> None:
    async with play_discord() as server:
        place = _channel(server)
        server.faults.deliver = 3
        async with listening(server) as client:
            await _hears(server, client, place, "thrice")
            await server.world.until(lambda: len(client.addressing) == 3)

            assert len({m.id for m in client.addressing}) == 1


async def test_a_wrong_token_is_refused_at_login() -> None:
    async with play_discord() as server:
        client = listener(server)

        with pytest.raises(discord.LoginFailure):
            await client.login("wrong")
        await client.close()


async def test_an_intent_that_is_not_enabled_ends_the_connection() -> None:
    async with play_discord() as server:
        server.world.application_flags = 0
        client = listener(server)

        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.start(server.world.token)


async def test_a_revoked_token_closes_the_gateway_for_good() -> None:
    async with play_discord() as server:
        client = listener(server)
        await client.login(server.world.token)
        server.world.faults.token_revoked = True

        with pytest.raises(discord.GatewayNotFound):
            await client.connect()
        await client.close()
