"""A conversation is shared and taken along: by a link to read, and on another device."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.accessibility import find_violations
from tests.e2e.browser import Window, open_window
from tests.e2e.program import at_work
from tests.e2e.visitor import programs_stage
from tests.e2e.visits import Visit
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.limit(120)
async def test_a_link_to_read_is_made_and_taken_back(window: Window, tmp_path: Path) -> None:
    async with programs_stage(tmp_path, TROUPE_SHARING="on") as stage:
        stage.plans(reply="Once upon a time.")
        async with window.open(stage.troupe.address) as page:
            page.set_default_timeout(40_000)
            await page.locator("#text").fill("Tell me a story")
            await page.locator("#text").press("Enter")
            answer = page.locator(".run > .text")
            await expect(answer).to_contain_text("Once upon a time", timeout=40_000)
            await expect(page.get_by_role("button", name="Stop")).to_be_hidden()
            await page.get_by_role("button", name="More for “Tell me a story”").click()
            await page.get_by_role("button", name="Share", exact=True).click()
            dialog = page.get_by_role("dialog", name="Share")
            await dialog.get_by_label("The link works for").select_option("1")
            await dialog.get_by_role("button", name="Make a link").click()
            address = await dialog.get_by_role("textbox", name="Link").input_value()
            shared = await page.request.get(address)
            assert "Once upon a time" in await shared.text()
            reader = await page.context.new_page()
            await reader.goto(address)
            for theme in ("light", "dark"):
                await reader.emulate_media(color_scheme=theme)
                assert await find_violations(reader) == []
            await reader.close()

            await dialog.get_by_role("button", name="Take back").click()
            await expect(dialog.get_by_role("textbox", name="Link")).to_have_count(0)
            assert (await page.request.get(address)).status == 404


async def test_where_sharing_is_off_the_page_says_so(visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    await page.get_by_role("button", name="More for “Draw a cat”").click()
    await page.get_by_role("button", name="Share (off here)").click()
    dialog = page.get_by_role("dialog", name="Share")

    await expect(dialog.get_by_text(english("page-share-is-off"))).to_be_visible()
    await expect(dialog.get_by_role("button", name="Make a link")).to_have_count(0)


@pytest.mark.limit(120)
async def test_where_sharing_is_off_the_owner_turns_it_on(window: Window, tmp_path: Path) -> None:
    async with at_work(tmp_path / "home", folder=tmp_path) as troupe, window.use() as page:
        page.set_default_timeout(30_000)
        await page.goto(troupe.address)
        await page.locator("#text").fill("What is the sentiment of this? “Lovely.”")
        await page.locator("#text").press("Enter")
        await expect(page.locator(".run:not(.live)")).to_be_visible(timeout=30_000)
        await page.get_by_role("button", name="More for").click()
        await page.get_by_role("button", name="Share (off here)").click()
        await page.get_by_role("dialog", name="Share").get_by_role("link").click()
        await page.get_by_role("heading", name="Share").click()
        await page.get_by_role("button", name="Turn on sharing").click()
        await expect(page.get_by_text("In use now.")).to_be_visible(timeout=30_000)
        assert "TROUPE_SHARING=on" in (tmp_path / ".env").read_text()

        await page.get_by_role("button", name="More for").click()
        await page.get_by_role("button", name="Share", exact=True).click()
        dialog = page.get_by_role("dialog", name="Share")
        await dialog.get_by_role("button", name="Make a link").click()
        await expect(dialog).to_contain_text(english("page-address-here"))
        await page.goto("about:blank")


async def test_another_device_shows_the_same_conversations(browser: Browser, visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("button", name="Use on another device").click()
    dialog = page.get_by_role("dialog", name="Use on another device")
    address = await dialog.get_by_role("textbox", name="Link").input_value()
    await expect(dialog).to_contain_text(english("page-address-here"))

    async with open_window(browser) as phone:
        await phone.page.goto(address)
        await phone.page.get_by_role("button").click()
        await phone.page.get_by_role("link", name="Draw a cat").click()
        await expect(phone.page.locator(".run > .text")).to_have_text("A cat.")
        await phone.page.close()
