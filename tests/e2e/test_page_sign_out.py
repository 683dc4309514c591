"""A person signs out on the page: nothing of theirs stays in the browser."""

import pytest
from playwright.async_api import Page, expect

from tests.adapters.web.scene import web_scene
from tests.e2e.browser import Window, until
from tests.e2e.visits import Visit
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="session")

TOKEN = "correct horse battery staple"
DRAFTS = 'Object.keys(localStorage).filter((key) => key.startsWith("troupe-draft-"))'
FILES = """async () => {
    const kept = await import("/page/composer/kept.js");
    return (await kept.readAll("drafts")).length + (await kept.readAll("outbox")).length;
}"""


async def sign_in(page: Page, address: str) -> None:
    await page.goto(f"{address}/login")
    await page.locator("input").fill(TOKEN)
    await page.locator("input").press("Enter")
    await page.locator(".try").nth(2).wait_for()


async def test_who_signs_out_leaves_nothing_behind(window: Window) -> None:
    async with web_scene(token=TOKEN) as scene, window.use() as page:
        await sign_in(page, await scene.chat.address())
        await page.locator("#text").fill("My secret")
        file = {"name": "secret.txt", "mimeType": "text/plain", "buffer": b"mine"}
        await page.locator("#picker").set_input_files(file)  # type: ignore[arg-type]
        await until(page, f"({FILES})().then((count) => count > 0)")
        await page.get_by_role("button", name="Settings").click()
        await page.get_by_role("button", name="Sign out").click()
        dialog = page.get_by_role("dialog", name="Sign out")
        await expect(dialog.get_by_text(english("page-sign-out-unsent"))).to_be_visible()
        await dialog.get_by_role("button", name="Cancel").click()
        assert await page.locator("#text").input_value() == "My secret"

        await page.get_by_role("button", name="Settings").click()
        await page.get_by_role("button", name="Sign out").click()
        await dialog.get_by_role("button", name="Sign out").click()

        await expect(page.locator("input[name=token]")).to_be_visible()
        assert await page.evaluate(DRAFTS) == []
        await page.locator("input").fill(TOKEN)
        await page.locator("input").press("Enter")
        await page.locator(".try").nth(2).wait_for()
        assert await page.locator("#text").input_value() == ""
        assert await page.evaluate(FILES) == 0


async def test_it_is_said_before_that_conversations_are_not_shown_here_again(
    window: Window,
) -> None:
    async with web_scene(token=TOKEN) as scene, window.use() as page:
        await sign_in(page, await scene.chat.address())
        await page.get_by_role("button", name="Settings").click()
        await page.get_by_role("button", name="Sign out").click()
        dialog = page.get_by_role("dialog", name="Sign out")
        await expect(dialog.get_by_text(english("page-sign-out-means"))).to_be_visible()
        await expect(dialog.get_by_text(english("page-sign-out-unsent"))).to_have_count(0)
        await dialog.get_by_role("button", name="Sign out").click()
        await expect(page.locator("input[name=token]")).to_be_visible()
        async with scene.page.get("/api/threads") as response:
            assert response.status == 401


async def test_where_nobody_signed_in_nobody_signs_out(visit: Visit) -> None:
    await visit.page.get_by_role("button", name="Settings").click()
    await expect(visit.page.get_by_role("button", name="Keyboard shortcuts")).to_be_visible()
    await expect(visit.page.get_by_role("button", name="Sign out")).to_have_count(0)


async def test_the_draft_of_a_deleted_conversation_goes_with_it(visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    await page.locator("#text").fill("and a dog")
    assert len(await page.evaluate(DRAFTS)) == 1
    await page.get_by_role("button", name="More for “Draw a cat”").click()
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await until(page, f"!({DRAFTS}).length")
