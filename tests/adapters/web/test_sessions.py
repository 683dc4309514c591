"""Who may come in, under which name, and how much is read of a stranger."""

import asyncio
import gzip
import hashlib
import json
import time

import aiohttp
import pytest

from adapters.web.options import WebOptions
from adapters.web.sessions import OLD_COOKIE, SESSION_COOKIE
from pipeline.domain import OWNER, Apologised, LocalizedText
from tests.adapters.web.scene import WebScene, events_of, web_scene
from tests.fakes.persistence import FakeCache

TOKEN = "correct horse battery staple"
JSON = {"Content-Type": "application/json"}


async def person_of_next(
    scene: WebScene, page: aiohttp.ClientSession, number: int = 1, **headers: str
) -> str:
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(_ask(page, headers))
        message, _ = await scene.listener.next(number)
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


@pytest.mark.parametrize(
    ("options", "is_owner"),
    [
        ({}, True),
        ({"token": TOKEN}, False),
        ({"owner_token": TOKEN}, False),
        ({"public_url": "https://bot.example"}, False),
    ],
)
def test_who_alone_can_reach_the_page_owns_the_program(
    options: dict[str, str], *, is_owner: bool
) -> None:
    assert WebOptions(**options).is_private == is_owner  # type: ignore[arg-type]


async def test_the_owner_is_known_by_their_role() -> None:
    async with web_scene() as scene, aiohttp.ClientSession(await scene.chat.address()) as page:
        await person_of_next(scene, page)

        assert scene.listener.received[0][0].person.roles == {OWNER}


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


async def test_wrong_tokens_are_counted_together_of_all_callers() -> None:
    async with web_scene(token=TOKEN, public_url="https://bot.example") as scene:
        for _ in range(5):
            async with scene.page.post("/login", data={"token": "wrong"}) as response:
                assert response.status == 403
        wrong = {"Authorization": "Bearer wrong"}
        for _ in range(5):
            async with scene.page.get("/metrics", headers=wrong) as response:
                assert response.status == 401

        elsewhere = {**wrong, "X-Forwarded-For": "203.0.113.9"}
        async with scene.page.get("/metrics", headers=elsewhere) as response:
            assert response.status == 429


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


# --- grants end with what they were granted for ---


async def sign_in(scene: WebScene, token: str, **headers: str) -> str:
    """The cookie of a browser that signs in."""
    async with scene.page.post(
        "/login", data={"token": token}, headers=headers, allow_redirects=False
    ) as response:
        return response.cookies[SESSION_COOKIE].value


async def status_with(scene: WebScene, cookie: str, path: str = "/metrics") -> int:
    """What a browser with this cookie alone gets."""
    async with (
        aiohttp.ClientSession(await scene.chat.address()) as page,
        page.get(path, headers={"Cookie": f"{SESSION_COOKIE}={cookie}"}) as response,
    ):
        return response.status


def person_in(cookie: str) -> str:
    return cookie.partition(".")[0]


async def test_a_new_token_signs_everybody_out() -> None:
    cache, secret = FakeCache(), lambda: b"s" * 32
    async with web_scene(cache, token=TOKEN, secret=secret) as scene:
        cookie = await sign_in(scene, TOKEN)
        assert await status_with(scene, cookie) == 200

    async with web_scene(cache, token="another", secret=secret) as scene:
        assert await status_with(scene, cookie) == 401
        again = await sign_in(scene, "another", Cookie=f"{SESSION_COOKIE}={cookie}")
        assert await status_with(scene, again) == 200
        assert await status_with(scene, cookie) == 401

    assert person_in(again) == person_in(cookie), "a browser keeps its conversations"


async def test_a_new_secret_signs_everybody_out_at_once() -> None:
    secrets = [b"r" * 64, b"s" * 32]
    async with web_scene(token=TOKEN, secret=lambda: secrets[-1]) as scene:
        cookie = await sign_in(scene, TOKEN)
        secrets.pop()

        assert await status_with(scene, cookie) == 401
        again = await sign_in(scene, TOKEN, Cookie=f"{SESSION_COOKIE}={cookie}")
        assert person_in(again) != person_in(cookie)


