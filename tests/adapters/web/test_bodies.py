"""Messages as JSON and as forms: what arrives of them, and what is refused before it is parsed."""

import base64
import io
import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from pipeline.domain import FileHash
from tests.adapters.web.scene import WebScene, web_scene

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "multipart/form-data; boundary=x"}
DATA = Random(1).randbytes(700_000)
"""More than is decoded at once or held in memory, and no whole number of slices."""
BASE64 = base64.b64encode(DATA).decode()


async def send(scene: WebScene, body: bytes, headers: Mapping[str, str]) -> int:
    """The status of a message; a taken one is not followed to its end."""
    accepted = {**headers, "Accept": "text/event-stream"}
    async with scene.page.post("/api/chat", data=io.BytesIO(body), headers=accepted) as response:
        return response.status


async def arrived(scene: WebScene) -> tuple[str, list[tuple[str, bytes]]]:
    """The text and the files of the last message that was taken."""
    message, _ = scene.listener.received[-1]
    files = [
        (link.name, await scene.cupboard.get(FileHash(link.url.removeprefix("file:"))))
        for link in message.files
    ]
    return message.text, files


def attached(data_base64: str, **more: Any) -> bytes:
    file = {"name": "a.bin", "data_base64": data_base64}
    return json.dumps({"text": 'say "hi"', "attachments": [file], **more}).encode()


def part(disposition: str, data: bytes, *lines: str) -> bytes:
    head = "\r\n".join((f"--x\r\nContent-Disposition: form-data; {disposition}", *lines, "", ""))
    return head.encode() + data + b"\r\n"


@pytest.mark.parametrize(
    "body",
    [
        attached(BASE64),
        attached(BASE64.rstrip("=")),
        attached(BASE64.replace("+", "-").replace("/", "_")),
        attached(BASE64).replace(b"/", b"\\/"),
        attached(BASE64).replace(b'"data_base64": ', b'"data_base64"\n :\t'),
    ],
    ids=["plain", "unpadded", "url-safe", "escaped", "spaced"],
)
async def test_base64_in_json_arrives_as_the_bytes_that_it_means(body: bytes) -> None:
    async with web_scene() as scene:
        assert await send(scene, body, JSON) == 200
        assert await arrived(scene) == ('say "hi"', [("a.bin", DATA)])


async def test_several_files_in_json_keep_their_order() -> None:
    files = [
        {"name": f"{number}.bin", "data_base64": base64.b64encode(b"%d" % number).decode()}
        for number in range(5)
    ]
    async with web_scene() as scene:
        assert await send(scene, json.dumps({"attachments": files}).encode(), JSON) == 200
        _, arrivals = await arrived(scene)

    assert arrivals == [(f"{number}.bin", b"%d" % number) for number in range(5)]


async def test_words_that_look_like_a_file_are_words() -> None:
    text = '{"data_base64": "QUJD"}'
    async with web_scene() as scene:
        assert await send(scene, json.dumps({"text": text}).encode(), JSON) == 200
        assert await arrived(scene) == (text, [])


WRONG_JSON = {
    "not base64": attached(BASE64[:-3] + "§"),
    "a line break": attached(BASE64[:1000] + "\n" + BASE64[1000:]),
    "padding first": attached("QQ==" + BASE64),
    "padding within": attached(BASE64 + "====" + BASE64),
    "backslashes": attached("\\" * 700_000),
    "one letter": attached("A"),
    "cut off": attached(BASE64)[:-20],
    "an escaped key": b'{"attachments": [{"name": "a", "data\\u005fbase64": "0"}]}',
    "no source": b'{"attachments": [{"name": "a", "data_base64": null}]}',
    "a list for a file": b'{"attachments": [{"name": "a", "data_base64": ["QUJD"]}]}',
    "a long number": b'{"text": ' + b"1" * 100_000 + b"}",
    "deep": b'{"text": "x", "thread": ' + b"[" * 100_000,
    "a long name of a thread": b'{"text": "x", "thread": "' + b"x" * 2000 + b'"}',
    "many attachments": b'{"attachments": [' + b"{}," * 300_000 + b"{}]}",
    "many files": b'{"attachments": [' + b'{"data_base64":"QQ"},' * 20_000 + b"{}]}",
    "blanks": b'{"text": "x"' + b" " * 3_000_000 + b"}",
}


