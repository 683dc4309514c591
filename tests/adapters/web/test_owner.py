"""Who is the owner: by a token of their own, for as long as it is in force."""

import asyncio

import aiohttp
import pytest

from adapters.web.sessions import SESSION_COOKIE
from pipeline.domain import OWNER
from tests.adapters.web.scene import WebScene, web_scene
from tests.fakes.persistence import FakeCache

PAGES, OWNERS = "the token of all who may come in", "the token of who runs it"


def secret() -> bytes:
    return b"s" * 32


async def sign_in(scene: WebScene, token: str) -> str:
    """The cookie of a browser that signs in; "" if the token is wrong."""
    async with scene.page.post("/login", data={"token": token}, allow_redirects=False) as response:
        found = response.cookies.get(SESSION_COOKIE)
        return found.value if found else ""


async def read_roles(scene: WebScene, **headers: str) -> frozenset[str]:
    """The roles of the person whose message has these headers."""
    number = len(scene.listener.received) + 1
    address = await scene.chat.address()
    async with aiohttp.ClientSession(address) as page, asyncio.TaskGroup() as group:
        asking = group.create_task(_ask(page, headers))
        message, _ = await scene.listener.next(number)
        asking.cancel()
    return message.person.roles


async def _ask(page: aiohttp.ClientSession, headers: dict[str, str]) -> None:
    async with page.post("/api/chat", json={"text": "hi"}, headers=headers) as response:
        await response.read()


def _cookie(value: str) -> dict[str, str]:
    return {"Cookie": f"{SESSION_COOKIE}={value}"}


@pytest.mark.parametrize("token", ["", PAGES])
async def test_who_signs_in_with_the_owners_token_is_the_owner(token: str) -> None:
    async with web_scene(token=token, owner_token=OWNERS) as scene:
        cookie = await sign_in(scene, OWNERS)

        assert await read_roles(scene, **_cookie(cookie)) == {OWNER}
        assert await read_roles(scene, Authorization=f"Bearer {OWNERS}") == {OWNER}


async def test_who_signs_in_with_the_pages_token_is_not_the_owner() -> None:
    async with web_scene(token=PAGES, owner_token=OWNERS) as scene:
        cookie = await sign_in(scene, PAGES)

        assert await read_roles(scene, **_cookie(cookie)) == frozenset()
        assert await read_roles(scene, Authorization=f"Bearer {PAGES}") == frozenset()


async def test_without_a_token_of_the_page_others_come_in_but_do_not_own_it() -> None:
    async with web_scene(owner_token=OWNERS) as scene:
        assert await read_roles(scene) == frozenset()
        assert await read_roles(scene, Authorization="Bearer wrong") == frozenset()
        assert await sign_in(scene, "wrong") == ""


@pytest.mark.parametrize("token", ["", "wrong", PAGES])
async def test_where_there_is_no_owners_token_none_is_taken_for_it(token: str) -> None:
    async with web_scene(token=PAGES) as scene:
        cookie = await sign_in(scene, token)

        assert bool(cookie) == (token == PAGES)
        if cookie:
            assert await read_roles(scene, **_cookie(cookie)) == frozenset()


@pytest.mark.parametrize("renewed", ["another one", ""])
async def test_a_new_owners_token_ends_the_owners_session(renewed: str) -> None:
    cache = FakeCache()
    async with web_scene(cache, token=PAGES, owner_token=OWNERS, secret=secret) as scene:
        owners, others = await sign_in(scene, OWNERS), await sign_in(scene, PAGES)

    async with web_scene(cache, token=PAGES, owner_token=renewed, secret=secret) as scene:
        async with scene.page.get("/metrics", headers=_cookie(owners)) as response:
            assert response.status == 401
        assert await read_roles(scene, **_cookie(others)) == frozenset()


async def test_without_a_token_of_the_page_the_owners_cookie_only_loses_its_rights() -> None:
    cache = FakeCache()
    async with web_scene(cache, owner_token=OWNERS, secret=secret) as scene:
        owners = await sign_in(scene, OWNERS)

    async with web_scene(cache, owner_token="another one", secret=secret) as scene:
        assert await read_roles(scene, **_cookie(owners)) == frozenset()


async def test_a_cookie_cannot_be_made_the_owners() -> None:
    async with web_scene(token=PAGES, owner_token=OWNERS) as scene:
        cookie = await sign_in(scene, PAGES)
        forged = _cookie(f"{cookie}.owner")
        async with (
            aiohttp.ClientSession(await scene.chat.address()) as page,
            page.get("/metrics", headers=forged) as response,
        ):
            assert response.status == 401


async def test_signing_out_ends_the_owners_session() -> None:
    async with web_scene(owner_token=OWNERS) as scene:
        cookie = await sign_in(scene, OWNERS)
        async with scene.page.post("/logout", headers=_cookie(cookie), allow_redirects=False):
            pass

        assert await read_roles(scene, **_cookie(cookie)) == frozenset()


async def test_the_owners_cookie_is_no_other_session_if_it_is_cut() -> None:
    cache = FakeCache()
    async with web_scene(cache, token=PAGES, owner_token=OWNERS, secret=secret) as scene:
        cut = _cookie((await sign_in(scene, OWNERS)).removesuffix(".owner"))
        async with (
            aiohttp.ClientSession(await scene.chat.address()) as page,
            page.get("/metrics", headers=cut) as response,
        ):
            assert response.status == 401
