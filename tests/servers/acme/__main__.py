"""Acme, played, as a program: prints its address, and serves until it is ended."""

import argparse
import asyncio

from tests.servers.acme.server import acme_at_work
from tests.servers.loopback import run


async def _serve(given: argparse.Namespace) -> None:
    async with acme_at_work(port=given.port) as server:
        print(server.base, flush=True)  # noqa: T201 - told to whoever started it
        await asyncio.Event().wait()


if __name__ == "__main__":
    _options = argparse.ArgumentParser(description=__doc__)
    _options.add_argument("--port", type=int, default=0, help="0: any free one")
    run(_serve(_options.parse_args()))
