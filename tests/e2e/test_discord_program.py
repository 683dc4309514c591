"""The program as a process that can be killed, on the simulated Discord."""

import asyncio
import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from tests.e2e.forked import forked
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.people import acknowledged
from tests.servers.discord.values import LOADING, Channel, Message
from tests.servers.discord.world import Interaction

SECONDS = 40.0
REQUEST = (
    "Summarize this: Sales rose by ten percent in Europe. They fell in Asia. Costs stayed flat."
)


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
            await server.world.until(lambda: asked.reactions.get("👀"), SECONDS)
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


def _is_answered(server: DiscordServer, use: Interaction) -> bool:
    """Whether the thread on the request's message, or its channel, has the whole answer."""
    root = use.original.id if use.original else 0
    places = [server.world.channels.get(root), use.place]
    return any(_answers(server, place) for place in places if place is not None)


@pytest.mark.limit(180)
async def test_a_request_by_command_killed_after_its_acknowledgement_is_answered_once(
    tmp_path: Path,
) -> None:
    async with play_discord() as server:
        ada = server.people.person("ada")
        guild = server.people.guild("team", ada)
        for delay in (0.0, 0.1):
            place = server.people.channel(guild, f"room{int(delay * 1000)}")
            async with _program(server, tmp_path):
                await server.world.until(lambda: server.world.commands, SECONDS)
                text = {"text": REQUEST}
                use = server.people.command(ada, place, "ask", text)
                await acknowledged(server.world, use)
                await asyncio.sleep(delay)
            async with _program(server, tmp_path):
                await server.world.until(partial(_is_answered, server, use), SECONDS)

            assert use.original is not None
            assert "asked: Summarize this" in use.original.text
            assert use.original.flags & LOADING == 0
            thread = server.world.channels[use.original.id]
            assert len(_answers(server, thread)) == 1
        assert server.violations == []


@pytest.mark.limit(120)
async def test_a_click_killed_after_its_acknowledgement_is_answered_once(tmp_path: Path) -> None:
    async with play_discord() as server:
        ada = server.people.person("ada")
        place = server.people.channel(server.people.guild("team", ada), "general")
        async with _program(server, tmp_path):
            asked = server.people.say(ada, place, f"<@{server.bot.id}> {REQUEST}")
            await server.world.until(
                lambda: asked.thread and _answers(server, asked.thread), SECONDS
            )
        assert asked.thread is not None
        (answer,) = _answers(server, asked.thread)
        async with _program(server, tmp_path):
            use = server.people.press(ada, answer, "Details")
            await acknowledged(server.world, use)
        async with _program(server, tmp_path):
            await server.world.until(lambda: use.answers and use.answers[0].text, SECONDS)

        assert len(use.answers) == 1
        assert server.violations == []
