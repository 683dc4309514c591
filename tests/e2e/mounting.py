"""Parts of the page by themselves: no more of it around them than its styles."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page

from tests.adapters.web.scene import WebScene
from tests.e2e.browser import Window

_SHEETS = ("app.css", "media/media.css", "composer/composer.css", "run/run.css")
_DRESS = """async (sheets) => {
    document.documentElement.lang = "en";
    document.head.insertAdjacentHTML("beforeend", '<meta name="viewport" content="width=device-width">');
    document.body.replaceChildren();
    await Promise.all(sheets.map((name) => new Promise((done) => {
        const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `/page/${name}` });
        link.onload = link.onerror = done;
        document.head.append(link);
    })));
}"""  # noqa: E501


async def _undress(page: Page, address: str) -> None:
    """An empty page with the page's styles, which a session has."""
    await page.request.get(address)
    await page.goto(f"{address}/healthz")
    await page.evaluate(_DRESS, [*_SHEETS])


@asynccontextmanager
async def open_bare(window: Window, scene: WebScene) -> AsyncIterator[Page]:
    """A page for parts of ours. Errors on it fail the test."""
    address = await scene.chat.address()
    async with window.use() as page:
        await _undress(page, address)
        yield page
        await page.goto(f"{address}/healthz")
