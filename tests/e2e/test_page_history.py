"""The list of conversations on the page: found, named, pinned, forgotten, and live."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import expect

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    Channel,
    Person,
    Plan,
    Planned,
    Thread,
    Turn,
)
from tests.adapters.web.scene import WebScene, web_scene
from tests.e2e.browser import PHONE, Window, until
from tests.e2e.visits import READ, Visit
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def person_of(visit: Visit) -> str:
    cookies = await visit.page.context.cookies()
    (cookie,) = [each for each in cookies if each["name"] == "troupe_session"]
    return cookie["value"].partition(".")[0]


async def log(scene: WebScene, person: str, name: str, text: str, days: int) -> None:
    """A conversation in which something was said so many days ago."""
    thread = Thread(Channel("web", person, name), name)
    at = datetime.now(UTC) - timedelta(days=days)
    turn = Turn(
        key=f"{thread.channel.key}:1", person=Person(person, "you"), text=text, files=(), at=at
    )
    await scene.records.history.log(thread, turn)


async def test_conversations_are_listed_by_day_and_found_by_their_words(visit: Visit) -> None:
    page, person = visit.page, await person_of(visit)
    await log(visit.scene, person, "conversation-0001", "A recipe for bread with walnuts", 0)
    await log(visit.scene, person, "conversation-0002", "The invoice of the plumber", 40)
    await page.reload()

    listed = page.get_by_role("navigation", name="Conversations")
    await expect(listed.get_by_role("heading")).to_have_count(2)
    await expect(listed.get_by_role("heading").first).to_have_text("Today")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("searchbox")).to_be_focused()
    await page.keyboard.type("plumber")
    await expect(listed.get_by_role("link", name="The invoice of the plumber")).to_be_visible()
    await expect(listed.get_by_role("link", name="A recipe")).to_have_count(0)
    await page.get_by_role("searchbox").fill("")
    await expect(listed.get_by_role("link", name="A recipe")).to_be_visible()


async def test_a_conversation_is_named_in_place_and_pinned_in_all_tabs(visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    other = await page.context.new_page()
    await other.goto(page.url)
    await expect(other.get_by_role("link", name="Draw a cat")).to_be_visible()

    await page.get_by_role("button", name="More for “Draw a cat”").click()
    await page.get_by_role("button", name="Rename").click()
    box = page.get_by_role("textbox", name="Rename")
    await expect(box).to_have_value("Draw a cat")
    await box.fill("My cats")
    await box.press("Enter")
    await expect(page.get_by_role("link", name="My cats")).to_be_visible()
    await expect(page.locator(".top .title")).to_have_text("My cats")
    await expect(other.get_by_role("link", name="My cats")).to_be_visible()

    await page.get_by_role("button", name="More for “My cats”").click()
    await page.get_by_role("button", name="Pin", exact=True).click()
    await expect(other.get_by_role("heading", name="Pinned")).to_be_visible()
    await other.close()


async def test_a_conversation_is_deleted_for_good_after_a_question(visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    await page.get_by_role("button", name="More for “Draw a cat”").click()
    await page.get_by_role("button", name="Delete").click()
    question = page.get_by_role("dialog", name="Delete this conversation?")
    await expect(question).to_contain_text("can't be undone")
    await expect(question.get_by_role("heading")).to_have_css("font-size", "18.4px")
    await question.get_by_role("button", name="Cancel").click()
    await expect(question).to_be_hidden()
    assert not visit.scene.listener.invocations

    await page.get_by_role("button", name="More for “Draw a cat”").click()
    await page.get_by_role("button", name="Delete").click()
    await question.get_by_role("button", name="Delete").click()
    (invocation,) = await visit.scene.listener.next_commands()
    await expect(question).to_be_hidden()
    await expect(page.get_by_role("heading", name="What shall we do?")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)

    assert (invocation.command, invocation.args) == ("forget", {"what": "thread"})


async def test_what_runs_is_marked_in_the_list_until_it_is_over(visit: Visit) -> None:
    page = visit.page
    run = await visit.send("Draw a cat")
    await expect(page.get_by_role("img", name="Still working")).to_be_visible()

    await visit.answer(run, "A cat.")

    await expect(page.get_by_role("img", name="Still working")).to_have_count(0)


async def test_a_long_list_comes_as_one_scrolls(visit: Visit) -> None:
    page, person = visit.page, await person_of(visit)
    for number in range(100):
        await log(
            visit.scene, person, f"conversation-{number:04}", f"Conversation {number}", number
        )
    await page.reload()
    await expect(page.get_by_role("link", name="Conversation 0", exact=True)).to_be_visible()
    last = page.get_by_role("link", name="Conversation 99", exact=True)
    await expect(last).to_have_count(0)

    for _ in range(4):
        await page.locator(".listed").evaluate("(list) => list.scrollTo(0, list.scrollHeight)")
        await until(page, "document.querySelectorAll('.entry').length % 40 <= 20")

    await expect(last).to_be_visible()


async def test_a_list_that_is_read_anew_keeps_its_length_and_order(visit: Visit) -> None:
    page, person = visit.page, await person_of(visit)
    for number in range(130):
        await log(visit.scene, person, f"conversation-{number:04}", f"Talk {number}", number)
    await page.reload()
    await expect(page.get_by_role("link", name="Talk 0", exact=True)).to_be_visible()
    shown = await page.evaluate("""async () => {
        const { History } = await import("/page/history/history.js");
        const { send } = await import("/page/wire.js");
        const list = new History();
        const count = () => list.threads.length;
        const grown = async (than) => {
            while (count() <= than) await new Promise((done) => setTimeout(done, 20));
        };
        list.follow();
        await grown(0);
        await send("/api/threads/conversation-0110", "PATCH", {title: "Talk 110"});
        await grown(40);
        await list.more();
        const before = count();
        await list.load();
        const after = count();
        while (list.hasMore) await list.more();
        return [before, after, list.threads.map(({ title }) => title)];
    }""")

    before, after, titles = shown
    assert before == 81
    assert after >= 81
    assert titles == [f"Talk {number}" for number in range(130)]


async def test_on_a_phone_the_list_is_a_drawer(window: Window) -> None:
    async with (
        web_scene() as scene,
        window.open(await scene.chat.address(), PHONE) as page,
    ):
        visit = Visit(scene, page)
        await visit.answer(await visit.send("Draw a cat"), "A cat.")
        await page.get_by_role("button", name="New").click()
        await expect(page.get_by_role("heading", name="What shall we do?")).to_be_visible()
        await page.get_by_role("button", name="Show conversations").click()
        drawer = page.get_by_role("dialog", name="Conversations")
        await drawer.get_by_role("link", name="Draw a cat").click()

        await expect(drawer).to_be_hidden()
        await expect(page.locator(".run > .text")).to_have_text("A cat.")
        await page.get_by_role("button", name="Show conversations").click()
        await page.keyboard.press("Escape")
        await expect(drawer).to_be_hidden()


async def test_keys_are_listed_and_do_what_the_list_says(visit: Visit) -> None:
    page = visit.page
    await page.locator("#text").press("Control+/")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(keys).to_contain_text("Stop what is running")
    await page.keyboard.press("Escape")
    await expect(keys).to_be_hidden()
    await page.locator("#text").press("?")
    await expect(page.locator("#text")).to_have_value("?")
    await page.locator("#text").fill("")
    await page.keyboard.press("Control+Shift+S")
    await expect(page.get_by_role("navigation", name="Conversations")).to_be_hidden()
    await page.keyboard.press("Control+Shift+S")
    await expect(page.get_by_role("navigation", name="Conversations")).to_be_visible()

    run = await visit.send("Take your time")
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()
    async with page.expect_response("**/stop"):
        await page.keyboard.press("Escape")
    await expect(page.locator("#text")).to_be_focused()
    (press,) = visit.scene.listener.presses

    assert (press.action, press.run) == ("stop", run)


async def test_a_theme_and_a_language_are_chosen_and_kept(visit: Visit) -> None:
    page = visit.page
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_role("radio", name="Dark").check()
    await page.reload()
    colour = "getComputedStyle(document.documentElement).backgroundColor"
    assert await page.evaluate(colour) == "rgb(22, 22, 20)"

    await page.get_by_role("button", name="Settings").click()
    await page.get_by_label("Language").select_option("de")
    await expect(page.get_by_role("heading", name="Was machen wir?")).to_be_visible()
    await visit.send("Hallo")
    message, _ = visit.scene.listener.received[0]
    assert message.person.locale == "de"
    await page.evaluate("localStorage.clear()")


@pytest.mark.parametrize("route", ["%", "%E0%A4%A", "/owner/runs/%", "/__proto__"])
async def test_an_address_that_nobody_can_read_still_shows_the_page(
    window: Window, route: str
) -> None:
    async with web_scene() as scene, window.use() as page:
        await page.goto(f"{await scene.chat.address()}/#{route}")

        await expect(page.get_by_role("searchbox")).to_be_visible()


@pytest.mark.parametrize("name", ["%", "%E0%A4%A", "__proto__", "constructor", "a" * 5000])
async def test_an_address_of_no_conversation_opens_the_first_screen(
    window: Window, name: str
) -> None:
    async with web_scene() as scene, window.use() as page:
        address = await scene.chat.address()
        await page.goto(f"{address}/#{name}")

        await expect(page.get_by_role("alert")).to_have_text(english("page-gone"))
        await page.locator(".try").nth(2).wait_for()
        assert page.url == f"{address}/"


async def test_a_vote_is_shown_again_after_a_reload(visit: Visit) -> None:
    page, records = visit.page, visit.scene.records
    run = await visit.send("Draw a cat")
    await visit.tell(run, Planned(Plan((READ,))), Answered(Answer(run, "A cat.")))
    button = page.get_by_role("button", name="Bad answer")
    await expect(button).to_have_attribute("aria-pressed", "false")
    records.votes[run, await person_of(visit)] = Action.DOWN
    await page.reload()

    await expect(button).to_have_attribute("aria-pressed", "true")
    await expect(page.get_by_role("button", name="Good answer")).to_have_attribute(
        "aria-pressed", "false"
    )
