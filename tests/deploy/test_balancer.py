"""The balancer's own configuration, run by HAProxy in front of two played replicas."""

import asyncio
import re
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from tests.house.source import ROOT
from tests.servers.loopback import listen

pytestmark = pytest.mark.program
CONFIG = ROOT / "deploy/haproxy/haproxy.cfg"
TEMPLATE = "server-template replica 10 replica:8080"


@dataclass
class Replica:
    """Answers with its name, and streams an event whenever it is told to."""

    name: str
    is_ill: bool = False
    asked: list[str] = field(default_factory=list)
    more: asyncio.Queue[str] = field(default_factory=asyncio.Queue)

    async def health(self, _request: web.Request) -> web.Response:
        return web.Response(status=500 if self.is_ill else 200)

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append(request.headers.get("X-Forwarded-For", ""))
        return web.Response(text=self.name)

    async def stream(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        while True:
            await response.write(f"data: {await self.more.get()}\n\n".encode())

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[str]:
        app = web.Application()
        app.add_routes(
            [
                web.get("/healthz", self.health),
                web.get("/", self.answer),
                web.get("/events", self.stream),
                web.get("/metrics", self.answer),
            ]
        )
        async with listen(app, handler_cancellation=True) as address:
            yield address.removeprefix("http://")


def require_haproxy() -> str:
    if (program := shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin")) is None:
        pytest.skip("haproxy is not installed: Debian's package of that name")
    return program


@asynccontextmanager
async def balanced(folder: Path) -> AsyncIterator[tuple[str, list[Replica]]]:
    """The balancer's address, and the replicas behind it."""
    program, replicas = require_haproxy(), [Replica("a"), Replica("b")]
    async with AsyncExitStack() as stack:
        addresses = [await stack.enter_async_context(each.serve()) for each in replicas]
        async with listen(web.Application()) as free:  # a port that is free afterwards
            port = free.rpartition(":")[2]
        servers = "\n".join(
            f"  server {each.name} {at} check" for each, at in zip(replicas, addresses, strict=True)
        )
        text = CONFIG.read_text().replace(f"  {TEMPLATE}", servers)
        text = text.replace("bind :8080", f"bind 127.0.0.1:{port}")
        text = re.sub(
            r"default-server check inter 2s .*", "default-server inter 100ms fall 2", text
        )
        (folder / "haproxy.cfg").write_text(text)
        process = await asyncio.create_subprocess_exec(
            program, "-db", "-f", str(folder / "haproxy.cfg"), stdout=asyncio.subprocess.DEVNULL
        )
        try:
            yield f"http://127.0.0.1:{port}", replicas
        finally:
            process.terminate()
            await process.wait()


async def ask(session: ClientSession, address: str) -> str:
    """The name of the replica that answered; waits until one does."""
    while True:
        try:
            async with session.get(address) as response:
                if response.status == 200:
                    return await response.text()
        except OSError:
            pass
        await asyncio.sleep(0.05)


def test_haproxy_takes_the_file() -> None:
    done = subprocess.run(
        [require_haproxy(), "-c", "-f", CONFIG], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    assert CONFIG.read_text().count(TEMPLATE) == 1


async def test_any_replica_answers_and_nobody_sticks_to_one(tmp_path: Path) -> None:
    async with balanced(tmp_path) as (address, replicas), ClientSession() as session:
        answered = {await ask(session, address) for _ in range(8)}
        async with session.get(f"{address}/metrics") as response:
            status = response.status

    assert answered == {"a", "b"}
    assert status == 404, "what is told about the program is for those inside"
    assert {told for each in replicas for told in each.asked} == {"127.0.0.1"}


async def test_an_event_arrives_before_the_next_one_is_sent(tmp_path: Path) -> None:
    async with balanced(tmp_path) as (address, replicas), ClientSession() as session:
        await ask(session, address)
        async with session.get(f"{address}/events") as response:
            for word in ("one", "two", "three"):
                for each in replicas:  # one of the two has the stream
                    each.more.put_nowait(word)
                assert await response.content.readline() == f"data: {word}\n".encode()
                await response.content.readline()


async def test_a_replica_that_is_ill_is_asked_no_more_until_it_is_well(tmp_path: Path) -> None:
    async with balanced(tmp_path) as (address, (one, other)), ClientSession() as session:
        while {await ask(session, address) for _ in range(4)} != {"a", "b"}:
            pass
        one.is_ill = True
        while {await ask(session, address) for _ in range(4)} != {"b"}:
            pass
        one.is_ill, other.is_ill = False, True
        while {await ask(session, address) for _ in range(4)} != {"a"}:
            pass
