"""A kind that cannot take what it is given stands back for one that does the same with it; told, and losing nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.domain import Proposed, Text, Type
from pipeline.planning.batch import read_row
from pipeline.planning.fitting import takes
from pipeline.planning.siblings import SIBLINGS
from pipeline.table import KINDS
from tests.pipeline.planning.builders import args, file, kinds, media, read, ref, request, told

PHOTO = file("image 1", "a.jpg")
SOUND = file("sound 1", "s.wav")
DOCS = Path(__file__).parents[3] / "docs" / "plans.md"


def plan(*tasks: tuple[str, dict[str, Any] | list[str]]) -> str:
    return json.dumps(
        [{"task": name, "id": at, "args": given} for at, (name, given) in enumerate(tasks)]
    )


@pytest.mark.parametrize(("name", "type_"), SIBLINGS)
def test_each_takes_what_the_other_cannot(name: str, type_: Type) -> None:
    other = KINDS[SIBLINGS[name, type_]]

    assert takes(other, type_)
    assert not any(slot.required and type_ in slot.types for slot in _material(name))


def _material(name: str) -> list[Any]:
    """What a kind works on; a question or an instruction is only what is wanted of it."""
    files = [slot for slot in KINDS[name].takes if slot.type is not Type.TEXT]
    return files or [slot for slot in KINDS[name].takes if slot.name != "question"]


def test_the_published_table_is_the_real_one() -> None:
    rows = [
        line.strip("| ").split(" | ")
        for line in DOCS.read_text("utf-8").splitlines()
        if line.startswith("| ")
    ]

    assert {
        (row[1], Type(row[0])): row[2] for row in rows if len(row) == 3 and row[2] in KINDS
    } == SIBLINGS


def test_a_question_about_a_picture_is_answered_from_the_picture_not_from_a_caption() -> None:
    asked = plan(("question-answering", {"context": "image 1", "question": "What colour is it?"}))

    reading = read(asked, request("what colour is it?", PHOTO))

    assert kinds(reading) == ["visual-question-answering"]
    assert args(reading, 0) == {"image": media(PHOTO), "question": (Text("What colour is it?"),)}
    assert told(reading) == {"plan-kind-by-type"}


@pytest.mark.parametrize("words", ["this invoice", "diese Rechnung", "cette facture", "この請求書"])
def test_a_question_about_a_page_is_one_about_a_document(words: str) -> None:
    asked = plan(("question-answering", {"context": "image 1", "question": "The total?"}))

    reading = read(asked, request(words, PHOTO))

    assert kinds(reading) == ["document-question-answering"]


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        ("how many plates are on the table?", "How many plates are on the table?"),
        ("put it on a new page: what is on the photo?", "What is on the photo?"),
        ("a table. was zeigt das Bild?", "Was zeigt das Bild?"),
    ],
)
def test_a_question_about_what_a_photo_shows_is_none_about_a_page(
    asked: str, question: str
) -> None:
    reading = read(
        plan(("question-answering", {"context": "image 1", "question": question})),
        request(asked, PHOTO),
    )

    assert kinds(reading) == ["visual-question-answering"]


def test_a_picture_that_only_the_order_says_counts_too() -> None:
    tasks = json.loads(
        plan(("depth-estimation", {"image": "image 1"}), ("question-answering", {"question": "x?"}))
    )
    tasks[1]["dep"] = [0]

    reading = read(json.dumps(tasks), request("x?", PHOTO))

    assert kinds(reading) == ["depth-estimation", "visual-question-answering"]
    assert args(reading, 1)["image"] == ref(0, "image")


@pytest.mark.parametrize(
    ("name", "given", "kind"),
    [
        ("image-classification", "sound 1", "audio-classification"),
        ("sentiment analysis", "sound 1", "audio-classification"),
        ("image-to-text", "sound 1", "automatic-speech-recognition"),
        ("automatic-speech-recognition", "image 1", "optical-character-recognition"),
    ],
)
def test_a_file_of_another_type_is_for_the_kind_of_that_type(
    name: str, given: str, kind: str
) -> None:
    reading = read(plan((name, {"input": given})), request("do it", PHOTO, SOUND))

    assert kinds(reading) == [kind]
    assert told(reading) == {"plan-kind-by-type"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("automatic-speech-recognition", "text-to-speech"),
        ("image-to-image", "text-to-image"),
        ("image editing", "text-to-image"),
        ("visual-question-answering", "question-answering"),
    ],
)
def test_words_alone_are_for_the_kind_that_takes_words(name: str, kind: str) -> None:
    asked = plan(("text-generation", {"text": "a poem"}), (name, {"text": "<GENERATED>-0"}))

    reading = read(asked, request("write a poem"))

    assert kinds(reading) == ["text-generation", kind]


def test_a_picture_at_hand_is_edited_rather_than_made_anew() -> None:
    asked = plan(
        ("text-generation", {"text": "an idea"}), ("image editing", ["<node-0>", "image 1"])
    )

    reading = read(asked, request("edit it", PHOTO))

    assert kinds(reading) == ["text-generation", "image-text-to-image"]


def test_no_word_is_lost_for_it() -> None:
    asked = plan(
        ("image-classification", {"image": "image 1"}),
        ("question-answering", ["What colour?", "It is a red car.", "image 1"]),
    )

    reading = read(asked, request("what colour?", PHOTO))

    assert kinds(reading) == ["image-classification", "image-to-text", "question-answering"]


def test_a_model_of_the_kind_as_written_is_not_asked_to_do_the_other() -> None:
    written = (
        '[{"task": "image-to-text", "id": 0, "args": {"image": "sound 1"}, "model": "org/caption"}]'
    )

    reading = read(written, request("what is it?", SOUND))

    (task,) = [part for part in reading.parts if isinstance(part, Proposed)]
    assert task.model == ""


def test_what_a_text_was_made_of_is_taken_before_a_picture_is_made_of_it() -> None:
    asked = plan(
        ("visual-question-answering", ["image 1", "what is it?"]),
        ("text-generation", {"text": "<GENERATED>-0"}),
        ("image-to-text", {"image": "<GENERATED>-1"}),
    )

    reading = read(asked, request("x", PHOTO))

    assert kinds(reading)[-1] == "image-to-text"
    assert args(reading, 2) == {"image": media(PHOTO)}


def test_a_link_goes_over_what_took_a_task_s_place() -> None:
    nodes = [
        {"task": "Text Generation", "arguments": ["a haunted house"]},
        {"task": "Image Editing", "arguments": ["<node-0>"]},
    ]
    links = [{"source": "Text Generation", "target": "Image Editing"}]

    told_of = read_row({"id": 1, "task_nodes": nodes, "task_links": links}, words="taskbench")

    assert told_of["task_links"] == [{"source": "Text Generation", "target": "Text-to-Image"}]
    assert len(told_of["repairs"]) == 1  # type: ignore[arg-type]
