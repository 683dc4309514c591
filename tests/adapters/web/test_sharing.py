"""Conversations that are shared by a link, or kept as a file."""

import asyncio
import base64
import io
import re
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import pytest

from adapters.chat.links import Signer
from adapters.web import exporting
from adapters.web.transcript import Passage
from adapters.web.transcript_html import PageFrame, Part, render_page
from pipeline.domain import (
    Answer,
    AnswerFile,
    Attachment,
    Channel,
    FileHash,
    Incoming,
    LocalizedText,
    Person,
    Run,
    RunId,
    RunState,
    TaskId,
    Thread,
    Turn,
)
from pipeline.ports import Scope
from tests.adapters.web.asking import get, post
from tests.adapters.web.scene import WebScene, web_scene
from tests.contracts.messages import message
from tests.contracts.runs import MODEL, done
from tests.contracts.runs import run as make_run
from tests.fakes.store import FakeStore

NAME = "conversation-0001"
PNG = b"\x89PNG\r\n\x1a\n" + b"picture"
EVIL = '<img src=x onerror="alert(1)">&"\'</title><script>alert(2)</script>'
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
async def scene(store: FakeStore) -> AsyncIterator[WebScene]:
    signer = Signer("", lambda: b"key of links")
    async with web_scene(store=store, sharing=True, signer=signer) as opened:
        yield opened


@pytest.fixture
async def reader(scene: WebScene) -> AsyncIterator[aiohttp.ClientSession]:
    """Somebody with nothing but a link."""
    async with aiohttp.ClientSession(await scene.chat.address()) as opened:
        yield opened


def thread_of(scene: WebScene) -> Thread:
    (cookie,) = [each for each in scene.page.cookie_jar if each.key == "troupe_session"]
    return Thread(Channel("web", cookie.value.partition(".")[0], NAME), NAME)


async def answer(
    scene: WebScene,
    store: FakeStore,
    id: str,  # noqa: A002
    text: str,
    said: str,
    *files: Attachment,
    minutes: int = 0,
) -> None:
    """A message and its answer, with a step and these files."""
    thread, person = thread_of(scene), Person(thread_of(scene).channel.workspace, "you")
    asked: Incoming = replace(message(id, thread, person), text=text)
    run = RunId(f"run{id}")
    await store.inbox.accept(asked, run)
    at = NOON + timedelta(minutes=minutes)
    await store.log(thread, Turn(key=asked.key, person=person, text=text, files=(), at=at))
    shown = tuple(
        AnswerFile(attachment=file, alt=EVIL, model=EVIL, kind="text-to-image", task=TaskId(1))
        for file in files
    )
    bot = Person("troupe", "Troupe", is_bot=True)
    told = Turn(key=run, person=bot, text=said, files=(), at=at + timedelta(minutes=1))
    model = replace(MODEL, id="org/<b>model", licence="apache-2.0")
    record: Run = replace(
        make_run(run, done(took=2.0, model=model), thread=thread, person=person.id),
        text=text,
        message=asked.key,
        state=RunState.ANSWERED,
        answer=Answer(run, said, files=shown, notices=(LocalizedText("taken-earlier"),)),
    )
    await store.keep(record, thread, told)
    await store.inbox.finish(run)


def attach(
    hash_: FileHash, name: str, media_type: str = "image/png", *, size: int = 9
) -> Attachment:
    return Attachment(
        hash=hash_, media_type=media_type, name=name, size=size, description="photo, 4x4"
    )


async def picture(scene: WebScene, data: bytes = PNG, name: str = "cat.png") -> Attachment:
    hash_ = await scene.cupboard.put(data)
    return attach(hash_, name, size=len(data))


async def share(scene: WebScene, **wish: Any) -> dict[str, Any]:
    status, body = await post(scene, f"/api/threads/{NAME}/shares", wish)
    assert status == 201, body
    return body


async def read(
    reader: aiohttp.ClientSession, scene: WebScene, url: str
) -> tuple[int, str, aiohttp.ClientResponse]:
    path = url.removeprefix(await scene.chat.address())
    async with reader.get(path) as response:
        return response.status, await response.text(), response


async def test_whoever_has_the_link_reads_the_conversation(
    scene: WebScene, store: FakeStore, reader: aiohttp.ClientSession
) -> None:
    file = await picture(scene)
    await answer(scene, store, "1", "Draw a cat", "Here is **a cat**.", file)

    body = await share(scene, days=3)
    status, page, response = await read(reader, scene, body["url"])

    assert status == 200
    for words in (
        "Draw a cat",
        "<strong>a cat</strong>",
        "apache-2.0",
        "2.5 s",
        "2026-01-02 12:00",
    ):
        assert words in page
    assert '<html lang="en">' in page
    assert '<meta name="robots" content="noindex, nofollow">' in page
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert "script-src" not in response.headers["Content-Security-Policy"]
    assert "troupe_session" not in response.cookies
    made, expires = (datetime.fromisoformat(body[name]) for name in ("at", "expires"))
    assert expires - made == timedelta(days=3)


