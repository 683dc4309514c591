"""Bad connections: no message loses its place."""

import asyncio

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.visits import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def send(page: Page, text: str) -> None:
    await page.locator("#text").fill(text)
    await page.locator("#text").press("Enter")


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


async def test_what_is_sent_before_the_conversation_is_shown_comes_at_its_end(visit: Visit) -> None:
    page, gate = visit.page, asyncio.Event()
    first = await visit.send("Draw a cat")
    await visit.answer(first, "A cat.")
    await expect(page.locator(".run > .text")).to_have_text("A cat.")

    async def wait(route: Route) -> None:
        await gate.wait()
        await route.continue_()

    await page.route("**/api/threads/*", wait)
    await page.reload()
    await send(page, "Now a dog")
    dog, _ = await visit.scene.listener.next(2)
    gate.set()

    assert dog.after == first
    await expect(page.locator(".bubble")).to_have_text(["Draw a cat", "Now a dog"])
