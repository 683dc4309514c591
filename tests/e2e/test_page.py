import base64
import re

import pytest
from playwright.async_api import Browser, FilePayload, expect

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerPart,
    Apologised,
    Attempt,
    Choice,
    Chose,
    Comparison,
    Done,
    FellBack,
    Finished,
    LocalizedText,
    Output,
    Plan,
    Planned,
    Progressed,
    Reply,
    RunId,
    Select,
    SelectOption,
    Started,
    Task,
    TaskId,
    Text,
)
from pipeline.errors import NotAllowed, OverLimit, StoreUnavailable
from pipeline.task_kinds import KINDS
from tests.adapters.web.scene import web_scene
from tests.contracts.test_chat import PNG, WAV
from tests.e2e.browser import Window, open_window
from tests.e2e.visits import LOADED, READ, READER, SPEAK, Visit, a_file, story
from tests.fakes.places import EMBEDDED, HOSTED
from tests.words import english

NARROW = (320, 568)

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_newcomer_sends_the_sample_and_watches_the_steps(visit: Visit) -> None:
    page = visit.page
    await page.get_by_role("button", name="Have an invoice read to you").click()
    message, run = await visit.scene.listener.next()
    assert message.text == "Read the total on this invoice aloud"
    (invoice,) = message.files
    assert (await visit.scene.chat.download(invoice)).data.startswith(b"\x89PNG")

    async with visit.telling(run) as events:
        events.put_nowait(Planned(Plan((READ, SPEAK))))
        events.put_nowait(Chose(READ.id, Choice(READER, LocalizedText("chosen-only"))))
        events.put_nowait(Started(READ.id, READER.id, EMBEDDED))
        events.put_nowait(Progressed(READ.id, 0.5))
        await expect(page.locator(".task").first).to_contain_text("at work")
        await expect(page.get_by_text("0 of 2 steps")).to_be_visible()
        await expect(page.get_by_role("button", name="Stop")).to_be_visible()
        made = Output({"text": Text("£573.00")})
        events.put_nowait(Finished(READ.id, Done(made, took=0.4, model=READER, place=EMBEDDED)))
        late = LocalizedText("task-too-long", {"seconds": 60})
        events.put_nowait(
            FellBack(SPEAK.id, Attempt(model="other", place=HOSTED, took=0.1, error=late))
        )
        await expect(page.locator(".task").last).to_contain_text("other did not do it")
        events.put_nowait(AnswerPart("The total"))
        events.put_nowait(AnswerPart(" is **£573.00**."))
        await expect(page.locator(".run strong")).to_have_text("£573.00")
        events.put_nowait(Answered(Answer(run, "The total is **£573.00**.")))

    await expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    await expect(page.locator("#told")).to_contain_text("The total is £573.00")


async def test_an_answer_has_a_player_a_picture_and_what_is_worth_knowing(visit: Visit) -> None:
    page = visit.page
    run = await visit.send("Read it aloud")
    sound = await a_file(visit.scene, "total.wav", "audio/wav", WAV)
    picture = await a_file(visit.scene, "total.png", "image/png", PNG)
    notice = LocalizedText("task-too-long", {"seconds": 60})
    await visit.tell(run, Answered(Answer(run, "Here.", files=(sound, picture), notices=(notice,))))

    await expect(page.get_by_role("img", name="what is in total.png")).to_be_visible()
    await expect(page.get_by_text("Worth knowing")).to_be_visible()
    await page.locator(".run audio").evaluate(LOADED)
    async with page.expect_download() as saving:
        await page.get_by_role("link", name="Download total.wav").click()
    assert (await saving.value).suggested_filename == "total.wav"


async def test_a_follow_up_stays_in_the_conversation_and_a_reload_shows_it(visit: Visit) -> None:
    page = visit.page
    first = await visit.send("Draw a dot")
    picture = await a_file(visit.scene, "dot.png", "image/png", PNG)
    await visit.answer(first, "Here is a dot.", picture)
    await expect(page.get_by_text("Here is a dot.").first).to_be_visible()
    second = await visit.send("Now a line")
    await visit.answer(second, "Here is a line.")
    (one, _), (two, _) = visit.scene.listener.received
    assert one.thread == two.thread

    await page.reload()

    await expect(page.locator(".bubble")).to_have_text(["Draw a dot", "Now a line"])
    await expect(page.locator(".run > .text")).to_have_text(["Here is a dot.", "Here is a line."])
    await expect(page.get_by_role("img", name="what is in dot.png")).to_be_visible()


