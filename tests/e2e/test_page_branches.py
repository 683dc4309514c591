"""Versions of messages and answers on the page, and a conversation in two tabs."""

import re

import pytest
from playwright.async_api import FilePayload, Page, expect

from pipeline.domain import (
    Answer,
    Answered,
    Attachment,
    FileHash,
    Incoming,
    NamedFile,
    Plan,
    Planned,
    Reply,
    RunId,
    Turn,
)
from tests.e2e.visits import READ, Visit, story
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def sent(visit: Visit, number: int) -> RunId:
    """The run of the message with this number, as soon as it arrives."""
    _, run = await visit.scene.listener.next(number)
    return run


async def retry(visit: Visit, of: RunId, again: RunId) -> None:
    """Press Retry under the last answer; its message is answered by the run `again`."""
    listener = visit.scene.listener
    message = next(message for message, known in listener.received if known == of)
    listener.received.append((message, again))
    listener.reply = Reply("", run=again)
    await visit.page.get_by_role("button", name="Retry").last.click()
    answer = Answered(Answer(again, f"Answer of {again}."))
    await visit.scene.chat.follow(message, again, story([Planned(Plan((READ,))), answer]))
    await expect(visit.page.locator(".run > .text").last).to_have_text(f"Answer of {again}.")


async def reach(page: Page, *bubbles: str) -> None:
    await expect(page.locator(".bubble")).to_have_text([*bubbles])


