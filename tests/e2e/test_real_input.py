"""Real requests and files with the built-in models: no language model, key or download."""

import io
import wave
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from PIL import Image, ImageDraw, ImageFont, ImageStat

from pipeline.domain import Blob
from tests.adapters.embedded.experts.drawn_files import pdf, png
from tests.e2e.visitor import Visitor, planned, program, programs_stage
from tests.fakes.jobs import picture
from tests.words import english

pytestmark = pytest.mark.asyncio(loop_scope="module")

REPORT = (
    ("Annual report of the Harbour Museum", "The museum opened in 1987.", "It has 14 rooms."),
    (
        "Visitors",
        "The director is Maria Keller.",
        "In 2023 the museum had 48,210 visitors.",
    ),
)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def on(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Visitor]:
    async with program(tmp_path_factory.mktemp("home"), TROUPE_WORKERS="1") as running:
        yield running


async def test_the_total_of_an_invoice_is_read_aloud(on: Visitor) -> None:
    answer = await on.ask("read the total aloud", invoice(), anew=True)

    assert done(answer) == ["document-question-answering", "text-to-speech"]
    assert answer["message"].startswith("**GBP 124.20** (from the line")
    assert answer["files"][0]["alt"] == "Spoken: GBP 124.20"
    assert seconds(await on.file(answer["files"][0])) > 1


async def test_what_was_said_is_written_down_and_read_back(on: Visitor) -> None:
    spoken = await on.ask('read this aloud: "good morning"', anew=True)
    sound = Blob(await on.file(spoken["files"][0]), "audio/wav", "note.wav")

    answer = await on.ask("what was said? read it back to me", sound, anew=True)

    assert done(answer) == ["automatic-speech-recognition", "text-to-speech"]
    heard = answer["outcomes"][0]["output"]
    assert heard
    assert answer["files"][0]["alt"] == f"Spoken: {heard}"


async def test_questions_about_a_document_are_answered_from_its_second_page(on: Visitor) -> None:
    report = pdf(*REPORT)

    visitors = await on.ask("how many visitors did the museum have in 2023?", report, anew=True)
    director = await on.ask("who is the director?")
    aloud = await on.ask("read that aloud")

    assert "In 2023 the museum had 48,210 visitors." in visitors["message"]
    assert "The director is Maria Keller." in director["message"]
    assert aloud["files"][0]["alt"].endswith("“The director is Maria Keller.”")


async def test_the_follow_up_finds_the_picture_by_context(on: Visitor) -> None:
    first = await on.ask("draw boxes around the faces", house(), anew=True)

    second = await on.ask("now make it a pencil sketch")
    third = await on.ask("and now rotate it by 90 degrees")

    assert done(first) == ["object-detection"]
    assert done(second) == ["image-to-image"]
    sketch = opened(await on.file(second["files"][0]))
    red, green, blue = ImageStat.Stat(sketch.convert("RGB")).mean
    assert max(red, green, blue) - min(red, green, blue) < 3
    turned = opened(await on.file(third["files"][0]))
    assert turned.size == sketch.size[::-1]


async def test_three_pictures_are_three_tasks(on: Visitor) -> None:
    pictures = [picture((n * 80, 90, 200)) for n in range(3)]

    answer = await on.ask("make each of these a pencil sketch", *pictures, anew=True)

    assert done(answer) == ["image-to-image"] * 3
    assert answer["message"].startswith("Here are the 3 pictures.")


async def test_what_is_not_possible_here_is_said_once_with_what_would_make_it_possible(
    on: Visitor,
) -> None:
    pictures = [picture((n * 80, 90, 200)) for n in range(3)]

    answer = await on.ask("replace the cat with a dog", *pictures, anew=True)

    assert (answer["outcomes"], answer["notices"]) == ([], [])
    kind = "image-text-to-image"
    setting = "HF_TOKEN=… / OPENAI_API_KEY=… / TROUPE_EXPERTS_URL"
    assert answer["message"] == english("not-possible-owner", kind=kind, setting=setting)


async def test_plain_talk_costs_no_task(on: Visitor) -> None:
    answer = await on.ask("thank you!", anew=True)

    assert (answer["message"], answer["outcomes"]) == (english("planner-welcome"), [])


async def test_six_tasks_on_three_pictures_planned_by_a_language_model_run_on_built_in_experts(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    home = tmp_path_factory.mktemp("home")
    sent = [house(colour) for colour in ("firebrick", "gold", "white")]
    tasks = [
        task
        for n in range(3)
        for task in (
            planned(2 * n, "image-to-image", image=f"image {n + 1}", text="pencil sketch"),
            planned(2 * n + 1, "media-conversion", file=f"image {n + 1}", text="rotate by 90°"),
        )
    ]

    async with programs_stage(home, TROUPE_PLACES="embedded") as on:
        on.plans(*tasks, reply="Six pictures.")
        answer = await on.troupe.ask("sketch each, and rotate each", *sent, anew=True)

    assert done(answer) == ["image-to-image", "media-conversion"] * 3
    assert len(answer["files"]) == 6


def done(answer: dict[str, Any]) -> list[str]:
    """The kinds of the tasks; all must be done."""
    assert {outcome["state"] for outcome in answer["outcomes"]} <= {"done"}, answer
    return [outcome["kind"] for outcome in answer["outcomes"]]


def seconds(sound: bytes) -> float:
    with wave.open(io.BytesIO(sound)) as opened_sound:
        return float(opened_sound.getnframes() / opened_sound.getframerate())


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def invoice() -> Blob:
    """An image of an invoice: letterhead, lines, subtotal, VAT, total."""
    sheet = Image.new("RGB", (1000, 1000), "white")
    pen = ImageDraw.Draw(sheet)
    pen.text((60, 50), "Northwind Paper Ltd", "navy", ImageFont.load_default(48))
    pen.text((60, 115), "12 Mill Lane, Bristol BS1 4DJ", "black", ImageFont.load_default(24))
    pen.text((60, 220), "INVOICE 2024-0117", "black", ImageFont.load_default(36))
    lines = [
        ("A4 paper, 80 g", "45.00"),
        ("Envelopes C5", "18.60"),
        ("Desk lamp", "39.90"),
        ("Subtotal", "103.50"),
        ("VAT 20%", "20.70"),
        ("Total", "GBP 124.20"),
    ]
    for place, (left, right) in enumerate(lines):
        pen.text((60, 340 + 70 * place), left, "black", ImageFont.load_default(28))
        pen.text((700, 340 + 70 * place), right, "black", ImageFont.load_default(28))
    return png(sheet)


def house(colour: str = "firebrick") -> Blob:
    """A colour drawing of a house."""
    sheet = Image.new("RGB", (320, 200), "skyblue")
    pen = ImageDraw.Draw(sheet)
    pen.rectangle((100, 90, 220, 180), fill=colour)
    pen.polygon([(90, 90), (160, 30), (230, 90)], fill="saddlebrown")
    pen.rectangle((0, 180, 320, 200), fill="green")
    return png(sheet)
