"""What is kept of messages that are not for the bot, and what is read instead."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from bot.conversation import Conversation
from pipeline.domain import (
    Addressing,
    Answer,
    Blob,
    ChannelSettings,
    Context,
    Incoming,
    Link,
    LocalizedText,
    Person,
    Replied,
    Silent,
    Thread,
)
from tests.bot.scenes import GENERAL, Scene, follow_up, message
from tests.fakes.stages import Bench, FakePlanner

BOB = Person("bob", "Bob")
said = partial(message, addressing=Addressing(), person=BOB)


def _scene(listen: str = "threads") -> tuple[FakePlanner, Scene]:
    planner = FakePlanner([Replied("ok")])
    return planner, Scene(Bench(planners=[planner]), listen=listen)


def _kept(scene: Scene) -> list[str]:
    return [turn.text for _, turn in scene.store.turns.values()]


@pytest.mark.parametrize(
    ("default", "chosen", "kept"),
    [
        ("threads", "", []),
        ("threads", "all", ["nice weather"]),
        ("all", "", ["nice weather"]),
        ("all", "threads", []),
    ],
)
async def test_what_people_say_to_each_other_is_kept_only_where_a_channel_allows_it(
    default: str, chosen: str, kept: list[str]
) -> None:
    _, scene = _scene(default)
    await scene.store.set(GENERAL, ChannelSettings(listen=chosen))

    await scene.conversation().on_message(said("nice weather"))

    assert _kept(scene) == kept


async def test_of_what_is_not_kept_only_the_id_is_noted_to_be_found_after_a_downtime() -> None:
    _, scene = _scene()

    await scene.conversation().on_message(said("nice weather", id="002"))

    assert [(thread, id_) for thread, (id_, _) in scene.store.noted.items()] == [
        (Thread(GENERAL, "001"), "002")
    ]


async def test_in_a_thread_that_it_takes_part_in_what_is_for_others_is_kept() -> None:
    _, scene = _scene()

    async with scene.at_work() as conversation:
        await conversation.on_message(message("hi"))
        for number, mark in enumerate(("while it runs", "afterwards"), 2):
            others = Addressing(others_mentioned=True)
            await conversation.on_message(follow_up(mark, number, addressing=others))
            await scene.idle()

    assert {"while it runs", "afterwards"} <= {*_kept(scene)}


async def test_a_mention_gets_what_was_said_above_it_and_nothing_of_that_is_kept() -> None:
    planner, scene = _scene()
    words = ("the budget is 300", "status", "agreed")
    scene.chat.earlier = [
        said(text, id=f"00{number}", root=f"00{number}") for number, text in enumerate(words, 1)
    ]

    async with scene.at_work() as conversation:
        await conversation.on_message(message("what did we decide?", id="005", root="005"))
        await scene.chat.wait_for_answer()
        await scene.idle()

    (asked,) = planner.requests
    assert [turn.text for turn in asked.context.channel] == ["the budget is 300", "agreed"]
    assert _kept(scene) == ["what did we decide?", "ok"]


async def test_what_is_read_and_what_is_kept_of_the_channel_stand_in_order_and_once() -> None:
    planner, scene = _scene()
    scene.chat.earlier = [
        said("above", id="001", root="001"),
        message("kept", id="002", root="002"),
    ]

    async with scene.at_work() as conversation:
        await conversation.on_message(scene.chat.earlier[1])
        await scene.chat.wait_for_answer()
        await scene.idle()
        await conversation.on_message(message("and now?", id="004", root="004"))
        await scene.chat.wait_for_answer(2)

    around = planner.requests[-1].context.channel
    assert [turn.text for turn in around] == ["above", "kept", "ok"]


@pytest.mark.parametrize(
    "asked",
    [
        message("and?", id="005", root="005", addressing=Addressing(direct=True)),
        message("and?", id="005", root="001"),
    ],
    ids=["directly", "in a thread"],
)
async def test_the_channel_is_not_read_where_nothing_of_it_stands_above(asked: Incoming) -> None:
    _, scene = _scene()
    scene.chat.earlier = [said("in the thread", id="001", root="001")]

    async with scene.at_work() as conversation:
        await conversation.on_message(asked)
        await scene.chat.wait_for_answer()

    assert "" not in scene.chat.reads


async def test_where_all_is_kept_the_channel_is_not_read_again() -> None:
    planner, scene = _scene("all")

    async with scene.at_work() as conversation:
        await conversation.on_message(said("the budget is 300"))
        await conversation.on_message(message("so?", id="005", root="005"))
        await scene.chat.wait_for_answer()

    assert [turn.text for turn in planner.requests[0].context.channel] == ["the budget is 300"]
    assert scene.chat.reads == []


@pytest.mark.parametrize("root", ["001", "005"])
async def test_a_platform_that_does_not_answer_holds_up_no_answer(root: str) -> None:
    planner = FakePlanner([Replied("ok")])
    scene = Scene(Bench(planners=[planner]), reading_seconds=0.0)
    scene.chat.hangs = True

    async with scene.at_work() as conversation:
        await conversation.on_message(message("so?", id="005", root=root))
        answer = await scene.chat.wait_for_answer()

    assert len(planner.requests) == 1
    assert isinstance(answer, Answer)
    assert answer.notices == (LocalizedText("history-unread"),)


async def test_a_request_about_a_message_of_a_thread_takes_nothing_else_of_it() -> None:
    planner, scene = _scene()

    async with scene.at_work() as conversation:
        await _ask(scene, conversation, message("draw a cat"))
        again = replace(message("Describe this.", id="009", root="001"), alone=True)
        await conversation.on_message(again)
        await scene.chat.wait_for_answer(2)

    assert planner.requests[-1].context == Context()


async def test_called_back_into_a_thread_it_reads_what_was_said_without_it() -> None:
    planner, scene = _scene()
    without = [said("the secret", id="004"), said("Monday then", id="005")]

    async with scene.at_work() as conversation:
        await _ask(scene, conversation, message("hi"))
        planner.parts = [Silent(leaves_thread=True)]
        await _ask(scene, conversation, follow_up("not you", 2))
        planner.parts = [Replied("ok")]
        for each in without:
            await conversation.on_message(each)
        kept = _kept(scene)
        old = replace(said("deleted since", id="0015"), at=message().at - timedelta(hours=1))
        scene.chat.earlier = [old, *without[1:]]
        await _ask(scene, conversation, message("when?", id="006"))

    assert "Monday then" not in kept
    assert "the secret" not in kept
    texts = [turn.text for turn in planner.requests[-1].context.turns]
    assert "Monday then" in texts
    assert not {"deleted since", "the secret"} & {*texts}


async def _ask(scene: Scene, conversation: Conversation, asked: Incoming) -> None:
    await conversation.on_message(asked)
    await scene.idle()


async def test_a_message_from_before_a_waiting_mention_is_not_taken_for_a_follow_up() -> None:
    _, scene = _scene()
    conversation = scene.conversation()
    await conversation.on_message(message("hi", id="005"))

    before = await conversation.on_message(said("nice weather", id="004"))
    after = await conversation.on_message(said("and now?", id="006"))

    assert (before, after is not None) == (None, True)
    assert _kept(scene) == []


async def test_a_file_above_a_request_is_all_that_is_kept_of_the_channel() -> None:
    planner, scene = _scene()
    scene.chat.files = {"fake://cat": Blob(b"cat", "image/png", "cat.png")}
    cat = (Link("fake://cat", "cat.png"),)
    scene.chat.earlier = [said("nice weather"), said("look", id="002", root="002", files=cat)]

    async with scene.at_work() as conversation:
        await conversation.on_message(message("a sketch", id="003", root="003", person=BOB))
        await scene.chat.wait_for_answer()
        await scene.idle()

    (asked,) = planner.requests
    assert [file.attachment.name for file in asked.context.files] == ["cat.png"]
    assert [turn.text for turn in asked.context.channel] == ["nice weather"]
    assert _kept(scene) == ["look", "a sketch", "ok"]
