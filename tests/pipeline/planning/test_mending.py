"""Plans are mended by type, by order and by the files at hand; each change is told."""

import json

import pytest

from pipeline.domain import Ref, TaskId, Text
from pipeline.errors import PlanError
from tests.pipeline.planning.builders import (
    args,
    file,
    kinds,
    media,
    read,
    ref,
    request,
    task,
    told,
    words,
)

CHAIN = (
    '[{"task": "image-to-text", "id": 0, "dep": [-1], "args": {"image": "a.jpg"}}, '
    '{"task": "text-to-speech", "id": 1, "dep": [0], "args": {"text": "<GENERATED>-0"}}]'
)
PHOTO = file("image 1", "a.jpg")


def test_the_right_output_is_taken_for_the_type_that_is_needed() -> None:
    plan = [
        {"task": "object-detection", "id": 0, "args": {"image": "image 1"}},
        {"task": "image-to-image", "id": 1, "args": {"image": "<GENERATED>-0"}},
        {"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-0"}},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert args(reading, 1)["image"] == ref(0, "image")
    assert args(reading, 2)["text"] == ref(0, "boxes")
    assert reading.repairs == ()


def test_a_task_is_put_in_where_only_a_task_makes_the_type_that_is_needed() -> None:
    plan = [
        {"task": "text-to-image", "id": 0, "args": {"text": "a cat"}},
        {"task": "text-to-speech", "id": 1, "args": {"text": "<GENERATED>-0"}},
    ]

    reading = read(json.dumps(plan))

    assert kinds(reading) == ["text-to-image", "image-to-text", "text-to-speech"]
    assert args(reading, 101) == {"image": ref(0, "image")}
    assert args(reading, 1) == {"text": ref(101, "text")}
    assert told(reading) == {"plan-inserted"}


def test_a_document_is_read_before_its_words_are_used_and_only_once() -> None:
    report = file("document 1", "report.pdf")
    plan = [
        {"task": "summarization", "id": 0, "args": {"text": "report.pdf"}},
        {"task": "translation", "id": 1, "args": {"text": "document 1", "language": "German"}},
    ]

    reading = read(json.dumps(plan), request("x", report))

    assert kinds(reading) == ["document-to-text", "summarization", "translation"]
    assert args(reading, 1) == {"text": ref(101, "text"), "language": words("German")}


def test_several_references_in_one_text_are_kept_apart() -> None:
    plan = [
        {"task": "image-to-text", "id": 0, "args": {"image": "image 1"}},
        {"task": "image-classification", "id": 1, "args": {"image": "image 1"}},
        {
            "task": "text-to-speech",
            "id": 2,
            "args": {"text": "It shows <GENERATED>-0 and that is <GENERATED>-1."},
        },
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert args(reading, 2)["text"] == (
        Text("It shows "),
        Ref(TaskId(0), "text"),
        Text(" and that is "),
        Ref(TaskId(1), "labels"),
        Text("."),
    )


def test_several_files_are_unfolded_and_dependents_follow() -> None:
    first, second = file("image 1", "a.jpg"), file("image 2", "b.jpg")
    plan = [
        {"task": "image-to-image", "id": 0, "args": {"image": "image 1, image 2"}},
        {"task": "image-to-text", "id": 1, "args": {"image": "<GENERATED>-0"}},
        {"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-1"}},
    ]

    reading = read(json.dumps(plan), request("x", first, second))

    assert kinds(reading) == ["image-to-image"] * 2 + ["image-to-text"] * 2 + ["text-to-speech"]
    assert args(reading, 0)["image"] == media(first)
    assert args(reading, 101)["image"] == media(second)
    assert args(reading, 102)["image"] == ref(101, "image")
    assert args(reading, 2)["text"] == (*ref(1, "text"), *ref(102, "text"))
    assert told(reading) == {"plan-unfolded"}


