"""The whole program in the test's process, with real settings, store, page and HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from aiohttp import ClientSession

from bot.app import App, open_app
from bot.chats import open_chats
from bot.serve import work
from bot.setting_sources import read_settings
from tests.e2e.visitor import PATIENCE, Stage, Visitor, played
from tests.fakes.outside import FakeWorkers

QUIET = {
    "TROUPE_WEB": "true",
    "TROUPE_WEB_PORT": "0",
    "TROUPE_PERSON_PER_MINUTE": "10000",
    "TROUPE_CHANNEL_PER_MINUTE": "10000",
}


@dataclass
class Troupe(Visitor):
    """A visitor of a program that runs in this process."""

    house: App


@asynccontextmanager
async def troupe(home: Path, **settings: str) -> AsyncIterator[Troupe]:
    """Run the program with its data in `home`."""
    own = read_settings({**QUIET, "TROUPE_HOME": str(home), **settings})
    async with open_app(own, FakeWorkers()) as house:
        chats = open_chats(house)
        web = next(chat for chat in chats if chat.platform == "web")
        async with asyncio.TaskGroup() as group:
            working = group.create_task(work(house, chats))
            address = await web.address()  # type: ignore[attr-defined]
            async with ClientSession(timeout=PATIENCE) as session:
                yield Troupe(session, address, house=house)
            working.cancel()


@asynccontextmanager
async def stage(home: Path, **settings: str) -> AsyncIterator[Stage]:
    """Run the program in this process with a simulated language model and experts."""
    async with (
        played() as (llm, experts, addresses),
        troupe(home, **{**addresses, **settings}) as running,
    ):
        yield Stage(running, llm, experts)
