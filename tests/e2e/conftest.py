from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from tests.adapters.web.scene import web_scene
from tests.e2e.browser import open_browser, open_window
from tests.e2e.visits import Visit


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser) -> AsyncIterator[Visit]:
    async with web_scene() as scene, open_window(browser, await scene.chat.address()) as window:
        yield Visit(scene, window.page)
