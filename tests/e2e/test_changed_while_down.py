"""The program is killed while it is at a message that its author then edits or deletes."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters.slack.connecting.manifest import SCOPES
from tests.adapters.slack.stage import BOT
from tests.e2e.forked import forked
from tests.fakes.known_experts import known_experts
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.faults import Trouble
from tests.servers.discord.values import Message
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.servers.slack import SlackServer
from tests.servers.slack.faults import Broken
from tests.servers.slack.workspace import GENERAL

SECONDS = 20.0
PLAN = [{"task": "text2text-generation", "id": 0, "dep": [-1], "args": {"text": "x"}}]


def _reply(asked: Asked) -> str:
    if "response_format" in asked.body:
        return json.dumps(PLAN)
    return "About dogs." if "dogs" in asked.text else "About cats."


@asynccontextmanager
async def _models() -> AsyncIterator[tuple[ExpertServer, dict[str, str]]]:
    """A slow expert, and the settings of the program that uses it."""
    async with (
        openai_at_work(OpenAiServer(reply=_reply)) as llm,
        experts_at_work(known_experts(60.0)) as experts,
    ):
        yield (
            experts,
            {
                "OPENAI_BASE_URL": llm.base,
                "TROUPE_EXPERTS_URL": experts.base,
                "TROUPE_PLACES": "local",
            },
        )


def _reach_slack(slack: SlackServer) -> dict[str, str]:
    slack.calls.granted = set(SCOPES)
    return {
        "SLACK_API_BASE_URL": slack.api,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
    }


def _reach_discord(server: DiscordServer) -> dict[str, str]:
    return {
        "DISCORD_TOKEN": server.world.token,
        "DISCORD_API_BASE_URL": server.api,
        "DISCORD_GATEWAY_URL": server.gateway.address,
        "DISCORD_CDN_HOSTS": "127.0.0.1",
    }


@pytest.mark.limit(60)
async def test_slack_a_message_deleted_while_down_is_not_answered(tmp_path: Path) -> None:
    async with SlackServer() as slack, _models() as (experts, models):
        settings = {**_reach_slack(slack), **models}
        root = slack.people.say(f"{BOT} cats")
        async with forked(tmp_path, **settings):
            await slack.until(lambda: experts.asked and slack.said(GENERAL, root))
        experts.latency = 0.0
        slack.delivery.subscribed = set()  # the event is given up before the program is back
        slack.people.delete(GENERAL, root)
        async with forked(tmp_path, **settings):
            await slack.until(lambda: not slack.said(GENERAL, root) or _says(slack, root, "cats"))

        assert slack.said(GENERAL, root) == []


@pytest.mark.limit(60)
async def test_slack_killed_after_a_deletion_it_takes_its_progress_back_later(
    tmp_path: Path,
) -> None:
    async with SlackServer() as slack, _models() as (experts, models):
        settings = {**_reach_slack(slack), **models}
        root = slack.people.say(f"{BOT} cats")
        async with forked(tmp_path, **settings):
            await slack.until(lambda: experts.asked and slack.said(GENERAL, root))
            slack.faults.once("chat.delete", *[Broken()] * 1000)
            slack.people.delete(GENERAL, root)
            await slack.until(lambda: slack.faults.struck)
        slack.faults.waiting.clear()
        async with forked(tmp_path, **settings):
            await slack.until(lambda: not slack.said(GENERAL, root))


@pytest.mark.limit(60)
async def test_slack_a_message_edited_while_down_is_answered_as_it_stands(tmp_path: Path) -> None:
    async with SlackServer() as slack, _models() as (experts, models):
        settings = {**_reach_slack(slack), **models}
        root = slack.people.say(f"{BOT} cats")
        async with forked(tmp_path, **settings):
            await slack.until(lambda: experts.asked and slack.said(GENERAL, root))
        experts.latency = 0.0
        slack.delivery.subscribed = set()
        slack.people.edit(GENERAL, root, f"{BOT} dogs")
        async with forked(tmp_path, **settings):
            await slack.until(lambda: _says(slack, root, "dogs") or _says(slack, root, "cats"))

        assert [m.text for m in slack.said(GENERAL, root)] == ["About dogs."]


@pytest.mark.limit(60)
async def test_slack_a_mention_taken_away_ends_the_run_until_it_is_back(tmp_path: Path) -> None:
    async with SlackServer() as slack, _models() as (experts, models):
        root = slack.people.say(f"{BOT} cats")
        async with forked(tmp_path, **_reach_slack(slack), **models):
            await slack.until(lambda: experts.asked and slack.said(GENERAL, root))
            experts.latency = 0.0
            slack.people.edit(GENERAL, root, "cats")
            await slack.until(lambda: not slack.said(GENERAL, root))
            other = slack.people.say(f"{BOT} cats")
            await slack.until(lambda: _says(slack, other, "cats"))
            slack.people.edit(GENERAL, root, f"{BOT} dogs")
            await slack.until(lambda: _says(slack, root, "dogs"))


def _says(slack: SlackServer, root: str, word: str) -> bool:
    return any(f"About {word}" in m.text for m in slack.said(GENERAL, root))


@asynccontextmanager
async def _at_it(
    server: DiscordServer, home: Path, settings: dict[str, str]
) -> AsyncIterator[Message]:
    """Somebody's message; the program shows its progress, and is killed at the end."""
    ada = server.people.person("ada")
    place = server.people.channel(server.people.guild("team", ada), "general")
    async with forked(home, **settings):
        await server.world.until(lambda: server.gateway.identified, SECONDS)
        asked = server.people.say(ada, place, f"<@{server.bot.id}> cats")
        await server.world.until(lambda: _transcript(server, asked), SECONDS)
        yield asked


def _transcript(server: DiscordServer, asked: Message) -> list[Message]:
    return server.transcript(asked.thread) if asked.thread else []


@pytest.mark.limit(60)
async def test_discord_a_message_deleted_while_down_is_not_answered(tmp_path: Path) -> None:
    async with play_discord() as server, _models() as (experts, models):
        settings = {**_reach_discord(server), **models}
        async with _at_it(server, tmp_path, settings) as asked:
            await server.world.until(lambda: experts.asked, SECONDS)
        experts.latency = 0.0
        server.people.delete(asked)
        async with forked(tmp_path, **settings):
            await server.world.until(
                lambda: not (said := _transcript(server, asked)) or "About" in said[-1].text,
                SECONDS,
            )

        assert _transcript(server, asked) == []


@pytest.mark.limit(60)
async def test_discord_killed_after_a_deletion_it_takes_its_progress_back_later(
    tmp_path: Path,
) -> None:
    call, times = "DELETE message", 3
    async with play_discord() as server, _models() as (_, models):
        settings = {**_reach_discord(server), **models}
        async with _at_it(server, tmp_path, settings) as asked:
            server.faults.next(call, Trouble.UNAVAILABLE, times=times)
            server.people.delete(asked)
            await server.world.until(lambda: server.faults.left(call) < times, SECONDS)
        async with forked(tmp_path, **settings):
            await server.world.until(lambda: not _transcript(server, asked), SECONDS)
