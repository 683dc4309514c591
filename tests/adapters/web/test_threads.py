"""Conversations with branches over HTTP."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from pipeline.domain import Action, Answer, Answered, Blob, Reply, RunId, Turn
from tests.adapters.web.asking import get, post, story
from tests.adapters.web.scene import WebScene, web_scene

HASH = "a" * 64


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene(max_files=3) as opened:
        yield opened


async def say(scene: WebScene, text: str, after: str | None = None, **more: Any) -> RunId:
    """A message that is answered, as a program sends it; the run."""
    body = {"text": text, "thread": scene.thread or None, **more}
    if after is not None:
        body["after"] = after
    body = {name: value for name, value in body.items() if value is not None}
    status, told = await post(scene, "/api/chat", body, Prefer="respond-async")
    assert status == 202, told
    message, run = scene.listener.received[-1]
    scene.thread = message.thread.root
    said = Turn(key=message.key, person=message.person, text=text, files=(), at=message.at)
    await scene.records.history.log(message.thread, said)
    await scene.chat.follow(message, run, story(Answered(Answer(run, f"to {text}"))))
    return run


async def show(scene: WebScene, query: str = "") -> dict[str, Any]:
    status, told = await get(scene, f"/api/threads/{scene.thread}{query}")
    assert status == 200, told
    return dict(told)


def texts(told: dict[str, Any]) -> str:
    return " ".join(each["text"] for each in told["runs"])


async def patch(scene: WebScene, body: Any) -> int:
    async with scene.page.patch(f"/api/threads/{scene.thread}", json=body) as response:
        return response.status


async def test_a_message_follows_what_is_shown_last_unless_it_says_what(scene: WebScene) -> None:
    first = await say(scene, "one")
    second = await say(scene, "two")
    await say(scene, "edited", first)
    await say(scene, "anew", "")

    followed = [message.after for message, _ in scene.listener.received]

    assert followed == ["", first, first, ""]
    assert second == scene.listener.received[1][1]


async def test_a_way_through_the_branches_is_shown_with_its_turnings(scene: WebScene) -> None:
    first = await say(scene, "one")
    second = await say(scene, "two")
    third = await say(scene, "three")
    edited = await say(scene, "edited", first)

    newest = await show(scene)
    older = await show(scene, f"?at={second}")

    assert texts(newest) == "one edited"
    assert texts(older) == "one two three"
    assert (newest["title"], newest["pinned"]) == ("one", False)
    assert (newest["leaf"], older["leaf"]) == (edited, third)
    assert [each["after"] for each in older["runs"]] == ["", first, second]
    assert [each["edits"] for each in older["runs"]] == [[first], [second, edited], [third]]
    assert [each["answers"] for each in older["runs"]] == [[first], [second], [third]]
    ids = [message.id for message, _ in scene.listener.received]
    assert [each["message"] for each in older["runs"]] == ids[:3]
    assert not any(each["again"] for each in (*newest["runs"], *older["runs"]))


async def test_everybody_is_told_their_own_vote(scene: WebScene) -> None:
    for text in ("one", "two", "three"):
        await say(scene, text)
    ((message, first), (_, second), (_, third)) = scene.listener.received
    scene.records.votes[first, message.person.id] = Action.UP
    scene.records.votes[second, message.person.id] = Action.SECOND
    scene.records.votes[third, "somebody"] = Action.DOWN

    told = await show(scene)

    assert [each["vote"] for each in told["runs"]] == ["up", "second", None]


async def test_a_long_conversation_is_shown_page_by_page(scene: WebScene) -> None:
    runs = [await say(scene, str(number)) for number in range(5)]
    await say(scene, "other", runs[3])

    last = await show(scene, f"?at={runs[4]}&limit=2")
    before = await show(scene, f"?at={runs[4]}&limit=2&before={runs[3]}")
    first = await show(scene, f"?limit=2&before={runs[1]}")

    assert (texts(last), last["more"]) == ("3 4", True)
    assert (texts(before), before["more"]) == ("1 2", True)
    assert (texts(first), first["more"]) == ("0", False)


async def test_a_conversation_is_opened_where_it_was_left_until_something_is_said(
    scene: WebScene,
) -> None:
    first = await say(scene, "one")
    second = await say(scene, "two")
    edited = await say(scene, "edited", first)

    assert await patch(scene, {"leaf": second}) == 200
    assert texts(await show(scene)) == "one two"
    assert texts(await show(scene, f"?at={edited}")) == "one edited"
    assert await patch(scene, {"pinned": True}) == 200
    assert (await show(scene))["pinned"]
    assert texts(await show(scene)) == "one two"

    await say(scene, "three", edited)
    assert texts(await show(scene)) == "one edited three"


async def test_a_retry_opens_the_conversation_at_its_answer(scene: WebScene) -> None:
    first = await say(scene, "one")
    await scene.records.open_at(scene.listener.received[0][0].thread, first)

    await post(scene, f"/api/runs/{first}/details", {})
    assert (await scene.records.branches(scene.listener.received[0][0].thread)).leaf == first

    scene.listener.reply = Reply("", run=first)
    await post(scene, f"/api/runs/{first}/{Action.RETRY}", {})
    assert (await scene.records.branches(scene.listener.received[0][0].thread)).leaf == ""


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?at=unknown", 404),
        ("?before=unknown", 404),
        ("?limit=0", 400),
        ("?limit=201", 400),
        ("?limit=x", 400),
        (f"?at={'a' * 101}", 400),
    ],
)
async def test_what_is_not_there_cannot_be_shown(scene: WebScene, query: str, status: int) -> None:
    await say(scene, "one")

    told = await get(scene, f"/api/threads/{scene.thread}{query}")

    assert told[0] == status


async def test_a_run_before_which_nothing_is_on_this_way_is_refused(scene: WebScene) -> None:
    first = await say(scene, "one")
    second = await say(scene, "two")
    edited = await say(scene, "edited", first)

    told = await get(scene, f"/api/threads/{scene.thread}?at={second}&before={edited}")

    assert told[0] == 404


async def test_only_runs_of_the_conversation_can_be_followed(scene: WebScene) -> None:
    first = await say(scene, "one")
    thread, scene.thread = scene.thread, ""
    other = await say(scene, "elsewhere")

    for body in ({"thread": thread, "after": other}, {"after": first}):
        assert (await post(scene, "/api/chat", {"text": "x", **body}))[0] == 404
    assert await patch(scene, {"leaf": first}) == 404
    assert await patch(scene, {"leaf": 1}) == 400
    assert len(scene.listener.received) == 2


async def test_files_of_earlier_messages_are_sent_again_by_their_addresses(
    scene: WebScene,
) -> None:
    key = await scene.keep(b"cat")
    address = f"/files/{key}/a%20cat.png"
    await say(scene, "one", attachments=[{"url": address}, {"url": address, "name": "b.png"}])

    json_files = scene.listener.received[-1][0].files
    form = [("text", "two"), ("keep", address), ("keep", address), ("after", "")]
    headers = {"Prefer": "respond-async"}
    async with scene.page.post("/api/chat", data=form_of(form), headers=headers) as response:
        assert response.status == 202
    message = scene.listener.received[-1][0]

    assert [each.name for each in json_files] == ["a cat.png", "b.png"]
    assert [each.name for each in message.files] == ["a cat.png", "a cat.png"]
    assert {each.url for each in (*json_files, *message.files)} == {f"file:{key}"}
    assert await scene.chat.download(message.files[0]) == Blob(b"cat", "", "a cat.png", hash=key)
    assert message.after == ""


@pytest.mark.parametrize("address", [f"/files/{HASH}/a.png", "/files/a.png", f"file:{HASH}"])
async def test_files_that_the_caller_may_not_see_are_not_sent_again(
    scene: WebScene, address: str
) -> None:
    body = {"text": "x", "attachments": [{"url": address}]}
    in_json, _ = await post(scene, "/api/chat", body)
    form = form_of([("text", "two"), ("keep", address)])
    async with scene.page.post("/api/chat", data=form) as response:
        in_form = response.status

    assert in_json in (400, 404)
    assert in_form == 404
    assert scene.listener.received == []


async def test_kept_files_count_among_those_of_a_message(scene: WebScene) -> None:
    address = f"/files/{await scene.keep(b'cat')}/cat.png"
    form = form_of([("text", "two"), *[("keep", address)] * 4])

    async with scene.page.post("/api/chat", data=form) as response:
        assert response.status == 400
    assert scene.listener.received == []


def form_of(fields: list[tuple[str, str]]) -> aiohttp.FormData:
    form = aiohttp.FormData(default_to_multipart=True)
    for name, value in fields:
        form.add_field(name, value)
    return form
