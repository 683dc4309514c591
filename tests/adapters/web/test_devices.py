"""One-time links for another device."""

import asyncio
import time
from collections.abc import AsyncIterator

import aiohttp
import pytest

from adapters.web.sessions import SESSION_COOKIE, open_session
from tests.adapters.web.asking import post
from tests.adapters.web.scene import WebScene, web_scene

TOKEN = "a long token of this page"


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene(token=TOKEN) as opened:
        async with opened.page.post("/login", data={"token": TOKEN}):
            pass
        yield opened


async def make_path(scene: WebScene) -> str:
    status, body = await post(scene, "/api/devices", {})
    assert status == 200
    address = await scene.chat.address()
    assert body["url"].startswith(f"{address}/devices/")
    return str(body["url"].removeprefix(address))


def person_of(page: aiohttp.ClientSession) -> str:
    found = [each.value for each in page.cookie_jar if each.key == SESSION_COOKIE]
    return found[0].partition(".")[0] if found else ""


async def press(page: aiohttp.ClientSession, path: str, **headers: str) -> int:
    async with page.post(path, headers=headers, allow_redirects=False) as response:
        return response.status


@pytest.fixture
async def phone(scene: WebScene) -> AsyncIterator[aiohttp.ClientSession]:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(await scene.chat.address(), cookie_jar=jar) as opened:
        yield opened


async def test_a_link_opens_the_same_person_once(
    scene: WebScene, phone: aiohttp.ClientSession
) -> None:
    path = await make_path(scene)

    for _ in range(3):  # programs look at it
        async with phone.get(path) as response:
            page = await response.text()
            assert (response.status, '<form method="post">' in page) == (200, True)
            assert response.headers["Cache-Control"] == "no-store"
    assert person_of(phone) == ""
    assert await press(phone, path) == 303

    assert person_of(phone) == person_of(scene.page) != ""
    async with phone.get("/api/threads") as response:
        assert response.status == 200
    assert await press(phone, path) == 410
    async with phone.get(path) as response:
        assert response.status == 410


async def test_of_two_that_press_at_once_one_gets_in(
    scene: WebScene, phone: aiohttp.ClientSession
) -> None:
    path = await make_path(scene)
    async with asyncio.TaskGroup() as group:
        pressed = [group.create_task(press(phone, path)) for _ in range(5)]

    assert sorted(each.result() for each in pressed) == [303, 410, 410, 410, 410]


async def test_what_another_person_left_in_the_browser_goes(
    scene: WebScene, phone: aiohttp.ClientSession
) -> None:
    cleared = []
    for page in (phone, scene.page, phone):
        async with page.post(await make_path(scene), allow_redirects=False) as response:
            cleared.append(response.headers.get("Clear-Site-Data"))
    phone.cookie_jar.clear()
    async with phone.post("/login", data={"token": TOKEN}, allow_redirects=False):
        pass
    async with phone.post(await make_path(scene), allow_redirects=False) as response:
        cleared.append(response.headers.get("Clear-Site-Data"))

    assert cleared == [None, None, None, '"storage"']


async def test_a_link_is_never_the_owners() -> None:
    owner, jar = "a long token of the owner", aiohttp.CookieJar(unsafe=True)
    async with web_scene(token=TOKEN, owner_token=owner) as scene:
        async with scene.page.post("/login", data={"token": owner}):
            pass
        path = await make_path(scene)
        address = await scene.chat.address()
        async with aiohttp.ClientSession(address, cookie_jar=jar) as other:
            assert await press(other, path) == 303
            (cookie,) = [each.value for each in jar if each.key == SESSION_COOKIE]

    owners, _ = open_session(scene.chat.state.options, "", is_owner=True)
    assert cookie.count(".") == owners.count(".") - 1


async def test_a_link_that_was_changed_opens_nothing(
    scene: WebScene, phone: aiohttp.ClientSession
) -> None:
    path = await make_path(scene)
    person, expires, random, sign = path.removeprefix("/devices/").split(".")
    other, later, wrong = "b" * 20, str(int(expires) + 1), "0" * 64
    for changed in (
        f"{other}.{expires}.{random}.{sign}",
        f"{person}.{later}.{random}.{sign}",
        f"{person}.{expires}.{'0' * 16}.{sign}",
        f"{person}.{expires}.{random}.{wrong}",
        f"{person}.{expires}.{random}",
        "x",
        "%00",
        "x" * 5000,
    ):
        assert await press(phone, f"/devices/{changed}") == 410
    assert person_of(phone) == ""


async def test_a_link_ends_with_the_token(scene: WebScene) -> None:
    path = await make_path(scene)
    secret = scene.chat.state.options.secret
    async with (
        web_scene(token=f"{TOKEN} now", secret=secret) as later,
        later.page.post(path, allow_redirects=False) as response,
    ):
        assert response.status == 410


async def test_another_site_cannot_press_the_button(
    scene: WebScene, phone: aiohttp.ClientSession
) -> None:
    path = await make_path(scene)

    assert await press(phone, path, **{"Sec-Fetch-Site": "cross-site"}) == 403
    assert await press(phone, path) == 303


async def test_a_link_lasts_ten_minutes(scene: WebScene) -> None:
    expires = int((await make_path(scene)).split(".")[1])

    assert abs(expires - time.time() - 600) < 60