async def test_what_is_hostile_is_text(
    scene: WebScene, store: FakeStore, reader: aiohttp.ClientSession
) -> None:
    file = await picture(scene, name=EVIL + ".png")
    await answer(scene, store, "1", EVIL, f"{EVIL} [a](javascript:alert(1))", file)
    await store.change_thread(thread_of(scene), title=EVIL)

    _, page, _ = await read(reader, scene, (await share(scene))["url"])
    async with scene.page.get(f"/api/threads/{NAME}/export?format=html") as response:
        kept = await response.text()

    for html in (page, kept):
        assert "<script" not in html
        assert "<img src=x" not in html
        assert "<b>" not in html
        assert 'href="javascript' not in html
        assert not re.search(r"<[^>]*\son\w+=", re.sub(r'"[^"]*"', '""', html))


async def test_what_is_said_later_is_not_shown(
    scene: WebScene, store: FakeStore, reader: aiohttp.ClientSession
) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.")
    body = await share(scene)
    await store.change_thread(thread_of(scene), title="Not for others")
    await answer(scene, store, "2", "My secret", "A secret.", minutes=9)

    _, page, _ = await read(reader, scene, body["url"])

    assert "A cat." in page
    assert "secret" not in page.lower()
    assert "Not for others" not in page


async def test_files_are_shown_as_long_as_the_link_is_good(
    scene: WebScene, store: FakeStore, reader: aiohttp.ClientSession
) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.", await picture(scene))
    other = await picture(scene, PNG + b"other", "other.png")
    body = await share(scene)
    _, page, _ = await read(reader, scene, body["url"])
    (address,) = re.findall(r'<img src="(/files/[^"]+)"', page)
    address = address.replace("&amp;", "&")

    assert body["share"] not in address
    async with reader.get(address) as response:
        assert (response.status, await response.read()) == (200, PNG)
    for wrong in (
        address.partition("?")[0],
        re.sub(r"[0-9a-f]{64}/", f"{other.hash}/", address, count=1),
        re.sub(r"until=\d+", "until=9999999999", address),
        address.replace("run1", "run2"),
    ):
        async with reader.get(wrong) as response:
            assert response.status == 404

    async with scene.page.delete(f"/api/shares/{body['share']}") as response:
        assert response.status == 204

    async with reader.get(address) as response:
        assert response.status == 404
    status, ended, _ = await read(reader, scene, body["url"])
    assert status == 404
    assert "A cat." not in ended


async def test_a_link_ends_when_its_time_is_over_or_the_conversation_is_forgotten(
    scene: WebScene, store: FakeStore, reader: aiohttp.ClientSession
) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.")
    short, long = await share(scene, days=1), await share(scene, days=9)

    store.clock = lambda: datetime.now(UTC) + timedelta(days=2)

    assert (await read(reader, scene, short["url"]))[0] == 404
    assert (await read(reader, scene, long["url"]))[0] == 200
    _, body = await get(scene, f"/api/threads/{NAME}/shares")
    assert body["shares"] == [long]

    await store.forget(Scope.THREAD, thread=thread_of(scene), person="")

    assert (await read(reader, scene, long["url"]))[0] == 404


async def test_nobody_finds_or_ends_the_links_of_others(
    scene: WebScene, store: FakeStore, reader: aiohttp.ClientSession
) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.")
    body = await share(scene)
    (kept,) = store.shares.values()

    async with reader.delete(f"/api/shares/{body['share']}") as response:
        assert response.status == 404
    for guess in (kept.mark, "x", "A" * 32, "%00", "%2e%2e%2f", "A" * 5000):
        async with reader.get(f"/shared/{guess}") as response:
            assert response.status == 404
    async with reader.get(f"/api/threads/{NAME}/shares") as response:
        assert response.status == 404
    assert (await read(reader, scene, body["url"]))[0] == 200


@pytest.mark.parametrize(
    ("wish", "status"),
    [({"days": 0}, 400), ({"days": 91}, 400), ({"days": "x"}, 400), ({"at": "no-run"}, 404)],
)
async def test_a_share_that_cannot_be_is_refused(
    scene: WebScene, store: FakeStore, wish: dict[str, Any], status: int
) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.")

    assert (await post(scene, f"/api/threads/{NAME}/shares", wish))[0] == status
    assert store.shares == {}


async def test_what_is_not_finished_is_not_shared(scene: WebScene, store: FakeStore) -> None:
    thread = thread_of(scene)
    await store.inbox.accept(message("1", thread), RunId("run1"))

    status, body = await post(scene, f"/api/threads/{NAME}/shares", {})

    assert (status, body["type"]) == (409, "urn:troupe:problem:web-nothing-to-share")


async def test_sharing_is_off_unless_it_is_turned_on(store: FakeStore) -> None:
    async with web_scene(store=store, signer=Signer("", lambda: b"key")) as scene:
        await answer(scene, store, "1", "Draw a cat", "A cat.")

        status, body = await post(scene, f"/api/threads/{NAME}/shares", {})

        assert (status, body["type"]) == (403, "urn:troupe:problem:web-sharing-off")
        assert (await get(scene, f"/api/threads/{NAME}/shares"))[0] == 403


