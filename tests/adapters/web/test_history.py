"""A person's conversations over the API: lists, changes, and what is told live."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import pytest

from adapters.web.live_feed import FeedReader, LiveFeed, ThreadChanged
from pipeline.domain import (
    Answer,
    Answered,
    Channel,
    Invocation,
    NamedFile,
    Person,
    Reply,
    Thread,
    Turn,
)
from tests.adapters.web.asking import get, story
from tests.adapters.web.scene import WebScene, events_of, web_scene
from tests.contracts.messages import file

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
NAME = "conversation-{:04}"


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene() as opened:
        yield opened


def person_of(scene: WebScene) -> str:
    (cookie,) = [each for each in scene.page.cookie_jar if each.key == "troupe_session"]
    return cookie.value.partition(".")[0]


async def log(
    scene: WebScene, number: int, text: str, *files: NamedFile, person: str = ""
) -> Thread:
    person, name = person or person_of(scene), NAME.format(number)
    thread = Thread(Channel("web", person, name), name)
    turn = Turn(
        key=f"{thread.channel.key}:{number}",
        person=Person(person, "you"),
        text=text,
        files=files,
        at=NOON + timedelta(minutes=number),
    )
    await scene.records.history.log(thread, turn)
    return thread


async def names(scene: WebScene, query: str = "") -> list[str]:
    _, body = await get(scene, f"/api/threads{query}")
    return [each["thread"] for each in body["threads"]]


async def change(
    scene: WebScene, thread: Thread, body: Any, **headers: str
) -> tuple[int, dict[str, Any]]:
    path, sent = f"/api/threads/{thread.root}", {"Content-Type": "application/json", **headers}
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with scene.page.patch(path, data=raw, headers=sent) as response:
        return response.status, await response.json()


async def test_conversations_are_listed_with_titles(scene: WebScene) -> None:
    await log(scene, 1, "Draw\na cat")
    await log(scene, 2, "", NamedFile("image 1", file("a")))
    await log(scene, 3, "Secret", person="b" * 20)

    status, body = await get(scene, "/api/threads")

    assert status == 200
    listed = {"pinned": False, "live": False, "excerpt": ""}
    assert body == {
        "threads": [
            {
                **listed,
                "thread": NAME.format(2),
                "title": "a.png",
                "at": "2026-01-02T12:02:00+00:00",
            },
            {
                **listed,
                "thread": NAME.format(1),
                "title": "Draw",
                "at": "2026-01-02T12:01:00+00:00",
            },
        ],
        "next": None,
    }


async def test_pages_of_the_list_follow_each_other(scene: WebScene) -> None:
    for number in range(5):
        await log(scene, number, "hi")
    seen: list[str] = []
    before = ""
    for _ in range(3):
        _, body = await get(scene, f"/api/threads?limit=2&before={before}")
        seen += [each["thread"] for each in body["threads"]]
        before = body["next"]

    assert seen == [NAME.format(number) for number in (4, 3, 2, 1, 0)]
    assert before is None


async def test_conversations_are_found_by_their_words(scene: WebScene) -> None:
    await log(scene, 1, "Draw the Eiffel Tower, please")
    await log(scene, 2, "Draw a cat")

    _, body = await get(scene, "/api/threads?query=eiffel%20tow")

    (found,) = body["threads"]
    assert (found["thread"], found["excerpt"]) == (NAME.format(1), "Draw the Eiffel Tower, please")
    assert await names(scene, "?query=%22%20OR%20(") == []


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=-1",
        "limit=x",
        "limit=99999",
        "limit=%D9%A3",
        "before=x",
        "before=%00",
        "before=W10",
        "before=W3RydWUsTmFOLCJ4Il0",
        "before=W3RydWUsMWUzMDAsIngiXQ",
        f"before={'A' * 3000}",
    ],
)
async def test_a_parameter_that_cannot_be_is_refused(scene: WebScene, query: str) -> None:
    status, body = await get(scene, f"/api/threads?{query}")

    assert (status, body["type"]) == (400, "urn:troupe:problem:web-bad-query")


async def test_a_conversation_is_named_and_pinned(scene: WebScene) -> None:
    first = await log(scene, 1, "Draw a cat")
    await log(scene, 2, "Draw a dog")

    status, body = await change(scene, first, {"title": " Pets\n<b> ", "pinned": True})

    assert (status, body["title"], body["pinned"]) == (200, "Pets <b>", True)
    assert await names(scene) == [NAME.format(1), NAME.format(2)]
    assert (await change(scene, first, {"title": ""}))[1]["title"] == "Draw a cat"
    assert (await change(scene, first, {}))[1]["pinned"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"title": 7}, 400),
        ({"pinned": "yes"}, 400),
        ({"colour": "red"}, 400),
        ([], 400),
        (b"{", 400),
        (b"\xff", 400),
        ({"title": "x" * 1001}, 400),
        ({"title": "x" * 100_000}, 413),
    ],
)
async def test_a_change_that_cannot_be_is_refused(scene: WebScene, body: Any, status: int) -> None:
    thread = await log(scene, 1, "Draw a cat")

    assert (await change(scene, thread, body))[0] == status
    assert await scene.records.history.find_thread(thread) is not None
    assert scene.records.history.titles == {}


async def test_nobody_changes_or_forgets_what_is_not_theirs(scene: WebScene) -> None:
    theirs = await log(scene, 1, "Secret", person="b" * 20)
    other_site = {"Sec-Fetch-Site": "cross-site"}
    mine = await log(scene, 2, "Mine")

    assert (await change(scene, theirs, {"title": "x"}))[0] == 404
    assert (await change(scene, mine, {"title": "x"}, **other_site))[0] == 403
    async with scene.page.delete(f"/api/threads/{theirs.root}") as response:
        assert response.status == 404
    async with scene.page.delete(f"/api/threads/{mine.root}", headers=other_site) as response:
        assert response.status == 403
    assert scene.listener.invocations == []


async def test_a_conversation_is_forgotten_by_the_command(scene: WebScene) -> None:
    thread = await log(scene, 1, "Draw a cat")
    scene.listener.reply = Reply("Forgotten.")

    async with scene.page.delete(f"/api/threads/{thread.root}") as response:
        assert await response.json() == {"thread": thread.root, "text": "Forgotten."}

    (invocation,) = scene.listener.invocations
    assert isinstance(invocation, Invocation)
    assert (invocation.command, invocation.args) == ("forget", {"what": "thread"})
    assert (invocation.thread, invocation.person.id) == (thread, person_of(scene))


async def test_programs_are_told_of_nobodys_conversations(scene: WebScene) -> None:
    async with aiohttp.ClientSession(await scene.chat.address()) as program:
        for path in ("/api/threads", "/api/events"):
            async with program.get(path) as response:
                assert response.status == 403
        async with program.post("/api/devices") as response:
            assert response.status == 403


class Listening:
    """A browser's side of the stream of changes."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()

    async def next(self) -> tuple[str, dict[str, Any]]:
        async with asyncio.timeout(10):
            return await self.events.get()


