"""Two programs on one PostgreSQL and one Discord, one of which is killed."""

import asyncio
from pathlib import Path

import pytest

from tests.contracts.postgres import order
from tests.e2e.forked import forked
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.values import Message

SECONDS = 60.0
STORY = "Sales rose by ten percent in Europe. They fell in Asia. Costs stayed flat."


def _settings(server: DiscordServer, database: str) -> dict[str, str]:
    return {
        "DISCORD_TOKEN": server.world.token,
        "DISCORD_API_BASE_URL": server.api,
        "DISCORD_GATEWAY_URL": server.gateway.address,
        "DISCORD_CDN_HOSTS": "127.0.0.1",
        "TROUPE_DATABASE_URL": database,
        "TROUPE_SECRET": "the same for all replicas of a test",
    }


def _answers(server: DiscordServer, asked: Message) -> list[Message]:
    said = server.transcript(asked.thread) if asked.thread else []
    return [m for m in said if any(b["label"] == "Retry" for b in m.buttons)]


@pytest.mark.limit(200)
async def test_the_shard_of_a_killed_program_is_taken_over_and_each_message_answered_once(
    tmp_path: Path,
    postgres: str,
) -> None:
    await order(postgres, "DELETE FROM leases", "DELETE FROM rate_limits")
    async with play_discord(shards=2, identify_seconds=1.0) as server:  # its clock is patient
        settings, ada = _settings(server, postgres), server.people.person("ada")
        places = [
            server.people.channel(server.people.guild(f"team {n}", ada, shard=n), "general")
            for n in range(2)
        ]
        asked: list[Message] = []

        def ask() -> None:
            words = f"<@{server.bot.id}> Summarize this: {STORY}"
            asked.extend(server.people.say(ada, place, words) for place in places)

        def are_answered() -> bool:
            return all(_answers(server, each) for each in asked)

        def connected() -> set[int]:
            sessions = server.gateway.sessions.values()
            return {each.shard[0] for each in sessions if each.socket and each.valid}

        async with forked(tmp_path, **settings) as (first, _):
            await server.world.until(lambda: connected() == {0, 1}, SECONDS)
            async with forked(tmp_path, **settings):
                await server.world.until(lambda: server.gateway.identified == 3, SECONDS)
                ask()
                await server.world.until(are_answered, SECONDS)
                first.kill()
                await server.world.until(lambda: len(connected()) == 1, SECONDS)
                ask()
                await server.world.until(lambda: connected() == {0, 1}, SECONDS)
                await server.world.until(are_answered, SECONDS)
                await asyncio.sleep(1)

        assert [len(_answers(server, each)) for each in asked] == [1] * 4
        assert server.violations == []
