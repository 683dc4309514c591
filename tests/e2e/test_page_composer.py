"""The message box by itself, in a real browser: it sends by the outbox, as the page does."""

import asyncio
import base64
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, FilePayload, Page, Route, expect

from pipeline.errors import OverLimit
from tests.adapters.web.scene import WebScene, web_scene
from tests.contracts.test_chat import PNG
from tests.e2e.accessibility import find_violations
from tests.e2e.browser import DESK, PHONE, Window, open_browser, open_window
from tests.e2e.mounting import dress, open_bare
from tests.e2e.visits import Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOUNT = """async ({ thread, busy }) => {
    const { html, render } = await import("/page/view.js");
    const { Composer } = await import("/page/composer/composer.js");
    const { Outgoing } = await import("/page/composer/outgoing.js");
    const { formOf, upload } = await import("/page/composer/upload.js");
    const place = document.createElement("div");
    document.body.replaceChildren(place);
    const stop = () => (window.stopped = true);
    window.show = (thread) => render(html`
        <main><${Outgoing} thread=${thread} /></main>
        <div class="dock">
            <${Composer} thread=${thread} onsend=${send(thread)} busy=${busy} onstop=${stop} />
        </div>`, place);
    const send = (thread) => async (message) => {
        const headers = { "Idempotency-Key": message.key };
        const told = await upload(formOf({ ...message, thread }), { headers, ...message });
        document.body.dataset.run = told.run;
        window.show(told.thread);
        return told;
    };
    window.show(thread);
}"""
"""Shows the box as the page does; the conversation gets its name by the first message."""
DROP = """([type, data]) => {
    const carried = new DataTransfer();
    const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
    carried.items.add(new File([bytes], "image.png", { type: "image/png" }));
    const about = { bubbles: true, cancelable: true };
    const event = type === "paste"
        ? new ClipboardEvent(type, { ...about, clipboardData: carried })
        : new DragEvent(type, { ...about, dataTransfer: carried });
    document.body.dispatchEvent(event);
}"""
PASTE = """(text) => {
    const carried = new DataTransfer();
    carried.setData("text/plain", text);
    const box = document.querySelector("#text");
    box.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData: carried }));
    box.focus();
    document.execCommand("insertText", false, text);
}"""
TOO_SMALL = """() => [...document.querySelectorAll("button")]
    .filter((each) => each.checkVisibility())
    .filter((each) => {
        const { width, height, left, right } = each.getBoundingClientRect();
        return width < 24 || height < 24 || left < 0 || right > innerWidth;
    }).map((each) => each.outerHTML.slice(0, 80))"""


@pytest_asyncio.fixture(loop_scope="session")
async def scene(window: Window) -> AsyncIterator[WebScene]:
    async with web_scene(max_files=4, max_file=5_000_000) as opened, open_bare(window, opened):
        await mount(window.page)
        yield opened
        await forget(window.page)


async def mount(page: Page, thread: str = "", *, busy: bool = False) -> None:
    await page.evaluate(MOUNT, {"thread": thread, "busy": busy})
    await page.locator("#text").wait_for()


async def reload(window: Window, scene: WebScene, thread: str = "") -> None:
    """The page anew, as after a reload."""
    await dress(window.page, await scene.chat.address())
    await mount(window.page, thread)


async def forget(page: Page) -> None:
    await page.evaluate("import('/page/composer/kept.js').then((kept) => kept.forgetKept())")


def file(name: str, size: int = 3) -> FilePayload:
    return FilePayload(name=name, mimeType="text/plain", buffer=b"x" * size)


async def test_words_and_files_from_everywhere_are_sent(window: Window, scene: WebScene) -> None:
    page = window.page
    await expect(page.get_by_role("button", name="Send", exact=True)).to_be_disabled()
    await page.set_input_files("#picker", [file("one.txt"), file("two.txt")])
    for event in ("paste", "drop"):
        await page.evaluate(DROP, [event, base64.b64encode(PNG).decode()])
        await page.locator("#chosen img").first.wait_for()
    await expect(page.locator("#chosen li")).to_have_count(4)
    await page.get_by_role("button", name="Remove two.txt").press("Enter")
    await page.get_by_title("Rename one.txt").click()
    await page.get_by_label("File name").press_sequentially("first")
    await page.keyboard.press("Enter")
    await page.locator("#text").press_sequentially("line one")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("line two")
    await page.keyboard.press("Enter")

    message, _ = await scene.listener.next()

    assert message.text == "line one\nline two"
    assert [file.name for file in message.files] == ["first.txt", "image.png", "image-2.png"]
    await expect(page.locator("#chosen")).to_have_count(0)
    await expect(page.locator("#text")).to_have_value("")
    await expect(page.locator("#text")).to_be_focused()


