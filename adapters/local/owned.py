"""The expert server as a child of the program: told how to run on its input, gone when that ends.

`python -m adapters.local.owned`: one line of JSON comes in, one line with the address goes out. The input stays open as long as
whoever began it lives, so that even a parent that was killed leaves nothing behind.
"""

import asyncio
import signal
import sys

from adapters.local.options import unpacked
from adapters.local.server import experts_at_work


async def _serve() -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    options = unpacked(await reader.readline())
    async with experts_at_work(options) as server:
        sys.stdout.write(server.base + "\n")
        sys.stdout.flush()
        await reader.read()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends us
    asyncio.run(_serve())