async def test_a_new_secret_ends_sessions_where_no_token_is_needed() -> None:
    secrets = [b"r" * 64, b"s" * 32]
    async with web_scene(secret=lambda: secrets[-1]) as scene:
        scene.records.known.add(hashlib.sha256(b"first edition").hexdigest()[:20])
        await scene.say("hello")
        secrets.pop()
        thread = f"/api/threads/{scene.thread}"

        async with scene.page.get(thread) as response:
            assert response.status == 404
        old = {"Cookie": f"{OLD_COOKIE}=first edition"}
        async with aiohttp.ClientSession(await scene.chat.address()) as page:
            assert await person_of_next(scene, page, 2, **old) == "programs"
        scene.chat.state.runs.end()


async def test_a_session_of_an_earlier_version_keeps_its_person_and_signs_in_again() -> None:
    cache = FakeCache()
    key = f"web session {hashlib.sha256(b'stored').hexdigest()}"
    await cache.put(key, json.dumps(["a" * 20, time.time() + 1000, True]))

    async with web_scene(cache, token=TOKEN) as scene:
        assert await status_with(scene, "stored") == 401
        again = await sign_in(scene, TOKEN, Cookie=f"{SESSION_COOKIE}=stored")
        assert person_in(again) == "a" * 20
    async with (
        web_scene(cache) as scene,
        aiohttp.ClientSession(await scene.chat.address()) as page,
    ):
        person = await person_of_next(scene, page, Cookie=f"{SESSION_COOKIE}=stored")
        assert person == "a" * 20


@pytest.mark.parametrize("part", [0, 1, 2, 3])
async def test_a_cookie_that_was_changed_is_nobody(part: int) -> None:
    async with web_scene(token=TOKEN) as scene:
        parts = (await sign_in(scene, TOKEN)).split(".")
        parts[part] = parts[part][:-1] + ("1" if parts[part][-1] == "0" else "0")

        assert await status_with(scene, ".".join(parts)) == 401


async def test_opening_the_page_stores_nothing() -> None:
    cache = FakeCache()
    async with web_scene(cache) as scene:
        for _ in range(20):
            async with aiohttp.ClientSession(await scene.chat.address()) as page:
                async with page.get("/") as response:
                    assert SESSION_COOKIE in response.cookies
                async with page.post("/logout"):
                    pass

    assert cache.kept == {}


async def test_signing_out_ends_a_session_that_has_conversations() -> None:
    async with web_scene() as scene, aiohttp.ClientSession(await scene.chat.address()) as page:
        async with page.get("/") as response:
            cookie = response.cookies[SESSION_COOKIE].value
        scene.records.known.add(person_in(cookie))
        headers = {"Cookie": f"{SESSION_COOKIE}={cookie}"}
        async with page.post("/logout", headers=headers, allow_redirects=False):
            pass

        assert await person_of_next(scene, page, Cookie=headers["Cookie"]) == "programs"


async def test_whatever_is_signed_besides_an_ended_session_stays_ended() -> None:
    async with web_scene() as scene, aiohttp.ClientSession(await scene.chat.address()) as page:
        async with page.get("/") as response:
            cookie = response.cookies[SESSION_COOKIE].value
        scene.records.known.add(person_in(cookie))
        headers = {"Cookie": f"{SESSION_COOKIE}={cookie}"}
        async with page.post("/logout", headers=headers, allow_redirects=False):
            pass

        for altered in (f"{cookie[:-64]}{'0' * 64}", f"{cookie}.owner"):
            headers = {"Cookie": f"{SESSION_COOKIE}={altered}"}
            assert await person_of_next(scene, page, Cookie=headers["Cookie"]) == "programs"


async def test_a_stream_ends_with_the_session_that_opened_it() -> None:
    async with web_scene(token=TOKEN, check_seconds=0.0) as scene:
        await sign_in(scene, TOKEN)
        message, run = await scene.say("hello")
        run_log = scene.chat.state.runs.open(run, message)
        async with scene.page.get(f"/api/runs/{run}/events") as stream:
            events = events_of(stream)
            assert (await anext(events))[0] == "accepted"
            async with scene.page.post("/logout", allow_redirects=False):
                pass
            run_log.add(Apologised(LocalizedText("stopped"), ""))

            assert [name async for name, _ in events] == []
