"""The drawing of what people see knows every kind of block and component."""

from collections.abc import AsyncIterator, Iterator

import discord
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page
from slack_sdk.models import blocks

from benchmarks.draw_blocks import TEMPLATE

pytestmark = pytest.mark.asyncio(loop_scope="session")

UNDRAWN = {"call", "file", "video", "auth_provider"}
"""Blocks of Slack that no app but its own can show, or that play what Troupe posts as a file."""
IN_TEXT = {"team", "usergroup", "broadcast", "color", "url"}


def _kinds(parent: type[object]) -> Iterator[str]:
    for child in parent.__subclasses__():
        if isinstance(kind := getattr(child, "type", None), str):
            yield kind
        yield from _kinds(child)


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    page = await browser.new_page()
    await page.goto(TEMPLATE.as_uri())
    yield page
    await page.close()


async def test_every_kind_that_the_libraries_know_is_drawn(page: Page) -> None:
    slack = {*_kinds(blocks.Block), *_kinds(blocks.BlockElement)}

    drawn = set(await page.evaluate("Object.keys(slack)"))
    components = set(await page.evaluate("Object.keys(discordKinds([]))"))

    assert slack - drawn <= UNDRAWN | IN_TEXT
    assert {str(kind.value) for kind in discord.ComponentType} == components


async def test_an_unknown_kind_is_a_red_box_with_its_name(page: Page) -> None:
    hologram = {"item": "message", "blocks": [{"type": "hologram"}]}

    await page.evaluate("(state) => draw('slack', [state])", {"title": "", "items": [hologram]})
    boxes = await page.locator(".unknown").all_text_contents()

    assert len(boxes) == 1
    assert "hologram" in boxes[0]
