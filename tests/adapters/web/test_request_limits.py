"""What strangers may send to each route, whoever authenticates its callers."""

import asyncio
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web

from adapters.bounds import read_body
from adapters.chat.links import Signer
from adapters.web.chat import build_application
from tests.adapters.web.scene import WebScene, web_scene

TOKEN = "correct horse battery staple"
FILLED = {
    "run": "x",
    "action": "stop",
    "thread": "x",
    "hash": "0" * 64,
    "name": "a.txt",
    "path": "app.js",
}
BOMB = gzip.compress(b"x" * 1_000_000)


@asynccontextmanager
async def locked(**options: Any) -> AsyncIterator[WebScene]:
    """A page with a token, signed links, and routes of another adapter."""

    async def hook(request: web.Request) -> web.Response:
        return web.Response(body=await read_body(request, 1000))

    async with web_scene(
        token=TOKEN,
        signer=Signer("https://bot.example", lambda: b"secret"),
        extra_routes=(web.post("/slack/events", hook), web.get("/slack/install", hook)),
        public_url="https://bot.example",
        **options,
    ) as scene:
        yield scene


def list_routes(scene: WebScene) -> list[tuple[str, str]]:
    """Each route, and one that does not exist."""
    routes = build_application(scene.chat.state, scene.listener).router.routes()
    known = [(route.method, _fill(route)) for route in routes]
    return [*known, ("POST", "/nowhere"), ("GET", f"/files/{'0' * 64}/a?sign=0&until=9&run=x")]


def _fill(route: web.AbstractRoute) -> str:
    assert route.resource is not None
    path = route.resource.canonical
    for name, value in FILLED.items():
        path = path.replace(f"{{{name}}}", value)
    return path


async def ask(scene: WebScene, method: str, path: str, *lines: str, body: bytes = b"") -> bytes:
    """The first line of the answer to a request that may be incomplete."""
    host, _, port = (await scene.chat.address()).removeprefix("http://").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = "\r\n".join((f"{method} {path} HTTP/1.1", "Host: localhost", *lines, "", ""))
    writer.write(head.encode() + body)
    try:
        async with asyncio.timeout(10):
            return await reader.readline()
    finally:
        writer.transport.abort()


async def test_no_route_takes_an_encoded_body() -> None:
    async with locked() as scene:
        for method, path in list_routes(scene):
            lines = f"Content-Length: {len(BOMB)}", "Content-Encoding: gzip"
            status = await ask(scene, method, path, *lines, body=BOMB)
            assert b" 415 " in status, (method, path)


async def test_no_route_takes_more_than_the_largest_message() -> None:
    async with locked(max_body=10_000) as scene:
        for method, path in list_routes(scene):
            status = await ask(scene, method, path, "Content-Length: 10001")
            assert b" 413 " in status, (method, path)


async def test_no_route_waits_for_the_rest_of_a_strangers_body() -> None:
    async with locked(stranger_seconds=0.05) as scene, asyncio.TaskGroup() as group:
        asked = {
            (method, path): group.create_task(
                ask(scene, method, path, "Content-Length: 900", body=b"x" * 400)
            )
            for method, path in list_routes(scene)
        }
    for route, task in asked.items():
        assert task.result().startswith(b"HTTP/1.1 "), route


async def test_a_stranger_sends_no_body_of_unknown_length() -> None:
    async with locked() as scene:
        for path in ("/slack/events", "/login"):
            sent = await ask(scene, "POST", path, "Transfer-Encoding: chunked", body=b"1\r\nx\r\n")
            assert b" 411 " in sent, path


async def test_programs_may_send_messages_of_unknown_length() -> None:
    async with web_scene() as scene:

        async def pieces() -> AsyncIterator[bytes]:
            yield b'{"text": '
            yield b'""}'

        headers = {"Content-Type": "application/json"}
        async with scene.page.post("/api/chat", data=pieces(), headers=headers) as response:
            assert response.status == 400


@pytest.mark.parametrize("wrong", ["wrong", TOKEN.upper(), "\udcff", ""])
async def test_the_right_token_gets_in_however_many_wrong_ones_came_before(wrong: str) -> None:
    async with web_scene(token=TOKEN) as scene:
        for _ in range(15):
            async with scene.page.post("/login", data={"token": "wrong"}):
                pass
        bad = {"Authorization": f"Bearer {wrong}"}
        async with scene.page.get("/metrics", headers=bad) as response:
            assert response.status == 429

        good = {"Authorization": f"Bearer {TOKEN}"}
        async with scene.page.get("/metrics", headers=good) as response:
            assert response.status == 200
        async with scene.page.post("/login", data={"token": TOKEN}) as response:
            assert "app.js" in await response.text()
        async with scene.page.get("/metrics") as response:
            assert response.status == 200, "nor is a session refused"


async def test_a_person_follows_only_so_many_answers_at_once() -> None:
    async with web_scene() as scene:
        _, run = await scene.say("hello")
        host, _, port = (await scene.chat.address()).removeprefix("http://").rpartition(":")
        (cookie,) = scene.page.cookie_jar
        head = (
            f"GET /api/runs/{run}/events HTTP/1.1\r\nHost: localhost\r\n"
            f"Cookie: {cookie.key}={cookie.value}\r\n\r\n"
        )
        connections: list[asyncio.StreamWriter] = []

        async def follow() -> bytes:
            reader, writer = await asyncio.open_connection(host, int(port))
            connections.append(writer)
            writer.write(head.encode())
            return (await reader.readline()).split()[1]

        while (status := await follow()) == b"200":
            assert len(connections) <= 200
        assert status == b"429"
        assert len(connections) == 200, "the message itself is followed, too"

        for connection in connections:
            connection.transport.abort()
        found = [await follow() for _ in range(20)]
        assert found[-1] == b"200", "those that were left do not count"
        (streams,) = scene.chat.state.streams.values()
        assert len(streams) <= 21
        for connection in connections:
            connection.transport.abort()
        scene.chat.state.runs.end()
