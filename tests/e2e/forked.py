"""The program in its own process, forked from one that has imported everything: starts at once."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from bot.app import open_app
from bot.cli import begin_logging
from bot.platforms import open_chats
from bot.serve import work
from bot.settings import read_settings

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(
    [
        "tests.e2e.forked",
        "adapters.discord",
        "adapters.openai",
        "adapters.slack",
        "adapters.embedded.experts",
        "aiosqlite",
        "httpcore2",
        "imageio_ffmpeg",
        "truststore",
        "tests.e2e.warmed",
    ]
)


@asynccontextmanager
async def forked(home: Path, **settings: str) -> AsyncIterator[tuple[ForkServerProcess, str]]:
    """`troupe run` in a process, and the address of its page. Ended by SIGKILL."""
    mine, its = _FORKING.Pipe()
    everything = {
        "TROUPE_HOME": str(home),
        "TROUPE_WEB": "true",
        "TROUPE_WEB_PORT": "0",
        **settings,
    }
    process = _FORKING.Process(target=_run, args=(everything, its), daemon=True)
    process.start()
    its.close()
    try:
        yield process, await asyncio.to_thread(mine.recv)
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
        mine.close()


def _run(settings: Mapping[str, str], telling: "Connection[str, str]") -> None:
    begin_logging("error")
    asyncio.run(_serve(settings, telling))


async def _serve(settings: Mapping[str, str], telling: "Connection[str, str]") -> None:
    async with open_app(read_settings(settings)) as house:
        chats = open_chats(house)
        web = next(chat for chat in chats if chat.platform == "web")
        async with asyncio.TaskGroup() as group:
            group.create_task(work(house, chats))
            telling.send(await web.address())  # type: ignore[attr-defined]
