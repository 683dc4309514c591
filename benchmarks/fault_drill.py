"""What comes of twenty requests on each platform while something is away, and who is told.

The whole program, in its own process, serves the played Slack, the played Discord and its page.
Mentions, commands and clicks come from two seconds before a fault until it is over:

* the database is locked by another program for 8, 25 or 60 seconds;
* the disk is full (a small tmpfs; needs root);
* PostgreSQL is away, restarting (with TROUPE_TEST_POSTGRES_CONTROL, a command that is called with
  "stop" and "start", and TROUPE_TEST_POSTGRES_URL);
* the language model and the Hub are away for a while (models), or from before the start (models0).

    .venv/bin/python -m benchmarks.fault_drill lock8 lock25 lock60 full postgres models
"""

import argparse
import asyncio
import json
import os
import shlex
import sqlite3
import subprocess
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from aiohttp import ClientResponse, ClientSession, ClientTimeout, web

from adapters.chat.rendering import Page
from adapters.slack.acting.requests import FORM
from adapters.slack.connecting.manifest import SCOPES
from adapters.slack.showing.pages import render_content
from adapters.store import downgrade, upgrade
from pipeline.background import run_beside
from pipeline.domain import Action, LocalizedText, RunId
from pipeline.words import say
from tests.adapters.web.scene import events_of
from tests.e2e.program import at_work
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.values import LOADING
from tests.servers.discord.values import Message as DiscordMessage
from tests.servers.discord.world import Interaction
from tests.servers.hub.server import HubServer
from tests.servers.openai.server import Asked, OpenAiServer
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import ANNA, APP, BOT_USER, Channel, Message

ACTIONS = 20
BEFORE = 2.0
"""Seconds from the first request until the fault."""
PAUSE = 0.3
"""Seconds between two requests on a platform."""
AFTERWARDS, DOUBLED = 45.0, 5.0
"""Seconds after the fault within which everything must be answered, and a second answer comes."""
SOON = 10.0
"""Seconds within which a person must hear something."""
STORY = "Sales rose by ten percent in Europe. They fell in Asia. Costs stayed flat."
WORDS = f"Summarize this: {STORY}"
PLAN = [{"task": "summarization", "id": 0, "dep": [-1], "args": {"text": STORY}}]
NOTICES = tuple(
    say("en", LocalizedText("store-waiting", {"problem": problem}))
    for problem in ("store-full", "store-gone")
)
TMPFS = 48 << 20


def _reply(asked: Asked) -> str:
    return json.dumps(PLAN) if "response_format" in asked.body else "Sales rose in Europe."


@dataclass
class Use:
    """Something that a person does, and what came of it."""

    what: str
    find: Callable[[], Sequence[str]]
    """All that the person can read of it now."""
    at: float
    told: float | None = None
    answered: float | None = None
    answers: int = 0

    def look(self, now: float) -> None:
        texts = self.find()
        if self.told is None and any(_is_notice(text) for text in texts):
            self.told = now
        self.answers = sum(not _is_notice(text) for text in texts)
        if self.answered is None and self.answers:
            self.answered = now

    @property
    def silence(self) -> float:
        """Seconds until the first word."""
        first = [at for at in (self.told, self.answered) if at is not None]
        return min(first) - self.at if first else float("inf")


def _is_notice(text: str) -> bool:
    return any(notice in text for notice in NOTICES)


class Platform(Protocol):
    """A played platform with people."""

    name: str

    def settings(self) -> dict[str, str]: ...
    async def prepare(self, address: str) -> None:
        """Wait until the program is there; make what people click."""

    async def act(self, number: int) -> tuple[str, Callable[[], Sequence[str]]]:
        """Do something; what it is, and how to find what came of it."""


# --- Slack ---


