"""What real language models write is read as what they mean, and what is changed is told."""

import json

import pytest

from pipeline.errors import PlanError
from pipeline.planning.reading import understand
from pipeline.planning.shapes import rough_plan
from pipeline.planning.syntax import read_rough
from pipeline.words import exactly
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


def test_a_valid_plan_passes_unchanged() -> None:
    reading = read(CHAIN, request("describe it aloud", PHOTO))

    assert kinds(reading) == ["image-to-text", "text-to-speech"]
    assert args(reading, 0) == {"image": media(PHOTO)}
    assert args(reading, 1) == {"text": ref(0, "text")}
    assert task(reading, 1).after == frozenset()
    assert reading.repairs == ()


@pytest.mark.parametrize(
    "written",
    [
        f"```json\n{CHAIN}\n```",
        f"Sure! Here is the plan you asked for:\n{CHAIN}\nTell me if it has an error.",
        f"<think>maybe [1, 2]?</think>{CHAIN}",
        CHAIN.replace('"', "'"),
        CHAIN.replace("}]", "},]").replace("]}", "],}"),
        f'{{"tasks": {CHAIN}}}',
        f'{{"reply": null, "plan": {CHAIN}}}',
        CHAIN.replace("<GENERATED>-0", "<GENERATED-0>"),
        CHAIN.replace("<GENERATED>-0", "GENERATED-0"),
        CHAIN.replace("<GENERATED>-0", "<resource>-0"),
        CHAIN.replace("<GENERATED>-0", "<resource-0>"),
        CHAIN.replace("<GENERATED>-0", "<node-0>"),
        CHAIN.replace("<GENERATED>-0", "{{0}}"),
        CHAIN.replace("<GENERATED>-0", "<GENERATED>-0.text"),
        CHAIN.replace("a.jpg", "/examples/a.jpg"),
        CHAIN.replace("a.jpg", "image 1"),
        CHAIN.replace("a.jpg", "https://example.com/files/a.jpg?size=1"),
        CHAIN.replace("image-to-text", "Image To Text").replace("text-to-speech", "Text_To_Speech"),
        CHAIN.replace('"id": 0', '"id": "0"').replace("[0]", '["0"]'),
        CHAIN.replace('{"image": "a.jpg"}', '[{"name": "image", "value": "a.jpg"}]'),
        CHAIN.replace('{"image": "a.jpg"}', '[{"image": "a.jpg"}]'),
        CHAIN.replace('{"image": "a.jpg"}', '["a.jpg"]'),
        CHAIN.replace('"args"', '"arguments"'),
    ],
)
def test_however_it_is_wrapped_the_same_plan_is_read(written: str) -> None:
    asked = request("describe it aloud", PHOTO)

    reading = read(written, asked)

    assert [(one.kind, one.args) for one in reading.plan.tasks] == [
        (one.kind, one.args) for one in read(CHAIN, asked).plan.tasks
    ]


@pytest.mark.parametrize(("first", "second"), [(1, 2), (0, 1), (5, 9)])
def test_ids_may_begin_anywhere(first: int, second: int) -> None:
    plan = json.loads(CHAIN)
    plan[0]["id"], plan[1]["id"], plan[1]["dep"] = first, second, [first]
    plan[1]["args"]["text"] = f"<GENERATED>-{first}"

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert args(reading, second) == {"text": ref(first, "text")}
    assert reading.repairs == ()


def test_ids_may_be_words() -> None:
    written = CHAIN.replace('"id": 0', '"id": "task-a1"').replace("<GENERATED>-0", "<GENERATED>-a1")

    reading = read(written.replace("task-a1", "a1"), request("x", PHOTO))

    assert args(reading, 1) == {"text": ref(0, "text")}


def test_a_plan_that_breaks_off_keeps_its_complete_tasks() -> None:
    reading = read(CHAIN[:-30], request("x", PHOTO))

    assert kinds(reading) == ["image-to-text"]
    assert told(reading) == {"plan-cut-short"}


