"""The owner's pages in a browser: from a reference to the cause, and changes told before made."""

from dataclasses import replace

import pytest
from playwright.async_api import Page, expect

from pipeline.codec import dump
from pipeline.domain import (
    Apologised,
    Event,
    Finished,
    LocalizedText,
    ModelCall,
    Planned,
    RunState,
    SentPrompt,
    TaskId,
)
from tests.adapters.web.scene import WebScene, web_scene
from tests.contracts.messages import THREAD
from tests.contracts.runs import failed, run
from tests.e2e.accessibility import find_violations
from tests.e2e.browser import DESK, Window

pytestmark = pytest.mark.asyncio(loop_scope="session")

NARROW = (320, 640)
BROKEN = replace(
    run("0123abcd4567ef01", failed(), state=RunState.APOLOGISED),
    answer=None,
    error="ZeroDivisionError",
    trace="Traceback …\nZeroDivisionError: by nought\n",
    seconds={"queued": 0.5, "plan": 1.25},
    calls=(ModelCall("org/chat", took=1.0, prompt_tokens=100, completion_tokens=10, cost=0.01),),
)
_OUTSIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def keep_broken(scene: WebScene) -> None:
    sorry = Apologised(LocalizedText("apology-bug", {"reference": "0123abcd"}), "0123abcd")
    events = Planned(BROKEN.plan), Finished(TaskId(1), failed()), sorry
    store = scene.records.history
    stored = [(number, dump(event, Event)) for number, event in enumerate(events)]
    await store.keep(BROKEN, THREAD, None, stored)
    await store.keep(run("fedcba9876543210"), THREAD)
    await store.keep_prompts(BROKEN.id, [SentPrompt("org/chat", "--- user ---\nwhat?", "{}")])


async def check(page: Page) -> None:
    """Nothing sticks out, and everybody can use it."""
    assert await page.evaluate(_OUTSIDE) == 0
    assert await find_violations(page) == []


@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (NARROW, True)], ids=["desk", "narrow"])
async def test_a_reference_leads_to_the_cause(
    window: Window, size: tuple[int, int], *, dark: bool
) -> None:
    async with web_scene() as scene, window.use(size, dark=dark) as page:
        await keep_broken(scene)
        await page.goto(f"{await scene.chat.address()}/#/owner/runs")
        await expect(page.locator(".owner-table tbody tr")).to_have_count(2)
        await check(page)

        await page.get_by_role("searchbox").last.fill("0123abcd")
        await page.keyboard.press("Enter")

        await expect(page.get_by_role("heading", name="Run 0123abcd")).to_be_visible()
        await expect(page.get_by_text("ZeroDivisionError: by nought")).to_be_visible()
        await expect(page.locator(".graph .node")).to_have_count(1)
        await page.locator(".graph .node").press("Enter")
        await expect(page.locator(".step-panel .facts")).to_be_visible()
        await page.get_by_text("Prompt 1 to org/chat").press("Enter")
        await expect(page.get_by_text("what?")).to_be_visible()
        await check(page)
        await page.go_back()
        await expect(page.locator(".owner-table tbody tr")).to_have_count(2)


async def test_runs_are_found_by_filters_which_the_way_back_remembers(window: Window) -> None:
    async with web_scene() as scene, window.use() as page:
        await keep_broken(scene)
        await page.goto(f"{await scene.chat.address()}/#/owner/runs")
        await page.get_by_label("Failures only").check()
        await page.get_by_text("More filters").click()
        await page.get_by_label("Channel or thread").fill("C1")
        await page.get_by_role("button", name="Find").click()
        await expect(page.locator(".owner-table tbody tr")).to_have_count(1)
        await page.locator(".owner-table tbody tr a").click()
        await expect(page.get_by_role("heading", name="Run 0123abcd")).to_be_visible()

        await page.go_back()

        await expect(page.locator(".owner-table tbody tr")).to_have_count(1)
        await expect(page.get_by_label("Channel or thread")).to_have_value("C1")
        await page.get_by_role("link", name="Clear").click()
        await expect(page.locator(".owner-table tbody tr")).to_have_count(2)


async def test_settings_of_many_channels_are_changed_after_the_change_was_told(
    window: Window,
) -> None:
    async with web_scene() as scene, window.use(NARROW) as page:
        await page.goto(f"{await scene.chat.address()}/#/owner/channels")
        await page.get_by_label("Pick all 2").check()
        await page.get_by_label("New value").select_option("always")
        await page.get_by_role("button", name="Show what would change").click()
        await expect(page.get_by_text("One setting would change:")).to_be_visible()
        await check(page)
        assert scene.administration.channels["slack:T1:C2"].mention == ""

        await page.get_by_role("button", name="Change it").click()

        await expect(page.locator(".owner-table td .owner-chip")).to_have_count(2)
        assert scene.administration.channels["slack:T1:C2"].mention == "always"


async def test_what_is_due_is_swept_after_a_question(window: Window) -> None:
    async with web_scene() as scene, window.use(dark=True) as page:
        await page.goto(f"{await scene.chat.address()}/#/owner/storage")
        await page.get_by_role("button", name="Sweep now").click()
        await check(page)
        assert scene.administration.sweeps == 0

        await page.get_by_role("button", name="Delete", exact=True).click()

        await expect(page.get_by_text("Last swept from here")).to_be_visible()
        assert scene.administration.sweeps == 1


async def test_health_tells_what_goes_on_and_what_to_fix(window: Window) -> None:
    async with web_scene() as scene, window.use(NARROW) as page:
        await page.goto(f"{await scene.chat.address()}/#/owner")
        await expect(page.get_by_text("Troupe takes messages.")).to_be_visible()
        await expect(page.get_by_role("cell", name="not done")).to_be_visible()
        await page.get_by_role("button", name="Check everything now").click()
        await expect(page.locator(".owner-findings .owner-bad")).to_contain_text("mend it")
        await expect(page.get_by_text("0 of 1 kinds of tasks work")).to_be_visible()
        await check(page)


async def test_somebody_else_is_told_whose_pages_these_are(window: Window) -> None:
    async with web_scene(owner_token="the owner's own token") as scene, window.use() as page:
        await page.goto(f"{await scene.chat.address()}/#/owner/runs")

        await expect(page.get_by_role("alert")).to_contain_text("TROUPE_OWNER_TOKEN")
        await expect(page.get_by_role("link", name="Sign in")).to_be_visible()
