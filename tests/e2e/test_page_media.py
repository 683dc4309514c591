"""Files on the page: pictures, players, tables, texts and cards, in a real browser."""

import io
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image
from playwright.async_api import Page, expect

from tests.adapters.web.scene import WebScene, web_scene
from tests.contracts.test_chat import PNG, WAV
from tests.e2e.accessibility import find_violations
from tests.e2e.browser import DESK, PHONE, Window
from tests.e2e.mounting import open_bare

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOUNT = """async ({ files, run }) => {
    const { html, render } = await import("/page/view.js");
    const { Files, SentFiles } = await import("/page/media/figure.js");
    const { dressCode } = await import("/page/media/code.js");
    const main = document.createElement("main");
    document.body.replaceChildren(main);
    render(html`<${SentFiles} files=${files} /><${Files} files=${files} run=${run} />`, main);
    const text = document.createElement("div");
    text.className = "text";
    text.innerHTML = "<pre><code>print(1)\\n</code></pre>";
    main.append(text);
    dressCode(text);
    dressCode(text);
}"""
"""Shows files as the page does, with nothing around them."""
SALES = "Region;Umsatz;Datum\nNord;1.200,50;03.02.2026\nSüd;90,00;12.01.2026\nOst;;01.12.2025\n"
CELLS = "(rows) => rows.map((row) => row.cells[0].innerText)"


@pytest_asyncio.fixture(loop_scope="session")
async def scene(window: Window) -> AsyncIterator[WebScene]:
    async with web_scene() as opened, open_bare(window, opened) as page:
        await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield opened


async def keep(scene: WebScene, name: str, media_type: str, data: bytes) -> dict[str, Any]:
    url = f"/files/{await scene.keep(data)}/{name}"
    about = {"name": name, "media_type": media_type, "url": url, "size": len(data)}
    return {**about, "alt": f"what is in {name}", "model": "some/model"}


async def show(page: Page, *files: dict[str, Any], run: str = "") -> None:
    await page.evaluate(MOUNT, {"files": files, "run": run})


async def test_pictures_open_large_and_are_walked_through(window: Window, scene: WebScene) -> None:
    page = window.page
    names = ("one.png", "two.png")
    files = [await keep(scene, name, "image/png", PNG) for name in names]
    await show(page, *files)
    opener = page.locator(".files a.picture").first
    await opener.press("Enter")
    box = page.get_by_role("dialog", name="one.png")
    await expect(box).to_contain_text("Picture 1 of 2")
    await expect(box.locator(".lightbox-alt")).to_have_text("what is in one.png")
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("dialog", name="two.png")).to_be_visible()
    await page.get_by_role("button", name="Next picture").click()
    await expect(box).to_be_visible()

    image = page.locator(".lightbox-stage img")
    await page.keyboard.press("+")
    await page.keyboard.press("ArrowRight")
    await expect(image).to_have_attribute("style", "transform: translate(-80px, 0px) scale(1.5);")
    await image.hover()
    await page.mouse.wheel(0, -400)
    await expect(image).not_to_have_attribute("style", re.compile(r"scale\(1\.5\)"))
    await page.keyboard.press("0")
    await expect(image).to_have_attribute("style", "transform: translate(0px, 0px) scale(1);")
    async with page.expect_download() as saving:
        await box.get_by_role("link", name="Download one.png").click()
    assert (await saving.value).suggested_filename == "one.png"

    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await expect(opener).to_be_focused()


