"""The played endpoint as a program: prints its address, and serves until it is ended."""

import argparse
import asyncio

from tests.servers.loopback import run
from tests.servers.openai.official import OfficialServer
from tests.servers.openai.router import RouterServer
from tests.servers.openai.server import OpenAiServer, openai_at_work

_PLAYERS = {"compatible": OpenAiServer, "official": OfficialServer, "router": RouterServer}


async def _serve(given: argparse.Namespace) -> None:
    player = _PLAYERS[given.plays](given.latency, given.pace, reply=lambda _: given.reply)
    async with openai_at_work(player, port=given.port) as server:
        print(server.base, flush=True)  # noqa: T201 - told to whoever started it
        await asyncio.Event().wait()


if __name__ == "__main__":
    _options = argparse.ArgumentParser(description=__doc__)
    _options.add_argument("--port", type=int, default=0, help="0: any free one")
    _options.add_argument("--plays", choices=_PLAYERS, default="compatible", help="whose API")
    _options.add_argument("--reply", default="Hello!", help="what every chat is answered with")
    _options.add_argument("--latency", type=float, default=0.0, help="seconds before an answer")
    _options.add_argument("--pace", type=float, default=0.0, help="tokens a second; 0: at once")
    run(_serve(_options.parse_args()))
