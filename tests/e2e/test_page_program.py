import json
import re
import socket
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.browser import Window
from tests.e2e.forked import forked
from tests.e2e.visitor import planned, played, programs_stage
from tests.e2e.visits import LOADED
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.limit(120)
async def test_a_newcomer_with_no_key_hears_the_total_and_goes_on(
    window: Window, tmp_path: Path
) -> None:
    async with forked(tmp_path, TROUPE_WORKERS="1") as (_, address), window.open(address) as page:
        page.set_default_timeout(40_000)
        await page.get_by_role("button", name="Have an invoice read to you").click()
        await expect(page.locator(".run > .text")).to_contain_text("573.00", timeout=40_000)
        await page.locator(".run audio").evaluate(LOADED)
        assert await page.evaluate("document.querySelector('.run audio').duration") > 1
        await expect(page.locator(".plan .task.done")).to_have_count(2)

        await page.locator("#text").fill("Make the invoice a pencil sketch")
        await page.locator("#text").press("Enter")
        sketch = page.locator(".answer").last.locator("figure img")
        await expect(sketch).to_be_visible(timeout=40_000)
        assert await sketch.get_attribute("alt")
        words = await page.locator(".run > .text").all_inner_texts()

        await page.reload()
        await expect(page.locator(".run > .text")).to_have_count(2)
        assert await page.locator(".run > .text").all_inner_texts() == words
        await page.get_by_role("button", name="Details").last.click()
        await expect(page.locator(".panel").last).to_contain_text("image-to-image")
        await page.get_by_role("button", name="Retry").last.click()
        await expect(page.get_by_text("2 / 2")).to_be_visible()
        await expect(page.locator(".answer").last.locator("figure img")).to_be_visible()


@pytest.mark.limit(120)
async def test_a_step_is_looked_into_and_done_again_without_those_before_it(
    window: Window, tmp_path: Path
) -> None:
    async with forked(tmp_path, TROUPE_WORKERS="1") as (_, address), window.open(address) as page:
        page.set_default_timeout(40_000)
        await page.get_by_role("button", name="Have an invoice read to you").click()
        await expect(page.locator(".run > .text")).to_contain_text("573.00", timeout=40_000)
        await expect(page.locator(".plan .clock")).to_have_text(re.compile(r"\d"))
        took = await page.locator(".plan .clock").inner_text()
        await page.reload()
        await expect(page.locator(".plan .clock")).to_have_text(took)

        await page.locator(".run > .files .origin button").click()
        panel = page.locator(".step-panel")
        await expect(panel.locator("audio")).to_be_visible()
        await panel.get_by_role("button", name="from step 1").click()
        await expect(panel.get_by_role("img")).to_be_visible()
        await page.locator(".run > .files .origin button").click()
        await panel.get_by_role("button", name="Again from here").click()
        await expect(page.get_by_text("2 / 2")).to_be_visible()

        await expect(page.locator(".run > .text")).to_contain_text("573.00")
        await page.locator(".plan:not([open]) > summary").click()
        await expect(page.locator(".task").first).to_contain_text("earlier")
        await expect(page.locator(".task").last).not_to_contain_text("earlier")


async def test_a_page_that_was_open_when_the_program_was_killed_gets_its_answer(
    window: Window, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    plan = json.dumps([planned(0, "image-to-text", image="image 1")])
    async with played() as (llm, experts, addresses):
        llm.reply = lambda asked: plan if "response_format" in asked.body else "It is 573.00."
        experts.latency = 60.0
        settings = {**addresses, "TROUPE_WEB_PORT": port}
        async with window.use() as page:
            async with forked(tmp_path, **settings) as (_, address):
                await page.goto(address)
                await page.get_by_role("button", name="Have an invoice read to you").click()
                await expect(page.locator(".task.running")).to_be_visible(timeout=40_000)
                await expect(page).to_have_url(re.compile("#.{10}"))
            experts.latency = 0.0
            async with forked(tmp_path, **settings):
                await expect(page.locator(".run > .text")).to_contain_text("573.00", timeout=40_000)
                await expect(page.locator(".run")).to_have_count(1)


async def test_two_models_draw_the_same_and_a_vote_is_kept(window: Window, tmp_path: Path) -> None:
    async with programs_stage(tmp_path) as stage:
        stage.experts.kinds = {"org/one": "text-to-image", "org/two": "text-to-image"}
        stage.plans(planned(1, "text-to-image", text="a red barn"), reply="A barn.")
        async with window.open(stage.troupe.address) as page:
            page.set_default_timeout(40_000)
            await page.locator("#text").fill("Draw a red barn")
            await page.locator("#text").press("Enter")
            await expect(page.locator(".answer figure img")).to_be_visible()
            await page.get_by_role("button", name="Details").click()
            await page.get_by_label(english("button-choose")).select_option(label="org/two")
            await page.get_by_role("button", name="Try it").click()
            compared = page.locator(".answer").last
            await expect(compared.locator("figure img")).to_have_count(2)
            await page.get_by_role("button", name="B is better").click()
            await expect(page.locator("#told")).to_have_text(
                english("vote-compared", model="`org/two`")
            )
            await page.locator("#text").fill("model org/one")
            await page.locator("#text").press("Enter")
            await expect(page.locator(".answer").last).to_contain_text("👍 0, 👎 1")

    assert [asked.model for asked in stage.experts.asked] == ["org/one", "org/two"]