@dataclass
class SlackPeople:
    """Mentions, slash commands, clicks, shortcuts and forms, each in a channel of its own."""

    slack: SlackServer
    name: str = "slack"

    def settings(self) -> dict[str, str]:
        return {
            "SLACK_BOT_TOKEN": self.slack.bot_token,
            "SLACK_APP_TOKEN": self.slack.app_token,
            "SLACK_API_BASE_URL": self.slack.api,
            "SLACK_FILE_HOSTS": "127.0.0.1",
        }

    async def prepare(self, address: str) -> None:  # noqa: ARG002 - the protocol's
        self.slack.calls.granted = set(SCOPES)
        await self.slack.until(lambda: self.slack.socket.lines)

    async def act(self, number: int) -> tuple[str, Callable[[], Sequence[str]]]:
        people, space = self.slack.people, self.slack.space
        channel = f"C0CHANNEL{number}"
        space.channels[channel] = Channel(channel, channel, members={ANNA, BOT_USER})
        what = ("mention", "command", "mention", "click", "wish", "form")[number % 6]
        match what:
            case "mention":
                people.say(f"<@{BOT_USER}> {WORDS}", channel=channel)
            case "command":
                await people.command("whoami", channel=channel)
            case "click":
                content = render_content(Page(("Old",), actions=(Action.STOP,)), RunId("o"), "en")
                body = {"type": "message", "user": BOT_USER, "app_id": APP, "ts": space.next_ts()}
                old = space.put(Message(channel, {**body, **content}))
                await people.press(channel, old.ts, "troupe:stop")
            case "wish":
                body = {"type": "message", "user": ANNA, "ts": space.next_ts(), "text": STORY}
                about = space.put(Message(channel, body))
                await people.shortcut("troupe:menu:summarize", channel, about.ts)
            case _:
                await people.global_shortcut(FORM)
                await people.submit(WORDS, channel=channel)
        return what, lambda: [*self._read(channel)]

    def _read(self, channel: str) -> Iterator[str]:
        space = self.slack.space
        for each in (*space.responses, *space.ephemerals):
            if each["channel"] == channel:
                yield str(each.get("text"))
        for message in space.channels[channel].messages.values():
            is_over = message.by_bot and not self.slack.streams.is_open(message)
            if is_over and "troupe:retry" in json.dumps(message.body.get("blocks")):
                yield message.text or "a card"


# --- Discord ---


@dataclass
class DiscordPeople:
    """Mentions, slash commands, buttons and entries of menus, each in a channel of its own."""

    server: DiscordServer
    name: str = "discord"
    old: DiscordMessage | None = None

    def __post_init__(self) -> None:
        self.ada = self.server.people.person("ada")
        self.guild = self.server.people.guild("team", self.ada)
        self.place = self.server.people.channel(self.guild, "general")

    def settings(self) -> dict[str, str]:
        return {
            "DISCORD_TOKEN": self.server.world.token,
            "DISCORD_API_BASE_URL": self.server.api,
            "DISCORD_GATEWAY_URL": self.server.gateway.address,
            "DISCORD_CDN_HOSTS": "127.0.0.1",
        }

    async def prepare(self, address: str) -> None:  # noqa: ARG002 - the protocol's
        world = self.server.world
        await world.until(lambda: self.server.gateway.identified, 60)
        asked = self.server.people.say(self.ada, self.place, f"<@{self.server.bot.id}> {WORDS}")
        await world.until(lambda: asked.thread and self._with_buttons(asked), 60)
        (self.old,) = self._with_buttons(asked)

    def _with_buttons(self, asked: DiscordMessage) -> list[DiscordMessage]:
        said = self.server.transcript(asked.thread) if asked.thread else []
        return [m for m in said if any(b["label"] == "Retry" for b in m.buttons)]

    async def act(self, number: int) -> tuple[str, Callable[[], Sequence[str]]]:
        people = self.server.people
        place = people.channel(self.guild, f"room{number}")
        what = ("mention", "command", "mention", "click", "menu", "ask")[number % 6]
        match what:
            case "mention":
                asked = people.say(self.ada, place, f"<@{self.server.bot.id}> {WORDS}")
                return what, lambda: [*self._read_rooms(asked.channel.id, asked.id)]
            case "click":
                assert self.old
                use = people.press(self.ada, self.old, "Details")
            case "menu":
                use = people.use_menu(self.ada, people.say(self.ada, place, STORY), "Summarize")
            case "ask":
                use = people.command(self.ada, place, "ask", {"text": WORDS})
            case _:
                use = people.command(self.ada, place, "whoami")
        return what, lambda: [*self._read_use(use, what)]

    def _read_rooms(self, *rooms: int) -> Iterator[str]:
        for room in rooms:
            channel = self.server.world.channels.get(room)
            for message in channel.by(self.server.bot) if channel else ():
                is_over = any(b["label"] in ("Retry", "Details") for b in message.buttons)
                if is_over or _is_notice(message.text):
                    yield message.text

    def _read_use(self, use: Interaction, what: str) -> Iterator[str]:
        original = use.original
        if what in ("menu", "ask"):
            yield from self._read_rooms(original.id if original else 0, use.place.id)
            before = (*original.versions, original.text) if original else ()
            yield from filter(_is_notice, before)
            return
        for message in use.answers:
            yield from filter(_is_notice, message.versions)
            if message.text and not message.flags & LOADING:
                yield message.text


