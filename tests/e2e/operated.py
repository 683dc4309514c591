"""The program on played Slack, Discord and page with played models, as its operators see it."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, MutableMapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientSession
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from adapters.slack.connecting.manifest import SCOPES
from adapters.web import WebChat
from bot.app import App, open_app
from bot.chats import open_chats
from bot.program_status import open_health
from bot.serve import work
from bot.setting_sources import read_settings
from tests.adapters.slack.stage import BOT
from tests.e2e.inside import QUIET
from tests.e2e.visitor import PATIENCE, planned
from tests.fakes.known_experts import known_experts
from tests.fakes.outside import FakeWorkers
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.values import Account, Channel
from tests.servers.experts.faults import Fault
from tests.servers.experts.server import EVER, ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.servers.slack import SlackServer

PLATFORMS = ("slack", "discord", "web")
SECRET = "zebrafinch"
"""Stands in every request, plan, result and answer."""
PRICES = {"prompt": "0.000001", "completion": "0.000002"}
KINDS = {"works": "text2text-generation", "fails": "translation"}


def _plan(asked: Asked) -> str:
    """A step that works, or one that fails at every model; then the answer."""
    if "response_format" not in asked.body:
        return f"Here is the {SECRET}."
    kind = KINDS["fails" if f"fails {SECRET}" in asked.text else "works"]
    args = {"text": SECRET, **({"language": "de"} if kind == "translation" else {})}
    return json.dumps([planned(1, kind, **args)])


@dataclass
class Operated:
    """What people and operators can do, and what is logged."""

    app: App
    page: ClientSession
    health: ClientSession
    slack: SlackServer
    discord: DiscordServer
    ada: Account
    place: Channel
    llm: OpenAiServer
    experts: ExpertServer
    logs: Sequence[MutableMapping[str, Any]]
    asked: int = field(default=0, init=False)

    async def ask(self, platform: str, words: str) -> None:
        """Ask, without waiting for an answer."""
        text = f"{words} {SECRET} {self.asked}"
        self.asked += 1
        match platform:
            case "slack":
                self.slack.people.say(f"{BOT} {text}")
            case "discord":
                self.discord.people.say(self.ada, self.place, f"<@{self.discord.bot.id}> {text}")
            case _:
                async with self.page.post(
                    "/api/chat", json={"text": text}, headers={"Accept": "text/event-stream"}
                ):
                    pass

    @property
    def lines(self) -> Sequence[Mapping[str, Any]]:
        """What the log has of runs that ended."""
        return [line for line in self.logs if line["event"] == "run finished"]

    async def all_ended(self) -> None:
        async with asyncio.timeout(40):
            while len(self.lines) < self.asked:  # noqa: ASYNC110 - the log cannot tell
                await asyncio.sleep(0.01)

    async def metrics(self) -> "Figures":
        async with self.health.get("/metrics") as response:
            return Figures(await response.text())

    async def status(self) -> Mapping[str, Any]:
        async with self.health.get("/status") as response:
            told: Mapping[str, Any] = await response.json()
            return told


@dataclass
class Figures:
    """Samples of /metrics."""

    text: str

    def sum(self, name: str, **labels: str) -> float:
        """Of all series with these labels."""
        return sum(value for value, _ in self._find(name, labels))

    def values(self, name: str, label: str, **labels: str) -> set[str]:
        return {found[label] for value, found in self._find(name, labels) if value}

    def _find(
        self, name: str, labels: Mapping[str, str]
    ) -> Iterator[tuple[float, Mapping[str, str]]]:
        for family in text_string_to_metric_families(self.text):
            for sample in family.samples:
                if sample.name == name and labels.items() <= sample.labels.items():
                    yield sample.value, sample.labels


@asynccontextmanager
async def operated(home: Path, **more: str) -> AsyncIterator[Operated]:
    """The program in this process, once all platforms are connected."""
    llm = OpenAiServer(reply=_plan, models=[{"id": "played", "pricing": PRICES}])
    async with (
        SlackServer() as slack,
        play_discord() as discord,
        openai_at_work(llm),
        experts_at_work(known_experts()) as experts,
    ):
        slack.calls.granted = set(SCOPES)
        ada = discord.people.person("ada")
        place = discord.people.channel(discord.people.guild("team", ada), "general")
        experts.goes_wrong(Fault.UNFIT, on=KINDS["fails"], times=EVER)
        settings = {
            **QUIET,
            **_reach(slack, discord),
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_MODEL": "played",
            "TROUPE_LLM_SEES_IMAGES": "false",
            "TROUPE_EXPERTS_URL": experts.base,
            "TROUPE_PLACES": "local",
            "TROUPE_HOME": str(home),
            "TROUPE_HEALTH_PORT": "0",
        }
        async with open_app(read_settings({**settings, **more}), FakeWorkers()) as app:
            with capture_logs() as logs:
                async with _at_work(app) as (page, health):
                    yield Operated(
                        app=app,
                        page=page,
                        health=health,
                        slack=slack,
                        discord=discord,
                        ada=ada,
                        place=place,
                        llm=llm,
                        experts=experts,
                        logs=logs,
                    )


@asynccontextmanager
async def _at_work(app: App) -> AsyncIterator[tuple[ClientSession, ClientSession]]:
    """Sessions at the page, if there is one, and at what is served to operators."""
    chats = open_chats(app)
    async with open_health(app.monitor), asyncio.TaskGroup() as group:
        working = group.create_task(work(app, chats))
        async with asyncio.timeout(30):
            while not all([await chat.is_connected() for chat in chats]):  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        addresses = [await chat.address() for chat in chats if isinstance(chat, WebChat)]
        async with (
            ClientSession(next(iter(addresses), None), timeout=PATIENCE) as page,
            ClientSession(app.monitor.address, timeout=PATIENCE) as health,
        ):
            yield page, health
        working.cancel()


def _reach(slack: SlackServer, discord: DiscordServer) -> Mapping[str, str]:
    return {
        "SLACK_API_BASE_URL": slack.api,
        "SLACK_BOT_TOKEN": slack.bot_token,
        "SLACK_APP_TOKEN": slack.app_token,
        "DISCORD_TOKEN": discord.world.token,
        "DISCORD_API_BASE_URL": discord.api,
        "DISCORD_GATEWAY_URL": discord.gateway.address,
        "DISCORD_CDN_HOSTS": "127.0.0.1",
    }
