"""The whole program within the test's own process: real settings, real store, real page, real HTTP."""

import asyncio
import base64
import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientTimeout

from bot.platforms import configured
from bot.serving import work
from bot.settings import read
from bot.wiring import House, opened
from pipeline.domain import Blob
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work

QUIET = {
    "TROUPE_WEB": "true",
    "TROUPE_WEB_PORT": "0",
    "TROUPE_PERSON_PER_MINUTE": "10000",
    "TROUPE_CHANNEL_PER_MINUTE": "10000",
}


@dataclass
class Troupe:
    """The program, as one person in front of the page sees it. Follow-ups go to the thread of the last answer."""

    house: House
    session: ClientSession
    address: str
    thread: str = ""

    async def ask(self, text: str, *files: Blob, anew: bool = False) -> dict[str, Any]:
        """The answer of POST /api/chat, its status under "status"."""
        body: dict[str, Any] = {"text": text, "attachments": [_sent(file) for file in files]}
        if self.thread and not anew:
            body["thread"] = self.thread
        sent, headers = io.BytesIO(json.dumps(body).encode()), {"Content-Type": "application/json"}
        address = f"{self.address}/api/chat"
        async with self.session.post(address, data=sent, headers=headers) as response:
            answer = {**await response.json(), "status": response.status}
        self.thread = answer.get("thread", self.thread)
        return answer

    async def file(self, shown: Mapping[str, Any]) -> bytes:
        async with self.session.get(f"{self.address}{shown['url']}") as response:
            assert response.status == 200
            return await response.read()


def _sent(file: Blob) -> dict[str, str]:
    return {"name": file.name, "data_base64": base64.b64encode(file.data).decode()}


@asynccontextmanager
async def troupe(home: Path, **settings: str) -> AsyncIterator[Troupe]:
    """The program at work, its data below `home`."""
    async with opened(read({**QUIET, "TROUPE_HOME": str(home), **settings})) as house:
        chats = configured(house)
        web = next(chat for chat in chats if chat.platform == "web")
        async with asyncio.TaskGroup() as group:
            working = group.create_task(work(house, chats))
            address = await web.address()  # type: ignore[attr-defined]
            timeout = ClientTimeout(total=50)
            async with ClientSession(timeout=timeout) as session:
                yield Troupe(house, session, address)
            working.cancel()


@dataclass
class Stage:
    """The program with a language model and experts that are played on this machine."""

    troupe: Troupe
    llm: OpenAiServer
    experts: ExpertServer

    def plans(self, *tasks: dict[str, Any], reply: str = "Done.") -> None:
        """What the language model answers next: this plan, then these words."""

        def said(asked: Asked) -> str:
            return json.dumps(tasks) if "response_format" in asked.body else reply

        self.llm.reply = said


@asynccontextmanager
async def stage(home: Path, **settings: str) -> AsyncIterator[Stage]:
    async with openai_at_work() as llm, experts_at_work() as experts:
        addresses = {
            "OPENAI_BASE_URL": llm.base,
            "TROUPE_EXPERTS_URL": experts.base,
            "TROUPE_PLACES": "local",
        }
        async with troupe(home, **{**addresses, **settings}) as running:
            yield Stage(running, llm, experts)


def planned(number: int, kind: str, *dep: int, **args: str) -> dict[str, Any]:
    """A task as a language model writes it."""
    return {"task": kind, "id": number, "dep": list(dep) or [-1], "args": args}