@pytest.mark.parametrize(
    "body",
    WRONG_JSON.values(),
    ids=WRONG_JSON,
)
async def test_json_that_no_client_sends_is_refused(body: bytes) -> None:
    async with web_scene() as scene:
        assert 400 <= await send(scene, body, JSON) < 500
        assert scene.listener.received == []


async def test_the_longest_text_arrives_however_it_is_escaped() -> None:
    async with web_scene() as scene:
        text = "\N{GRINNING FACE}" * 100_000
        assert await send(scene, json.dumps({"text": text}).encode(), JSON) == 200
        assert (await arrived(scene))[0] == text
        commas = "," * 100_000
        assert await send(scene, json.dumps({"text": commas}).encode(), JSON) == 200


async def test_a_form_arrives_as_it_was_sent() -> None:
    body = (
        part('name="text"', "zwei\r\nZeilen, für \N{GRINNING FACE}".encode())
        + part('name="file"; filename="a.bin"', DATA, "Content-Type: application/octet-stream")
        + part('name="file"; filename="b.txt"', b"--x is no boundary\r\n--")
        + part('name="file"; filename=""', b"")
        + part("name=\"file\"; filename=c; filename*=utf-8''%E4%BD%A0.txt", b"c")
        + b"--x--\r\n"
    )
    async with web_scene() as scene:
        assert await send(scene, body, FORM) == 200
        text, files = await arrived(scene)

    assert text == "zwei\nZeilen, für \N{GRINNING FACE}"
    names = [("a.bin", DATA), ("b.txt", b"--x is no boundary\r\n--"), ("你.txt", b"c")]
    assert files == names


WRONG_FORMS = {
    "blank lines first": b"\n" * 100_000 + part('name="text"', b"x") + b"--x--\r\n",
    "many parts": part('name="text"', b"x") * 50 + b"--x--\r\n",
    "many headers": part('name="text"', b"x") + b"--x\r\n" + b"a: b\r\n" * 100,
    "a long header": part('name="text"', b"x", f"X: {'y' * 10_000}") + b"--x--\r\n",
    "a long text": part('name="text"', b"x" * 500_000) + b"--x--\r\n",
    "base64 in a part": part('name="text"', b"eA==", "Content-Transfer-Encoding: base64")
    + b"--x--\r\n",
    "gzip in a part": part('name="f"; filename="f"', b"x", "Content-Encoding: gzip") + b"--x--\r\n",
    "no UTF-8": part('name="text"', b"\xff") + b"--x--\r\n",
    "an unknown charset": part('name="text"', b"x", "Content-Type: text/plain; charset=klingon")
    + b"--x--\r\n",
    "no end": part('name="text"', b"x"),
    "no name": part("", b"x") + b"--x--\r\n",
    "nothing": b"",
}


@pytest.mark.parametrize(
    "body",
    WRONG_FORMS.values(),
    ids=WRONG_FORMS,
)
async def test_a_form_that_no_client_sends_is_refused(body: bytes) -> None:
    async with web_scene() as scene:
        assert 400 <= await send(scene, body, FORM) < 500
        assert scene.listener.received == []


async def test_a_form_without_a_boundary_is_refused() -> None:
    async with web_scene() as scene:
        headers = {"Content-Type": "multipart/form-data"}
        assert await send(scene, b"--\r\n", headers) == 400


async def test_a_file_is_refused_as_soon_as_it_is_too_large() -> None:
    body = part('name="file"; filename="a.bin"', DATA)[:-300_000]
    async with web_scene(max_file=100_000) as scene:
        assert await send(scene, body, FORM) == 413


async def test_what_a_message_may_have_can_be_asked_before() -> None:
    async with (
        web_scene(max_files=3, max_file=5_000) as scene,
        scene.page.get("/api/limits") as response,
    ):
        told = await response.json()

    assert told == {"text": 100_000, "files": 3, "file": 5_000, "message": 100 << 20}