async def test_an_edited_message_begins_a_branch_and_the_old_one_is_kept(visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    await visit.answer(await visit.send("Now a bigger one"), "A big cat.")
    await expect(page.locator(".run > .text")).to_have_text(["A cat.", "A big cat."])

    await page.get_by_role("button", name="Edit message").first.click()
    box = page.get_by_role("textbox", name="Edit message")
    await expect(box).to_be_focused()
    await box.fill("Draw a dog")
    await box.press("Enter")
    await visit.answer(await sent(visit, 3), "A dog.")

    await reach(page, "Draw a dog")
    await expect(page.locator(".run > .text")).to_have_text(["A dog."])
    message, _ = visit.scene.listener.received[2]
    assert (message.text, message.after) == ("Draw a dog", "")

    await page.get_by_role("button", name="Previous version").click()
    await reach(page, "Draw a cat", "Now a bigger one")
    await expect(page.get_by_text("1 / 2")).to_be_visible()
    await page.get_by_role("button", name="Next version").click()
    await reach(page, "Draw a dog")
    await page.reload()
    await reach(page, "Draw a dog")
    await expect(page.get_by_text("2 / 2")).to_be_visible()


async def test_escape_leaves_a_message_as_it_was_and_up_edits_the_last(visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    await visit.answer(await visit.send("Again"), "Another cat.")
    await expect(page.get_by_text("Another cat.").first).to_be_visible()

    await page.locator("#text").press("ArrowUp")
    box = page.get_by_role("textbox", name="Edit message")
    await expect(box).to_have_value("Again")
    await box.fill("Never mind")
    await box.press("Escape")

    await reach(page, "Draw a cat", "Again")
    await expect(page.locator("#text")).to_be_focused()
    assert len(visit.scene.listener.received) == 2


async def test_an_edited_message_keeps_the_files_that_are_not_removed(visit: Visit) -> None:
    page, scene = visit.page, visit.scene
    files = [
        FilePayload(name=f"{number}.txt", mimeType="text/plain", buffer=str(number).encode())
        for number in (1, 2, 3)
    ]
    await page.set_input_files("#picker", files)
    await visit.answer(await visit.send("Look"), "Numbers.")
    await page.get_by_role("button", name="Edit message").click()
    await page.get_by_role("button", name="Remove 1.txt").click()
    await page.get_by_role("textbox", name="Edit message").press("Enter")
    await visit.answer(await sent(visit, 2), "Two numbers.")
    message, _ = scene.listener.received[1]
    scene.records.turns.append((message.thread, turn_of(message)))
    await page.reload()
    await expect(page.locator(".sent-files")).to_contain_text("3.txt")

    await page.get_by_role("button", name="Edit message").click()
    await page.get_by_role("button", name="Remove 2.txt").click()
    await page.get_by_role("textbox", name="Edit message").press("Enter")
    await visit.answer(await sent(visit, 3), "A number.")

    names = [[file.name for file in message.files] for message, _ in scene.listener.received]
    assert names == [["1.txt", "2.txt", "3.txt"], ["2.txt", "3.txt"], ["3.txt"]]
    assert scene.listener.received[2][0].files[0].url == message.files[1].url


def turn_of(message: Incoming) -> Turn:
    """A message as it is logged."""
    files = (
        Attachment(
            hash=FileHash(link.url.removeprefix("file:")),
            media_type="text/plain",
            name=link.name,
            size=1,
        )
        for link in message.files
    )
    return Turn(
        key=message.key,
        person=message.person,
        text=message.text,
        files=tuple(NamedFile(each.name, each) for each in files),
        at=message.at,
    )


async def test_an_answer_that_was_made_again_keeps_its_earlier_versions(visit: Visit) -> None:
    page = visit.page
    run = await visit.send("Draw a cat")
    await visit.tell(run, Planned(Plan((READ,))), Answered(Answer(run, "A cat.")))
    await retry(visit, run, RunId("second"))
    await expect(page.get_by_text("2 / 2")).to_be_visible()

    await page.reload()
    walker = page.get_by_role("group", name="Versions of this answer")
    await expect(walker).to_contain_text("/ 2")
    await walker.get_by_role("button", name="Previous version").click()
    await expect(page.locator(".run > .text")).to_have_text("A cat.")
    await walker.get_by_role("button", name="Next version").click()
    await expect(page.locator(".run > .text")).to_have_text("Answer of second.")


async def test_a_message_says_that_it_waits_for_the_answer_before(visit: Visit) -> None:
    page = visit.page
    first = await visit.send("Draw a cat")
    second = await visit.send("And a dog")
    await expect(page.get_by_text("This waits until the answer above is ready.")).to_be_visible()

    await visit.answer(first, "A cat.")
    await expect(page.get_by_text("This waits")).to_have_count(0)
    await visit.answer(second, "A dog.")
    await expect(page.locator(".run > .text")).to_have_text(["A cat.", "A dog."])


async def test_a_version_says_that_it_waits_for_another_one(visit: Visit) -> None:
    page = visit.page
    first = await visit.send("Draw a cat")
    await page.get_by_role("button", name="Edit message").click()
    await page.locator(".said textarea").fill("Draw a dog")
    await page.locator(".said textarea").press("Enter")
    _, second = await visit.scene.listener.next(2)
    visit.scene.records.waiting = [first, second]
    await page.reload()

    await expect(page.get_by_text(english("page-waits-elsewhere"))).to_be_visible()
    await expect(page.locator(".plan .head")).to_have_text("Waiting")
    await visit.answer(first, "A cat.")
    await visit.answer(second, "A dog.")
    await expect(page.get_by_text(english("page-waits-elsewhere"))).to_have_count(0)


async def test_two_tabs_on_a_conversation_show_the_same_live(visit: Visit) -> None:
    page = visit.page
    await visit.answer(await visit.send("Draw a cat"), "A cat.")
    await expect(page).to_have_url(re.compile("#.{10}"))
    other = await page.context.new_page()
    await other.goto(page.url)
    await reach(other, "Draw a cat")

    run = await visit.send("Now a dog")
    await reach(other, "Draw a cat", "Now a dog")
    await visit.answer(run, "A dog.")

    await expect(other.locator(".run > .text")).to_have_text(["A cat.", "A dog."])
    await expect(page.locator(".run > .text")).to_have_text(["A cat.", "A dog."])
    await other.close()


async def test_a_long_conversation_opens_at_its_end_and_shows_more_further_up(
    visit: Visit,
) -> None:
    page = visit.page
    await visit.answer(await visit.send("Message 0"), "Answer 0.")
    await expect(page.get_by_text("Answer 0.").first).to_be_visible()
    await expect(page).to_have_url(re.compile("#.{10}"))
    address, _, thread = page.url.partition("#")
    for number in range(1, 65):
        await page.request.post(
            f"{address}api/chat",
            headers={"Prefer": "respond-async"},
            data={"thread": thread, "text": f"Message {number}"},
        )
        await visit.answer(await sent(visit, number + 1), f"Answer {number}.")
    await page.reload()
    bubbles = page.locator(".bubble")
    await expect(bubbles.last).to_have_text("Message 64")
    await expect(bubbles.last).to_be_in_viewport()
    assert await bubbles.count() < 65

    for number in (30, 60, 65):
        await expect(bubbles).to_have_count(number)
        await page.evaluate("scrollTo(0, 0)")
    await expect(bubbles.first).to_have_text("Message 0")
