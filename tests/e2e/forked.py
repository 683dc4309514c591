"""The program in its own process, forked from one that has answered before: starts at once."""

import asyncio
import multiprocessing
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from aiohttp import ClientSession, FormData

from bot.app import open_app
from bot.chats import open_chats
from bot.logs import begin_logging
from bot.serve import work
from bot.setting_sources import read_settings
from tests.fakes.jobs import picture
from tests.fakes.outside import FakeWorkers

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(
    [
        "tests.e2e.forked",
        "adapters.discord",
        "adapters.slack",
        "imageio_ffmpeg",
        "tests.e2e.warmed",
    ]
)


@asynccontextmanager
async def forked(home: Path, **settings: str) -> AsyncIterator[tuple[ForkServerProcess, str]]:
    """`troupe run` in a process, and the address of its page. Ended by SIGKILL.

    It has worker processes, which import what they need anew, only with TROUPE_WORKERS.
    """
    mine, its = _FORKING.Pipe()
    everything = {**_everything(str(home)), **settings}
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
    async with _at_work(settings) as address:
        telling.send(address)
        await asyncio.Event().wait()


async def start(home: str) -> None:
    """Start the program, let it answer once and end it. Nobody is at its services' addresses."""
    nobody = "http://127.0.0.1:9"
    services = {"OPENAI_BASE_URL": nobody, "TROUPE_EXPERTS_URL": nobody}
    impatience = {"TROUPE_LLM_SECONDS": "1"}
    form = FormData({"text": "hello"})
    form.add_field("file", picture().data, filename="picture.png")
    async with (
        _at_work({**_everything(home), **services, **impatience}) as address,
        ClientSession(address) as session,
        session.post("/api/chat", data=form) as response,
    ):
        assert response.status == 200


@asynccontextmanager
async def _at_work(settings: Mapping[str, str]) -> AsyncIterator[str]:
    """The program in this process: the address of its page."""
    workers = None if "TROUPE_WORKERS" in settings else FakeWorkers()
    async with open_app(read_settings(settings), workers) as house:
        chats = open_chats(house)
        web = next(chat for chat in chats if chat.platform == "web")
        async with asyncio.TaskGroup() as group:
            working = group.create_task(work(house, chats))
            yield await web.address()  # type: ignore[attr-defined]
            working.cancel()


def _everything(home: str) -> dict[str, str]:
    return {"TROUPE_HOME": home, "TROUPE_WEB": "true", "TROUPE_WEB_PORT": "0"}