@asynccontextmanager
async def listening(scene: WebScene, **headers: str) -> AsyncIterator[Listening]:
    heard = Listening()
    async with scene.page.get("/api/events", headers=headers) as response:
        assert response.status == 200
        await response.content.readline()

        async def listen() -> None:
            async for event in events_of(response):
                heard.events.put_nowait(event)

        task = scene.group.create_task(listen())
        yield heard
        task.cancel()


async def test_all_tabs_are_told_what_changes(scene: WebScene) -> None:
    thread = await log(scene, 1, "Draw a cat")
    async with listening(scene) as one, listening(scene) as other:
        await change(scene, thread, {"title": "Pets", "pinned": True})

        for tab in (one, other):
            name, data = await tab.next()
            assert (name, data["title"], data["pinned"]) == ("thread", "Pets", True)

        scene.records.history.turns.clear()
        scene.chat.state.feed.publish(ThreadChanged(thread))

        for tab in (one, other):
            assert await tab.next() == ("forgotten", {"thread": thread.root})


async def test_a_run_is_told_when_it_begins_and_when_it_ends(scene: WebScene) -> None:
    async with listening(scene) as tab:
        message, run = await scene.say("Draw a cat")
        await scene.records.history.inbox.accept(message, run)
        begun = {"thread": message.thread.root, "run": run, "after": "", "message": message.id}
        assert await tab.next() == ("run", begun)
        await tab.next()
        scene.chat.state.feed.publish(ThreadChanged(message.thread))
        name, data = await tab.next()
        assert (name, data["title"], data["live"]) == ("thread", "Draw a cat", True)

        await scene.chat.follow(message, run, story(Answered(Answer(run, "Done."))))

        name, data = await tab.next()
        assert (name, data["live"]) == ("thread", False)


