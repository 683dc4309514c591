"""The played Discord as a program: it prints where it is and what the bot does, and says in
#general what is typed. "@bot hello" mentions the bot.
"""

import argparse
import asyncio

from tests.servers.discord.server import DiscordServer, play_discord
from tests.servers.discord.values import Json
from tests.servers.loopback import read_lines, run, tell

_PAUSE = 0.1
"""Seconds between two looks at what the bot did."""


async def _serve(given: argparse.Namespace) -> None:
    async with play_discord(window=1.0, port=given.port) as server, asyncio.TaskGroup() as tasks:
        people = server.people
        ada = people.person("ada")
        general = people.channel(people.guild("team", ada), "general")
        tell(api=server.api, gateway=server.gateway.address, token=server.world.token)
        tasks.create_task(_tell_news(server))
        async for line in read_lines():
            people.say(ada, general, line.replace("@bot", f"<@{server.bot.id}>"))


async def _tell_news(server: DiscordServer) -> None:
    """Print each message of the bot that is new or changed, and what it did wrong."""
    shown: dict[int, Json] = {}
    told = 0
    while True:
        for place in tuple(server.world.channels.values()):
            for said in server.transcript(place):
                buttons = [each.get("label") or each["custom_id"] for each in said.buttons]
                look: Json = {"channel": place.name, "text": said.text, "buttons": buttons}
                if shown.get(said.id) != look:
                    shown[said.id] = look
                    tell(id=str(said.id), **look)
        for violation in server.violations[told:]:
            tell(violation=violation)
        told = len(server.violations)
        await asyncio.sleep(_PAUSE)


if __name__ == "__main__":
    _options = argparse.ArgumentParser(description=__doc__)
    _options.add_argument("--port", type=int, default=0, help="0: any free one")
    run(_serve(_options.parse_args()))
