"""How long catching up with many servers takes after an absence, and how much memory they need.

The program's Discord side, on a database of its own, against the played Discord in a process of its
own, where each call takes 100 ms and fifty a second are allowed.

    .venv/bin/python -m benchmarks.discord_catch_up --servers 2500
"""

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path

from discord.utils import time_snowflake, utcnow

from adapters.chat.ports import ChatPorts
from adapters.discord.connecting.chat import DiscordChat
from adapters.discord.connecting.times import DiscordTimes
from adapters.discord.web_api.library import Addresses
from adapters.store import open_persistence
from pipeline.domain import Channel, Incoming, Person, RunId, Thread, Turn
from pipeline.outage import Outage
from tests.fakes.chat import FakeListener
from tests.fakes.outside import FakeFetch
from tests.fakes.persistence import FakeFiles
from tests.fakes.stages import FakeMedia
from tests.servers.discord import play_discord
from tests.servers.discord.values import Message

_ABSENT = timedelta(minutes=30)
"""How long the bot was away."""
_CHANNELS = 10
"""Channels of each server."""
_BUSY = 5
"""Those in which people wrote meanwhile."""
_MENTIONED_IN = 10
"""One of so many servers has a mention that was missed."""
_KNOWN_IN = 5
"""One of so many servers has a channel in which the bot takes part."""
_LATENCY = 0.1
"""Seconds that each call takes."""


class _Listener(FakeListener):
    """Counts what is taken."""

    def __init__(self) -> None:
        super().__init__()
        self.mentions = set[str]()

    async def on_message(self, message: Incoming) -> RunId | None:
        if message.addressing.mentioned:
            self.mentions.add(message.id)
        return None


async def _play(servers: int) -> None:
    """The played Discord; the places it has are printed as JSON, then how many calls it got."""
    async with play_discord(window=1.0) as server:
        people, now = server.people, utcnow()
        ada = people.person("ada")
        guilds: list[str] = []
        known: list[tuple[str, str]] = []
        mentions = 0
        for number in range(servers):
            guild = people.guild(f"team {number}", ada)
            guilds.append(str(guild.id))
            for place in range(_CHANNELS):
                room = people.channel(guild, f"room{place}")
                is_mention = place == 0 and number % _MENTIONED_IN == 0
                if place < _BUSY:
                    id_ = time_snowflake(now - timedelta(minutes=15)) + number * _CHANNELS + place
                    text = f"<@{server.bot.id}> draw a dot" if is_mention else "people talk"
                    said = Message(id_, room, ada, text, mentions=people.mentioned(text))
                    room.messages[id_] = said
                    mentions += is_mention
                elif place == _BUSY and number % _KNOWN_IN == 0:
                    known.append((str(guild.id), str(room.id)))
        server.world.latency = _LATENCY
        facts = {"api": server.api, "gateway": server.gateway.address, "token": server.world.token}
        facts |= {"cdn": server.world.address.removeprefix("http://"), "mentions": mentions}
        print(json.dumps({**facts, "guilds": guilds, "known": known}), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        calls: dict[str, int] = {}
        for call in server.world.calls:
            calls[call.name] = calls.get(call.name, 0) + 1
        told = {"calls": calls, "limited": server.world.limits.hits, "bad": server.violations[:3]}
        print(json.dumps(told), flush=True)


async def _measure(servers: int) -> dict[str, object]:
    command = (sys.executable, "-m", "benchmarks.discord_catch_up", "--play", str(servers))
    pipe = asyncio.subprocess.PIPE
    played = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=64 << 20)
    assert played.stdin is not None
    assert played.stdout is not None
    facts = json.loads(await played.stdout.readline())
    listener, before = _Listener(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        async with open_persistence(f"sqlite:///{Path(folder)}/troupe.db") as kept:
            mark = str(time_snowflake(utcnow() - _ABSENT))
            for guild in facts["guilds"]:
                await kept.cache.put(f"discord:{guild}:read", mark)
            at = utcnow() - timedelta(hours=2)
            for guild, room in facts["known"]:
                thread = Thread(Channel("discord", guild, room), str(time_snowflake(at)))
                key = f"{thread.channel.key}:{thread.root}"
                turn = Turn(key=key, person=Person("1", "ada"), text="hello", files=(), at=at)
                await kept.store.log(thread, turn)
            ports = ChatPorts(
                ledger=kept.ledger,
                files=FakeFiles(),
                media=FakeMedia(),
                sign=lambda _file, _run: "",
                fetch=FakeFetch(),
                chat_log=kept.store,
                cache=kept.cache,
                interactions=kept.interactions,
                leases=kept.leases,
                rate_limits=kept.rate_limits,
                notifications=kept.notifications,
                outage=Outage(),
            )
            addresses = Addresses(facts["api"], facts["gateway"], (facts["cdn"],))
            chat = DiscordChat(
                token=facts["token"], ports=ports, addresses=addresses, times=DiscordTimes()
            )
            began = time.monotonic()
            async with asyncio.TaskGroup() as tasks:
                task = tasks.create_task(chat.listen(listener))
                for guild in facts["guilds"]:
                    while True:
                        cached = await kept.cache.get(f"discord:{guild}:read")
                        if cached and cached.value != mark:
                            break
                        await asyncio.sleep(0.2)
                seconds = time.monotonic() - began
                task.cancel()
    played.stdin.write(b"\n")
    told = json.loads(await played.stdout.readline())
    await played.wait()
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "servers": servers,
        "seconds": round(seconds, 1),
        "mentions found": f"{len(listener.mentions)} of {facts['mentions']}",
        "MB before": before >> 10,
        "MB at most": after >> 10,
        **told,
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--servers", type=int, default=2500)
    options.add_argument("--play", type=int, default=0, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.play:
        asyncio.run(_play(given.play))
    else:
        print(json.dumps(asyncio.run(_measure(given.servers)), indent=1))


if __name__ == "__main__":
    main()
