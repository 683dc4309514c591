import io
import zipfile
from collections.abc import AsyncIterator

import aiohttp
import pytest
from PIL import Image

from adapters.web.markdown_html import render_html
from adapters.web.stored_files import sniff_media_type
from pipeline.domain import AnswerFile, Attachment, Blob, TaskId
from pipeline.text.names import clean_file_name
from tests.adapters.web.asking import story, whole
from tests.adapters.web.scene import WebScene, web_scene


@pytest.fixture
async def scene() -> AsyncIterator[WebScene]:
    async with web_scene() as opened:
        yield opened


def png() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (2, 2)).save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (png(), "image/png"),
        (b"RIFF\x24\0\0\0WAVEfmt " + b"\0" * 20, "audio/wav"),
        (b"%PDF-1.7\n", "application/pdf"),
        ("Grüße\n".encode(), "text/plain; charset=utf-8"),
        (b"a,b\n1,2\n", "text/plain; charset=utf-8"),
        (
            b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
            "application/octet-stream",
        ),
        (b"\n <!doctype html><script>alert(1)</script>", "application/octet-stream"),
        (b"\xef\xbb\xbf<?xml version='1.0'?><svg/>", "application/octet-stream"),
        (b"PK\x03\x04" + b"\0" * 40, "application/octet-stream"),
        (b"\x00\x01\x02", "application/octet-stream"),
        (b"MZ" + b"\0" * 40, "application/octet-stream"),
    ],
)
def test_a_file_is_shown_as_what_its_bytes_are(data: bytes, media_type: str) -> None:
    assert sniff_media_type(data) == media_type


async def test_a_file_comes_with_headers_that_disarm_it(scene: WebScene) -> None:
    key = await scene.keep(png())

    async with scene.page.get(f"/files/{key}/a%22b%0d%0a.png") as response:
        data = await response.read()

    assert data == png()
    assert response.content_type == "image/png"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert response.headers["Content-Disposition"].startswith('inline; filename="a_b.png"')
    assert response.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize(
    ("data", "is_boxed"),
    [
        (png(), True),
        (b"words", True),
        (b"<html>", True),
        (b"RIFF\x24\0\0\0WAVEfmt " + b"\0" * 20, False),
        (b"%PDF-1.7\n", False),
    ],
)
async def test_players_of_browsers_work_only_outside_a_sandbox(
    scene: WebScene, data: bytes, *, is_boxed: bool
) -> None:
    async with scene.page.get(f"/files/{await scene.keep(data)}/a") as response:
        policy = response.headers["Content-Security-Policy"]

    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert ("sandbox" in policy) is is_boxed


async def test_what_could_run_in_a_browser_is_only_to_be_saved(scene: WebScene) -> None:
    key = await scene.keep(b"<html><script>alert(1)</script></html>")

    async with scene.page.get(f"/files/{key}/page.html") as response:
        assert response.content_type == "application/octet-stream"
        assert response.headers["Content-Disposition"].startswith("attachment;")


@pytest.mark.parametrize(
    ("wanted", "status", "got", "named"),
    [
        ("bytes=0-3", 206, b"0123", "bytes 0-3/10"),
        ("bytes=8-", 206, b"89", "bytes 8-9/10"),
        ("bytes=-2", 206, b"89", "bytes 8-9/10"),
        ("bytes=5-100", 206, b"56789", "bytes 5-9/10"),
        ("bytes=20-", 416, None, "bytes */10"),
        ("nonsense", 416, None, "bytes */10"),
    ],
)
@pytest.mark.parametrize("is_far", [False, True])
async def test_players_get_the_part_they_ask_for(
    scene: WebScene, wanted: str, status: int, got: bytes | None, named: str | None, *, is_far: bool
) -> None:
    scene.cupboard.is_far = is_far
    key = await scene.keep(b"0123456789")

    async with scene.page.get(f"/files/{key}/a.txt", headers={"Range": wanted}) as response:
        data = await response.read()

    assert response.status == status
    assert got is None or data == got
    assert response.headers.get("Content-Range") == named


