"""Plans are repaired by type, by order and by the files at hand; each change is told."""

import json
from typing import Any

import pytest

from pipeline.domain import Proposed, Ref, TaskId, Text
from pipeline.errors import PlanError
from pipeline.planning.validate import read_plan
from pipeline.task_kinds import KINDS
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

PHOTO = file("image 1", "a.jpg")
OTHER = file("image 2", "b.jpg")
SOUND = file("sound 1", "s.wav")


def plan(*tasks: tuple[str, dict[str, Any] | list[str]]) -> str:
    rows = [{"task": name, "id": at, "args": given} for at, (name, given) in enumerate(tasks)]
    return json.dumps(rows)


def test_the_output_of_the_type_that_is_needed_is_taken() -> None:
    written = plan(
        ("object-detection", {"image": "image 1"}),
        ("image-to-image", {"image": "<GENERATED>-0"}),
        ("text-to-speech", {"text": "<GENERATED>-0"}),
    )

    read_as = read(written, request("x", PHOTO))

    assert args(read_as, 1)["image"] == ref(0, "image")
    assert args(read_as, 2)["text"] == ref(0, "boxes")
    assert read_as.repairs == ()


def test_a_task_is_put_in_where_only_a_task_makes_the_type_that_is_needed() -> None:
    read_as = read(
        plan(("text-to-image", {"text": "a cat"}), ("text-to-speech", {"text": "<GENERATED>-0"}))
    )

    assert kinds(read_as) == ["text-to-image", "image-to-text", "text-to-speech"]
    assert args(read_as, 101) == {"image": ref(0, "image")}
    assert args(read_as, 1) == {"text": ref(101, "text")}
    assert told(read_as) == {"plan-inserted"}


def test_a_document_is_read_before_its_words_are_used_and_only_once() -> None:
    report = file("document 1", "report.pdf")
    written = plan(
        ("summarization", {"text": "report.pdf"}),
        ("translation", {"text": "document 1", "language": "German"}),
    )

    read_as = read(written, request("x", report))

    assert kinds(read_as) == ["document-to-text", "summarization", "translation"]
    assert args(read_as, 1) == {"text": ref(101, "text"), "language": words("German")}


def test_several_results_fan_in() -> None:
    written = plan(
        ("image-to-text", {"image": "image 1"}),
        ("image-classification", {"image": "image 1"}),
        ("text-to-speech", {"text": "It shows <GENERATED>-0 and that is <GENERATED>-1."}),
    )

    read_as = read(written, request("x", PHOTO))

    assert args(read_as, 2)["text"] == (
        Text("It shows "),
        Ref(TaskId(0), "text"),
        Text(" and that is "),
        Ref(TaskId(1), "labels"),
        Text("."),
    )


@pytest.mark.parametrize("given", ["image 1, image 2", ["image 1", "image 2"], "a.jpg,b.jpg"])
def test_several_files_fan_out_and_dependents_follow(given: object) -> None:
    written = json.dumps(
        [
            {"task": "image-to-image", "id": 0, "args": {"image": given}},
            {"task": "image-to-text", "id": 1, "args": {"image": "<GENERATED>-0"}},
            {"task": "text-to-speech", "id": 2, "args": {"text": "<GENERATED>-1"}},
        ]
    )

    read_as = read(written, request("x", PHOTO, OTHER))

    assert kinds(read_as) == ["image-to-image"] * 2 + ["image-to-text"] * 2 + ["text-to-speech"]
    assert args(read_as, 0)["image"] == media(PHOTO)
    assert args(read_as, 101)["image"] == media(OTHER)
    assert args(read_as, 102)["image"] == ref(101, "image")
    assert args(read_as, 2)["text"] == (*ref(1, "text"), *ref(102, "text"))
    assert told(read_as) == {"plan-unfolded"}


def test_order_that_no_reference_explains_is_kept_as_order() -> None:
    rows = json.loads(
        plan(("image-to-text", {"image": "image 1"}), ("text-to-speech", {"text": "Hello"}))
    )
    rows[1]["dep"] = [0]

    read_as = read(json.dumps(rows), request("x", PHOTO))

    assert task(read_as, 1).after == {0}
    assert read_as.repairs == ()


