"""Wrong input, with and without a language model: a plain sentence, then normal service."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from pipeline.domain import Blob
from tests.adapters.embedded.experts.drawn_files import pdf
from tests.e2e import wrong_files
from tests.e2e.visitor import Visitor, planned, program, programs_stage
from tests.fakes.jobs import picture
from tests.servers.openai.server import Asked
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="module")

SMALL = {"TROUPE_MAX_FILE_MB": "1", "TROUPE_WORKERS": "1"}
NOTHING = "There is nothing to do in this."
ODD_TEXTS = {
    "braces": r"say \ {{}} {x} ${y} %s %(z)d {0} {% raw %}",
    "quotes": "it's \"so\" `called` «quoted» 'text' <b>&amp;</b> -- ; DROP TABLE runs;",
    "control characters": "he\x00llo \x07\x1b[31m there\x7f\u2028\ufeff",
    "right to left and emoji": "\u202eمرحبا 🎉👩‍👩‍👧‍👦 שלום",  # noqa: RUF001
    "half of a pair": "hi \ud83d there",
    "only marks": "*_~`#>|[](",
    "an unknown language": "Mba'éichapa, emombe'u chéve peteĩ mba'e",
    "one long word": "a" * 99_999,
    "as long as can be": ("All work and no play. " * 4600)[:100_000],
}
ODD_NAMES = (
    "../../etc/passwd.png",
    "C:\\windows\\x.png",
    "two\nlines\r\n.png",
    "🎉 ünï.png",
    "x" * 300 + ".png",
    "..",
    "",
    "a\u202egnp.exe",
    "{{name}} %s.png",
)


@pytest_asyncio.fixture(loop_scope="module", scope="module", params=["language model", "alone"])
async def on(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Visitor]:
    home = tmp_path_factory.mktemp("home")
    if request.param == "alone":
        async with program(home, **SMALL) as running:
            yield running
    else:
        async with programs_stage(home, **SMALL, TROUPE_PLACES="local,embedded") as running_stage:
            running_stage.llm.reply = _said
            yield running_stage.troupe


def _said(asked: Asked) -> str:
    """Plans a description of the first picture, or nothing if there is none."""
    if "response_format" not in asked.body:
        return "Here is what I found."
    if "image 1" in asked.text.rpartition("Files with the request: <<<")[2]:
        return json.dumps([planned(0, "image-to-text", image="image 1")])
    return json.dumps({"reply": NOTHING, "tasks": []})


def words_of(answer: dict[str, Any]) -> str:
    """The text of an answer that people read; must not leak internals."""
    told = "\n".join([answer.get("message") or answer["error"], *answer.get("notices", ())])
    assert told.strip()
    assert not re.search(
        r"Traceback|Error\(|Exception|<class|bot itself|[a-z]+-[a-z]+-[a-z]+ =", told
    )
    return told


async def well(on: Visitor) -> None:
    """Check that the program answers a plain message."""
    answer = await on.ask("hello", anew=True)

    assert answer["status"] == 200
    assert words_of(answer)


@pytest.mark.parametrize("text", ["", "  \n\t "])
async def test_an_empty_message(on: Visitor, text: str) -> None:
    answer = await on.ask(text, anew=True)

    assert answer["status"] == 400
    assert words_of(answer) == english("web-empty")
    await well(on)


async def test_a_file_without_a_word(on: Visitor) -> None:
    answer = await on.ask("", picture(), anew=True)

    assert answer["status"] == 200
    assert words_of(answer)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (
            wrong_files.truncated_png,
            english("file-unused", name="half.png", reason="The file is damaged or incomplete"),
        ),
        (
            wrong_files.page_as_png,
            english(
                "file-unused",
                name="photo.png",
                reason="Its name ends in .png, but it contains a web page",
            ),
        ),
        (
            wrong_files.bomb,
            english("file-unused", name="tiny.png", reason="The picture has 50000×50000 pixels"),
        ),
        (
            wrong_files.huge_document,
            english("file-unused", name="letter.docx", reason="The file would unpack to"),
        ),
        (
            lambda: Blob(b"\x00\x01\x02" * 99, "", "what.bin"),
            english("file-unused", name="what.bin", reason="This type of file"),
        ),
    ],
    ids=["half a picture", "a page as a picture", "a huge picture", "a huge document", "no type"],
)
async def test_a_file_that_cannot_be_used_is_told_with_the_reason(
    on: Visitor, make: Callable[[], Blob], why: str
) -> None:
    answer = await on.ask("make it a pencil sketch", make(), anew=True)

    assert answer["status"] == 200
    assert why in words_of(answer)
    assert answer["outcomes"] == []
    await well(on)


async def test_a_good_file_beside_a_broken_one_is_used(on: Visitor) -> None:
    answer = await on.ask(
        "make it a pencil sketch", wrong_files.truncated_png(), picture(), anew=True
    )

    assert [outcome["state"] for outcome in answer["outcomes"]] == ["done"]
    assert "half.png was not used" in words_of(answer)


@pytest.mark.parametrize(
    ("files", "status", "why"),
    [
        (
            [Blob(b"", "image/png", "nothing.png")],
            400,
            english("web-file-empty", name="nothing.png"),
        ),
        ([Blob(bytes(2 << 20), "", "big.bin")], 413, "The file big.bin is too large: at most 1 MB"),
        ([picture((n, 2, 3)) for n in range(25)], 400, english("web-too-many-files", limit="20")),
    ],
    ids=["no bytes", "too large", "too many"],
)
async def test_files_that_are_not_even_taken(
    on: Visitor, files: list[Blob], status: int, why: str
) -> None:
    answer = await on.ask("describe this", *files, anew=True)

    assert answer["status"] == status
    assert words_of(answer).startswith(why)
    await well(on)


async def test_a_document_of_200_pages(on: Visitor) -> None:
    pages = [[f"Page {n} tells of a river, and of town number {n}."] for n in range(200)]

    answer = await on.ask("summarize this", pdf(*pages), anew=True)

    assert answer["status"] == 200
    assert words_of(answer)


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
async def test_odd_words(on: Visitor, text: str) -> None:
    answer = await on.ask(text, anew=True)

    assert answer["status"] == (400 if "\ud83d" in text else 200)
    assert words_of(answer)
    await well(on)


async def test_a_message_that_is_too_long(on: Visitor) -> None:
    answer = await on.ask("x" * 100_001, anew=True)

    assert answer["status"] == 413
    assert words_of(answer) == english("web-text-too-long", limit="100,000")


@pytest.mark.parametrize("name", ODD_NAMES)
async def test_odd_file_names(on: Visitor, name: str) -> None:
    answer = await on.ask("make it a pencil sketch", wrong_files.named(name), anew=True)

    assert [outcome["state"] for outcome in answer["outcomes"]] == ["done"]
    assert not re.search(r"[\x00-\x08\n\r\u202e]|\.\.[/\\]", str(answer["files"]))


async def test_a_table_in_utf_16(on: Visitor) -> None:
    table = Blob("name,price\nlamp,39\nchair,120\n".encode("utf-16"), "text/csv", "prices.csv")

    answer = await on.ask("what is the highest price?", table, anew=True)

    assert answer["status"] == 200
    assert words_of(answer).startswith(("**120**", NOTHING))


async def test_the_same_message_twice_at_once_is_answered_twice(on: Visitor) -> None:
    async with asyncio.TaskGroup() as group:
        asked = [
            group.create_task(on.ask("make it a pencil sketch", picture(), anew=True))
            for _ in range(2)
        ]

    first, second = (each.result() for each in asked)
    assert first["message"] == second["message"]
    assert first["thread"] != second["thread"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"text": 7}', b'{"text": "hi", "attachments": [{"data_base64": "%%%"}]}'],
)
async def test_a_body_that_is_no_message(on: Visitor, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}

    async with on.session.post(f"{on.address}/api/chat", data=body, headers=headers) as response:
        answer = await response.json()

    assert response.status == 400
    assert words_of(answer)
