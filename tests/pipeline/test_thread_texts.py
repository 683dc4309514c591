"""The thread and its messages as texts that a plan names."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.domain import Context, Person, Proposed, Request, Text, Turn
from pipeline.planning.validate import read_plan
from pipeline.text.thread_texts import (
    expand_excerpt,
    find_thread_text,
    is_thread,
    join_thread,
    list_messages,
)
from tests.fakes.stages import request
from tests.pipeline.planning.builders import planning_prompt

ANNA, BEN, BOT = Person("a", "Anna"), Person("b", "Ben"), Person("t", "Troupe", is_bot=True)
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
TALK = ((ANNA, "Friday?"), (BEN, "No, Monday."), (BOT, "Noted."), (ANNA, "Monday it is."))


def turns(*said: tuple[Person, str]) -> tuple[Turn, ...]:
    return tuple(
        Turn(key=f"t{at}", person=person, text=text, files=(), at=NOON + timedelta(minutes=at))
        for at, (person, text) in enumerate(said)
    )


def asked(context: Context, text: str = "what did we decide?") -> Request:
    return request(text, context=context)


def test_the_thread_is_all_that_was_written_each_message_after_its_author() -> None:
    earlier, recent = turns(*TALK)[:2], turns(*TALK)[2:]

    thread = join_thread(asked(Context(recent, earlier=earlier)))

    assert thread.splitlines() == [
        "Anna: Friday?",
        "Ben: No, Monday.",
        "Troupe: Noted.",
        "Anna: Monday it is.",
    ]


def test_two_messages_are_offered_to_no_planner_as_a_thread() -> None:
    wanted = asked(Context(turns(*TALK[:2])))

    assert not is_thread(wanted)
    assert "this thread: all messages" not in planning_prompt(wanted).messages[1].text
    assert (
        "this thread: all messages"
        in planning_prompt(asked(Context(turns(*TALK)))).messages[1].text
    )


def test_of_a_long_thread_the_newest_messages_are_kept_after_its_summary() -> None:
    long = turns(*((ANNA, f"{number:05} {'x' * 990}") for number in range(100)))

    thread = join_thread(asked(Context(long, summary="They met.")))

    first, second, *_, last = thread.splitlines()
    assert len(thread) < 25_000
    assert (first, last) == ("They met.", f"Anna: 00099 {'x' * 990}")
    assert second.startswith("Anna: 000")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Anna's message", "Monday it is."),
        ("ben\u2019s Message", "No, Monday."),
        ("Troupe's message", ""),
        ("Carol's message", ""),
        ("message", ""),
        ("x" * 500, ""),
    ],
)
def test_a_persons_last_message_has_a_name(name: str, text: str) -> None:
    wanted = asked(Context(turns(*TALK)))

    assert find_thread_text(name, wanted) == text
    assert [*list_messages(wanted)] == ["Anna's message", "Ben's message"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("this thread", "Anna: Friday?\nBen: No, Monday.\nTroupe: Noted.\nAnna: Monday it is."),
        ("Ben's message", "No, Monday."),
        ("Answer in German: Ben's message", "Answer in German:\nNo, Monday."),
        ("a message about this thread", "a message about this thread"),
    ],
)
@pytest.mark.parametrize("kind", ["summarization", "translation"])
def test_a_plan_uses_a_text_of_the_thread_by_its_name(kind: str, value: str, words: str) -> None:
    row = {"task": kind, "id": 0, "dep": [], "args": [{"name": "text", "value": value}]}

    plan = read_plan(json.dumps({"tasks": [row]}), asked(Context(turns(*TALK))))

    (part,) = (part for part in plan.parts if isinstance(part, Proposed))
    assert part.task.args["text"] == (Text(words),)


TALE = "The harbour was  quiet.\nBoats lay still.\n\nAt noon the bells rang, all of them."
ABOUT_TALE = f"Sum this up:\n\n{TALE}\n\nThanks!"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("The harbour was quiet. … the bells rang, all of them.", TALE),
        ("The harbour was quiet. Boats ... rang, all of them.", TALE),
        ("Boats lay still [...] the bells rang", TALE[TALE.index("Boats") : TALE.index(", all")]),
        ("Make it friendly: Boats lay still … all of them.", f"Make it friendly: {TALE[24:]}"),
        ("The harbour was quiet … and the ships sailed.", None),
        ("Once upon a time … the bells rang", None),
        ("a cat … a dog", None),
        ("all of them. … The harbour was quiet", None),
    ],
)
def test_a_text_is_meant_by_its_beginning_and_its_end(written: str, meant: str | None) -> None:
    assert expand_excerpt(written, request(ABOUT_TALE)) == (meant or written)


def test_a_text_without_blanks_and_one_of_the_thread_are_meant_likewise() -> None:
    harbour = "港は静かでした。船は動きませんでした。鐘が鳴りました。"
    wanted = asked(Context(turns((ANNA, harbour))), "要約してください")

    assert expand_excerpt("港は静かでした。船…鐘が鳴りました。", wanted) == harbour


def test_a_message_that_the_model_was_not_shown_is_not_meant() -> None:
    wanted = asked(Context((), earlier=turns((ANNA, TALE))), "Sum it up")

    assert expand_excerpt("The harbour … all of them.", wanted) == "The harbour … all of them."


def test_an_ellipsis_that_the_person_wrote_stays() -> None:
    wanted = request("Translate: Well … then the bells rang. And so on … all of it.")

    assert expand_excerpt("then the bells rang. And so on … all of it.", wanted).endswith(
        "And so on … all of it."
    )


def test_a_plan_hands_on_the_whole_of_a_text_that_it_only_quotes() -> None:
    arg = {"name": "text", "value": "The harbour was quiet. … rang, all of them."}
    written = json.dumps({"tasks": [{"id": 0, "task": "summarization", "args": [arg]}]})

    plan = read_plan(written, request(ABOUT_TALE))

    assert plan.tasks[0].args == {"text": (Text(TALE),)}
    assert plan.repairs == ()
