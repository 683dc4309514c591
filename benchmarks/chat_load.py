"""Twenty requests in twenty channels at the same moment, all then stopped, under rate limits.

    python -m benchmarks.chat_load [--platform slack|discord] [--rounds 5] [--planning 0.3]

Runs the whole program (`troupe run`, SQLite) in its own process against a simulated Slack or
Discord that enforces the documented limits and checks every call, with a simulated language model
and simulated experts. The tasks form a chain, so that progress is being shown when Stop is pressed.
Each round starts with a new platform and a new program, which has already answered a greeting.

Times are taken at the platform: from its event to the acknowledgement (Slack; Discord takes none
for messages) and to the first sign (status, reaction, typing, thread), from the plan leaving the
language model until it can be read, from the click on Stop to its acknowledgement and to "Stopped".
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Protocol

from adapters.slack.connecting.manifest import SCOPES
from pipeline.words import title
from tests.e2e.program import at_work
from tests.fakes.known_experts import known_experts
from tests.servers.discord import DiscordServer, play_discord
from tests.servers.discord.values import Message as DiscordMessage
from tests.servers.discord.world import Interaction
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work
from tests.servers.slack import SlackServer
from tests.servers.slack.workspace import ANNA, BOT_USER, Channel

RUNS, TASKS, EXPERT = 20, 14, 0.7
AT_WORK = 4.0
"""Seconds from the plan until Stop is pressed."""
SETTLED = 2.5
"""Seconds until discord.py is ready (it waits for servers) and the greeting is finished."""
GREETING, GREETED = "good morning", "Good morning to you."
KIND, STOPPED = "text2text-generation", "Stopped."
PLANNED = title("en", KIND)
MOST = {
    "acknowledged": 0.3,
    "first sign": 0.5,
    "plan visible": 0.5,
    "click acknowledged": 0.3,
    "stopped": 2.0,
    "over": 2.0,
}
"""What is measured, and the seconds that it may take."""
Figures = dict[str, list[float]]


class Platform(Protocol):
    """A simulated platform with a channel for each run and its limits enforced."""

    @property
    def settings(self) -> Mapping[str, str]: ...
    async def online(self) -> None: ...
    def ask(self, run: int, text: str) -> None: ...
    def has_sign(self, run: int) -> bool: ...
    def acknowledgements(self) -> Sequence[float]:
        """How long each event waited for its acknowledgement, in seconds."""
        ...

    def shown(self, run: int) -> str: ...
    async def stop(self, run: int) -> bool:
        """Press Stop; returns after its acknowledgement, or False if it is an event."""
        ...

    async def until(self, true: Callable[[], object]) -> None: ...
    def report(self) -> str: ...


@dataclass
class Slack:
    """The simulated Slack."""

    slack: SlackServer
    roots: dict[int, str] = field(default_factory=dict)

    @property
    def settings(self) -> Mapping[str, str]:
        return {
            "SLACK_API_BASE_URL": self.slack.api,
            "SLACK_BOT_TOKEN": self.slack.bot_token,
            "SLACK_APP_TOKEN": self.slack.app_token,
        }

    async def online(self) -> None:
        await self.until(lambda: self.slack.socket.lines)

    def ask(self, run: int, text: str) -> None:
        self.roots[run] = self.slack.people.say(f"<@{BOT_USER}> {text}", channel=_place(run))

    def acknowledgements(self) -> Sequence[float]:
        return tuple(self.slack.socket.ack_times)

    def has_sign(self, run: int) -> bool:
        place = _place(run)
        statuses = any(status["channel_id"] == place for status in self.slack.space.statuses)
        return statuses or any(channel == place for channel, _ in self.slack.space.reactions)

    def shown(self, run: int) -> str:
        return json.dumps([m.body for m in self.slack.said(_place(run), self.roots[run])])

    async def stop(self, run: int) -> bool:
        place, root = _place(run), self.roots[run]
        if self.slack.streams.sessions.get((place, root)) == "processing":
            self.slack.people.stop(place, root)
            return False
        await self.slack.people.press(place, self.slack.said(place, root)[0].ts, "troupe:stop")
        return True

    async def until(self, true: Callable[[], object]) -> None:
        await self.slack.until(true)

    def report(self) -> str:
        limits, made = self.slack.limits, self.slack.calls.made
        edits = sum(method == "chat.update" for method, _ in made)
        over = limits.exceeded + limits.called_too_soon
        return f"{len(made)} calls, {edits} edits; over a limit: {over}; invalid: {self.slack.violations}"  # noqa: E501


@dataclass
class Discord:
    """The simulated Discord."""

    discord: DiscordServer
    asked: dict[int, DiscordMessage] = field(default_factory=dict)

    def __post_init__(self) -> None:
        people = self.discord.people
        self.ada = people.person("ada")
        guild = people.guild("team", self.ada)
        self.places = [people.channel(guild, _place(run).lower()) for run in range(RUNS + 1)]

    @property
    def settings(self) -> Mapping[str, str]:
        return {
            "DISCORD_TOKEN": self.discord.world.token,
            "DISCORD_API_BASE_URL": self.discord.api,
            "DISCORD_GATEWAY_URL": self.discord.gateway.address,
            "DISCORD_CDN_HOSTS": "127.0.0.1",
        }

    async def online(self) -> None:
        await self.until(lambda: self.discord.gateway.identified and self.discord.world.commands)

    def ask(self, run: int, text: str) -> None:
        words = f"<@{self.discord.bot.id}> {text}"
        self.asked[run] = self.discord.people.say(self.ada, self.places[run], words)

    def acknowledgements(self) -> Sequence[float]:
        return ()

    def has_sign(self, run: int) -> bool:
        asked = self.asked[run]
        return bool(asked.reactions or asked.thread or self.places[run].typing)

    def shown(self, run: int) -> str:
        return repr([(m.content, m.components) for m in self._said(run)])

    async def stop(self, run: int) -> bool:
        use: Interaction = self.discord.people.press(self.ada, self._said(run)[0], "Stop")
        await self.until(lambda: use.callback is not None)
        return True

    async def until(self, true: Callable[[], object]) -> None:
        await self.discord.world.until(true, 30.0)

    def report(self) -> str:
        names = [call.name for call in self.discord.world.calls]
        counts = {name: names.count(name) for name in sorted(set(names))}
        hits = self.discord.world.limits.hits
        return (
            f"{len(names)} calls {counts}; over a limit: {hits}; invalid: {self.discord.violations}"
        )

    def _said(self, run: int) -> list[DiscordMessage]:
        thread = self.asked[run].thread
        return self.discord.transcript(thread) if thread else []


def _place(run: int) -> str:
    return f"C0CHANNEL{run:02d}"


@asynccontextmanager
async def slack() -> AsyncIterator[Platform]:
    async with SlackServer() as server:
        server.calls.granted = set(SCOPES)
        server.limits.on = True
        for run in range(RUNS + 1):
            channel = Channel(_place(run), f"c{run}", members={ANNA, BOT_USER})
            server.space.channels[channel.id] = channel
        yield Slack(server)


@asynccontextmanager
async def discord() -> AsyncIterator[Platform]:
    async with play_discord(window=1.0) as server:
        yield Discord(server)


PLATFORMS = {"slack": slack, "discord": discord}


@dataclass
class Clock:
    """When each plan was made, and how long each measured step took, in seconds."""

    planned: dict[int, float] = field(default_factory=dict)
    took: Figures = field(default_factory=lambda: {what: [] for what in MOST})

    def reply(self, asked: Asked) -> str:
        """The language model's reply: a chain of tasks for the run that the text names."""
        if "response_format" not in asked.body:
            return "Here it is."
        if GREETING in asked.text:
            return json.dumps({"action": "reply", "say": GREETED, "tasks": []})
        run = next(run for run in range(RUNS) if f"number {run:02d}" in asked.text)
        self.planned[run] = time.perf_counter()
        return json.dumps(
            [
                {"task": KIND, "id": n, "dep": [n - 1], "args": {"text": f"{run} step {n}"}}
                for n in range(TASKS)
            ]
        )

    async def note(
        self, platform: Platform, what: str, since: Mapping[int, float], true: Callable[[int], bool]
    ) -> None:
        """Time each run from `since` until `true`. One call at a time for each platform."""
        left = set(range(RUNS))

        def news() -> bool:
            now = time.perf_counter()
            for run in [run for run in left if true(run)]:
                self.took[what].append(now - since[run])
                left.discard(run)
            return not left

        await platform.until(news)


