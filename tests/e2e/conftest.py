from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from tests.adapters.web.scene import web_scene
from tests.e2e.browser import Window, open_browser, open_window
from tests.e2e.visits import Visit


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with open_browser() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def window(browser: Browser) -> AsyncIterator[Window]:
    async with open_window(browser) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def visit(window: Window) -> AsyncIterator[Visit]:
    async with web_scene() as scene, window.open(await scene.chat.address()) as page:
        yield Visit(scene, page)