@pytest.mark.parametrize("is_far", [False, True])
async def test_a_file_is_not_sent_again_to_who_has_it(scene: WebScene, *, is_far: bool) -> None:
    scene.cupboard.is_far = is_far
    key = await scene.keep(b"0123456789")

    async with scene.page.get(f"/files/{key}/a") as first:
        tag = first.headers["ETag"]
    async with scene.page.get(f"/files/{key}/a", headers={"If-None-Match": tag}) as again:
        assert again.status == 304


async def test_a_file_from_afar_comes_whole_where_the_range_is_of_another(scene: WebScene) -> None:
    scene.cupboard.is_far = True
    key = await scene.keep(b"0123456789")
    headers = {"Range": "bytes=0-3", "If-Range": '"another"'}

    async with scene.page.get(f"/files/{key}/a", headers=headers) as response:
        assert (response.status, await response.read()) == (200, b"0123456789")
    async with scene.page.head(f"/files/{key}/a") as response:
        assert (response.content_length, await response.read()) == (10, b"")


async def test_an_empty_file_from_afar_is_empty(scene: WebScene) -> None:
    scene.cupboard.is_far = True

    async with scene.page.get(f"/files/{await scene.keep(b'')}/a") as response:
        assert (response.status, await response.read()) == (200, b"")


@pytest.mark.parametrize("name", ["a%7Bb%7D.txt", "%7B%7Bname%7D%7D.txt", "a%252Fb.txt", "a%3Bb"])
async def test_a_file_is_served_under_any_name(scene: WebScene, name: str) -> None:
    key = await scene.keep(b"0123456789")

    for folder in ("/files", "/api/owner/files"):
        async with scene.page.get(f"{folder}/{key}/{name}") as response:
            assert response.status == 200


@pytest.mark.parametrize("name", ["0" * 64, "..%2f..%2fetc", "short", "F" * 64])
async def test_files_that_are_not_there_are_not_found(scene: WebScene, name: str) -> None:
    async with scene.page.get(f"/files/{name}/a") as response:
        assert response.status == 404


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("[x](data:text/html,hi)", "<p>[x](data:text/html,hi)</p>\n"),
        (
            "[x](https://a.example)",
            '<p><a href="https://a.example" target="_blank" rel="noopener noreferrer nofollow">x</a></p>\n',  # noqa: E501
        ),
    ],
)
def test_markdown_becomes_harmless_html(text: str, html: str) -> None:
    assert render_html(text) == html


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://evil.example/track.png)",
        "<img src=x onerror=alert(1)>",
        '[a](https://x.example/"onmouseover="alert(1))',
        "`<b>`",
        "| <i>a</i> |\n|---|\n| <svg onload=alert(1)> |",
    ],
)
def test_no_tag_of_the_text_survives(text: str) -> None:
    html = render_html(text)

    assert "<img" not in html
    assert "<svg" not in html
    assert "<i>" not in html
    assert "<b>" not in html
    assert '"onmouseover' not in html


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\cat.png", "cat.png"),
        ("a\0b\r\n.txt", "ab.txt"),
        ("photo\u202egnp.exe", "photognp.exe"),
        ('<img src=x onerror="alert(1)">.png', "_img src=x onerror=_alert(1)_.png"),
        ("", "file"),
        ("...", "file"),
        (" .png", "png"),
        ("x" * 300 + ".jpeg", "x" * 96 + ".jpeg"),
        ("naïve café ☕.png", "naïve café ☕.png"),
    ],
)
def test_names_of_files_are_made_harmless(given: str, kept: str) -> None:
    assert clean_file_name(given) == kept


async def test_a_file_is_served_only_to_whom_it_was_shown(scene: WebScene) -> None:
    file = await scene.cupboard.put(b"0123456789")

    async with scene.page.get(f"/files/{file}/a.txt") as hidden:
        assert hidden.status == 404
    message, run = await scene.say("look", Blob(b"0123456789", "text/plain", "a.txt"))
    async with scene.page.get(f"/files/{file}/a.txt") as sent:
        assert sent.status == 200
    async with (
        aiohttp.ClientSession(await scene.chat.address()) as stranger,
        stranger.get(f"/files/{file}/a.txt") as refused,
    ):
        assert refused.status == 404
    await scene.chat.follow(message, run, story(whole()))


