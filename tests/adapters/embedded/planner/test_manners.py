"""Messages in a thread without a mention: only clear wishes are answered."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.embedded.planner import EmbeddedPlanner
from adapters.embedded.planner.manners import find_circumstances
from adapters.embedded.planner.model import hash_names
from pipeline.domain import Context, Person, PlanPart, Replied, Silent, Turn
from tests.pipeline.planning.builders import ANNA, file, request

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LINES = Path(__file__).with_name("manners.txt")
FILES = (file("image 1", "a.jpg"), file("audio 1", "s.wav"), file("document 1", "d.pdf"))


async def is_answered(text: str, *, overheard: bool = True) -> bool:
    turns = (
        Turn(key="1", person=ANNA, text="look", files=FILES, at=NOW),
        Turn(key="2", person=Person("u2", "Peter Klein"), text="nice", files=(), at=NOW),
    )
    asked = replace(request(text), context=Context(turns), overheard=overheard)
    parts = [part async for part in EmbeddedPlanner().plan(asked)]
    return Silent() not in parts


async def plan_after_answer(text: str, brings: str = "") -> list[PlanPart]:
    """What is planned for Ben's message after the bot has told Anna what is in her picture."""
    asked = Turn(
        key="1",
        person=ANNA,
        text="what's in this picture?",
        files=(file("image 1", "lobby.jpg"),),
        at=NOW,
    )
    bot = Person("troupe", "Troupe", is_bot=True)
    context = Context(
        (
            asked,
            Turn(key="2", person=bot, text="A lobby with a desk and two plants.", files=(), at=NOW),
        )
    )
    files = (file("image 2", "IMG_2.jpg"),) if brings else ()
    ben = Person("u3", "Ben")
    said = replace(request(text, *files), person=ben, context=context, overheard=True)
    return [part async for part in EmbeddedPlanner().plan(said)]


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "😂",
        "lol",
        "thanks Tom!",
        "Bob, can you pay this by Friday?",
        "Peter, please summarize what the client said when you have time",
        "translate it when you find the time, Klein",
        "Peter could you print the pdf?",
        "and Peter please translate it to German today",
        "yes Peter, make the picture smaller and print it",
        "who is on call this weekend?",
        "lets move the call to 4pm",
        "that picture is gorgeous",
        "I'll translate it tonight, no worries",
        "wann ist das Meeting?",
        "C'est bon pour moi",
        "¿quién trae el café?",
    ],
)
async def test_people_who_talk_to_each_other_are_left_alone(text: str) -> None:
    assert not await is_answered(text)


@pytest.mark.parametrize(
    "text",
    [
        "make it shorter",
        "now in Spanish please",
        "what's on the picture?",
        "what is the total of the invoice?",
        "translate Peter's message to French",
        "fasse das bitte zusammen",
        "traduis ça en anglais",
        "léelo en voz alta",
    ],
)
async def test_a_clear_wish_is_answered(text: str) -> None:
    assert await is_answered(text)


@pytest.mark.parametrize(
    "text",
    [
        "not you",
        "I wasn't talking to you",
        "I meant Anna, not you!",
        "dich habe ich nicht gemeint",
        "no hablaba contigo",
        "pas toi",
        "あなたじゃない",
        "不是你",
    ],
)
async def test_who_did_not_mean_the_bot_sends_it_away(text: str) -> None:
    assert await plan_after_answer(text) == [Silent(leaves_thread=True)]


@pytest.mark.parametrize("text", ["not bad", "you're right", "don't you think?", "not now"])
async def test_other_words_after_its_answer_do_not_send_it_away(text: str) -> None:
    assert await plan_after_answer(text) == [Silent()]


async def test_not_you_after_somebody_else_is_not_for_the_bot() -> None:
    assert not await is_answered("not you")


async def test_of_lines_after_an_answer_wishes_are_answered_and_talk_is_not() -> None:
    answered = {"talk": list[bool](), "wishes": list[bool]()}
    lot = answered["talk"]
    for line in LINES.read_text("utf-8").splitlines():
        text, _, brings = line.partition(" | ")
        if line.startswith("#"):
            lot = answered.get(line.removeprefix("# "), lot)
        else:
            lot.append(not isinstance((await plan_after_answer(text, brings))[0], Silent))

    assert (len(answered["talk"]), len(answered["wishes"])) == (22, 22)
    assert sum(answered["talk"]) <= 1
    assert sum(answered["wishes"]) >= 18


@pytest.mark.parametrize("text", ["can I get it as a powerpoint", "can you make it more jazzy?"])
async def test_a_clear_wish_that_names_no_kind_is_answered_with_why(text: str) -> None:
    assert isinstance((await plan_after_answer(text))[0], Replied)


@pytest.mark.parametrize("text", ["Troupe, when is it due?", "and what is that, troupe?"])
async def test_who_calls_it_by_its_name_is_answered(text: str) -> None:
    assert not isinstance((await plan_after_answer(text))[0], Silent)


def test_who_writes_under_another_name_is_the_same_person() -> None:
    asked = Turn(key="1", person=ANNA, text="what's in this picture?", files=(), at=NOW)
    bot = Person("troupe", "Troupe", is_bot=True)
    context = Context((asked, Turn(key="2", person=bot, text="A lobby.", files=(), at=NOW)))
    anna = replace(ANNA, name="Anna K.", locale="de", roles=frozenset({"admin"}))

    said = replace(request("thanks Anna"), person=ANNA, context=context)
    renamed = replace(said, person=anna)

    assert find_circumstances(renamed).tolist() == find_circumstances(said).tolist()
    assert find_circumstances(said).tolist() == hash_names(["asker"]).tolist()


async def test_who_speaks_to_the_bot_is_always_answered() -> None:
    assert await is_answered("ok", overheard=False)