# --- the page ---


@dataclass
class PagePeople:
    """Requests as the page sends them, said commands, and clicks on an answer."""

    session: ClientSession
    tasks: asyncio.TaskGroup
    name: str = "page"
    address: str = ""
    run: str = ""

    def settings(self) -> dict[str, str]:
        return {}

    async def prepare(self, address: str) -> None:
        self.address = address
        async with self.session.get(f"{address}/") as page:
            await page.read()
        body = {"text": WORDS}
        async with self.session.post(f"{address}/api/chat", json=body) as response:
            self.run = (await response.json())["run"]

    async def act(self, number: int) -> tuple[str, Callable[[], Sequence[str]]]:
        what = ("request", "command", "click")[number % 3]
        texts: list[str] = []
        path, body = "/api/chat", {"text": WORDS if what == "request" else "whoami"}
        if what == "click":
            path, body = f"/api/runs/{self.run}/details", {}
        self.tasks.create_task(self._send(path, body, texts))
        return what, lambda: texts

    async def _send(self, path: str, body: dict[str, str], texts: list[str]) -> None:
        """Send a request and, as the page does, again while it is refused for a moment."""
        headers = {"Accept": "text/event-stream"} if path == "/api/chat" else {}
        url = f"{self.address}{path}"
        while True:
            async with self.session.post(url, json=body, headers=headers) as response:
                again = float(response.headers.get("Retry-After", "0"))
                if not again:
                    await _read_response(response, texts)
                    return
                texts.append(NOTICES[1])
            await asyncio.sleep(again)


async def _read_response(response: ClientResponse, texts: list[str]) -> None:
    """The answer, whole or at the end of a stream."""
    if "event-stream" not in response.content_type:
        texts.append((await response.text())[:100])
        return
    async for name, data in events_of(response):
        if name in ("delayed", "answer"):
            texts.append(str(data.get("reason", data)))


# --- faults ---


