"""Where played servers listen, and how one runs as a program of its own."""

import asyncio
import json
import sys
import threading
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from aiohttp import web

HOST = "127.0.0.1"
_SHUTDOWN_SECONDS = 0.1
"""How long a server that ends waits for calls under way."""


@asynccontextmanager
async def listen(
    app: web.Application, port: int = 0, *, handler_cancellation: bool = False
) -> AsyncIterator[str]:
    """Serve an application on loopback, at a free port where `port` is 0.

    Yields the address, such as http://127.0.0.1:8080. With `handler_cancellation` a handler ends
    as soon as its client has gone.
    """
    runner = web.AppRunner(
        app,
        access_log=None,
        shutdown_timeout=_SHUTDOWN_SECONDS,
        handler_cancellation=handler_cancellation,
    )
    await runner.setup()
    await web.TCPSite(runner, HOST, port).start()
    try:
        yield f"http://{HOST}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def run(program: Coroutine[Any, Any, None]) -> None:
    """Run a program until it is ended from the keyboard or by a signal."""
    with suppress(KeyboardInterrupt):
        asyncio.run(program)


def tell(**news: object) -> None:
    """Print one line of JSON for whoever started the program."""
    print(json.dumps(news, ensure_ascii=False), flush=True)  # noqa: T201 - that is its purpose


async def read_lines() -> AsyncIterator[str]:
    """The lines that are typed; at the end of the input it waits for ever."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line.strip())

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield await lines.get()
