"""The played endpoint as a program, for benchmarks: prints its address and serves until it is
ended.
"""

import argparse
import asyncio

from tests.servers.openai.server import OpenAiServer, openai_at_work


async def _serve(latency: float, pace: float, port: int, said: str) -> None:
    played = OpenAiServer(latency, pace, reply=lambda _: said)
    async with openai_at_work(played, port=port) as server:
        print(server.base, flush=True)  # noqa: T201 - told to whoever started it
        await asyncio.Event().wait()


_options = argparse.ArgumentParser()
_options.add_argument("--latency", type=float, default=0.3)
_options.add_argument("--pace", type=float, default=0.0)
_options.add_argument("--port", type=int, default=0)
_options.add_argument("--reply", default="Hello!")
_given = _options.parse_args()
asyncio.run(_serve(_given.latency, _given.pace, _given.port, _given.reply))