LONE = (
    '{"reply": null, "tasks": [{"task": "text-to-image", "id": 0, "dep": [], '
    '"args": [{"name": "text", "value": "a cat, asleep"}], "model": ""}]}'
)
FIRST = len(CHAIN.partition(", {")[0])


@pytest.mark.parametrize("end", [*range(1, 10), *range(14, len(LONE) - 17)])
@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_plan_that_breaks_off_in_its_first_task_holds_none(end: int, quote: str) -> None:
    with pytest.raises(PlanError) as raised:
        read(LONE[:end].replace('"', quote), request("draw a cat"))

    assert str(raised.value.sentence.args["errors"]) == (
        "The plan broke off; only the steps that were complete were taken."
    )


@pytest.mark.parametrize("end", range(FIRST + 1, len(CHAIN) - 3))
@pytest.mark.parametrize("key", ["task", "kind"])
def test_a_plan_that_breaks_off_behind_its_first_task_holds_that(end: int, key: str) -> None:
    reading = read(CHAIN[:end].replace('"task"', f'"{key}"'), request("read it aloud", PHOTO))

    assert kinds(reading) == ["image-to-text"]
    assert told(reading) == {"plan-cut-short"}


@pytest.mark.parametrize("lacking", [1, 2])
def test_a_plan_that_lacks_its_last_brackets_is_whole(lacking: int) -> None:
    reading = read(LONE[:-lacking], request("draw a cat"))

    assert args(reading, 0) == {"text": words("a cat, asleep")}
    assert told(reading) == ({"plan-cut-short"} if lacking > 1 else set())


def test_a_text_that_breaks_off_behind_a_bracket_of_its_own_is_no_text() -> None:
    with pytest.raises(PlanError, match="plan-unusable"):
        read(LONE.replace("a cat, asleep", "{{0}} in a ha")[: -len('t"}], "model": ""}]}')])


@pytest.mark.parametrize("at", [25, 33, 42, 56, 66])
@pytest.mark.parametrize("sign", ['"', "{"])
def test_a_sign_too_many_is_no_end(sign: str, at: int) -> None:
    two = CHAIN.replace('{"text": "<GENERATED>-0"}', "{}")

    rough = read_rough(two[:at] + sign + two[at:])

    assert len(rough.tasks) == 2
    assert not rough.cut_short


@pytest.mark.parametrize(
    ("count", "said"), [(65, "One step was left out"), (2000, "1,936 steps were left out")]
)
def test_steps_beyond_the_most_are_told_once_with_their_number(count: int, said: str) -> None:
    steps = [
        {"task": "translation" if at % 2 else "telepathy" if at > 99 else "summarization"}
        | {"id": at, "args": {"text": f"<GENERATED>-{at - 1}" if at else "hello"}}
        for at in range(count)
    ]

    reading = understand(rough_plan(steps), request("go on"))

    assert len(reading.plan.tasks) == 64
    assert [exactly(repair.what) for repair in reading.repairs] == [
        f"{said}: a plan has 64 tasks at most."
    ]


def test_the_word_error_is_a_word() -> None:
    reading = read('[{"task": "text-to-speech", "id": 0, "dep": [], "args": {"text": "error: 5"}}]')

    assert args(reading, 0) == {"text": words("error: 5")}


@pytest.mark.parametrize(
    ("value", "text"), [("5", "5"), ('{"text": "five"}', "five"), ("2.5", "2.5")]
)
def test_numbers_and_objects_among_the_arguments_are_words(value: str, text: str) -> None:
    reading = read(f'[{{"task": "text-to-speech", "id": 0, "args": {{"text": {value}}}}}]')

    assert args(reading, 0) == {"text": words(text)}


def test_a_reply_is_read_as_a_reply() -> None:
    assert read('{"reply": "Hello!", "tasks": []}').reply == "Hello!"


@pytest.mark.parametrize(
    "written", ["", "Hello there", "[]", '{"tasks": []}', "[1, 2, [3]]", "{{{{"]
)
def test_what_holds_no_plan_is_an_error_that_says_so(written: str) -> None:
    with pytest.raises(PlanError):
        read(written)