def test_order_that_no_reference_explains_is_kept_as_order() -> None:
    plan = [
        {"task": "image-to-text", "id": 0, "dep": [-1], "args": {"image": "image 1"}},
        {"task": "text-to-speech", "id": 1, "dep": [0], "args": {"text": "Hello"}},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert task(reading, 1).after == {0}
    assert args(reading, 1) == {"text": words("Hello")}
    assert reading.repairs == ()


def test_a_reference_that_dep_leaves_out_is_derived() -> None:
    reading = read(CHAIN.replace("[0]", "[-1]"), request("x", PHOTO))

    assert task(reading, 1).needs == {0}
    assert reading.repairs == ()


def test_a_later_task_that_stands_first_is_put_behind() -> None:
    plan = json.loads(CHAIN)

    reading = read(json.dumps(plan[::-1]), request("x", PHOTO))

    assert kinds(reading) == ["image-to-text", "text-to-speech"]
    assert reading.repairs == ()


@pytest.mark.parametrize("label", ["1", "7"])
def test_a_reference_to_itself_or_to_nothing_means_the_step_before(label: str) -> None:
    reading = read(CHAIN.replace("D>-0", f"D>-{label}"), request("x", PHOTO))

    assert args(reading, 1) == {"text": ref(0, "text")}
    assert told(reading) == {"plan-reference-replaced"}


def test_a_circle_is_cut_and_told() -> None:
    plan = [
        {"task": "translation", "id": 0, "args": {"text": "<GENERATED>-1"}},
        {"task": "summarization", "id": 1, "args": {"text": "<GENERATED>-0"}},
    ]

    reading = read(json.dumps(plan), request("a long text"))

    assert kinds(reading) == ["translation", "summarization"]
    assert args(reading, 0) == {"text": words("a long text")}
    assert told(reading) == {"plan-reference-dropped", "plan-filled-request"}


def test_names_of_the_alias_table_are_understood_and_told() -> None:
    reading = read('[{"task": "Named Entity Recognition", "id": 0, "args": {"text": "Ann"}}]')

    assert kinds(reading) == ["token-classification"]
    assert told(reading) == {"plan-renamed"}


def test_an_invented_task_is_dropped_with_what_needs_it() -> None:
    plan = [
        {"task": "mind-reading", "id": 0, "args": {"image": "image 1"}},
        {"task": "text-to-speech", "id": 1, "args": {"text": "<GENERATED>-0"}},
        {"task": "image-to-text", "id": 2, "args": {"image": "image 1"}},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert kinds(reading) == ["image-to-text"]
    assert [repair.what.id for repair in reading.dropped] == [
        "plan-unknown-task",
        "plan-needs-dropped",
    ]


def test_nothing_but_invented_tasks_is_an_error_that_quotes_them() -> None:
    with pytest.raises(PlanError) as raised:
        read('[{"task": "mind-reading", "id": 0, "args": {}}]')

    assert "mind-reading" in str(raised.value.sentence.args["errors"])


def test_a_missing_file_is_the_only_one_of_its_type() -> None:
    plan = '[{"task": "image-to-text", "id": 0, "args": {"image": "example.png"}}]'

    reading = read(plan, request("x", PHOTO, file("sound 1", "s.wav")))

    assert args(reading, 0) == {"image": media(PHOTO)}
    assert told(reading) == {"plan-unknown-file", "plan-filled-file"}


def test_a_missing_file_may_be_the_last_of_the_thread() -> None:
    reading = read('[{"task": "image-to-text", "id": 0}]', request("x", earlier=(PHOTO,)))

    assert args(reading, 0) == {"image": media(PHOTO)}


def test_a_missing_argument_is_what_the_prerequisite_makes() -> None:
    plan = [
        {"task": "image-to-text", "id": 0, "args": {"image": "image 1"}},
        {"task": "text-generation", "id": 1, "args": {"text": "Hi"}},
        {"task": "text-to-speech", "id": 2, "dep": [0], "args": {}},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert args(reading, 2) == {"text": ref(0, "text")}
    assert told(reading) == {"plan-filled-output"}


def test_a_task_without_its_file_is_dropped_with_the_reason() -> None:
    with pytest.raises(PlanError) as raised:
        read('[{"task": "image-to-text", "id": 0, "args": {"image": "nowhere.jpg"}}]')

    assert "image" in str(raised.value.sentence.args["errors"])


def test_a_type_that_nothing_makes_is_what_the_task_before_was_given() -> None:
    plan = [
        {"task": "visual-question-answering", "id": 0, "args": ["image 1", "what colour?"]},
        {"task": "image-to-image", "id": 1, "args": ["<node-0>", "sketch"]},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert args(reading, 0) == {"image": media(PHOTO), "question": words("what colour?")}
    assert args(reading, 1)["image"] == media(PHOTO)


def test_what_the_person_wrote_is_never_a_reference() -> None:
    plan = '[{"task": "text-to-speech", "id": 0, "args": {"text": "say {{0}} and \\\\ <node-0>"}}]'

    reading = read(plan, request("read aloud: say {{0}} and \\ <node-0>"))

    assert args(reading, 0) == {"text": words("say {{0}} and \\ <node-0>")}


def test_labels_in_one_text_are_kept_apart() -> None:
    plan = '[{"task": "zero-shot-classification", "id": 0, "args": {"text": "x", "labels": "cat, dog or cow"}}]'

    reading = read(plan)

    assert args(reading, 0)["labels"] == (Text("cat"), Text("dog"), Text("cow"))


def test_the_model_a_plan_asks_for_is_handed_on() -> None:
    reading = read('[{"task": "summarization", "id": 0, "model": "a/b", "args": {"text": "x"}}]')

    (part,) = reading.parts
    assert getattr(part, "model", None) == "a/b"


@pytest.mark.parametrize(
    "written", ['["image 1", "image 2"]', '"image 1 and image 2"', '"a.jpg,b.jpg"']
)
def test_files_in_a_list_are_unfolded_too(written: str) -> None:
    first, second = file("image 1", "a.jpg"), file("image 2", "b.jpg")

    reading = read(
        f'[{{"task": "image-to-text", "id": 0, "args": {{"image": {written}}}}}]',
        request("x", first, second),
    )

    assert [one.args["image"] for one in reading.plan.tasks] == [media(first), media(second)]


def test_no_file_means_each_of_them_but_a_wrong_name_none() -> None:
    files = (file("image 1", "a.jpg"), file("image 2", "b.jpg"))

    missing = read('[{"task": "image-to-text", "id": 0, "args": {}}]', request("x", *files))
    counted = read(
        '[{"task": "image-to-text", "id": 0, "args": {"image": "photo 2"}}]', request("x", *files)
    )

    assert len(missing.plan.tasks) == 2
    assert args(counted, 0) == {"image": media(files[1])}
    with pytest.raises(PlanError):
        read(
            '[{"task": "image-to-text", "id": 0, "args": {"image": "x.jpg"}}]', request("x", *files)
        )


def test_two_references_in_a_file_argument_are_two_tasks() -> None:
    plan = [
        {"task": "text-to-image", "id": 0, "args": {"text": "a cat"}},
        {"task": "text-to-image", "id": 1, "args": {"text": "a dog"}},
        {"task": "image-to-text", "id": 2, "args": {"image": "<GENERATED>-0, <GENERATED>-1"}},
    ]

    reading = read(json.dumps(plan))

    assert [one.refs for one in reading.plan.tasks[2:]] == [ref(0, "image"), ref(1, "image")]