def test_text_that_is_still_being_written_has_no_live_links() -> None:
    text = "[x](https://a.example) <https://b.example> https://c.example"

    assert "<a" not in render_html(text, links=False)


async def an_answer_file(scene: WebScene, name: str, data: bytes) -> AnswerFile:
    kept = Attachment(hash=await scene.keep(data), media_type="", name=name, size=len(data))
    return AnswerFile(attachment=kept, alt="", model="", kind="", task=TaskId(0))


async def test_all_files_of_an_answer_come_as_one_archive(scene: WebScene) -> None:
    files = [
        await an_answer_file(scene, "a.txt", b"first" * 200_000),
        await an_answer_file(scene, "A.txt", b"second"),
        await an_answer_file(scene, "../../etc/passwd", b"third"),
    ]
    gone = await an_answer_file(scene, "gone.txt", b"gone")
    scene.cupboard.path(gone.attachment.hash).unlink()
    message, run = await scene.say("make files")
    await scene.chat.follow(message, run, story(whole("Done.", *files, gone)))

    async with scene.page.get(f"/api/runs/{run}/files.zip") as response:
        data = await response.read()

    assert response.content_type == "application/zip"
    assert response.headers["Content-Disposition"].startswith('attachment; filename="troupe-')
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "a.txt": b"first" * 200_000,
            "A-2.txt": b"second",
            "passwd": b"third",
        }


async def test_no_archive_of_a_run_that_made_no_file_or_is_of_others(scene: WebScene) -> None:
    message, run = await scene.say("say hello")
    await scene.chat.follow(message, run, story(whole()))

    async with scene.page.get(f"/api/runs/{run}/files.zip") as empty:
        assert empty.status == 404
    hidden = await scene.cupboard.put(b"not shown")
    file = AnswerFile(
        attachment=Attachment(hash=hidden, media_type="", name="x", size=9),
        alt="",
        model="",
        kind="",
        task=TaskId(0),
    )
    message, run = await scene.say("show me")
    await scene.chat.follow(message, run, story(whole("No.", file)))
    async with scene.page.get(f"/api/runs/{run}/files.zip") as refused:
        assert refused.status == 404
    async with (
        aiohttp.ClientSession(await scene.chat.address()) as stranger,
        stranger.get(f"/api/runs/{run}/files.zip") as strangers,
    ):
        assert strangers.status in (401, 404)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Dest": "document"}, 302),
        ({"Sec-Fetch-Dest": "document", "Range": "bytes=0-3"}, 206),
        ({"Sec-Fetch-Dest": "image"}, 200),
        ({"Sec-Fetch-Dest": "empty"}, 200),
        ({}, 200),
    ],
)
async def test_only_who_opens_or_saves_a_file_is_sent_to_the_store(
    scene: WebScene, headers: dict[str, str], status: int
) -> None:
    scene.cupboard.is_far, scene.cupboard.signs = True, "https://store.example"
    key = await scene.keep(b"<html>0123456789")

    async with scene.page.get(
        f"/files/{key}/a.html", headers=headers, allow_redirects=False
    ) as response:
        assert response.status == status
        link = response.headers.get("Location", "")

    assert link.startswith(f"https://store.example/{key}?application/octet-stream&attachment") is (
        status == 302
    )


async def test_nobody_is_sent_to_the_store_for_a_file_that_is_not_theirs(scene: WebScene) -> None:
    scene.cupboard.signs = "https://store.example"
    key = await scene.cupboard.put(b"secret")

    async with scene.page.get(
        f"/files/{key}/a", headers={"Sec-Fetch-Dest": "document"}, allow_redirects=False
    ) as response:
        assert response.status == 404