async def test_a_reload_in_the_middle_goes_on_with_the_run(visit: Visit) -> None:
    page = visit.page
    run = await visit.send("Take your time")
    await expect(page.locator(".bubble")).to_be_visible()
    await expect(page).to_have_url(re.compile("#.{10}"))
    await page.reload()
    await expect(page.get_by_role("button", name="Stop")).to_be_visible()

    await visit.answer(run, "Now I have it.")

    await expect(page.locator(".run > .text")).to_have_text("Now I have it.")


async def test_a_run_that_broke_off_is_shown_to_its_end_when_it_goes_on(visit: Visit) -> None:
    page = visit.page
    run = await visit.send("Take your time")
    await visit.tell(run, Planned(Plan((READ,))))
    await expect(page.get_by_text("The connection was lost")).to_be_visible()

    await visit.answer(run, "Now I have it.")

    await expect(page.locator(".run > .text")).to_have_text("Now I have it.")
    await expect(page.get_by_text("The connection was lost")).to_be_hidden()


async def test_a_new_conversation_begins_empty_and_the_old_one_is_found_again(
    visit: Visit,
) -> None:
    page = visit.page
    await visit.answer(await visit.send("First thing"), "Done with the first.")
    await page.get_by_role("button", name="New").click()
    await expect(page.get_by_role("heading", name="What shall we do?")).to_be_visible()
    await visit.answer(await visit.send("Second thing"), "Done with the second.")
    (one, _), (two, _) = visit.scene.listener.received
    assert one.thread != two.thread

    await page.route("**/api/threads/*", lambda route: route.abort())
    await page.get_by_role("link", name="First thing").click()
    await expect(page.get_by_role("alert")).to_have_text("The bot cannot be reached.")
    await page.unroute("**/api/threads/*")
    await page.reload()

    await expect(page.locator(".run > .text")).to_have_text("Done with the first.")


async def test_after_a_conversation_was_forgotten_the_next_message_begins_a_new_one(
    visit: Visit,
) -> None:
    page = visit.page
    await visit.answer(await visit.send("forget me"), "Forgotten.")
    await expect(page.get_by_text("Forgotten.").first).to_be_visible()
    forgotten, _ = visit.scene.listener.received.pop()

    await visit.answer(await visit.send("Hello"), "Hello!")

    ((message, _),) = visit.scene.listener.received
    assert message.thread != forgotten.thread
    await expect(page.locator(".bubble")).to_have_text(["Hello"])


async def test_buttons_stop_retry_vote_and_tell_details(visit: Visit) -> None:
    page, listener = visit.page, visit.scene.listener
    run = await visit.send("Say hello")
    await page.get_by_role("button", name="Stop").click()
    await visit.tell(run, Planned(Plan((READ,))), Apologised(LocalizedText("stopped"), "R-1"))
    await expect(page.get_by_text("Stopped.").last).to_be_visible()
    await expect(page.locator("#text")).to_be_focused()
    listener.reply = Reply("**All** there is", run=RunId("run-again"))
    await page.get_by_role("button", name="Details").press("Enter")
    await expect(page.locator(".panel strong")).to_have_text("All")
    message, _ = listener.received[0]
    listener.received.append((message, RunId("run-again")))
    await page.get_by_role("button", name="Retry").click()
    await expect(page.get_by_text("2 / 2")).to_be_visible()
    answer = Answered(Answer(RunId("run-again"), "Hello."))
    planned = Planned(Plan((READ,)))
    await visit.scene.chat.follow(message, RunId("run-again"), story([planned, answer]))
    listener.reply = Reply("Thank you.")
    await page.get_by_role("button", name="Good answer").click()
    await expect(page.get_by_role("button", name="Good answer")).to_have_attribute(
        "aria-pressed", "true"
    )

    assert [press.action for press in listener.presses] == [
        Action.STOP,
        Action.DETAILS,
        Action.RETRY,
        Action.UP,
    ]


async def test_details_of_a_long_answer_open_in_sight(visit: Visit) -> None:
    page = visit.page
    run = await visit.send("Say hello")
    await visit.tell(run, Planned(Plan((READ,))), Answered(Answer(run, "Hello.\n\n" * 60)))
    visit.scene.listener.reply = Reply("**All** there is")
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    await page.get_by_role("button", name="Details").press("Enter")

    panel = page.locator(".panel strong")
    await expect(panel).to_be_in_viewport()
    assert await panel.evaluate(_IS_UNCOVERED)


