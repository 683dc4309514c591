import asyncio
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import web

from adapters.chat.links import Signer
from adapters.web import WebOptions
from adapters.web.pages import FOLDER
from pipeline.domain import Attachment, RunId
from pipeline.errors import SettingsError
from tests.adapters.web.scene import WebScene, web_scene
from tests.words import english

TOKEN = "correct horse battery staple"


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene() as opened:
        yield opened


@pytest.fixture
async def locked() -> AsyncIterator[WebScene]:
    async def hook(_request: web.Request) -> web.Response:
        return web.Response(text="hooked")

    async with web_scene(
        token=TOKEN,
        extra_routes=(web.post("/slack/events", hook),),
        public_url="https://bot.example",
    ) as opened:
        yield opened


async def status(scene: WebScene, method: str, path: str, **headers: str) -> int:
    async with scene.page.request(method, path, headers=headers, allow_redirects=False) as response:
        await response.read()
        return response.status


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "bot.example"])
def test_a_page_that_others_reach_needs_a_token(host: str) -> None:
    with pytest.raises(SettingsError):
        WebOptions(host=host)

    WebOptions(host=host, token=TOKEN)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "127.0.0.1:1@evil.example"],
)
async def test_a_name_of_somebody_else_that_leads_here_is_refused(
    scene: WebScene, host: str
) -> None:
    assert await status(scene, "GET", "/", Host=host) == 421
    assert await status(scene, "POST", "/api/chat", Host=host) == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080"])
async def test_our_own_names_are_taken(scene: WebScene, host: str) -> None:
    assert await status(scene, "GET", "/", Host=host) == 200


async def test_another_site_cannot_post_here(scene: WebScene) -> None:
    assert await status(scene, "POST", "/api/chat", Origin="https://evil.example") == 403
    assert await status(scene, "POST", "/api/chat", Origin="null") == 403
    assert await status(scene, "POST", "/api/chat", **{"Sec-Fetch-Site": "cross-site"}) == 403
    assert await status(scene, "POST", "/api/runs/x/stop", Origin="https://evil.example") == 403
    assert scene.listener.received == []


