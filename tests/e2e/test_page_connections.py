"""Few connections, bad ones and many windows: nothing is stuck, and no message loses its place."""

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.visits import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

HIDE = """(is) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => is });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Hides or shows a tab: those of this browser are all seen at once."""


async def send(page: Page, text: str) -> None:
    await page.locator("#text").fill(text)
    await page.locator("#text").press("Enter")


def held_by(gate: asyncio.Event) -> Callable[[Route], Awaitable[None]]:
    """Requests wait for a gate to open."""

    async def wait(route: Route) -> None:
        await gate.wait()
        await route.continue_()

    return wait


@pytest.mark.limit(90)
async def test_many_runs_and_windows_leave_connections_for_all_else(visit: Visit) -> None:
    page = visit.page
    for number in range(8):
        await visit.send(f"Message {number}")
    windows = [await page.context.new_page() for _ in range(3)]
    for window in windows:
        await window.goto(page.url)
        await expect(window.locator(".said")).to_have_count(8)
    first, *_ = visit.scene.listener.received

    await visit.answer(first[1], "A cat.")
    for window in (page, *windows):
        await expect(window.locator(".run > .text")).to_have_text("A cat.", timeout=30_000)
    for window in windows:
        await window.close()


async def test_a_hidden_tab_holds_no_connection_and_misses_nothing(visit: Visit) -> None:
    page = visit.page
    async with page.expect_request(lambda request: "/events?" in request.url):
        run = await visit.send("Draw a cat")

    async with (
        page.expect_event("requestfailed", lambda request: request.url.endswith("/api/events")),
        page.expect_event("requestfailed", lambda request: run in request.url),
    ):
        await page.evaluate(HIDE, arg=True)
    await visit.answer(run, "A cat.")
    await page.evaluate(HIDE, arg=False)

    await expect(page.locator(".run > .text")).to_have_text("A cat.")
    await expect(page.locator(".problem")).to_have_count(0)


async def test_a_message_stays_behind_one_that_was_lost_on_its_way(visit: Visit) -> None:
    page, gate = visit.page, asyncio.Event()
    await visit.answer(await visit.send("Draw a cat"), "A cat.")

    async def lose(route: Route) -> None:
        await gate.wait()
        await route.abort()

    await page.route("**/api/chat", lose)
    await send(page, "Now a dog")
    await send(page, "And a bird")
    await expect(page.locator(".bubble")).to_have_text(["Draw a cat", "Now a dog", "And a bird"])
    gate.set()
    await expect(page.locator(".waiting")).to_have_count(2)
    await page.unroute("**/api/chat")
    await page.get_by_role("button", name="Send now").first.click()
    dog, run = await visit.scene.listener.next(2)
    bird, _ = await visit.scene.listener.next(3)

    assert [dog.text, bird.text] == ["Now a dog", "And a bird"]
    assert (dog.after, bird.after) == (visit.scene.listener.received[0][1], run)
    await expect(page.locator(".bubble")).to_have_text(["Draw a cat", "Now a dog", "And a bird"])


async def test_the_conversation_is_asked_for_once_before_the_page_is_there(visit: Visit) -> None:
    page, gate = visit.page, asyncio.Event()
    await visit.answer(await visit.send("Hello"), "Here I am.")
    await expect(page).to_have_url(re.compile("#.+"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.route("**/words/en/page.ftl", held_by(gate))

    async with page.expect_request("**/api/threads/*"):
        await page.reload(wait_until="commit")
    gate.set()

    await expect(page.locator(".run > .text")).to_have_text("Here I am.")
    await expect(page.get_by_role("link", name="Hello")).to_be_visible()
    assert len([url for url in asked if "/api/threads/" in url and "at=" not in url]) == 1


async def test_what_is_sent_before_the_conversation_is_shown_comes_at_its_end(visit: Visit) -> None:
    page, gate = visit.page, asyncio.Event()
    first = await visit.send("Draw a cat")
    await visit.answer(first, "A cat.")
    await expect(page.locator(".run > .text")).to_have_text("A cat.")

    sending = asyncio.Event()
    await page.route("**/api/threads/*", held_by(gate))
    await page.route("**/api/chat", held_by(sending))
    await page.reload()
    await send(page, "Now a dog")
    await send(page, "And a bird")
    gate.set()
    await expect(page.locator(".bubble")).to_have_text(["Draw a cat", "Now a dog", "And a bird"])
    sending.set()
    dog, run = await visit.scene.listener.next(2)
    bird, _ = await visit.scene.listener.next(3)

    assert (dog.after, bird.after) == (first, run)
    await expect(page.locator(".bubble")).to_have_text(["Draw a cat", "Now a dog", "And a bird"])


async def test_what_was_sent_while_the_conversation_was_read_anew_stays(visit: Visit) -> None:
    page, asked, gate = visit.page, asyncio.Event(), asyncio.Event()
    first = await visit.send("Draw a cat")
    await visit.answer(first, "A cat.")
    await expect(page.locator(".run > .text")).to_have_text("A cat.")

    async def be_late(route: Route) -> None:
        response = await route.fetch()
        asked.set()
        await gate.wait()
        await route.fulfill(response=response)

    await page.route("**/api/threads/*", be_late)
    feed, message = visit.scene.chat.state.feed, visit.scene.listener.received[0][0]
    feed.start_anew(message.thread.channel.workspace)
    await asked.wait()
    dog = await visit.send("Now a dog")
    await expect(page.get_by_role("button", name="Edit message")).to_have_count(2)
    async with page.expect_response("**/api/threads/*"):
        gate.set()
    await visit.send("And a bird")
    bird, _ = visit.scene.listener.received[2]

    assert bird.after == dog
    await expect(page.locator(".bubble")).to_have_text(["Draw a cat", "Now a dog", "And a bird"])