async def test_what_is_too_much_is_said_before_it_is_sent(window: Window, scene: WebScene) -> None:
    page = window.page
    await page.set_input_files("#picker", [file("big.bin", 5_000_001), file("none.txt", 0)])
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("big.bin is larger than 5.0 MB")
    await expect(alert).to_contain_text("none.txt is empty")
    await page.set_input_files("#picker", [file(f"{number}.txt") for number in range(5)])

    await expect(alert).to_have_text("A message takes at most 4 files.")
    await expect(page.locator("#chosen li")).to_have_count(4)
    assert not scene.listener.received


async def test_a_refusal_gives_the_message_back(window: Window, scene: WebScene) -> None:
    page = window.page
    scene.listener.refuses = OverLimit("web-too-many-tries")
    await page.set_input_files("#picker", [file("one.txt")])
    await page.locator("#text").fill("Do it")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("alert")).to_contain_text("Please wait a minute")
    await expect(page.locator("#text")).to_have_value("Do it")
    await expect(page.locator("#chosen")).to_contain_text("one.txt")
    await expect(page.locator(".waiting")).to_have_count(0)


async def test_a_draft_with_its_files_survives_a_reload(window: Window, scene: WebScene) -> None:
    page = window.page
    await page.set_input_files("#picker", [file("one.txt")])
    await page.locator("#text").fill("Half a thought")
    await reload(window, scene, "another")
    await expect(page.locator("#text")).to_have_value("")
    await reload(window, scene)

    await expect(page.locator("#text")).to_have_value("Half a thought")
    await expect(page.locator("#chosen")).to_contain_text("one.txt")
    await page.locator("#text").press("Enter")
    message, _ = await scene.listener.next()
    assert (message.text, [file.name for file in message.files]) == ("Half a thought", ["one.txt"])
    await reload(window, scene)
    await expect(page.locator("#text")).to_have_value("")
    await expect(page.locator("#chosen")).to_have_count(0)


