"""The program as a process that can be killed, on the simulated Discord."""

import asyncio
import io
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from tests.e2e.forked import forked
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.people import acknowledged
from tests.servers.discord.values import LOADING, Account, Channel, Message
from tests.servers.discord.world import Interaction

SECONDS = 40.0
STORY = "Sales rose by ten percent in Europe. They fell in Asia. Costs stayed flat."
REQUEST = f"Summarize this: {STORY}"
WAYS = ("ask", "Details", "help", "menu")
KILLS = 12
"""By hand, a run of 40 lost none."""


def _settings(server: DiscordServer) -> dict[str, str]:
    return {
        "DISCORD_TOKEN": server.world.token,
        "DISCORD_API_BASE_URL": server.api,
        "DISCORD_GATEWAY_URL": server.gateway.address,
        "DISCORD_CDN_HOSTS": "127.0.0.1",
    }


@asynccontextmanager
async def _program(server: DiscordServer, home: Path) -> AsyncIterator[None]:
    """Run the program; ended by SIGKILL."""
    before = server.gateway.identified
    async with forked(home, **_settings(server)):
        await server.world.until(lambda: server.gateway.identified > before, SECONDS)
        yield


def _answers(server: DiscordServer, thread: Channel) -> list[Message]:
    said = server.transcript(thread)
    return [m for m in said if any(b["label"] == "Retry" for b in m.buttons)]


@pytest.mark.limit(120)
async def test_killed_while_at_it_the_program_answers_once_after_its_restart(
    tmp_path: Path,
) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (64, 48), (200, 30, 30)).save(picture, "PNG")
    async with play_discord() as server:
        ada = server.people.person("ada")
        place = server.people.channel(server.people.guild("team", ada), "general")
        async with _program(server, tmp_path):
            words = f"<@{server.bot.id}> make this picture black and white"
            asked = server.people.say(ada, place, words, [("red.png", picture.getvalue())])
            await server.world.until(lambda: asked.thread, SECONDS)
        async with _program(server, tmp_path):
            await server.world.until(
                lambda: asked.thread and _answers(server, asked.thread), SECONDS
            )

        assert asked.thread is not None
        (answer,) = server.transcript(asked.thread)
        assert answer.uploads, answer.text
        (made,) = answer.uploads
        assert Image.open(io.BytesIO(made.body)).convert("RGB").getpixel((5, 5)) != (200, 30, 30)
        assert made.description
        assert server.violations == []


@dataclass
class Use:
    """An interaction, after whose acknowledgement the program was killed."""

    way: str
    interaction: Interaction

    def find_answers(self, server: DiscordServer) -> list[Message]:
        """What answers a request, in its thread or place; else what the person got to read."""
        use = self.interaction
        if self.way not in ("ask", "menu"):
            return [each for each in use.answers if each.text and not each.flags & LOADING]
        root = use.original.id if use.original else 0
        places = [server.world.channels.get(root), use.place]
        return [each for place in places if place for each in _answers(server, place)]


async def _use(server: DiscordServer, person: Account, way: str, number: int, old: Message) -> Use:
    """Use the bot in one of four ways, each time in another place, until it is acknowledged."""
    people = server.people
    assert old.channel.guild
    place = people.channel(old.channel.guild, f"room{number}")
    match way:
        case "ask":
            use = people.command(person, place, way, {"text": REQUEST})
        case "help":
            use = people.command(person, place, way)
        case "menu":
            use = people.use_menu(person, people.say(person, place, STORY), "Summarize")
        case _:
            use = people.press(person, old, way)
    return Use(way, await acknowledged(server.world, use))


@pytest.mark.limit(170)
async def test_killed_after_any_acknowledgement_no_interaction_is_lost_or_doubled(
    tmp_path: Path,
) -> None:
    chance, uses = random.Random(20261123), list[Use]()
    async with play_discord() as server:
        ada = server.people.person("ada")
        place = server.people.channel(server.people.guild("team", ada), "general")
        async with _program(server, tmp_path):
            asked = server.people.say(ada, place, f"<@{server.bot.id}> {REQUEST}")
            await server.world.until(
                lambda: asked.thread and _answers(server, asked.thread), SECONDS
            )
        assert asked.thread is not None
        (old,) = _answers(server, asked.thread)
        for kill in range(KILLS):
            async with _program(server, tmp_path):
                uses.append(await _use(server, ada, WAYS[kill % len(WAYS)], kill, old))
                await asyncio.sleep(chance.uniform(0.0, 0.1))
        async with _program(server, tmp_path):
            await server.world.until(lambda: all(use.find_answers(server) for use in uses), SECONDS)
            await asyncio.sleep(0.3)

        assert [len(use.find_answers(server)) for use in uses] == [1] * KILLS
        for use in uses:
            (first,) = use.interaction.answers
            assert first.flags & LOADING == 0
            assert use.way != "ask" or "asked: Summarize this" in first.text
        assert server.violations == []