_IS_UNCOVERED = """(shown) => {
    const { x, y } = shown.getBoundingClientRect();
    return document.elementFromPoint(x + 1, y + 1) === shown;
}"""


async def test_another_model_is_chosen_for_one_step(visit: Visit) -> None:
    page, listener = visit.page, visit.scene.listener
    run = await visit.send("Draw a cat")
    await visit.tell(run, Planned(Plan((READ, SPEAK))), Answered(Answer(run, "A cat.")))
    options = tuple(
        SelectOption(f"{step} {name}", name, f"{step} Drawing")
        for step, name in ((1, "one"), (2, "two"), (2, "<b>three</b>"))
    )
    listener.reply = Reply("The plan", select=Select(Action.CHOOSE, run, options))
    await page.get_by_role("button", name="Details").press("Enter")
    select = page.get_by_label(english("button-choose"))
    await expect(select).to_be_visible()
    names = await select.locator("option").all_text_contents()
    groups = await select.locator("optgroup").count()
    await select.select_option("2 two")
    listener.refuses_clicks = NotAllowed("named-nowhere", name="two")
    await page.get_by_role("button", name="Try it").press("Enter")
    refusal = english("named-nowhere", name="two")
    await expect(page.get_by_role("alert")).to_have_text(refusal)
    listener.refuses_clicks, listener.reply = None, Reply("", run=RunId("run-again"))
    message, _ = listener.received[0]
    listener.received.append((message, RunId("run-again")))
    await page.get_by_role("button", name="Try it").press("Enter")
    await expect(page.get_by_text("2 / 2")).to_be_visible()
    again = Answer(RunId("run-again"), "Another cat.")
    await visit.scene.chat.follow(message, again.run, story([Answered(again)]))

    assert (names, groups) == (["one", "two", "<b>three</b>"], 2)
    assert [(press.action, press.run, press.value) for press in listener.presses] == [
        (Action.DETAILS, run, ""),
        (Action.CHOOSE, run, "2 two"),
    ]


async def test_a_vote_on_two_models_can_be_changed(visit: Visit) -> None:
    page, listener = visit.page, visit.scene.listener
    run = await visit.send("Draw a cat")
    comparison = Comparison("text-to-image", "one", "two")
    answer = Answer(run, "Two cats.", comparison=comparison)
    await visit.tell(run, Planned(Plan((READ,))), Answered(answer))
    first, second = (page.get_by_role("button", name=f"{each} is better") for each in "AB")
    await second.click()
    await expect(second).to_have_attribute("aria-pressed", "true")
    await first.click()
    await expect(second).to_have_attribute("aria-pressed", "false")

    await expect(page.get_by_role("button", name="Good answer")).to_have_count(0)
    assert [press.action for press in listener.presses] == [Action.SECOND, Action.FIRST]


async def test_hostile_words_and_names_stay_words(visit: Visit) -> None:
    page = visit.page
    evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
    run = await visit.send(evil)
    file = await a_file(visit.scene, f"{evil}.wav", "audio/wav", WAV)
    svg = await a_file(visit.scene, "x.svg", "image/svg+xml", b"<svg onload='hacked=1'/>")
    task = Task(TaskId(0), KINDS["text-to-speech"], {"text": (Text(evil),)})
    await visit.tell(
        run,
        Planned(Plan((task,))),
        Started(task.id, evil, HOSTED),
        AnswerPart(evil),
        Answered(Answer(run, f"{evil}\n\n[click](javascript:hacked=1)", files=(file, svg))),
    )

    await expect(page.locator(".run > .text")).to_contain_text("<img src=x")
    assert await page.evaluate("window.hacked") is None
    assert await page.locator(".run .text img, .run .text a, #thread script").count() == 0
    assert await page.locator(f"img[src*='{svg.attachment.hash}']").count() == 0


async def test_what_cannot_be_sent_is_given_back_with_the_reason(visit: Visit) -> None:
    page = visit.page
    visit.scene.listener.refuses = OverLimit("web-too-many-tries")
    box = page.locator("#text")
    await box.fill("Do it")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("alert")).to_contain_text("Please wait a minute")
    await expect(box).to_have_value("Do it")
    await expect(page.locator(".bubble")).to_have_count(0)