async def test_turning_it_off_closes_the_links_that_there_are(
    scene: WebScene, store: FakeStore
) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.", await picture(scene))
    body = await share(scene)
    _, page, _ = await read(scene.page, scene, body["url"])
    (address,) = re.findall(r'<img src="(/files/[^"]+)"', page)

    signer = Signer("", lambda: b"key of links")
    async with web_scene(store=store, signer=signer) as later:
        later.cupboard.path(address.split("/")[2]).write_bytes(PNG)
        for path in (f"/shared/{body['share']}", address.replace("&amp;", "&")):
            async with later.page.get(path) as response:
                assert response.status == 404


async def test_an_exported_page_has_its_media_inside(scene: WebScene, store: FakeStore) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.", await picture(scene))

    async with scene.page.get(f"/api/threads/{NAME}/export?format=html") as response:
        page = await response.text()

    assert response.headers["Content-Disposition"] == 'attachment; filename="draw-a-cat.html"'
    assert f'src="data:image/png;base64,{base64.b64encode(PNG).decode()}"' in page
    assert "apache-2.0" in page
    assert re.search(r"<figcaption[^>]*>cat\.png · .* · Step 1: [A-Z].*</figcaption>", page)
    assert '<li value="1">' in page
    assert "/files/" not in page
    assert "<link" not in page


async def test_media_that_could_run_are_only_downloaded(scene: WebScene, store: FakeStore) -> None:
    hash_ = await scene.cupboard.put(b"<script>alert(1)</script>")
    html = attach(hash_, "page.html", 'text/html"><script>')
    await answer(scene, store, "1", "Write a page", "A page.", html)

    async with scene.page.get(f"/api/threads/{NAME}/export") as response:
        page = await response.text()

    assert 'href="data:application/octet-stream;base64,' in page
    assert "<script" not in page


async def test_what_is_too_large_for_the_page_is_named(scene: WebScene, store: FakeStore) -> None:
    gone = replace(await picture(scene), name="gone.png", size=12_300_000)
    scene.cupboard.path(gone.hash).unlink()
    await answer(scene, store, "1", "Draw a cat", "A cat.", gone)

    async with scene.page.get(f"/api/threads/{NAME}/export") as response:
        page = await response.text()

    assert "gone.png" in page
    assert "12.3 MB" in page
    assert "data:image/png" not in page
    assert exporting._MOST_EMBEDDED == 100_000_000  # noqa: SLF001 - what the documentation says


async def test_an_exported_archive_has_a_text_and_its_media(
    scene: WebScene, store: FakeStore
) -> None:
    files = [
        await picture(scene, PNG + name.encode(), name)
        for name in ("../../etc/passwd", "cat.png", "CAT.png", "..", "a\\b.png", "x" * 300)
    ]
    await answer(scene, store, "1", "# Draw\na cat", "Here is **a cat**.", *files)

    async with scene.page.get(f"/api/threads/{NAME}/export?format=markdown") as response:
        data = await response.read()

    assert response.content_type == "application/zip"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        text = archive.read("conversation.md").decode()
        media = {name: archive.read(name) for name in names if name != "conversation.md"}
    assert names[0] == "conversation.md"
    assert len({name.casefold() for name in names}) == len(files) + 1
    assert all(re.fullmatch(r"media/[^/\\]*[^/\\.][^/\\]*", name) for name in media)
    assert sorted(media.values()) == sorted(PNG + file.name.encode() for file in files)
    assert "> # Draw\n> a cat" in text
    assert "Here is **a cat**." in text
    assert "(<media/cat.png>)" in text
    assert "· Step 1: " in text
    assert "apache-2.0" in text


async def test_nobody_exports_what_is_not_theirs(
    scene: WebScene, store: FakeStore, reader: aiohttp.ClientSession
) -> None:
    await answer(scene, store, "1", "Draw a cat", "A cat.")

    async with reader.get(f"/api/threads/{NAME}/export") as response:
        assert response.status == 404
    async with scene.page.get(f"/api/threads/{NAME}/export?format=pdf") as response:
        assert response.status == 400
    async with scene.page.get(f"/api/threads/{NAME}/export?at=no-run") as response:
        assert response.status == 404


async def test_pages_are_rendered_in_turns() -> None:
    turns, held = asyncio.Semaphore(1), list[bool]()
    file = Attachment(hash=FileHash("a" * 64), media_type="text/plain", name="a.txt", size=1)
    passage = Passage(
        run=RunId("1"),
        text="hello",
        sent=(file,),
        sent_at=None,
        answer="",
        made=(),
        answered_at=None,
        steps=(),
        notices=(),
    )
    frame = PageFrame(heading="", about="", style="", locale="en")

    async def passages() -> AsyncIterator[Passage]:
        for _ in range(3):
            yield passage

    def place_file(*_: object) -> str:
        held.append(turns.locked())
        return ""

    async def read() -> list[Part]:
        return [part async for part in render_page(frame, passages(), place_file, turns)]

    async with asyncio.TaskGroup() as group:
        pages = [group.create_task(read()) for _ in range(2)]

    assert pages[0].result() == pages[1].result()
    assert held == [True] * 6
