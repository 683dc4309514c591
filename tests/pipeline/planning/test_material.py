"""What a task works on: not the name of its result, not the language beside it, not a map of a picture."""

import json

import pytest

from pipeline.domain import Task, TaskId
from pipeline.domain.plans import Ref
from pipeline.planning.fitting import sources
from pipeline.table import KINDS
from tests.pipeline.planning.builders import (
    args,
    file,
    kinds,
    media,
    read,
    ref,
    request,
    told,
    words,
)

PHOTO = file("image 1", "a.jpg")


@pytest.mark.parametrize("name", ["f.mp4", "new.mp4"])
@pytest.mark.parametrize("others", [["<node-0>", "{}"], ["{}", "<node-0>"]])
def test_a_file_that_the_task_makes_itself_is_not_written_down(
    name: str, others: list[str]
) -> None:
    plan = [
        {"task": "image-classification", "id": 0, "args": ["image 1"]},
        {"task": "text-to-video", "id": 1, "args": [one.format(name) for one in others]},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO, file("film 1", "f.mp4")))

    assert kinds(reading) == ["image-classification", "text-to-video"]
    assert args(reading, 1) == {"text": ref(0, "labels")}
    assert reading.repairs == ()


@pytest.mark.parametrize(
    ("kind", "given", "taken"),
    [
        ("text-to-speech", ["Good morning", "out.wav"], {"text": words("Good morning")}),
        ("text-to-speech", ["out.wav"], {"text": words("out.wav")}),
        ("image-to-image", ["image 1", "sketch.png"], {"image": media(PHOTO)}),
        (
            "media-conversion",
            ["image 1", "small.png"],
            {"file": media(PHOTO), "text": words("small.png")},
        ),
    ],
)
def test_a_name_for_the_result_is_no_material(kind: str, given: list[str], taken: object) -> None:
    reading = read(json.dumps([{"task": kind, "id": 0, "args": given}]), request("x", PHOTO))

    assert args(reading, 0) == taken
    assert reading.repairs == ()


def test_a_film_that_is_all_there_is_is_written_down() -> None:
    film = file("film 1", "f.mp4")
    plan = '[{"task": "text-to-video", "id": 0, "args": ["film 1"]}]'

    reading = read(plan, request("x", film))

    assert kinds(reading) == ["automatic-speech-recognition", "text-to-video"]


@pytest.mark.parametrize(
    ("languages", "taken"),
    [
        (["fr"], {"language": words("fr")}),
        (["en", "fr"], {"source_language": words("en"), "language": words("fr")}),
    ],
)
def test_a_language_beside_labels_is_not_translated_with_them(
    languages: list[str], taken: dict[str, object]
) -> None:
    plan = [
        {"task": "image-classification", "id": 0, "args": ["image 1"]},
        {"task": "translation", "id": 1, "args": ["<node-0>", *languages]},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert args(reading, 1) == {"text": ref(0, "labels"), **taken}
    assert reading.repairs == ()


@pytest.mark.parametrize("kind", ["depth-estimation", "canny-control"])
def test_not_a_map_of_a_picture_is_described_but_the_picture(kind: str) -> None:
    plan = [
        {"task": kind, "id": 0, "args": {"image": "image 1"}},
        {"task": "summarization", "id": 1, "args": {"text": "<GENERATED>-0"}},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert kinds(reading) == [kind, "image-to-text", "summarization"]
    assert args(reading, 101) == {"image": media(PHOTO)}
    assert told(reading) == {"plan-inserted", "plan-passed-on"}


def test_a_wish_is_the_person_s_not_a_description_of_the_step_before() -> None:
    plan = [
        {"task": "image-to-image", "id": 0, "args": {"image": "image 1"}},
        {"task": "image-text-to-image", "id": 1, "dep": [0], "args": {"image": "image 1"}},
    ]

    reading = read(json.dumps(plan), request("make it blue", PHOTO))

    assert args(reading, 1) == {"image": media(PHOTO), "text": words("make it blue")}


def test_what_a_task_was_made_of_is_looked_for_once_however_many_refer_to_it() -> None:
    kind = KINDS["text-generation"]
    tasks: dict[TaskId, Task] = {}
    for at in range(12):
        given = tuple(Ref(TaskId(other), "text") for other in range(max(0, at - 2), at))
        tasks[TaskId(at)] = Task(TaskId(at), kind, {"text": given or words("go on")})

    found = [task.id for task in sources(tasks[TaskId(11)], tasks)]

    assert found == [11, 9, 10, 7, 8, 5, 6, 3, 4, 1, 2, 0]