async def test_what_cannot_be_stored_now_is_sent_again_by_itself(visit: Visit) -> None:
    page = visit.page
    await page.clock.install()
    visit.scene.listener.refuses = StoreUnavailable("store-gone")
    await page.locator("#text").fill("Do it")
    await page.keyboard.press("Enter")
    await expect(page.locator(".run")).to_contain_text("will be sent again by itself")

    visit.scene.listener.refuses = None
    await page.clock.fast_forward(5_000)
    message, run = await visit.scene.listener.next()

    assert message.text == "Do it"
    await expect(page.locator(".run")).not_to_contain_text("will be sent again by itself")
    await visit.scene.chat.notify(message, run, LocalizedText("store-waiting", {"problem": ""}))
    await expect(page.locator(".run")).to_contain_text("This has to wait")


async def test_files_come_by_picker_paste_and_drop(visit: Visit) -> None:
    page = visit.page
    await page.set_input_files(
        "#picker",
        [
            FilePayload(name="one.png", mimeType="image/png", buffer=PNG),
            FilePayload(name="two.txt", mimeType="text/plain", buffer=b"two"),
        ],
    )
    for event in ("paste", "drop"):
        await page.evaluate(
            """([type, data]) => {
                const carried = new DataTransfer();
                const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
                carried.items.add(new File([bytes], `${type}.png`, { type: "image/png" }));
                const about = { bubbles: true, cancelable: true };
                const event = type === "paste"
                  ? new ClipboardEvent(type, { ...about, clipboardData: carried })
                  : new DragEvent(type, { ...about, dataTransfer: carried });
                document.body.dispatchEvent(event);
            }""",
            [event, base64.b64encode(PNG).decode()],
        )
    await page.get_by_role("button", name="Remove two.txt").click()

    run = await visit.send("What are these?")

    message, _ = visit.scene.listener.received[0]
    assert [file.name for file in message.files] == ["one.png", "paste.png", "drop.png"]
    await visit.answer(run, "Dots.")


async def test_everything_can_be_done_with_the_keyboard(visit: Visit) -> None:
    page = visit.page
    await expect(page.locator("#text")).to_be_focused()
    await page.keyboard.type("line one")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("line two")
    await page.keyboard.press("Enter")
    message, run = await visit.scene.listener.next()
    assert message.text == "line one\nline two"
    await visit.tell(run, Planned(Plan((READ,))), Answered(Answer(run, "Read.")))
    await expect(page.get_by_role("button", name="Retry")).to_be_visible()
    await expect(page.locator("#text")).to_be_focused()
    await page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")

    reached = []
    for _ in range(20):
        await page.keyboard.press("Tab")
        reached.append(await page.evaluate(_NAME_OF_FOCUSED))

    for name in ("To the message box", "Troupe", "New", "Retry", "Good answer", "Attach files"):
        assert name in reached


_NAME_OF_FOCUSED = """(() => {
    const at = document.activeElement;
    return at.getAttribute("aria-label") || at.innerText.trim();
})()"""


async def test_the_page_speaks_the_language_of_the_browser(browser: Browser) -> None:
    async with (
        web_scene() as scene,
        open_window(browser, locale="fr-CA") as window,
        window.open(await scene.chat.address(), NARROW) as page,
    ):
        await page.get_by_role("button", name="Fais-toi lire une facture").press("Enter")
        message, run = await scene.listener.next()
        await Visit(scene, page).tell(run, Planned(Plan((READ,))), Answered(Answer(run, "")))

        assert message.text == "Lis à voix haute le total de cette facture"
        assert message.person.locale == "fr-CA"
        assert await page.evaluate("document.documentElement.lang") == "fr"
        assert await page.evaluate("document.documentElement.scrollWidth") == NARROW[0]
        await expect(page.locator("#text")).to_be_focused()
        await expect(page.locator(".task .title")).to_have_text("Lire le texte d'une image")


async def test_a_person_signs_in_with_the_token(window: Window) -> None:
    async with web_scene(token="open sesame") as scene, window.use() as page:
        await page.goto(await scene.chat.address())
        await page.get_by_label("The token").fill("abracadabra")
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("alert")).to_have_text(english("web-token-wrong"))
        await page.get_by_label("The token").fill("open sesame")
        await page.keyboard.press("Enter")

        await expect(page.get_by_role("heading", name="What shall we do?")).to_be_visible()
