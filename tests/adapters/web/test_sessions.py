"""Who may come in, under which name, and how much is read of a stranger."""

import asyncio
import gzip
import hashlib

import aiohttp
import pytest

from adapters.web.sessions import OLD_COOKIE, SESSION_COOKIE
from tests.adapters.web.scene import web_scene

TOKEN = "correct horse battery staple"
JSON = {"Content-Type": "application/json"}


async def person_of_next(scene: object, page: aiohttp.ClientSession, **headers: str) -> str:
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(_ask(page, headers))
        message, _ = await scene.listener.next(1)  # type: ignore[attr-defined]
        asking.cancel()
    return str(message.person.id)


async def _ask(page: aiohttp.ClientSession, headers: dict[str, str]) -> None:
    async with page.post("/api/chat", json={"text": "hi"}, headers=headers) as response:
        await response.read()


async def test_a_cookie_that_the_caller_invents_is_nobody() -> None:
    async with web_scene() as scene, aiohttp.ClientSession(await scene.chat.address()) as page:
        cookie = f"{SESSION_COOKIE}=invented; {OLD_COOKIE}=invented-too"

        assert await person_of_next(scene, page, Cookie=cookie) == "programs"


async def test_a_run_of_a_program_is_not_told_to_a_browser() -> None:
    async with web_scene() as scene, aiohttp.ClientSession(await scene.chat.address()) as page:
        assert await person_of_next(scene, page) == "programs"
        (_, run) = scene.listener.received[0]

        async with page.get(f"/api/runs/{run}") as own, scene.page.get(f"/api/runs/{run}") as other:
            assert (own.status, other.status) == (200, 404)


async def test_a_browser_of_the_first_edition_keeps_its_conversations() -> None:
    person = hashlib.sha256(b"secret-of-the-browser").hexdigest()[:20]
    async with web_scene() as scene, aiohttp.ClientSession(await scene.chat.address()) as page:
        scene.records.known.add(person)
        cookie = f"{OLD_COOKIE}=secret-of-the-browser"

        assert await person_of_next(scene, page, Cookie=cookie) == person


async def test_signing_out_ends_the_session() -> None:
    async with web_scene(token=TOKEN) as scene:
        async with scene.page.post("/login", data={"token": TOKEN}, allow_redirects=False) as sent:
            secret = sent.cookies[SESSION_COOKIE].value
        async with scene.page.get("/metrics") as inside:
            assert inside.status == 200
        async with scene.page.post("/logout", allow_redirects=False) as left:
            assert left.status == 303

        headers = {"Cookie": f"{SESSION_COOKIE}={secret}"}
        async with (
            aiohttp.ClientSession(await scene.chat.address()) as thief,
            thief.get("/metrics", headers=headers) as outside,
        ):
            assert outside.status == 401


async def test_wrong_tokens_are_counted_together_by_address() -> None:
    async with web_scene(token=TOKEN, public_url="https://bot.example") as scene:
        for _ in range(5):
            async with scene.page.post("/login", data={"token": "wrong"}) as response:
                assert response.status == 403
        wrong = {"Authorization": "Bearer wrong"}
        for _ in range(5):
            async with scene.page.get("/metrics", headers=wrong) as response:
                assert response.status == 401

        right = {"Authorization": f"Bearer {TOKEN}"}
        async with scene.page.get("/metrics", headers=right) as response:
            assert response.status == 429
        elsewhere = {**right, "X-Forwarded-For": "203.0.113.9"}
        async with scene.page.get("/metrics", headers=elsewhere) as response:
            assert response.status == 200


async def test_of_a_stranger_little_is_read() -> None:
    async with web_scene(token=TOKEN) as scene:
        async with scene.page.post("/login", data={"token": "x" * 5000}) as response:
            assert response.status == 413
        bomb = gzip.compress(b'{"text": "' + b" " * 1_000_000 + b'"}')
        headers = {**JSON, "Content-Encoding": "gzip"}
        async with scene.page.post("/api/chat", data=bomb, headers=headers) as response:
            assert response.status == 415


async def test_a_connection_that_says_nothing_is_closed() -> None:
    async with web_scene(header_seconds=0.05) as scene:
        host, _, port = (await scene.chat.address()).removeprefix("http://").rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET / HTTP/1.1\r\n")

        async with asyncio.timeout(5):
            assert await reader.read() == b""
        writer.close()


async def test_a_body_that_does_not_come_is_given_up() -> None:
    async with web_scene(body_seconds=0.05) as scene:
        host, _, port = (await scene.chat.address()).removeprefix("http://").rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = "POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        writer.write(f"{head}Content-Length: 100\r\n\r\n{{".encode())

        async with asyncio.timeout(5):
            assert b" 408 " in await reader.readline()
        writer.write(b" " * 99)  # the server waits a while for what is announced
        writer.close()


@pytest.mark.filterwarnings("ignore:Unclosed file")  # aiohttp leaves them to the collector
async def test_parts_of_a_form_are_counted_while_they_come() -> None:
    async with web_scene(max_files=3) as scene:
        form = aiohttp.FormData(default_to_multipart=True)
        for number in range(500):
            form.add_field("file", b"x", filename=f"{number}.txt")

        async with scene.page.post("/api/chat", data=form) as response:
            assert response.status == 400


@pytest.mark.parametrize(
    ("path", "headers", "body"),
    [
        ("/api/chat", JSON, b'{"text": "\\ud800"}'),
        ("/api/chat", {"Content-Type": "application/json; charset=klingon"}, b'{"text": 1}'),
        ("/api/chat", {"Content-Type": "multipart/form-data; boundary=x"}, b"--y\r\n"),
        (
            "/api/chat",
            {"Content-Type": "multipart/form-data; boundary=x"},
            b'--x\r\nContent-Disposition: form-data; name="text"\r\n\r\n\xff\xfe\r\n--x--\r\n',
        ),
        ("/login", {"Content-Type": "application/x-www-form-urlencoded"}, b"token=\xff"),
    ],
)
async def test_odd_encodings_are_the_callers_fault(
    path: str, headers: dict[str, str], body: bytes
) -> None:
    async with (
        web_scene(token=TOKEN) as scene,
        scene.page.post(
            path, data=body, headers={**headers, "Authorization": f"Bearer {TOKEN}"}
        ) as response,
    ):
        assert 400 <= response.status < 500, await response.text()
