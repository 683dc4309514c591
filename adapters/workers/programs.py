"""Starts programs that decode hostile files, each in a sandbox of its own."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from adapters.workers.sandbox import LIBRARY_VARIABLES, hide_from_children

_ROOT = Path(__file__).parents[2]
_START = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); "
    "from adapters.workers.sandbox import main; main()"
)


async def start_program(command: Sequence[str], folder: str, **limits: int) -> Process:
    """Start `command` in the sandbox, where it can write into `folder`.

    Its standard error is a pipe, its process group its own. `limits` are resource limits: `CPU=60`
    sets RLIMIT_CPU to 60 seconds.
    """
    hide_from_children()
    libraries = {name: os.environ[name] for name in LIBRARY_VARIABLES if name in os.environ}  # noqa: TID251 - what Python and its libraries need to start
    resources = (f"{name}={limit}" for name, limit in limits.items())
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-S", "-P", "-c", _START, str(_ROOT)),
        *(folder, *resources, "--", *command),
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
        env={"PATH": "/usr/bin:/bin", **libraries},
        start_new_session=True,
    )


def kill_group(process: Process) -> None:
    """Kill a process that leads a group, and its children, which may have outlived it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