def test_a_later_task_that_stands_first_is_put_behind() -> None:
    rows = json.loads(
        plan(("image-to-text", {"image": "a.jpg"}), ("text-to-speech", {"text": "<GENERATED>-0"}))
    )

    read_as = read(json.dumps(rows[::-1]), request("x", PHOTO))

    assert kinds(read_as) == ["image-to-text", "text-to-speech"]
    assert read_as.repairs == ()


@pytest.mark.parametrize("label", ["1", "7"])
def test_a_reference_to_itself_or_to_nothing_is_dropped_visibly(label: str) -> None:
    written = plan(
        ("image-to-text", {"image": "a.jpg"}), ("text-to-speech", {"text": f"<GENERATED>-{label}"})
    )

    read_as = read(written, request("x", PHOTO))

    assert args(read_as, 1) == {"text": ref(0, "text")}
    assert told(read_as) == {"plan-reference-dropped", "plan-filled-output"}


def test_a_circle_is_cut_and_told() -> None:
    written = plan(
        ("translation", {"text": "<GENERATED>-1"}), ("summarization", {"text": "<GENERATED>-0"})
    )

    read_as = read(written, request("a long text"))

    assert kinds(read_as) == ["translation", "summarization"]
    assert args(read_as, 0) == {"text": words("a long text")}
    assert told(read_as) == {"plan-reference-dropped", "plan-filled-request"}


def test_an_invented_task_is_dropped_with_what_needs_it() -> None:
    written = plan(
        ("mind-reading", {"image": "image 1"}),
        ("text-to-speech", {"text": "<GENERATED>-0"}),
        ("image-to-text", {"image": "image 1"}),
    )

    read_as = read(written, request("x", PHOTO))

    assert kinds(read_as) == ["image-to-text"]
    assert [one.what.id for one in read_as.repairs] == ["plan-unknown-task", "plan-needs-dropped"]
    assert all(one.dropped for one in read_as.repairs)


def test_a_task_that_cannot_run_here_is_told_as_such() -> None:
    able = {name: KINDS[name] for name in ("image-to-text",)}
    written = plan(("text-to-video", {"text": "a fox"}), ("image-to-text", {"image": "image 1"}))

    read_as = read_plan(written, request("x", PHOTO), able)

    assert [one.what.id for one in read_as.errors] == ["plan-not-here"]
    assert read_as.errors[0].what.args == {"kind": "text-to-video"}


@pytest.mark.parametrize("dep", [[1], [7]])
def test_a_step_to_wait_for_that_is_also_referred_to_is_told_once(dep: list[int]) -> None:
    arg = {"name": "text", "value": f"<GENERATED>-{dep[0]}"}
    tasks = [{"id": 1, "task": "translation", "dep": dep, "args": [arg]}]

    assert "plan-order-dropped" not in told(read(json.dumps(tasks), request("a long text")))


def test_nothing_but_invented_tasks_is_an_error_that_quotes_them() -> None:
    with pytest.raises(PlanError) as raised:
        read(plan(("mind-reading", {})))

    assert "mind-reading" in str(raised.value.sentence.args["errors"])


def test_steps_beyond_the_most_are_told_once_with_their_number() -> None:
    rows = [{"task": "translation", "id": at, "args": {"text": "hello"}} for at in range(200)]

    read_as = read(json.dumps(rows), request("go on"))

    assert len(read_as.plan.tasks) == 64
    (repair,) = read_as.repairs
    assert (repair.what.id, repair.what.args["count"]) == ("plan-too-long", 136)


def test_a_missing_file_is_the_only_one_of_its_type() -> None:
    read_as = read(plan(("image-to-text", {"image": "x.png"})), request("x", PHOTO, SOUND))

    assert args(read_as, 0) == {"image": media(PHOTO)}
    assert told(read_as) == {"plan-unknown-file", "plan-filled-file"}


def test_a_missing_file_may_be_the_last_of_the_thread() -> None:
    read_as = read(plan(("image-to-text", {})), request("x", earlier=(PHOTO,)))

    assert args(read_as, 0) == {"image": media(PHOTO)}


