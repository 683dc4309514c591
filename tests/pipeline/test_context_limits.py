"""Requests of any length in contexts of any size: only what does not fit is cut."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipeline.domain import Context, Done, Model, Output, Plan, Request, Text, Turn
from pipeline.planning.prompt import repair_prompt
from pipeline.planning.validate import MOST_TASKS
from pipeline.ports import Prompt
from pipeline.prompts import fence, tokens
from pipeline.response.llm import respond_prompt
from pipeline.task_kinds import KINDS
from tests.fakes.places import HOSTED, LLM
from tests.fakes.stages import task
from tests.pipeline.planning.builders import ANNA, file, planning_prompt, request

ENGLISH = ("please " * 10_000)[:40_000]
CHINESE = ("请把这段文字总结成三句话" * 4000)[:40_000]
EMOJI = ("🎉🦊" * 20_000)[:40_000]
CODE = ("if (x[i] != 0) { y += f(x[i], 'a'); }\n" * 2000)[:40_000]
FITS = {
    ("English", 128_000),
    ("Chinese", 128_000),
    ("code", 128_000),
}
TEXTS = {"English": ENGLISH, "Chinese": CHINESE, "emoji": EMOJI, "code": CODE}
MODELS = {
    kind: [
        Model(f"acme/{kind}-{size}", kind, (HOSTED,), description="good")
        for size in ("s", "m", "l")
    ]
    for kind in KINDS
}


def long_thread(asked: Request) -> Request:
    """A request with much before it: turns, files, the channel and a summary."""
    turns = tuple(
        Turn(
            key=f"t{at}",
            person=ANNA,
            text=f"turn {at} {'word ' * 300}",
            files=(file(f"image {at}"),),
            at=NOW,
        )
        for at in range(30)
    )
    channel = tuple(
        Turn(key=f"c{at}", person=ANNA, text="elsewhere " * 100, files=(), at=NOW)
        for at in range(10)
    )
    return replace(
        asked, context=Context(turns, channel=channel, summary="They spoke of boats. " * 40)
    )


NOW = datetime(2026, 11, 1, tzinfo=UTC)


def taken(prompt: Prompt) -> int:
    """Tokens that a prompt and its reply may take, as they are guessed."""
    own, *others = prompt.messages
    return len(own.text) // 4 + sum(tokens(each.text) for each in others) + prompt.max_tokens


@pytest.mark.parametrize("size", [4096, 8192, 16_384, 128_000])
@pytest.mark.parametrize("script", TEXTS)
@pytest.mark.parametrize("before", [False, True])
def test_a_message_of_forty_thousand_characters_still_plans(
    script: str, size: int, *, before: bool
) -> None:
    text = f"First: {TEXTS[script]} :last"
    asked = long_thread(request(text)) if before else request(text, file("image 1", "a.jpg"))

    planned = planning_prompt(asked, MODELS, room=size)

    assert taken(planned) <= size
    told = planned.messages[1].text
    is_cut = fence(text) not in told
    assert is_cut == ((script, size) not in FITS)
    assert "First: " in told
    assert " :last" in told
    assert ("characters left out here" in told.partition("Request of Anna: ")[2]) == is_cut


@pytest.mark.parametrize("size", [4096, 8192, 128_000])
def test_a_short_message_is_never_cut_whatever_came_before(size: int) -> None:
    asked = long_thread(request("and now all of it in French, please"))

    planned = planning_prompt(asked, MODELS, room=size)

    assert fence(asked.text) in planned.messages[1].text
    assert taken(planned) <= size
    assert (
        "Request of Anna: <<<\nand now all of it in French, please\n>>>" in planned.messages[1].text
    )


@pytest.mark.parametrize(("size", "letters"), [(8192, 9_000), (4096, 700)])
def test_kinds_and_the_room_for_the_reply_give_way_before_the_message(
    size: int, letters: int
) -> None:
    asked = long_thread(request(f"First: {ENGLISH[:letters]} :last"))

    planned = planning_prompt(asked, MODELS, room=size)
    again = repair_prompt(planned, "a plan " * 100, "all wrong", size)
    endless = repair_prompt(planned, "a plan " * 10_000, "all wrong", size)

    assert fence(asked.text) in planned.messages[1].text
    assert taken(planned) <= size
    assert 512 <= again.max_tokens <= planned.max_tokens
    assert tokens(endless.messages[-2].text) <= size // 2


def test_a_plan_of_the_most_steps_has_room() -> None:
    args = [{"name": "text", "value": "<GENERATED>-12"}, {"name": "language", "value": "German"}]
    step = {"task": "translation", "id": 12, "dep": [12], "args": args, "model": ""}

    prompt = planning_prompt(request(), room=32_768)

    assert len(json.dumps({"tasks": [step] * MOST_TASKS})) / 3 < prompt.max_tokens


def test_with_room_enough_turns_summary_channel_and_files_are_told() -> None:
    asked = long_thread(request())

    told = planning_prompt(asked, room=128_000).messages[1].text

    assert "turn 29" in told
    assert asked.context.summary.strip() in told
    assert "image 29" in told
    assert told.index("Elsewhere" if "Elsewhere" in told else "Before that") < told.index("turn 29")


@pytest.mark.parametrize("size", [4096, 8192, 128_000])
@pytest.mark.parametrize("script", TEXTS)
def test_the_answer_s_prompt_fits_too(script: str, size: int) -> None:
    one = task(0, "summarization", text="…")
    long = Done(
        Output({"text": Text(TEXTS[script])}),
        took=1.0,
        model=Model("m/m", "x", ()),
        place=LLM,
    )

    prompt = respond_prompt(request(TEXTS[script]), Plan((one,)), {one.id: long}, room=size)

    assert taken(prompt) <= size


def test_the_answer_s_prompt_keeps_the_whole_request_where_results_can_be_shorter() -> None:
    one = task(0, "summarization", text="…")
    long = Done(Output({"text": Text(ENGLISH)}), took=1.0, model=Model("m/m", "x", ()), place=LLM)
    words = "please " * 1000

    prompt = respond_prompt(request(words), Plan((one,)), {one.id: long}, room=4096)

    assert words in prompt.messages[1].text


@pytest.mark.parametrize(
    ("text", "at_least"),
    [
        ("人工智能正在改变我们的工作方式", 16),
        ("この写真には何が写っていますか", 13),
        ("이 사진에 무엇이 있는지 설명해 주세요", 15),
        ("👩‍👩‍👧‍👦🇩🇪🙏🏽❤️🔥✨", 30),
        ("d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f89", 35),
        ('{"a": [1, 2, {"b": null}], "c": "x"}', 20),
        ("def f(x): return [i ** 2 for i in range(10) if i % 2]", 20),
    ],
)
def test_no_script_is_counted_too_low(text: str, at_least: int) -> None:
    assert tokens(text) >= at_least