async def test_offline_messages_wait_and_are_sent_once_in_order(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await page.context.set_offline(True)
    await page.set_input_files("#picker", [file("one.txt")])
    for text in ("first", "second"):
        await page.locator("#text").fill(text)
        await page.keyboard.press("Enter")
    waiting = page.locator(".waiting")
    await expect(waiting).to_have_count(2)
    await expect(waiting.first).to_contain_text("will be sent when the connection is back")
    await expect(waiting.first).to_contain_text("one.txt")

    await page.context.set_offline(False)
    (first, _), (second, _) = [await scene.listener.next(number) for number in (1, 2)]

    assert (first.text, second.text) == ("first", "second")
    assert first.thread == second.thread
    await expect(waiting).to_have_count(0)
    assert len(scene.listener.received) == 2


async def test_an_answer_that_was_lost_doubles_nothing(window: Window, scene: WebScene) -> None:
    page = window.page
    await page.route("**/api/chat", lose_answer)
    await page.locator("#text").fill("Only once")
    await page.keyboard.press("Enter")
    await expect(page.locator(".waiting")).to_have_count(1)
    await page.unroute("**/api/chat")
    await page.get_by_role("button", name="Send now").click()

    await expect(page.locator(".waiting")).to_have_count(0)
    ((message, run),) = scene.listener.received
    assert message.text == "Only once"
    await expect(page.locator("body")).to_have_attribute("data-run", run)


async def lose_answer(route: Route) -> None:
    await route.fetch()
    await route.abort()


async def test_waiting_messages_survive_a_reload_and_are_changed_or_removed(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await page.route("**/api/chat", lambda route: route.abort())
    await page.set_input_files("#picker", [file("one.txt")])
    for text in ("keep me", "change me", "drop me"):
        await page.locator("#text").fill(text)
        await page.keyboard.press("Enter")
        await expect(page.locator("#text")).to_have_value("")
    waiting = page.locator(".waiting")
    await expect(waiting).to_have_count(3)
    await reload(window, scene)
    await expect(waiting).to_have_count(3)
    await waiting.filter(has_text="drop me").get_by_role("button", name="Don't send").click()
    await waiting.filter(has_text="change me").get_by_role("button", name="Change").click()
    await expect(page.locator("#text")).to_have_value("change me")
    await expect(waiting).to_have_count(1)
    await page.unroute("**/api/chat")
    await page.get_by_role("button", name="Send now").click()

    message, _ = await scene.listener.next()
    assert (message.text, [file.name for file in message.files]) == ("keep me", ["one.txt"])
    await expect(waiting).to_have_count(0)
    assert len(scene.listener.received) == 1


async def test_a_large_upload_shows_how_far_it_is_and_can_be_cancelled(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    held = asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.abort()

    await page.route("**/api/chat", hold)
    await page.set_input_files("#picker", [file("large.bin", 4_000_000)])
    await page.locator("#text").fill("Take this")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("progressbar", name="Sending 1 file")).to_be_visible()
    await page.get_by_role("button", name="Cancel").click()

    await expect(page.get_by_role("progressbar")).to_have_count(0)
    await expect(page.locator("#text")).to_have_value("Take this")
    await expect(page.locator("#chosen")).to_contain_text("large.bin")
    await expect(page.get_by_role("alert")).to_have_count(0)
    held.set()
    assert not scene.listener.received


async def test_a_long_paste_becomes_a_file_and_a_text_again(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await page.evaluate(PASTE, "word " * 1000)
    await expect(page.locator("#text")).to_have_value("word " * 1000)
    await page.get_by_role("button", name="Make it a file").click()
    await expect(page.locator("#chosen")).to_contain_text("pasted.txt")
    await expect(page.locator("#text")).to_have_value("")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator("#chosen")).to_have_count(0)
    await expect(page.locator("#text")).to_have_value("word " * 1000)
    assert not scene.listener.received


async def test_an_input_method_keeps_its_enter(window: Window, scene: WebScene) -> None:
    page = window.page
    await page.locator("#text").fill("にほん")
    await page.locator("#text").dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    await page.locator("#text").dispatch_event("keydown", {"key": "Enter", "keyCode": 229})
    assert not scene.listener.received
    await page.locator("#text").press("Enter")

    message, _ = await scene.listener.next()
    assert message.text == "にほん"


async def test_on_a_phone_enter_begins_a_line_and_the_button_sends(browser: Browser) -> None:
    context = await browser.new_context(has_touch=True, is_mobile=True, reduced_motion="reduce")
    window = Window(await context.new_page())
    async with web_scene() as scene, open_bare(window, scene) as page:
        await mount(page)
        await expect(page.get_by_role("button", name="Take a photo")).to_be_visible()
        await page.locator("#text").press_sequentially("one")
        await page.keyboard.press("Enter")
        await page.keyboard.type("two")
        await page.get_by_role("button", name="Send", exact=True).tap()
        message, _ = await scene.listener.next()
        assert message.text == "one\ntwo"
    await context.close()


@pytest.mark.parametrize(("size", "dark"), [(DESK, True), (PHONE, False), ((320, 568), True)])
async def test_the_box_fits_and_can_be_touched(
    window: Window, scene: WebScene, size: tuple[int, int], *, dark: bool
) -> None:
    page = window.page
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.emulate_media(color_scheme="dark" if dark else "light")
    await page.route("**/api/chat", lambda route: route.abort())
    await mount(page, busy=True)
    await page.locator("#text").fill("waits " * 30)
    await page.keyboard.press("Enter")
    await expect(page.locator(".waiting")).to_have_count(1)
    await page.set_input_files("#picker", [file(f"{'long-name-' * 9}.txt"), file("b.csv")])
    await page.evaluate(PASTE, "word " * 1000)
    await expect(page.get_by_role("button", name="Make it a file")).to_be_visible()

    assert await page.evaluate("document.documentElement.scrollWidth") == size[0]
    assert await page.evaluate(TOO_SMALL) == []
    await page.get_by_role("button", name="Record a voice message").click()
    await page.locator(".recorder").wait_for()
    await page.evaluate("document.title = 'The box'")
    assert await find_violations(page) == []
    assert not scene.listener.received


FAKE_MICROPHONE = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


async def test_a_voice_is_recorded_heard_and_sent() -> None:
    async with (
        open_browser(*FAKE_MICROPHONE) as browser,
        open_window(browser) as window,
        web_scene() as scene,
        open_bare(window, scene) as page,
    ):
        await mount(page)
        await page.get_by_role("button", name="Record a voice message").click()
        timer = page.get_by_role("timer")
        await expect(timer).to_have_text("0:01")
        await page.get_by_role("button", name="Pause").click()
        await page.get_by_role("button", name="Go on").click()
        await expect(timer).to_have_text("0:02")
        await page.get_by_role("button", name="Done").click()
        await page.locator(".recorder audio").wait_for()
        await page.get_by_role("button", name="Use it").click()
        await expect(page.locator("#chosen")).to_contain_text("voice message.webm")
        await page.get_by_role("button", name="Send", exact=True).click()
        message, _ = await scene.listener.next()
        (link,) = message.files
        blob = await scene.chat.download(link)

    assert link.name == "voice message.webm"
    assert blob.data.startswith(b"\x1a\x45\xdf\xa3")


async def test_a_refused_microphone_is_explained_and_escape_closes(
    window: Window, scene: WebScene
) -> None:
    page = window.page
    await page.get_by_role("button", name="Record a voice message").click()
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("attach a recording as a file")
    await expect(page.get_by_role("button", name="Cancel")).to_be_focused()
    await page.keyboard.press("Escape")

    await expect(alert).to_have_count(0)
    await expect(page.locator("#text")).to_be_focused()
    assert not scene.listener.received


async def test_on_the_page_an_offline_message_is_sent_once_and_answered(visit: Visit) -> None:
    page = visit.page
    await page.context.set_offline(True)
    await page.set_input_files("#picker", [file("one.txt")])
    await page.locator("#text").fill("Do it later")
    await page.keyboard.press("Enter")
    await expect(page.locator(".waiting")).to_contain_text("Do it later")
    await expect(page.locator(".waiting")).to_be_in_viewport()
    await expect(page.get_by_role("heading", name="What shall we do?")).to_be_hidden()
    await page.context.set_offline(False)
    message, run = await visit.scene.listener.next()
    assert [file.name for file in message.files] == ["one.txt"]
    await visit.answer(run, "Done.")

    await expect(page.locator(".run > .text")).to_have_text("Done.")
    await expect(page.locator(".waiting")).to_have_count(0)
    await expect(page.locator(".bubble")).to_have_text(["Do it later"])
    await expect(page).to_have_url(re.compile("#.{10}"))


async def test_on_the_page_a_message_whose_answer_was_lost_is_shown_once(visit: Visit) -> None:
    page = visit.page
    await page.route("**/api/chat", lose_answer)
    await page.locator("#text").fill("Only once")
    await page.keyboard.press("Enter")
    _, run = await visit.scene.listener.next()
    await expect(page.locator(".waiting")).to_have_count(1)
    await page.unroute("**/api/chat")
    await page.get_by_role("button", name="Send now").click()
    await visit.answer(run, "Done.")

    await expect(page.locator(".run > .text")).to_have_text("Done.")
    await expect(page.locator(".waiting")).to_have_count(0)
    await expect(page.locator(".bubble")).to_have_text(["Only once"])
    assert len(visit.scene.listener.received) == 1


async def test_what_is_written_before_a_conversation_has_its_name_stays(visit: Visit) -> None:
    page = visit.page
    gate = asyncio.Event()

    async def wait(route: Route) -> None:
        await gate.wait()
        await route.continue_()

    await page.route("**/api/chat", wait)
    await page.locator("#text").fill("First")
    await page.keyboard.press("Enter")
    await page.locator("#text").press_sequentially("And then")
    gate.set()
    await visit.scene.listener.next()
    await expect(page).to_have_url(re.compile("#.{10}"))

    await expect(page.locator("#text")).to_have_value("And then")
    await page.locator("#text").press("Enter")
    second, _ = await visit.scene.listener.next(2)
    first, _ = visit.scene.listener.received[0]
    assert (second.text, second.thread) == ("And then", first.thread)


async def test_what_one_window_sent_is_gone_from_another(visit: Visit) -> None:
    page = visit.page
    await page.locator("#text").fill("Half a")
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(other.locator("#text")).to_have_value("Half a")
    await page.locator("#text").press_sequentially(" thought")
    await page.set_input_files("#picker", [file("one.txt")])
    await expect(other.locator("#text")).to_have_value("Half a thought")
    await expect(other.locator("#chosen")).to_contain_text("one.txt")

    await page.locator("#text").press("Enter")
    await visit.scene.listener.next()
    await expect(other.locator("#text")).to_have_value("")
    await expect(other.locator("#chosen")).to_have_count(0)
    await other.reload()
    await expect(other.locator("#text")).to_have_value("")
    await other.close()


async def test_windows_in_which_different_things_are_written_keep_them(visit: Visit) -> None:
    page = visit.page
    other = await page.context.new_page()
    await other.goto(page.url)
    await page.locator("#text").fill("One thing")
    await expect(other.locator("#text")).to_have_value("")
    await other.locator("#text").fill("Another")
    await page.locator("#text").press("Enter")
    await visit.scene.listener.next()
    await expect(other.locator("#text")).to_have_value("Another")
    await other.reload()
    await expect(other.locator("#text")).to_have_value("Another")
    await other.close()