def test_no_file_means_each_of_them_but_a_wrong_name_none() -> None:
    asked = request("x", PHOTO, OTHER)

    assert len(read(plan(("image-to-text", {})), asked).plan.tasks) == 2
    with pytest.raises(PlanError):
        read(plan(("image-to-text", {"image": "x.jpg"})), asked)


def test_a_missing_argument_is_what_the_prerequisite_makes() -> None:
    rows = json.loads(
        plan(
            ("image-to-text", {"image": "image 1"}),
            ("text-generation", {"text": "Hi"}),
            ("text-to-speech", {}),
        )
    )
    rows[2]["dep"] = [0]

    read_as = read(json.dumps(rows), request("x", PHOTO))

    assert args(read_as, 2) == {"text": ref(0, "text")}
    assert told(read_as) == {"plan-filled-output"}


def test_a_type_that_nothing_makes_is_left_out_and_asked_about() -> None:
    written = plan(
        ("visual-question-answering", {"image": "image 1", "question": "what colour?"}),
        ("image-to-image", {"image": "<GENERATED>-0", "text": "sketch"}),
    )

    read_as = read(written, request("x", PHOTO))

    assert args(read_as, 1)["image"] == media(PHOTO)
    assert told(read_as) == {"plan-reference-unfit", "plan-filled-file"}
    assert [error.what.id for error in read_as.errors] == ["plan-reference-unfit"]


def test_what_the_person_wrote_is_never_a_reference() -> None:
    said = "say <GENERATED>-0 and <resource>-1"

    read_as = read(plan(("text-to-speech", {"text": said})), request(f"read aloud: {said}"))

    assert args(read_as, 0) == {"text": words(said)}


def test_labels_in_one_text_are_kept_apart() -> None:
    written = plan(("zero-shot-classification", {"text": "x", "labels": "cat, dog / cow"}))

    assert args(read(written), 0)["labels"] == (Text("cat"), Text("dog"), Text("cow"))


@pytest.mark.parametrize(
    ("kind", "given", "taken"),
    [
        (
            "document-question-answering",
            ["what?", "image 1"],
            {"question": "what?", "document": PHOTO},
        ),
        ("translation", ["good morning", "French"], {"text": "good morning", "language": "French"}),
        ("image-text-to-image", ["blue", "image 1"], {"text": "blue", "image": PHOTO}),
    ],
)
def test_arguments_without_names_go_where_their_types_fit(
    kind: str, given: list[str], taken: dict[str, Any]
) -> None:
    read_as = read(plan((kind, given)), request("x", PHOTO))

    assert args(read_as, 0) == {
        name: words(value) if isinstance(value, str) else media(value)
        for name, value in taken.items()
    }
    assert read_as.repairs == ()


def test_the_model_a_plan_asks_for_is_handed_on() -> None:
    written = '[{"task": "summarization", "id": 0, "model": "a/b", "args": {"text": "x"}}]'

    (part,) = read(written).parts

    assert isinstance(part, Proposed)
    assert part.model == "a/b"


def test_a_number_under_an_unknown_name_is_no_word_for_an_expert() -> None:
    asked = request("draw it", file("image 1", "a.jpg"))
    invented = {"threshold": 0.5, "stream": True}

    found = read(
        plan(
            ("text-to-image", {"text": "a cat", **invented}),
            ("object-detection", {"image": "image 1", **invented}),
            ("text-to-speech", {"number": 42}),
        ),
        asked,
    )

    assert args(found, 0) == {"text": words("a cat")}
    assert args(found, 1).keys() == {"image"}
    assert args(found, 2) == {"text": words("42")}
    assert "plan-extra" in told(found)


def test_a_parameter_of_other_kinds_is_told_and_no_part_of_the_words() -> None:
    asked = request("draw it in 1024x768", file("image 1", "a.jpg"))
    sized = {"text": "a castle", "image": "image 1", "size": "1024x768"}

    found = read(plan(("canny-text-to-image", sized), ("image-to-video", sized)), asked)

    assert args(found, 0)["text"] == args(found, 1)["text"] == words("a castle")
    assert "plan-extra" in told(found)