class Service:
    """A played service that can be taken away and comes back at the same address."""

    def __init__(self, make: Callable[[], web.Application]) -> None:
        self._make, self.port = make, 0
        self._runner: web.AppRunner | None = None

    async def up(self) -> None:
        if self._runner is None:
            self._runner = web.AppRunner(self._make(), access_log=None, shutdown_timeout=0.1)
            await self._runner.setup()
            await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
            self.port = self._runner.addresses[0][1]

    async def down(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None


@dataclass
class Scene:
    """The program's home and the services that it uses."""

    home: Path
    services: Sequence[Service]


Fault = Callable[[Scene], Awaitable[None]]


def lock(seconds: float) -> Fault:
    """Another program holds the write lock of the database."""

    async def strike(scene: Scene) -> None:
        database = sqlite3.connect(
            scene.home / "troupe.db", timeout=30, isolation_level=None, check_same_thread=False
        )
        with closing(database):
            await asyncio.to_thread(database.execute, "BEGIN IMMEDIATE")
            await asyncio.sleep(seconds)
            database.execute("COMMIT")

    return strike


async def fill_disk(scene: Scene) -> None:
    """Fill the disk for twenty seconds."""
    filler = scene.home / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        for size in (1 << 20, 4096, 1):
            with suppress(OSError):
                while True:
                    file.write(bytes(size))
    await asyncio.sleep(20)
    filler.unlink()


async def restart_postgres(scene: Scene) -> None:  # noqa: ARG001 - a fault
    """Take PostgreSQL away for twelve seconds."""
    control = shlex.split(os.environ["TROUPE_TEST_POSTGRES_CONTROL"])  # noqa: TID251 - a benchmark's
    await asyncio.to_thread(subprocess.run, [*control, "stop"], check=True)
    await asyncio.sleep(12)
    await asyncio.to_thread(subprocess.run, [*control, "start"], check=True)


async def take_models_away(scene: Scene) -> None:
    """Neither the language model nor the Hub is reached for twenty seconds."""
    for service in scene.services:
        await service.down()
    await asyncio.sleep(20)
    for service in scene.services:
        await service.up()


FAULTS: dict[str, Fault] = {
    "lock8": lock(8),
    "lock25": lock(25),
    "lock60": lock(60),
    "full": fill_disk,
    "postgres": restart_postgres,
    "models": take_models_away,
    "models0": take_models_away,
}


@contextmanager
def make_home(*, is_small: bool) -> Iterator[Path]:
    """A folder for the program; a small one is a file system of its own."""
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        if is_small:
            options = ("-t", "tmpfs", "-o", f"size={TMPFS}", "tmpfs")
            subprocess.run(["mount", *options, folder], check=True)
        try:
            yield Path(folder)
        finally:
            if is_small:
                subprocess.run(["umount", "-l", folder], check=True)


async def drill(name: str) -> Mapping[str, Sequence[Use]]:
    """Let people act during a fault; what came of it, by platform."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        home = stack.enter_context(make_home(is_small=name == "full"))
        services = [
            Service(OpenAiServer(reply=_reply).application),
            Service(HubServer().application),
        ]
        for service in services:
            await service.up()
            stack.push_async_callback(service.down)
        tasks = await enter(asyncio.TaskGroup())
        platforms: list[Platform] = [
            SlackPeople(await enter(SlackServer())),
            DiscordPeople(await enter(play_discord())),
            PagePeople(await enter(ClientSession(timeout=ClientTimeout(total=None))), tasks),
        ]
        settings = _name_services(name, services)
        if url := settings.get("TROUPE_DATABASE_URL"):
            await upgrade(url)
            await downgrade(url, "base")  # platforms begin their ids anew
        for platform in platforms:
            settings |= platform.settings()
        if name == "models0":
            for service in services:
                await service.down()
        program = await enter(at_work(home, **settings))
        for platform in platforms:
            await platform.prepare(program.address)
        return await _act(platforms, FAULTS[name], Scene(home, services))


def _name_services(name: str, services: Sequence[Service]) -> dict[str, str]:
    llm, hub = (f"http://127.0.0.1:{service.port}" for service in services)
    settings = {"OPENAI_BASE_URL": f"{llm}/v1", "TROUPE_FETCH_ALLOW_PRIVATE": "true"}
    if name.startswith("models"):
        settings |= {"HF_TOKEN": "hf_played", "HF_ENDPOINT": hub, "HF_ROUTER_URL": hub}
    if name == "postgres":
        settings["TROUPE_DATABASE_URL"] = os.environ["TROUPE_TEST_POSTGRES_URL"]  # noqa: TID251 - a benchmark's
    return settings


@dataclass
class Watch:
    """Everything that people do, looked at ten times a second."""

    uses: dict[str, list[Use]]
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while nothing is unanswered."""

    async def act(self, platform: Platform, number: int) -> None:
        await asyncio.sleep(BEFORE / 2 + number * PAUSE)
        began = asyncio.get_running_loop().time()
        what, find = await platform.act(number)
        self.uses[platform.name].append(Use(what, find, began))
        self.answered.clear()

    async def look(self) -> None:
        while True:
            await asyncio.sleep(0.1)
            every = [use for uses in self.uses.values() for use in uses]
            for use in every:
                use.look(asyncio.get_running_loop().time())
            if every and all(use.answers for use in every):
                self.answered.set()


async def _act(
    platforms: Sequence[Platform], fault: Fault, scene: Scene
) -> Mapping[str, Sequence[Use]]:
    watch = Watch({platform.name: [] for platform in platforms})
    async with run_beside(watch.look()):
        async with asyncio.TaskGroup() as group:
            for platform in platforms:
                for number in range(ACTIONS):
                    group.create_task(watch.act(platform, number))
            await asyncio.sleep(BEFORE)
            await fault(scene)
        with suppress(TimeoutError):
            async with asyncio.timeout(AFTERWARDS):
                await watch.answered.wait()
        await asyncio.sleep(DOUBLED)
    return watch.uses


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("faults", nargs="*", default=[*FAULTS])
    print(f"{'fault':10}{'platform':10}unanswered  doubled  told  longest silence  wrong")
    for name in parser.parse_args().faults:
        for platform, uses in asyncio.run(drill(name)).items():
            print(f"{name:10}{platform:10}{_format(uses)}", flush=True)


def _format(uses: Sequence[Use]) -> str:
    unanswered = sum(not use.answers for use in uses)
    doubled = sum(use.answers > 1 for use in uses)
    told = sum(use.told is not None for use in uses)
    longest = max(use.silence for use in uses)
    wrong = [use.what for use in uses if use.silence > SOON or use.answers != 1]
    figures = f"{unanswered:4} of {len(uses)}{doubled:7}{told:8}{longest:12.1f} s"
    return f"{figures}      {' '.join(wrong)}"


if __name__ == "__main__":
    main()