async def one_round(name: str, planning: float, clock: Clock) -> str:
    clock.planned.clear()
    with tempfile.TemporaryDirectory() as home:
        async with (
            openai_at_work(OpenAiServer(planning, reply=clock.reply)) as llm,
            experts_at_work(known_experts(EXPERT)) as experts,
            PLATFORMS[name]() as platform,
            at_work(
                Path(home),
                OPENAI_BASE_URL=llm.base,
                TROUPE_EXPERTS_URL=experts.base,
                TROUPE_PLACES="local",
                **platform.settings,
            ),
        ):
            await platform.online()
            platform.ask(RUNS, GREETING)
            await platform.until(lambda: GREETED in platform.shown(RUNS))
            await asyncio.sleep(SETTLED)
            before = len(platform.acknowledgements())
            await _asked(platform, clock)
            await asyncio.sleep(AT_WORK)
            await _stopped(platform, experts, clock)
            clock.took["acknowledged"] += platform.acknowledgements()[before:]
            return platform.report()


async def _asked(platform: Platform, clock: Clock) -> None:
    asked: dict[int, float] = {}
    for run in range(RUNS):
        asked[run] = time.perf_counter()
        platform.ask(run, f"please do number {run:02d}")
    async with asyncio.TaskGroup() as group:
        group.create_task(clock.note(platform, "first sign", asked, platform.has_sign))
        group.create_task(
            clock.note(
                platform, "plan visible", clock.planned, lambda run: PLANNED in platform.shown(run)
            )
        )