@pytest.mark.parametrize("path", ["/", "/api/start", "/api/owner/runs?words=a", "/page/app.js"])
@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_another_site_can_lead_here_but_not_ask(
    scene: WebScene, path: str, site: str
) -> None:
    asked = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "empty"}
    framed = {**asked, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    led = {**asked, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}

    assert await status(scene, "GET", path, **asked) == 403
    assert await status(scene, "GET", path, **framed) == 403
    assert await status(scene, "GET", path, **led) == 200
    assert await status(scene, "POST", "/api/chat", **led) == 403


async def test_the_page_itself_can_post_here(scene: WebScene) -> None:
    own = await scene.chat.address()

    assert await status(scene, "POST", "/api/chat", Origin=own) == 415  # no body, but let in


async def test_without_the_token_there_is_only_the_door(locked: WebScene) -> None:
    assert await status(locked, "POST", "/api/chat") == 401
    assert await status(locked, "GET", "/files/" + "0" * 64 + "/a") == 401
    assert await status(locked, "GET", "/metrics") == 401
    assert await status(locked, "GET", "/") == 303
    assert await status(locked, "GET", "/login") == 200
    assert await status(locked, "GET", "/healthz") == 200
    assert await status(locked, "GET", "/page/app.css") == 200


async def test_programs_show_the_token_in_a_header(locked: WebScene) -> None:
    assert await status(locked, "GET", "/metrics", Authorization=f"Bearer {TOKEN}") == 200
    assert await status(locked, "GET", "/metrics", Authorization="Bearer wrong") == 401


async def test_people_show_the_token_once() -> None:
    async with web_scene(token=TOKEN) as locked:
        async with locked.page.post("/login", data={"token": "wrong"}) as response:
            assert response.status == 403
            assert english("web-token-wrong") in await response.text()
        async with locked.page.post("/login", data={"token": TOKEN}) as response:
            assert response.status == 200
            assert "app.js" in await response.text()
        assert all(TOKEN not in cookie.value for cookie in locked.page.cookie_jar)


@pytest.mark.parametrize(
    ("wished", "spoken", "words"), [("de-AT,en;q=0.5", "de", "Anmelden"), ("it", "en", "Sign in")]
)
async def test_the_door_speaks_the_visitors_language_or_english(
    wished: str, spoken: str, words: str, locked: WebScene
) -> None:
    async with locked.page.post(
        "/login", data={"token": "wrong"}, headers={"Accept-Language": wished}
    ) as response:
        page = await response.text()

    assert f'<html lang="{spoken}">' in page
    assert words in page
    assert "{" not in page


async def test_after_ten_wrong_tokens_wrong_ones_have_to_wait(locked: WebScene) -> None:
    for _ in range(10):
        async with locked.page.post("/login", data={"token": "wrong"}) as response:
            assert response.status == 403

    async with locked.page.post("/login", data={"token": "wrong"}) as response:
        assert response.status == 429


async def test_cookies_are_safe_behind_https(locked: WebScene) -> None:
    async with locked.page.post("/login", data={"token": TOKEN}, allow_redirects=False) as response:
        cookie = response.headers["Set-Cookie"]

    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=Lax"))


async def test_routes_of_others_check_their_callers_themselves(locked: WebScene) -> None:
    assert await status(locked, "POST", "/slack/events", Host="bot.example") == 200


async def test_a_signed_link_to_a_file_opens_it_until_it_expires() -> None:
    signer = Signer("https://bot.example", lambda: b"secret")
    async with web_scene(token=TOKEN, signer=signer) as scene:
        key = await scene.keep(b"words")
        file = Attachment(hash=key, media_type="text/plain", name="a b.txt", size=5)
        now = datetime.now(UTC)
        scene.records.linked.add((RunId("run1"), key))
        link, old, forgotten = (
            signer.link(file, RunId(run), now - timedelta(days=days)).removeprefix(
                signer.public_url
            )
            for run, days in (("run1", 0), ("run1", 8), ("run2", 0))
        )

        assert await status(scene, "GET", link, Host="bot.example") == 200
        assert await status(scene, "GET", old) == 401
        assert await status(scene, "GET", forgotten) == 404
        assert await status(scene, "GET", link.replace("sign=", "sign=0")) == 401
        assert await status(scene, "GET", link.replace(key, "0" * 64)) == 401


async def test_the_page_can_load_nothing_from_elsewhere(scene: WebScene) -> None:
    async with scene.page.get("/") as response:
        assert "microphone=(self)" in response.headers["Permissions-Policy"]
        policy = response.headers["Content-Security-Policy"]
        text = await response.text()

    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http://" not in text
    assert "https://" not in text
    assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_page_is_not_sent_twice_when_it_is_the_same(scene: WebScene) -> None:
    async with scene.page.get("/page/app.js") as response:
        tag = response.headers["ETag"]

    assert await status(scene, "GET", "/page/app.js", **{"If-None-Match": tag}) == 304
    assert await status(scene, "GET", "/page/app.js", **{"If-None-Match": 'W/"old"'}) == 200


async def test_a_browser_keeps_the_code_of_the_page_as_long_as_it_is_the_same(
    scene: WebScene,
) -> None:
    async with scene.page.get("/") as response:
        loaded = re.findall(r'"(/page/[^"]+)"', await response.text())
        assert response.headers["Cache-Control"] == "no-cache"
    (tag,) = {path.split("/")[2] for path in loaded if not path.endswith(".svg")}

    old = "0" * len(tag)
    for path in (f"/page/{tag}/app.js", f"/page/{tag}/words/de/page.ftl"):
        async with scene.page.get(path) as response:
            assert "immutable" in response.headers["Cache-Control"]
            kept = await response.read()
        for other in (path.replace(tag, old), path.replace(f"/{tag}", "")):
            async with scene.page.get(other) as response:
                assert response.headers["Cache-Control"] == "no-cache"
                assert await response.read() == kept


async def test_the_page_is_sent_compressed_to_who_reads_that(scene: WebScene) -> None:
    sizes = {}
    for encoding in ("gzip, br", "gzip;q=0", "identity"):
        headers = {"Accept-Encoding": encoding}
        async with scene.page.get("/page/app.css", headers=headers) as response:
            assert response.content_type == "text/css"
            assert "Accept-Encoding" in response.headers["Vary"]
            sizes[encoding] = int(response.headers["Content-Length"])
            assert await response.read() == (FOLDER / "app.css").read_bytes()

    assert sizes["gzip, br"] < sizes["gzip;q=0"] == sizes["identity"]


@pytest.mark.parametrize(
    "path",
    [
        "..%2fchat.py",
        "..%2f..%2fweb%2fpage%2fapp.js",
        "vendor/..%2fapp.js",
        "%2fetc%2fpasswd",
        "//etc/passwd",
        "nothing.js",
        "vendor",
        "vendor/",
        "%00.js",
        "a" * 300 + ".js",
    ],
)
async def test_nothing_but_the_page_is_served_as_a_part_of_it(scene: WebScene, path: str) -> None:
    host, _, port = (await scene.chat.address()).removeprefix("http://").rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET /page/{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    assert b" 404 " in await reader.readline()
    writer.transport.abort()


async def test_long_json_is_sent_compressed(scene: WebScene) -> None:
    async with scene.page.get("/api/openapi.json") as response:
        assert response.headers["Content-Encoding"] == "gzip"
        assert len(await response.read()) > int(response.headers["Content-Length"])
    async with scene.page.get("/api/runs/none") as response:
        assert "Content-Encoding" not in response.headers
    headers = {"Accept-Encoding": "identity"}
    async with scene.page.get("/api/openapi.json", headers=headers) as response:
        assert "Content-Encoding" not in response.headers


async def test_a_port_that_is_taken_is_told_with_its_fix(scene: WebScene) -> None:
    port = int((await scene.chat.address()).rpartition(":")[2])

    with pytest.raises(ExceptionGroup) as raised:
        async with asyncio.timeout(5), web_scene(port=port):
            pass

    assert raised.group_contains(SettingsError)
