"""Servers at work, and models on disk for them."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from adapters.local.client import DIALECT
from adapters.local.options import GIBIBYTE, MEBIBYTE, ExpertServerOptions
from adapters.local.pool import ModelPool
from adapters.local.server import ExpertServer, run_server
from adapters.wire.expert import WireExpert, open_wire_expert
from tests.house.source import ROOT

PLAYED = "tests.adapters.local.played:TABLE"


@dataclass(frozen=True)
class Client:
    """Someone who asks the server."""

    session: aiohttp.ClientSession
    base: str
    folder: Path
    pool: ModelPool

    async def ask(self, model: str, words: str = "hello", **headers: str) -> tuple[int, Any]:
        return await self.post(model, json={"inputs": words}, headers=headers)

    async def post(self, model: str, **content: Any) -> tuple[int, Any]:
        async with self.session.post(f"{self.base}/models/{model}", **content) as response:
            if response.content_type == "application/json":
                return response.status, await response.json()
            return response.status, await response.read()

    async def get(self, path: str) -> Any:
        async with self.session.get(self.base + path) as response:
            return await response.json()

    def add(self, model: str, weight: int = 1000, cls: str = "T5ForConditionalGeneration") -> Path:
        return model_on_disk(self.folder, model, weight, cls)

    def loads(self, model: str) -> int:
        log = self.folder / model / "loads.txt"
        return len(log.read_text().splitlines()) if log.exists() else 0


def model_on_disk(folder: Path, model: str, weight: int, cls: str) -> Path:
    path = folder / model
    path.mkdir(parents=True)
    (path / "config.json").write_text(json.dumps({"architectures": [cls]}))
    (path / "model.safetensors").write_bytes(b"\0" * weight)
    return path


Begin = Callable[..., Any]


@asynccontextmanager
async def serve_played(folder: Path, **options: Any) -> AsyncIterator[Client]:
    """A server of played models."""
    leaving_notes = {"TRITON_CACHE_DIR": str(folder)}  # a folder into which workers may write
    given = ExpertServerOptions(
        (folder,), table=PLAYED, memory_bytes=64 * MEBIBYTE, environment=leaving_notes
    )
    async with (
        run_server(replace(given, **options)) as server,
        aiohttp.ClientSession() as session,
    ):
        yield Client(session, server.base, folder, server.pool)


@pytest.fixture
async def begin(tmp_path: Path) -> AsyncIterator[Begin]:
    """Begins servers of played models."""
    async with AsyncExitStack() as stack:

        async def begin(**options: Any) -> Client:
            return await stack.enter_async_context(serve_played(tmp_path, **options))

        yield begin


@pytest.fixture
async def client(begin: Begin) -> Client:
    made: Client = await begin(workers=1)
    return made


def environment_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


async def until(file: Path) -> None:
    """A worker process can only leave a file; there is nothing to await."""
    async with asyncio.timeout(30):
        while not file.exists():  # noqa: ASYNC110, ASYNC240 - as above
            await asyncio.sleep(0.005)


async def until_waiting(pool: ModelPool, count: int) -> None:
    async with asyncio.timeout(30):
        while pool.waiting < count:  # noqa: ASYNC110 - other requests bring it
            await asyncio.sleep(0.001)


@dataclass(frozen=True)
class Stage:
    """A server with the tiny models, and the ways to it."""

    server: ExpertServer
    wire: WireExpert
    session: aiohttp.ClientSession

    async def post(self, model: str, **content: Any) -> tuple[int, Any]:
        url = f"{self.server.base}/models/tiny/{model}"
        async with self.session.post(url, **content) as response:
            if response.content_type == "application/json":
                return response.status, await response.json()
            return response.status, await response.read()

    async def models(self) -> list[dict[str, Any]]:
        async with self.session.get(self.server.base + "/models") as response:
            found: list[dict[str, Any]] = await response.json()
            return found


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all tiny models."""
    folder = tmp_path_factory.mktemp("models")
    building = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.adapters.local.tiny", str(folder), cwd=ROOT
    )
    assert await building.wait() == 0
    return folder


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def stage(models: Path) -> AsyncIterator[Stage]:
    options = ExpertServerOptions((models,), memory_bytes=GIBIBYTE, workers=1)
    async with (
        run_server(options) as server,
        open_wire_expert(server.base, DIALECT) as wire,
        aiohttp.ClientSession() as session,
    ):
        yield Stage(server, wire, session)