async def test_a_large_picture_is_moved_by_mouse_and_fingers(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    large = io.BytesIO()
    Image.new("RGB", (600, 400), "teal").save(large, "PNG")
    names = ("one.png", "two.png")
    await show(page, *[await keep(scene, name, "image/png", large.getvalue()) for name in names])
    await page.locator(".files a.picture").first.click()
    image = page.locator(".lightbox-stage img")
    await image.click()
    await image.dblclick()
    await expect(image).to_have_attribute("style", re.compile(r"scale\(2\.5\)"))
    await page.mouse.move(640, 450)
    await page.mouse.down()
    await page.mouse.move(700, 480)
    await page.mouse.up()
    await expect(image).to_have_attribute("style", re.compile(r"translate\(60px, 3"))
    await page.keyboard.press("0")
    await page.evaluate(PINCH)
    await expect(image).to_have_attribute("style", re.compile(r"scale\((2|1\.9)"))
    await page.keyboard.press("0")
    await page.mouse.move(640, 450)
    await page.mouse.down()
    await page.mouse.move(500, 455)
    await page.mouse.up()
    await expect(page.get_by_role("dialog", name="two.png")).to_be_visible()
    await page.mouse.click(60, 700)

    await expect(page.get_by_role("dialog")).to_have_count(0)


PINCH = """() => {
    const stage = document.querySelector(".lightbox-stage");
    stage.setPointerCapture = () => {}; // these fingers are not real
    const touch = (name, pointerId, clientX) => {
        const where = { clientX, clientY: 450, bubbles: true, pointerType: "touch" };
        stage.dispatchEvent(new PointerEvent(name, { pointerId, ...where }));
    };
    touch("pointerdown", 11, 590);
    touch("pointerdown", 12, 690);
    touch("pointermove", 11, 540);
    touch("pointermove", 12, 740);
    touch("pointerup", 11, 540);
    touch("pointerup", 12, 740);
}"""
"""Two fingers, twice as far from each other in the end."""


async def test_a_table_sorts_pages_and_is_copied(window: Window, scene: WebScene) -> None:
    page = window.page
    await show(page, await keep(scene, "sales.csv", "text/csv", SALES.encode()))
    rows = page.locator(".preview tbody tr")
    await expect(rows).to_have_count(3)
    amount = page.get_by_role("button", name="Umsatz")
    await amount.click()
    assert await rows.evaluate_all(CELLS) == ["Süd", "Nord", "Ost"]
    await amount.click()
    assert await rows.evaluate_all(CELLS) == ["Nord", "Süd", "Ost"]
    await expect(page.get_by_role("columnheader", name="Umsatz")).to_have_attribute(
        "aria-sort", "descending"
    )
    await page.get_by_role("button", name="Datum").click()
    assert await rows.evaluate_all(CELLS) == ["Ost", "Süd", "Nord"]

    await page.get_by_role("button", name="Copy as CSV").click()
    await expect(page.locator(".preview").get_by_role("status")).to_have_text("Copied")
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.split("\r\n")[:2] == ["Region,Umsatz,Datum", "Ost,,01.12.2025"]
    assert copied.endswith('Nord,"1.200,50",03.02.2026')


async def test_a_long_table_is_paged_and_says_that_it_goes_on(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    lines = "".join(f'{number},"quoted ""{number}"", with\nbreak"\n' for number in range(6_000))
    await show(page, await keep(scene, "long.csv", "text/csv", f"n,words\n{lines}".encode()))
    await expect(page.get_by_text("Rows 1\u201310 of 5,000")).to_be_visible()
    await expect(page.get_by_text("Only the first 5,000 rows")).to_be_visible()
    await expect(page.locator(".preview td").nth(1)).to_have_text('quoted "0", with\nbreak')
    await page.get_by_role("button", name="Next page").click()

    await expect(page.get_by_text("Rows 11\u201320 of 5,000")).to_be_visible()


async def test_rows_of_json_are_a_table_and_other_texts_are_shown(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await show(
        page,
        await keep(scene, "rows.json", "application/json", b'[{"a": 1, "b": "x"}, {"a": 2}]'),
        await keep(scene, "deep.json", "application/json", b'{"a": [1, <b>]}'),
        await keep(scene, "notes.txt", "text/plain", b"<b>first line</b>\n" * 5_000),
    )

    await expect(page.locator(".preview td")).to_have_text(["1", "x", "2", ""])
    await expect(page.locator(".text-preview").first).to_have_text('{"a": [1, <b>]}')
    await expect(page.locator(".text-preview").last).to_contain_text("<b>first line</b>")
    await expect(page.get_by_text("This is only the beginning")).to_be_visible()


async def test_what_cannot_be_shown_says_so_and_can_still_be_saved(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await show(
        page,
        await keep(scene, "bad.png", "image/png", b"no picture"),
        await keep(scene, "bad.wav", "audio/wav", b"no sound"),
        {"name": "gone.csv", "media_type": "text/csv", "url": f"/files/{'0' * 64}/x", "size": 3},
    )

    await expect(page.locator(".files").get_by_text("could not be shown here")).to_have_count(3)
    for name in ("bad.png", "bad.wav", "gone.csv"):
        saving = page.locator(".files").get_by_role("link", name=f"Download {name}")
        await expect(saving).to_be_visible()
    await page.route("**/x", lambda route: route.fulfill(body="a,b\n1,2"))
    await page.get_by_role("button", name="Retry").click()
    await expect(page.locator(".preview td")).to_have_text(["1", "2"])


async def test_a_table_that_would_take_forever_is_shown_all_the_same(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    cell = f"1{' ' * 1_000_000}x"
    names = json.dumps([{f"name {number}": 1} for number in range(4000)])
    await show(
        page,
        await keep(scene, "cells.csv", "text/csv", f"a,b\n{cell},2".encode()),
        await keep(scene, "names.json", "application/json", names.encode()),
    )

    await expect(page.locator(".preview td").nth(1)).to_have_text("2")
    await expect(page.locator(".preview pre")).to_contain_text('"name 0"')


async def test_a_block_of_code_is_copied(window: Window, scene: WebScene) -> None:
    page = window.page
    await show(page)
    await page.get_by_role("button", name="Copy this block").click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()

    assert await page.evaluate("navigator.clipboard.readText()") == "print(1)\n"


@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (PHONE, True), ((320, 568), False)])
async def test_files_fit_and_can_be_touched(
    window: Window, scene: WebScene, size: tuple[int, int], *, dark: bool
) -> None:
    page = window.page
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.emulate_media(color_scheme="dark" if dark else "light")
    long = "a-very-long-name-" * 12
    wide = ",".join(f"column {number}" for number in range(30))
    files = [
        await keep(scene, f"{long}.png", "image/png", PNG),
        await keep(scene, f"{long}2.png", "image/png", PNG),
        await keep(scene, f"{long}.wav", "audio/wav", WAV),
        await keep(scene, f"{long}.csv", "text/csv", f"{wide}\n{wide}".encode()),
        await keep(scene, f"{long}.txt", "text/plain", long.encode() * 20),
        await keep(scene, f"{long}.pdf", "application/pdf", b"%PDF-1.7\n"),
        await keep(scene, f"{long}.docx", "application/x-docx", b"PK"),
    ]
    await show(page, *files, run="run-1")
    await expect(page.get_by_role("link", name="Download all 7 files")).to_be_visible()
    for preview in await page.locator(".preview").all():
        await preview.scroll_into_view_if_needed()
    await page.locator(".preview table").wait_for()

    assert await page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert await page.evaluate(SMALL) == []
    await page.evaluate(NAME_PAGE)
    assert await find_violations(page) == []
    await page.locator(".files a.picture").first.click()
    await expect(page.get_by_role("dialog")).to_be_visible()
    assert await page.evaluate(SMALL) == []
    assert await find_violations(page) == []


NAME_PAGE = "document.title = 'Files'"
SMALL = """() => {
    const within = document.querySelector("dialog[open]") ?? document;
    const all = [...within.querySelectorAll("button, .button, summary")].filter((each) => each.checkVisibility());
    const boxes = all.map((each) => [each.getAttribute("aria-label") ?? each.innerText, each.getBoundingClientRect()]);
    return boxes.filter(([, { width, height, left, right }]) => width < 36 || height < 36 || left < 0 || (right > innerWidth && !within.querySelector("th")))
        .map(([name]) => name);
}"""  # noqa: E501
"""Controls that are too small to touch, or stick out."""
