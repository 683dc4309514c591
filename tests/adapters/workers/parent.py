"""A program with workers: prints as JSON what they reach.

Its arguments are a folder, and any of: "unprivileged" to give up all capabilities first, as in the
image; "free" for child processes without a sandbox; numbers of calls that the kernel is to lack.
"""

import asyncio
import ctypes
import json
import os
import socket
import struct
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from adapters.workers.pool import Worker
from adapters.workers.process import pack_call, parse_reply
from adapters.workers.sandbox_probe import find_reachable
from tests.adapters.workers import work
from tests.adapters.workers.escapes import Targets, find_escapes
from tests.adapters.workers.old_kernel import lack

_CHILD = """
import sys
from adapters.workers.process import run_call
sys.stdout.buffer.write(run_call(sys.stdin.buffer.read()))
"""


def give_up_privileges() -> None:
    ctypes.CDLL(None).capset(struct.pack("=Ii", 0x20080522, 0), bytes(24))


async def main(home: Path, options: Sequence[str]) -> None:
    if "unprivileged" in options:
        give_up_privileges()
    lack([int(option) for option in options if option.isdigit()])
    port = socket.create_server(("127.0.0.1", 0))
    addresses = (str(home / "socket"), f"\0{port.getsockname()[1]}")
    sockets = [socket.socket(socket.AF_UNIX) for _ in addresses]
    for near, address in zip(sockets, addresses, strict=True):
        near.bind(address)
        near.listen()
    sibling, worker = Worker({}), Worker({})
    run = run_freely if "free" in options else worker.run
    pid = os.getpid() if "free" in options else await sibling.run(work.whoami)
    targets = Targets(os.getpid(), pid, home, port.getsockname()[1])
    seen = {
        "reachable": await run(find_reachable, os.getpid(), [str(home)]),
        "escapes": await run(find_escapes, targets),
    }
    sys.stdout.write(json.dumps(seen))
    await worker.end()
    await sibling.end()


async def run_freely(work: Callable[..., Any], *args: object) -> Any:
    """Run work in a child process without a sandbox."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _CHILD),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    reply, _ = await child.communicate(b"".join(pack_call(work, args)))
    return parse_reply(work, reply)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2:]))