@pytest.mark.parametrize("given", ['["<node-0>"]', "['<GENERATED>-0']", "[example.jpg]", "{{0}}"])
def test_what_a_task_is_given_is_no_name_of_one(given: str) -> None:
    with pytest.raises(PlanError) as raised:
        read(f"It would be given {given}.")

    assert str(raised.value.sentence.args["errors"]) == "It holds no task and no reply."


def test_taskbench_plans_are_read_with_links_as_order() -> None:
    plan = {
        "task_steps": ["Step 1"],
        "task_nodes": [
            {"task": "Image-to-Text", "arguments": ["example.jpg"]},
            {"task": "Text-to-Speech", "arguments": ["<node-0>"]},
            {"task": "Image Editing", "arguments": ["example.jpg", "brighter"]},
        ],
        "task_links": [
            {"source": "Image-to-Text", "target": "Text-to-Speech"},
            {"source": "Text-to-Speech", "target": "Image Editing"},
        ],
    }

    reading = read(json.dumps(plan), request("x", file("image 1", "example.jpg")))

    assert kinds(reading) == ["image-to-text", "text-to-speech", "image-text-to-image"]
    assert args(reading, 1) == {"text": ref(0, "text")}
    assert task(reading, 2).after == {1}


def test_references_without_ids_may_count_from_one() -> None:
    plan = [
        {"task": "image-to-text", "args": ["image 1"]},
        {"task": "summarization", "args": ["<node-1>"]},
        {"task": "text-to-speech", "args": ["<node-2>"]},
    ]

    reading = read(json.dumps(plan), request("x", PHOTO))

    assert [one.refs for one in reading.plan.tasks] == [(), ref(1, "text"), ref(2, "text")]


def test_a_long_plan_in_which_much_is_wrong_is_read_from_its_beginning() -> None:
    """Mending takes longer the more there is to mend; complete tasks are found however long the plan is."""
    task = "{'task': 'text-to-image', 'id': %d, 'args': {'text': 'a cat %s'}}"
    complete = [task % (at, "x" * 400) for at in range(40)]
    broken = [one.replace("'", '"').replace("a cat", 'a "big cat') for one in complete]

    kept = read_rough('{"tasks": [' + ", ".join(complete))
    begun = read_rough('{"tasks": [' + ", ".join(broken))

    assert len(kept.tasks) == 40
    assert 0 < len(begun.tasks) < 40
    assert kept.cut_short
    assert begun.cut_short


@pytest.mark.parametrize("sign", ['"', "'"])
@pytest.mark.parametrize("at", [44, 120])
def test_one_wrong_sign_costs_a_long_plan_no_more_than_its_own_step(at: int, sign: str) -> None:
    tasks = [
        {"task": "text-to-image", "id": at, "args": {"text": "a cat " * 50}} for at in range(40)
    ]
    text = json.dumps({"tasks": tasks})

    rough = read_rough(text[:at] + '"' + text[at:].replace('"', sign))

    assert len(rough.tasks) >= 39
    assert not rough.cut_short


@pytest.mark.parametrize(
    "task",
    [
        '{"task": "translation", "id": "²", "args": {"text": "hi"}}',
        '{"task": "translation", "id": 0, "args": {"text": "hi <GENERATED>-%s"}}' % ("9" * 5000),
        "{'task': 'translation', 'args': {1: 'hi'}}",
    ],
)
def test_what_json_does_not_know_breaks_nothing(task: str) -> None:
    assert kinds(read(f"[{task}]")) == ["translation"]


def test_halves_of_characters_are_not_handed_on() -> None:
    reading = read('[{"task": "text-to-speech", "id": 0, "args": {"text": "hi \\ud83d"}}]')

    assert args(reading, 0) == {"text": words("hi \ufffd")}


def test_a_plan_in_a_string_that_breaks_off_keeps_its_complete_tasks() -> None:
    text = json.dumps({"plan": CHAIN})[:-20]

    reading = read(text, request("read it aloud", PHOTO))

    assert kinds(reading) == ["image-to-text"]
    assert told(reading) == {"plan-cut-short"}
