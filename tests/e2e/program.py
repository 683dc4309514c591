"""The program in its own process."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientTimeout

ROOT = Path(__file__).parents[2]


@dataclass
class Program:
    """A running `troupe run`. `address` is that of its page."""

    process: asyncio.subprocess.Process
    address: str
    lines: list[str]

    async def ask(self, text: str, **more: Any) -> dict[str, Any]:
        """The answer of POST /api/chat, its status under "status"."""
        async with (
            ClientSession(timeout=ClientTimeout(total=50)) as session,
            session.post(f"{self.address}/api/chat", json={"text": text, **more}) as response,
        ):
            return {**await response.json(), "status": response.status}


@asynccontextmanager
async def at_work(
    home: Path, before: Sequence[str] = (), folder: str | Path = ROOT, **settings: str
) -> AsyncIterator[Program]:
    """Run the program with its page on a free port; killed at the end if still running.

    `before` stands before the command. It is started in `folder`, where its `.env` may be.
    """
    process = await asyncio.create_subprocess_exec(
        *before,
        sys.executable,
        "-m",
        "bot",
        "run",
        cwd=folder,
        env=environment(home, settings),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    lines: list[str] = []
    try:
        address = await _address(process, lines)
        async with asyncio.TaskGroup() as group:
            group.create_task(_read(process, lines))
            yield Program(process, address, lines)
            await _end(process)
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            await process.wait()


def environment(home: Path, settings: Mapping[str, str]) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}  # noqa: TID251
    own = {
        "TROUPE_HOME": str(home),
        "TROUPE_WEB": "true",
        "TROUPE_WEB_PORT": "0",
        "TROUPE_HEALTH_PORT": "0",
        "TROUPE_LLM_NEARBY": "http://127.0.0.1:9",
        "PYTHONUNBUFFERED": "1",
        "TROUPE_PERSON_PER_MINUTE": "10000",
        "TROUPE_CHANNEL_PER_MINUTE": "10000",
    }
    return {**kept, **own, **settings}


async def _address(process: asyncio.subprocess.Process, lines: list[str]) -> str:
    assert process.stderr is not None
    async with asyncio.timeout(30):
        async for line in process.stderr:
            text = line.decode(errors="replace")
            lines.append(text)
            if '"address"' in text:
                return str(json.loads(text)["address"])
    raise AssertionError("it did not start:\n" + "".join(lines))


async def _read(process: asyncio.subprocess.Process, lines: list[str]) -> None:
    assert process.stderr is not None
    async for line in process.stderr:
        text = line.decode(errors="replace")
        lines.append(text)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGTERM)
    async with asyncio.timeout(15):
        await process.wait()
