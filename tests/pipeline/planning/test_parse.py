"""Plans as language models write them, whole and while they are being written."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from pipeline.domain import Replanned, Replied, Unfinished
from pipeline.errors import PlanError
from pipeline.planning.parse import PlanParser
from pipeline.planning.raw_plan import InvalidTask, RawTask
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
LONE = (
    '{"reply": null, "tasks": [{"task": "text-to-image", "id": 0, "dep": [], '
    '"args": [{"name": "text", "value": "a cat, asleep"}], "model": ""}]}'
)


def parsed(*pieces: str) -> list[object]:
    parser = PlanParser()
    steps: list[object] = [step for piece in pieces for step in parser.feed(piece)]
    return [*steps, *parser.finish()[0]]


def test_a_valid_plan_passes_unchanged() -> None:
    plan = read(CHAIN, request("describe it aloud", PHOTO))

    assert kinds(plan) == ["image-to-text", "text-to-speech"]
    assert args(plan, 0) == {"image": media(PHOTO)}
    assert args(plan, 1) == {"text": ref(0, "text")}
    assert task(plan, 1).after == frozenset()
    assert plan.repairs == ()


@pytest.mark.parametrize(
    "written",
    [
        f"```json\n{CHAIN}\n```",
        f"Sure! Here is the plan you asked for:\n{CHAIN}\nTell me if it has an error.",
        f"<think>maybe [1, 2]?</think>{CHAIN}",
        f'{{}}\n{{"tasks": {CHAIN}}}',
        f'{{"note": "the plan follows"}}\n{{"tasks": {CHAIN}}}',
        json.dumps(f'{{"tasks": {CHAIN}}}'),
        CHAIN.replace('"', "'"),
        CHAIN.replace("}]", "},]").replace("]}", "],}"),
        f'{{"tasks": {CHAIN}}}',
        f'{{"reply": null, "plan": {CHAIN}}}',
        CHAIN.replace("<GENERATED>-0", "<GENERATED-0>"),
        CHAIN.replace("<GENERATED>-0", "<resource>-0"),
        CHAIN.replace("<GENERATED>-0", "<GENERATED>-0.text"),
        CHAIN.replace("a.jpg", "/examples/a.jpg"),
        CHAIN.replace("a.jpg", "image 1"),
        CHAIN.replace("a.jpg", "https://example.com/files/a.jpg?size=1"),
        CHAIN.replace("image-to-text", "Image To Text").replace("text-to-speech", "Text_To_Speech"),
        CHAIN.replace('"id": 0', '"id": "0"').replace("[0]", '["0"]'),
        CHAIN.replace('"id": 0', '"id": 0.0').replace("[0]", "[0.0]"),
        CHAIN.replace('{"image": "a.jpg"}', '[{"name": "image", "value": "a.jpg"}]'),
        CHAIN.replace('{"image": "a.jpg"}', '[{"image": "a.jpg"}]'),
        CHAIN.replace('{"image": "a.jpg"}', '["a.jpg"]'),
        CHAIN.replace('"args"', '"arguments"').replace('"dep"', '"depends_on"'),
        CHAIN.replace('"task"', '"kind"'),
    ],
)
def test_the_same_plan_is_read_however_it_is_wrapped(written: str) -> None:
    asked = request("describe it aloud", PHOTO)

    plan = read(written, asked)

    assert [(one.kind, one.args) for one in plan.plan.tasks] == [
        (one.kind, one.args) for one in read(CHAIN, asked).plan.tasks
    ]
    assert plan.repairs == ()


@pytest.mark.parametrize(("first", "second"), [(1, 2), (0, 1), (5, 9)])
def test_ids_may_begin_anywhere(first: int, second: int) -> None:
    plan = json.loads(CHAIN)
    plan[0]["id"], plan[1]["id"], plan[1]["dep"] = first, second, [first]
    plan[1]["args"]["text"] = f"<GENERATED>-{first}"

    assert args(read(json.dumps(plan), request("x", PHOTO)), second) == {"text": ref(first, "text")}


def test_ids_may_be_words_or_missing() -> None:
    named = CHAIN.replace('"id": 0', '"id": "A1"').replace("<GENERATED>-0", "<GENERATED>-a1")
    missing = CHAIN.replace('"id": 0, ', "").replace('"id": 1, ', "")

    for written in (named.replace("[0]", '["a1"]'), missing):
        assert args(read(written, request("x", PHOTO)), 1) == {"text": ref(0, "text")}


def test_a_plan_that_breaks_off_keeps_its_complete_tasks() -> None:
    plan = read(CHAIN[:-30], request("x", PHOTO))

    assert kinds(plan) == ["image-to-text"]
    assert told(plan) == {"plan-cut-short"}


@pytest.mark.parametrize("end", [*range(1, 10), *range(14, len(LONE) - 30)])
@pytest.mark.parametrize("quote", ['"', "'"])
def test_a_plan_that_breaks_off_in_its_first_task_holds_none(end: int, quote: str) -> None:
    with pytest.raises(PlanError):
        read(LONE[:end].replace('"', quote), request("draw a cat"))


@pytest.mark.parametrize("text", [LONE[:-1], LONE[:-2]])
def test_a_plan_that_lacks_its_last_brackets_keeps_its_task(text: str) -> None:
    assert args(read(text, request("draw a cat")), 0) == {"text": words("a cat, asleep")}


@pytest.mark.parametrize("value", ["5", "2.5", "true"])
def test_numbers_and_truth_values_among_the_arguments_are_words(value: str) -> None:
    plan = read(f'[{{"task": "text-to-speech", "id": 0, "args": {{"text": {value}}}}}]')

    assert args(plan, 0) == {"text": words(value)}


def test_a_step_that_breaks_the_schema_is_quoted_and_harms_no_other() -> None:
    broken = {"task": "text-to-speech", "id": 0, "args": {"text": {"said": [1]}}}
    good = {"task": "text-to-speech", "id": 1, "args": {"text": "hello"}}

    plan = read(json.dumps([broken, good]))

    assert kinds(plan) == ["text-to-speech"]
    (repair,) = plan.repairs
    assert (repair.what.id, repair.what.args["step"]) == ("plan-invalid-step", 1)
    assert "args.0.value" in str(repair.what.args["problem"])


@pytest.mark.parametrize(
    "written", ["", "Hello there", "[]", '{"tasks": []}', "[1, 2, [3]]", "{{{{", '["<node-0>"]']
)
def test_what_holds_no_plan_is_an_error(written: str) -> None:
    with pytest.raises(PlanError):
        read(written)


def test_a_reply_is_read_as_a_reply() -> None:
    assert read('{"reply": "Hello!", "tasks": []}').parts == (Replied("Hello!"),)


def test_half_a_surrogate_pair_is_not_handed_on() -> None:
    plan = read('[{"task": "text-to-speech", "id": 0, "args": {"text": "hi \\ud83d"}}]')

    assert args(plan, 0) == {"text": words("hi \ufffd")}


@pytest.mark.parametrize("size", [1, 2, 7, 40, 1000])
def test_a_task_is_known_the_moment_its_last_brace_is_there(size: int) -> None:
    parser, known = PlanParser(), []

    for at in range(0, len(CHAIN), size):
        known += [(at, step) for step in parser.feed(CHAIN[at : at + size])]

    tasks = [step for _, step in known if isinstance(step, RawTask)]
    assert [one.kind for one in tasks] == ["image-to-text", "text-to-speech"]
    assert known[0][0] <= CHAIN.index("}}") + 2
    assert parser.is_complete


def test_thoughts_are_no_plan() -> None:
    thinking = parsed("<think>Perhaps ", CHAIN, " or not?</", "think>", LONE)
    unopened = parsed("Perhaps ", CHAIN, " or not?</think>", LONE)

    assert [type(step) for step in thinking] == [RawTask]
    assert [type(step) for step in unopened] == [RawTask, RawTask, Replanned, RawTask]


def test_only_the_list_of_tasks_is_read() -> None:
    plan = {"links": [{"task": "translation"}], "tasks": [{"task": "summarization"}, "draw"]}

    steps = parsed(json.dumps(plan))

    assert [step.kind for step in steps if isinstance(step, RawTask)] == ["summarization"]
    assert not any(isinstance(step, InvalidTask) for step in steps)


@pytest.mark.parametrize("written", ["<text>-0", "GENERATED-0", "<GENERATED>-0", "<GENERATED-0>"])
def test_a_result_is_referred_to_in_the_forms_that_models_write(written: str) -> None:
    plan = CHAIN.replace("<GENERATED>-0", written)

    assert args(read(plan, request("describe it aloud", PHOTO)), 1) == {"text": ref(0, "text")}


SAID = {"thought": "", "action": "reply", "say": "In Python, `{` opens a dictionary.", "tasks": []}


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(SAID),
        f"{json.dumps(SAID)}\nI hope that helps.",
        f"Of the plan {{ and its words:\n{json.dumps(SAID)}",
        json.dumps(SAID | {"thought": "Not 'tasks': [{'task': 'translation'}], nor }} or [."}),
    ],
)
def test_an_answer_in_a_plan_may_hold_brackets(written: str) -> None:
    for size in (1, 7, len(written)):
        parser = PlanParser()
        pieces = [written[at : at + size] for at in range(0, len(written), size)]

        streamed = [step for piece in pieces for step in parser.feed(piece)]
        steps, is_cut = parser.finish()

        assert [*streamed, *steps] == []
        assert not is_cut
        assert parser.head.say == SAID["say"]


@pytest.mark.parametrize("size", [1, 7, 10_000])
@pytest.mark.parametrize("before", ["", "<think>Of `</think>`?</think>", "Or {a}?\n</think>\n"])
@pytest.mark.parametrize(
    "words_",
    ["Between `<think>` and `</think>`.", "`[THINK]` to `[/THINK]`, or </think>[1] and </think>{"],
)
def test_a_reply_about_thoughts_is_read_whole(words_: str, before: str, size: int) -> None:
    text = before + json.dumps({"thought": "", "action": "reply", "say": words_, "tasks": []})
    parser = PlanParser()
    shown = ""
    for at in range(0, len(text), size):
        if any(isinstance(step, Replanned) for step in parser.feed(text[at : at + size])):
            shown = ""
        shown += parser.read_reply()

    assert parser.finish() == ([], False)
    assert parser.head.say == shown == words_


def test_what_an_object_within_a_broken_plan_says_is_no_plan() -> None:
    broken = '{"tasks": [{"task": "summarization", "args": {"say": "so"}}, {"task": translation'

    steps = parsed(broken)

    assert [step.kind for step in steps if isinstance(step, RawTask)] == ["summarization"]


def _hostile() -> Iterator[str]:
    yield from ("[" * 50_000, "{" * 50_000, '{"task":' * 20_000, '"' * 50_000, "{}" * 50_000)
    yield from ("```" * 13_000, "<think>" * 20_000, "</think>" * 20_000, "[{" * 30_000 + "}]")
    yield f'[{{"task": "translation", "args": ["<{" " * 30_000}"]}}]'
    yield f'[{{"task": "translation", "args": ["{"<GENERATED>-1" * 9_000}"]}}]'
    yield f'[{{"task": "translation", "args": ["{"a," * 19_000}"]}}]'
    yield json.dumps([{"task": "translation", "id": "9" * 9000, "dep": [*range(9000)]}])
    yield '[{"task": "translation", "id": %s}]' % ("9" * 9000)
    yield '[{"task": "translation", "id": %s}]' % ("9" * 400)


@pytest.mark.parametrize("text", [*_hostile()], ids=lambda text: text[:12])
def test_hostile_plans_end_soon(text: str) -> None:
    began = time.process_time()

    with suppress(PlanError):
        read(text, request("x" * 100_000, PHOTO))

    assert time.process_time() - began < 1


@pytest.mark.parametrize("written", ["true", '"True"', "false", '"no"', "null"])
def test_whether_a_plan_goes_on_is_read_in_any_type(written: str) -> None:
    plan = LONE.removesuffix("}") + f', "continue": {written}}}'

    assert (Unfinished() in read(plan).parts) is ("true" in written.casefold())
