import pytest
from playwright.async_api import FilePayload, Page, expect

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    Apologised,
    Attempt,
    Comparison,
    Done,
    Failed,
    FellBack,
    Finished,
    LocalizedText,
    Output,
    Plan,
    Planned,
    Reply,
    Select,
    SelectOption,
    Text,
)
from tests.adapters.web.scene import web_scene
from tests.contracts.test_chat import PNG, WAV
from tests.e2e.accessibility import find_violations
from tests.e2e.browser import DESK, PHONE, Window, until
from tests.e2e.visits import READ, READER, SPEAK, Visit, a_file
from tests.fakes.places import EMBEDDED, HOSTED
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOW = (320, 256)  # a window of 1280 x 1024 at 400 %
LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 6
TABLE = f"| Region | Units | Price | {LONG} |\n|---|--:|:-:|---|\n| North | 120 | cheap | many words |\n"  # noqa: E501
TEXT = f"# Title\n\n{LONG}\n\n{TABLE}\n\n```\n{LONG}\n```\n\n> quoted\n\n- [link](https://a.example/)\n\nשמש חמה"  # noqa: E501


@pytest.mark.parametrize(("size", "dark"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
async def test_it_fits_and_can_be_read(
    window: Window, size: tuple[int, int], *, dark: bool
) -> None:
    async with (
        web_scene() as scene,
        window.open(await scene.chat.address(), size, dark=dark) as page,
    ):
        visit = Visit(scene, page)
        await _check(page)
        recording = FilePayload(name="said.wav", mimeType="audio/wav", buffer=WAV)
        await page.set_input_files("#picker", recording)
        run = await visit.send(f"Look at {LONG}")
        files = [
            await a_file(scene, f"{LONG[:60]}.wav", "audio/wav", WAV),
            await a_file(scene, f"{LONG[:60]}.png", "image/png", PNG),
            await a_file(scene, f"{LONG[:60]}.csv", "text/csv", b"a,b"),
        ]
        failed = LocalizedText("task-too-long", {"seconds": 60})
        answer = Answer(run, TEXT, files=tuple(files), notices=(failed,))
        tried = Attempt(model="some/model", place=HOSTED, took=0.1, error=failed)
        await visit.tell(
            run,
            Planned(Plan((READ, SPEAK))),
            FellBack(SPEAK.id, tried),
            Finished(SPEAK.id, Failed(failed, (tried,))),
            Answered(answer),
        )
        await expect(page.locator(".actions")).to_be_visible()
        await expect(page.locator(".plan .fault")).to_have_text("1 failed")
        await expect(page.locator(".plan .more")).to_have_count(2)
        await expect(page.locator(".plan .more").last).to_be_hidden()
        await page.locator(".plan summary").click()
        await expect(page.locator(".plan .more p")).to_have_count(1)
        scene.listener.reply = Reply(TABLE)
        await page.get_by_role("button", name="Details").press("Enter")
        await expect(page.locator(".panel table")).to_be_visible()
        await _check(page)
        run = await visit.send("again")
        await visit.tell(run, Apologised(failed, "R-1"))
        await expect(page.get_by_text("R-1")).to_be_visible()
        await _check(page)


@pytest.mark.parametrize(("size", "dark"), [(DESK, True), (PHONE, False)], ids=["desk", "phone"])
async def test_a_choice_of_models_and_a_comparison_fit(
    window: Window, size: tuple[int, int], *, dark: bool
) -> None:
    async with (
        web_scene() as scene,
        window.open(await scene.chat.address(), size, dark=dark) as page,
    ):
        visit = Visit(scene, page)
        run = await visit.send("Draw a cat")
        files = [await a_file(scene, f"{letter}-cat.png", "image/png", PNG) for letter in "AB"]
        comparison = Comparison("text-to-image", "one", "two")
        answer = Answer(run, TEXT, files=tuple(files), comparison=comparison)
        await visit.tell(run, Planned(Plan((READ, SPEAK))), Answered(answer))
        options = (SelectOption("1 x", "org/two", "1 Drawing"), SelectOption("2 x", LONG, LONG))
        scene.listener.reply = Reply("The plan", select=Select(Action.CHOOSE, run, options))
        await expect(page.get_by_role("button", name="A is better")).to_be_visible()
        await until(page, "[...document.images].every((each) => each.complete)")
        await page.get_by_role("button", name="Details").press("Enter")
        await expect(page.locator(".panel select")).to_be_visible()
        await _check(page)


async def test_in_a_low_window_the_message_box_covers_nothing(window: Window) -> None:
    async with web_scene() as scene, window.open(await scene.chat.address(), LOW) as page:
        fixed = "getComputedStyle(document.querySelector('.dock')).position"
        assert await page.evaluate(fixed) == "static"
        assert await page.evaluate("scrollY") == 0
        await page.locator("#text").fill("Hello")
        await expect(page.locator("#text")).to_be_in_viewport()
        await _check(page)


async def test_where_the_system_sets_colours_states_are_told_by_lines(window: Window) -> None:
    async with web_scene() as scene, window.open(await scene.chat.address()) as page:
        await page.emulate_media(forced_colors="active")
        visit = Visit(scene, page)
        run = await visit.send("Read it")
        await visit.tell(run, Planned(Plan((READ, SPEAK))), Answered(Answer(run, TEXT)))
        await page.locator(".plan > summary").click()
        await page.locator("#text").focus()
        outline = "(e) => getComputedStyle(e).outlineStyle"
        for told in (".composer", '.looks [aria-pressed="true"]', ".entry.current"):
            assert await page.locator(told).evaluate(outline) == "solid", told
        assert await page.locator('.looks [aria-pressed="false"]').evaluate(outline) == "none"
        await page.emulate_media(forced_colors="none")


async def test_headings_lead_through_a_conversation(window: Window) -> None:
    async with web_scene() as scene, window.open(await scene.chat.address()) as page:
        visit = Visit(scene, page)
        read = Done(Output({"text": Text("Total 5")}), took=0.4, model=READER, place=EMBEDDED)
        for text in ("Read it", "Again"):
            run = await visit.send(text)
            answer = Answered(Answer(run, TEXT))
            await visit.tell(run, Planned(Plan((READ,))), Finished(READ.id, read), answer)
            await expect(page.locator(".origins")).to_have_count(1 + (text == "Again"))
        await page.locator(".origins button").last.click()
        await expect(page.locator(".step-panel h3")).to_be_visible()
        levels = (
            "[...document.querySelectorAll('main :is(h2, h3), .top h1')].map((e) => e.innerText)"
        )
        said = ["You said", "Troupe answered"]
        assert await page.evaluate(levels) == [
            "Read it",
            *said,
            *said,
            "Step 1: Reading the text in a picture done",
        ]
        assert await find_violations(page, "heading-order", "page-has-heading-one") == []

        await page.goto(f"{await scene.chat.address()}/#/owner")
        await expect(page).to_have_title("Owner's pages · Troupe")
        await expect(page.get_by_role("heading", level=1)).to_have_count(1)
        await expect(page.locator(".top .title")).to_be_empty()


async def _check(page: Page) -> None:
    """Nothing overflows or wraps badly, all controls have a name and size, contrast is WCAG AA."""
    found = await page.evaluate(_FAULTS)
    assert found == []
    assert await find_violations(page) == []


_FAULTS = """() => {
    const faults = [];
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide > 0) faults.push(`sticks out by ${wide} px`);
    const parse = (colour) => {
        const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return { rgb: [r, g, b], a: a / 255 };
    };
    const light = (rgb) => {
        const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (at) => {
        for (let e = at; e; e = e.parentElement) {
            const { rgb, a } = parse(getComputedStyle(e).backgroundColor);
            if (a > 0.8) return rgb;
        }
        return [255, 255, 255];
    };
    const seen = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(".unseen, .skip");
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
        const e = node.parentElement;
        if (!node.data.trim() || !seen(e) || ["SCRIPT", "NOSCRIPT"].includes(e.tagName)) continue;
        const [a, b] = [light(parse(getComputedStyle(e).color).rgb), light(ground(e))].sort((x, y) => y - x);
        const contrast = (a + 0.05) / (b + 0.05);
        if (contrast < 4.5) faults.push(`contrast ${contrast.toFixed(2)}: ${node.data.trim().slice(0, 40)}`);
    }
    for (const e of document.querySelectorAll(".composer, .search, input:not(.themes input, .search input), select")) {
        if (!seen(e) || ["checkbox", "file", "radio"].includes(e.type)) continue;
        const [a, b] = [light(parse(getComputedStyle(e).borderTopColor).rgb), light(ground(e.parentElement))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 3) faults.push(`edge ${((a + 0.05) / (b + 0.05)).toFixed(2)}: ${e.outerHTML.slice(0, 60)}`);
    }
    const lines = (e) => {
        const range = document.createRange();
        range.selectNodeContents(e);
        return new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size;
    };
    for (const e of document.querySelectorAll("th, td")) {
        if (seen(e) && /^\\S{2,8}$/.test(e.innerText) && lines(e) > 1) faults.push(`broken apart: ${e.innerText}`);
    }
    for (const e of document.querySelectorAll("audio, video, img")) {
        if (seen(e) && e.getBoundingClientRect().width < 20) faults.push(`no size: ${e.outerHTML.slice(0, 80)}`);
    }
    for (const e of document.querySelectorAll(".text p")) {
        const range = document.createRange();
        range.selectNodeContents(e);
        const away = e.getBoundingClientRect().right - range.getBoundingClientRect().right;
        if (/^[\\u0590-\\u06ff]/.test(e.innerText) && away > 2) faults.push(`not from the right: ${e.innerText}`);
    }
    for (const e of document.querySelectorAll("button, a, input, textarea, audio, video, img")) {
        const name = e.getAttribute("aria-label") ?? e.getAttribute("alt") ?? e.labels?.[0]?.innerText ?? (e.innerText.trim() || e.querySelector("img")?.alt);
        const hidden = e.closest("[aria-hidden]") || (e.tagName === "IMG" && e.alt === "");
        if (seen(e) && !hidden && !name?.trim()) faults.push(`no name: ${e.outerHTML.slice(0, 80)}`);
    }
    return faults;
}"""  # noqa: E501


async def test_a_part_that_does_not_load_says_so_and_is_tried_again(visit: Visit) -> None:
    page = visit.page
    await page.route("**/shortcut_list.js*", lambda route: route.abort())
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("button", name="Keyboard shortcuts").click()
    await expect(page.get_by_role("alert")).to_contain_text(english("page-part-away"))

    await page.unroute("**/shortcut_list.js*")
    await page.get_by_role("button", name="Try again").click()

    await expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
