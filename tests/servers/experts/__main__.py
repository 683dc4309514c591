"""The played experts as a program: prints its address, and serves until it is ended."""

import argparse
import asyncio

from tests.servers.experts.server import ExpertServer, experts_at_work


async def _serve(latency: float, port: int) -> None:
    async with experts_at_work(ExpertServer(latency), port=port) as server:
        print(server.base, flush=True)  # noqa: T201 - told to whoever started it
        await asyncio.Event().wait()


if __name__ == "__main__":
    _options = argparse.ArgumentParser()
    _options.add_argument("--latency", type=float, default=0.5)
    _options.add_argument("--port", type=int, default=0)
    _given = _options.parse_args()
    asyncio.run(_serve(_given.latency, _given.port))
