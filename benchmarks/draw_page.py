"""Draws the web page as a person sees it: docs/page.png.

    python -m benchmarks.draw_page

Runs the whole program (`troupe run`) without any key, asks a few things on its page in Chromium,
and takes a picture of the last answer. Needs Debian's packages `chromium` and `fonts-liberation`.
"""

import argparse
import asyncio
import io
import tempfile
from http import HTTPStatus
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.async_api import FilePayload, Page, expect

from benchmarks.draw_blocks import DOCS, shrink
from tests.e2e.browser import open_browser
from tests.e2e.program import at_work

SIZE = {"width": 1280, "height": 860}
MILLISECONDS = 90_000
"""For an answer: the first request of a kind loads its models."""
EARLIER = (
    "Read the slogan aloud: Come and dance",
    'What is the sentiment? "The room was lovely."',
    "Say it in Spanish: Good morning",
    "Read aloud: The meeting is on Friday",
)
REQUEST = "Rotate it by 180 degrees, then read the text aloud"
INK = "#fdf8ee"
SIGN = "Boat tours at ten and two"
PAPER = "#0f6b62"
PIXELS = (440, 80)
ASK = """async (text) => {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ text });
  return (await fetch("/api/chat", { method: "POST", headers, body })).status;
}"""
SCROLL = "scrollBy(0, document.querySelector('.plan').getBoundingClientRect().top - 66)"
"""Brings the plan right below the page's header."""


def draw_sign() -> bytes:
    """A sign, upside down, as a PNG."""
    picture, file = Image.new("RGB", PIXELS, PAPER), io.BytesIO()
    width, height = PIXELS
    pen, middle = ImageDraw.Draw(picture), (width / 2, height / 2)
    pen.rounded_rectangle((6, 6, width - 7, height - 7), 12, outline=INK, width=3)
    pen.text(middle, SIGN, INK, ImageFont.load_default(30), anchor="mm")
    picture.rotate(180).save(file, "PNG")
    return file.getvalue()


async def ask(page: Page) -> None:
    """Fill the list of conversations, then ask for something that has several steps."""
    for text in EARLIER:
        assert await page.evaluate(ASK, text) == HTTPStatus.OK, text
    sign = FilePayload(name="sign.png", mimeType="image/png", buffer=draw_sign())
    await page.set_input_files("#picker", sign)
    await page.locator("#text").fill(REQUEST)
    await page.locator("#text").press("Enter")
    await expect(page.locator(".actions")).to_be_visible(timeout=MILLISECONDS)
    await expect(page.locator(".run audio")).to_be_visible(timeout=MILLISECONDS)
    await page.locator(".plan > summary").click()
    await page.locator(".graph > svg").wait_for()


async def draw() -> bytes:
    """The page, as a PNG."""
    with tempfile.TemporaryDirectory() as home:
        async with at_work(Path(home), folder=home) as program, open_browser() as browser:
            page = await browser.new_page(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
            page.set_default_timeout(MILLISECONDS)
            await page.goto(program.address)
            await page.locator(".try").nth(2).wait_for()
            await ask(page)
            await page.evaluate(SCROLL)
            await page.wait_for_timeout(500)
            return await page.screenshot()


async def main() -> None:
    path = DOCS / "page.png"
    path.write_bytes(shrink(await draw()))
    print(f"{path.name}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    asyncio.run(main())
