"""Parts of the page by themselves: no more of it around them than its styles."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Page

from tests.adapters.web.scene import WebScene
from tests.e2e.browser import Window

_DRESS = """async () => {
    document.documentElement.lang = "en";
    document.title = "A part of the page";
    const page = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html");
    const meta = page.querySelector("meta[name=viewport]");
    const sheets = [...page.querySelectorAll("link[rel=stylesheet]")];
    document.body.replaceChildren();
    document.head.append(meta);
    await Promise.all(sheets.map(({ href }) => new Promise((done) => {
        const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
        link.onload = link.onerror = done;
        document.head.append(link);
    })));
}"""


async def dress(page: Page, address: str) -> None:
    """An empty page with the page's styles, and a session; anew, as after a reload."""
    await page.goto(f"{address}/healthz")
    await page.evaluate(_DRESS)


@asynccontextmanager
async def open_bare(window: Window, scene: WebScene) -> AsyncIterator[Page]:
    """A page for parts of ours. Errors on it fail the test."""
    address = await scene.chat.address()
    async with window.use() as page:
        await dress(page, address)
        yield page
        await page.goto(f"{address}/healthz")
