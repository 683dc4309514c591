"""The expert server as a child of the program: told how to run on its input, gone when that ends.

`python -m adapters.local.owned`: one line of JSON comes in, one line with the address goes out. The input stays open as long as
whoever began it lives, so that even a parent that was killed leaves nothing behind.
"""

import asyncio
import os
import signal
import sys
from typing import TextIO

from adapters.local.options import unpacked
from adapters.local.server import experts_at_work


async def _serve(told: TextIO) -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    options = unpacked(await reader.readline())
    async with experts_at_work(options) as server:
        told.write(server.base + "\n")
        told.flush()
        await reader.read()


def _told_apart() -> TextIO:
    """The standard output for the one line; what else is printed goes where logs go, since nobody reads on."""
    told = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return told


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends us
    with _told_apart() as told:
        asyncio.run(_serve(told))