async def _stopped(platform: Platform, experts: ExpertServer, clock: Clock) -> None:
    began = time.perf_counter()

    async def press(run: int) -> None:
        if await platform.stop(run):
            clock.took["click acknowledged"].append(time.perf_counter() - began)

    async def over() -> None:
        await experts.quiet.wait()
        clock.took["over"].append(time.perf_counter() - began)

    async with asyncio.TaskGroup() as group:
        for run in range(RUNS):
            group.create_task(press(run))
        group.create_task(over())
        pressed = dict.fromkeys(range(RUNS), began)
        group.create_task(
            clock.note(platform, "stopped", pressed, lambda run: STOPPED in platform.shown(run))
        )


async def measure(name: str, rounds: int, planning: float) -> None:
    print(f"\n{name}, planning {planning} s, {rounds} rounds of {RUNS} runs at once")
    every: Figures = {what: [] for what in MOST}
    last: Figures = {what: [] for what in MOST}
    for number in range(rounds):
        clock = Clock()
        print(f"round {number + 1}: {await one_round(name, planning, clock)}", flush=True)
        for what, times in clock.took.items():
            every[what] += times
            last[what] += [max(times)] if times else []
    for what, times in every.items():
        if times:
            print(
                f"{what:18} median {median(times):.3f} s, of the rounds' last"
                f" {median(last[what]):.3f} s, worst {max(times):.3f} s; at most {MOST[what]} s"
            )
    print("load average", *(f"{load:.1f}" for load in os.getloadavg()))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--platform", choices=PLATFORMS, action="append")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--planning", type=float, default=0.3)
    given = options.parse_args()
    for name in given.platform or PLATFORMS:
        asyncio.run(measure(name, given.rounds, given.planning))


if __name__ == "__main__":
    main()
