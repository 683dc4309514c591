"""The panel "Do more", in a browser, on the running program."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from adapters.slack.connecting.manifest import SCOPES
from tests.e2e.accessibility import find_violations
from tests.e2e.browser import Window
from tests.e2e.program import at_work
from tests.servers.openai import OpenAiServer, openai_at_work
from tests.servers.openai.server import Asked
from tests.servers.slack import SlackServer
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="session")

KEY = "sk-a-key-of-a-test-123"
SMALL = {"width": 320, "height": 640}


def _reply(asked: Asked) -> str:
    return '{"tasks": []}' if "response_format" in asked.body else "Roses are red."


async def _say(page: Page, text: str) -> None:
    await page.locator("#text").fill(text)
    await page.locator("#text").press("Enter")


@pytest.mark.limit(120)
async def test_a_key_is_pasted_works_within_seconds_and_is_undone(
    window: Window, tmp_path: Path
) -> None:
    async with (
        openai_at_work(OpenAiServer(reply=_reply)) as model,
        at_work(tmp_path / "home", folder=tmp_path) as troupe,
        window.use() as page,
    ):
        page.set_default_timeout(30_000)
        await page.goto(troupe.address)
        await _say(page, "Write a poem about roses")
        await page.locator(".answer").get_by_role("link").click()  # it leads to the panel
        await expect(page.get_by_role("heading", level=1)).to_be_focused()

        await page.get_by_role("textbox", name="Key").fill(KEY)
        await page.get_by_role("button", name="Check and use").first.click()
        await expect(page.get_by_text(english("setup-whose-key"))).to_be_visible()
        await page.get_by_role("combobox", name="Service").select_option("other")
        await page.get_by_label("Address of the server").fill(model.base)
        await page.get_by_role("button", name="Check and use").first.click()
        await expect(page.get_by_text("In use now.")).to_be_visible(timeout=30_000)
        await expect(page.get_by_role("textbox", name="Key")).to_have_value("")
        assert KEY in (tmp_path / ".env").read_text()
        assert KEY not in await page.content()
        assert await find_violations(page) == []

        await page.get_by_role("link", name=english("page-setup-ask-again")).click()
        await expect(page.get_by_text("Write a poem about roses").first).to_be_visible()
        await _say(page, "Write a poem about roses")
        await expect(page.locator(".answer").last).to_contain_text("Roses are red.")

        await page.goto(f"{troupe.address}/#/setup")
        await page.get_by_role("button", name="Undo").click()
        await expect(page.get_by_text(english("setup-llm-off"))).to_be_visible(timeout=30_000)
        await expect(page.get_by_role("button", name="Undo")).to_have_count(0)
        await expect(page.locator(".setup-good")).to_have_text(english("page-setup-undone"))
        assert not (tmp_path / ".env").exists()
        await page.goto("about:blank")


@pytest.mark.limit(120)
async def test_slack_is_connected_step_by_step_on_a_small_screen(
    window: Window, tmp_path: Path
) -> None:
    async with (
        SlackServer() as slack,
        at_work(tmp_path / "home", folder=tmp_path, SLACK_API_BASE_URL=slack.api) as troupe,
        window.use(dark=True) as page,
    ):
        page.set_default_timeout(30_000)
        await page.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
        slack.calls.granted = set(SCOPES)
        await page.goto(f"{troupe.address}/#/setup")
        await page.get_by_role("heading", name="Slack").click()
        link = page.get_by_role("link", name="Create the Slack app")
        assert "manifest_json=" in str(await link.get_attribute("href"))

        await page.get_by_label("Bot token").first.fill(slack.bot_token)
        await page.get_by_role("button", name="Check", exact=True).click()
        scopes = english("doctor-slack-scopes-good", count=len(SCOPES))
        await expect(page.get_by_text(scopes)).to_be_visible()
        await page.get_by_label("App token").fill(slack.app_token)
        await page.get_by_role("button", name="Check and connect").first.click()
        await expect(page.get_by_text("In use now.")).to_be_visible(timeout=30_000)
        await expect(page.get_by_text(english("setup-slack-on"))).to_be_visible()

        assert await page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
        assert await find_violations(page) == []
        await page.goto("about:blank")