async def test_after_a_command_everything_is_read_anew(scene: WebScene) -> None:
    async with listening(scene) as tab:
        message, run = await scene.say("forget me")
        command = replace(message, beside=True)
        await scene.chat.follow(command, run, story(Answered(Answer(run, "Forgotten."))))

        told = [await tab.next()]
        while told[-1][0] != "anew":
            told.append(await tab.next())

        assert told[-1] == ("anew", {})


async def test_where_it_is_opened_is_told_to_all_tabs(scene: WebScene) -> None:
    message, run = await scene.say("Draw a cat")
    await scene.chat.follow(message, run, story(Answered(Answer(run, "Done."))))
    async with listening(scene) as tab:
        address = f"/api/threads/{message.thread.root}"
        async with scene.page.patch(address, json={"leaf": run}) as response:
            assert response.status == 200

        name, data = await tab.next()
        assert (name, data["thread"]) == ("thread", message.thread.root)


async def test_after_old_data_are_deleted_everybody_reads_anew(scene: WebScene) -> None:
    async with listening(scene) as tab:
        scene.chat.start_anew()

        assert await tab.next() == ("anew", {})


async def test_others_are_told_nothing(scene: WebScene) -> None:
    theirs = await log(scene, 1, "Secret", person="b" * 20)
    mine = await log(scene, 2, "Mine")
    async with listening(scene) as tab:
        scene.chat.state.feed.publish(ThreadChanged(theirs))
        scene.chat.state.feed.publish(ThreadChanged(mine))

        assert (await tab.next())[1]["thread"] == mine.root


async def test_a_stream_ends_with_its_session() -> None:
    async with web_scene(token="a long token of this page") as scene:
        async with scene.page.post("/login", data={"token": "a long token of this page"}):
            pass
        thread = await log(scene, 1, "hi")
        async with scene.page.get("/api/events") as response:
            await response.content.readline()
            async with scene.page.post("/logout", allow_redirects=False):
                pass
            scene.chat.state.feed.publish(ThreadChanged(thread))
            async with asyncio.timeout(10):
                assert b"thread" not in await response.read()


async def test_a_reader_that_cannot_keep_up_is_told_to_read_anew() -> None:
    feed = LiveFeed()
    threads = [Thread(Channel("web", "ann", str(each)), str(each)) for each in range(1000)]
    with feed.read("ann") as reader:
        for thread in threads:
            feed.publish(ThreadChanged(thread))

        is_behind, changes = await reader.wait_for_changes(1)

        assert is_behind
        assert len(changes) <= 100
        assert await reader.wait_for_changes(0) == (False, [])


async def test_equal_changes_are_told_once() -> None:
    reader = FeedReader()
    change = ThreadChanged(Thread(Channel("web", "ann", "a"), "a"))
    for _ in range(1000):
        reader.add(change)

    assert await reader.wait_for_changes(1) == (False, [change])


def test_nothing_is_kept_of_readers_that_left() -> None:
    feed = LiveFeed()
    with feed.read("ann"):
        pass

    assert not feed._readers  # noqa: SLF001 - what must not grow
