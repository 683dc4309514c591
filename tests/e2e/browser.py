"""A real browser, if one is installed."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DESK = (1280, 900)
PHONE = (390, 844)


def chromium() -> str:
    """The path of the browser. Without one the test is skipped, or fails in CI."""
    found = next((path for name in _NAMES if (path := shutil.which(name))), "")
    if not found and os.environ.get("CI") == "true":  # noqa: TID251 - not a setting of the program
        pytest.fail("continuous integration needs Chromium (Debian's package `chromium`)")
    if not found:
        pytest.skip("there is no Chromium here; install Debian's package `chromium` to run this")
    return found


async def until(page: Page, condition: str) -> None:
    """Wait for a condition in JavaScript, or a promise of it, where no text may run as code."""
    look = f"const look = async () => await ({condition}) ? done() : setTimeout(look, 20); look();"
    await page.evaluate(f"new Promise((done) => {{ {look} }})")


@dataclass
class Window:
    """A browser window and the problems reported in it."""

    page: Page
    problems: list[str] = field(default_factory=list)

    def note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.problems.append(message.text)

    @asynccontextmanager
    async def use(self, size: tuple[int, int] = DESK, *, dark: bool = False) -> AsyncIterator[Page]:
        """The page, without a cookie. Errors on it fail the test."""
        self.problems.clear()
        await self.page.set_viewport_size({"width": size[0], "height": size[1]})
        await self.page.emulate_media(color_scheme="dark" if dark else "light")
        try:
            yield self.page
        finally:
            await self.page.unroute_all()
            await self.page.context.clear_cookies()
        assert not self.problems, self.problems

    @asynccontextmanager
    async def open(
        self, address: str, size: tuple[int, int] = DESK, *, dark: bool = False
    ) -> AsyncIterator[Page]:
        """Our page at an address where nobody was before."""
        async with self.use(size, dark=dark) as page:
            await page.goto(address)
            await page.locator(".try").nth(2).wait_for()
            yield page
            await page.goto(f"{address}/healthz")  # about:blank would need a new process


@asynccontextmanager
async def open_browser(*more: str) -> AsyncIterator[Browser]:
    """A browser, with more arguments on its command line."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu", *more]
        )
        yield browser
        await browser.close()


@asynccontextmanager
async def open_window(browser: Browser, *, locale: str = "en-US") -> AsyncIterator[Window]:
    """A window with its own cookies: a new one costs more than most tests do in it."""
    context = await browser.new_context(locale=locale, reduced_motion="reduce")
    context.set_default_timeout(10_000)
    window = Window(await context.new_page())
    window.page.on("console", window.note)
    window.page.on("pageerror", lambda error: window.problems.append(str(error)))
    window.page.on("dialog", lambda dialog: window.problems.append(dialog.message))
    yield window
    await context.close()
