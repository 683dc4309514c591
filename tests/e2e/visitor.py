"""A person who uses the API, and the program with simulated models behind it."""

import asyncio
import base64
import io
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientTimeout

from pipeline.domain import Blob
from tests.e2e.forked import forked
from tests.fakes.known_experts import known_experts
from tests.servers.experts.server import ExpertServer, experts_at_work
from tests.servers.openai.server import Asked, OpenAiServer, openai_at_work

PATIENCE = ClientTimeout(total=50)
UNHURRIED = {"TROUPE_PERSON_PER_MINUTE": "10000", "TROUPE_CHANNEL_PER_MINUTE": "10000"}


@dataclass
class Visitor:
    """Sends requests over real HTTP. Follow-ups go to the thread of the last answer."""

    session: ClientSession
    address: str
    thread: str = field(default="", kw_only=True)

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

    async def wait_for(self, model: str) -> None:
        """The Hub is queried in the background; known models are used until it responds."""
        async with asyncio.timeout(20):
            while model not in str(await self.ask("/models text-to-image", anew=True)):  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.05)

    async def file(self, shown: Mapping[str, Any]) -> bytes:
        async with self.session.get(f"{self.address}{shown['url']}") as response:
            assert response.status == 200
            return await response.read()


def _sent(file: Blob) -> dict[str, str]:
    return {"name": file.name, "data_base64": base64.b64encode(file.data).decode()}


@asynccontextmanager
async def program(home: Path, **settings: str) -> AsyncIterator[Visitor]:
    """A visitor of a program in its own process, which tests can share across event loops."""
    async with (
        forked(home, **UNHURRIED, **settings) as (_, address),
        ClientSession(timeout=PATIENCE) as session,
    ):
        yield Visitor(session, address)


@dataclass
class Stage:
    """The program with a simulated language model and experts."""

    troupe: Visitor
    llm: OpenAiServer
    experts: ExpertServer

    def plans(self, *tasks: dict[str, Any], reply: str = "Done.") -> None:
        """Set the language model's next plan and reply."""

        def answer(asked: Asked) -> str:
            return json.dumps(tasks) if "response_format" in asked.body else reply

        self.llm.reply = answer


@asynccontextmanager
async def played() -> AsyncIterator[tuple[OpenAiServer, ExpertServer, dict[str, str]]]:
    """A simulated language model and experts, and the settings that point to them."""
    async with openai_at_work() as llm, experts_at_work(known_experts()) as experts:
        yield (
            llm,
            experts,
            {
                "OPENAI_BASE_URL": llm.base,
                "TROUPE_EXPERTS_URL": experts.base,
                "TROUPE_PLACES": "local",
            },
        )


@asynccontextmanager
async def programs_stage(home: Path, **settings: str) -> AsyncIterator[Stage]:
    """The program in its own process, with a simulated language model and experts."""
    async with (
        played() as (llm, experts, addresses),
        program(home, **{**addresses, **settings}) as visitor,
    ):
        yield Stage(visitor, llm, experts)


def planned(number: int, kind: str, *dep: int, **args: str) -> dict[str, Any]:
    """A task as a language model writes it."""
    return {"task": kind, "id": number, "dep": list(dep) or [-1], "args": args}
