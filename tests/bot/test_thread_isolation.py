"""An id from outside counts only where it came from; nobody deletes what others wrote unseen."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.access import ListGate
from pipeline.domain import (
    Action,
    ButtonClick,
    Channel,
    Invocation,
    Person,
    Replied,
    RunId,
    Thread,
)
from pipeline.errors import NotAllowed, TroupeError
from tests.bot.scenes import GENERAL, Scene, follow_up, message
from tests.fakes.stages import ANN, Bench, FakePlanner, planning, task
from tests.words import english

BOB = Person("bob", "Bob")
HERE = message().thread
ELSEWHERE = (
    replace(HERE, root="999"),
    Thread(replace(GENERAL, id="random"), HERE.root),
    Thread(replace(GENERAL, workspace="other team"), HERE.root),
    Thread(Channel("other", "team", "general"), HERE.root),
)


def talking(*admins: Person) -> Scene:
    gate = ListGate(admins=frozenset(person.id for person in admins))
    return Scene(Bench([FakePlanner([Replied("Hello!")])]), gate=gate)


@pytest.mark.parametrize("action", Action)
@pytest.mark.parametrize("thread", ELSEWHERE)
async def test_a_click_on_a_run_of_another_place_does_nothing(
    action: Action, thread: Thread
) -> None:
    scene = Scene(Bench([planning(task(0, "summarization", text="secret"))]))

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run is not None
        await scene.idle()
        with pytest.raises(TroupeError, match="run-forgotten"):
            await conversation.on_click(
                ButtonClick(id="p", action=action, run=run, person=ANN, thread=thread, value="0 m")
            )

    assert scene.store.votes == {}
    assert [each.run for each in await scene.inbox.of(message().key)] == [run]


@pytest.mark.parametrize("thread", ELSEWHERE)
async def test_a_click_on_a_run_whose_message_is_gone_is_compared_too(thread: Thread) -> None:
    scene = Scene(Bench([planning(task(0, "summarization", text="secret"))]))
    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        await scene.idle()
    assert run is not None
    scene.inbox.entries.clear()

    with pytest.raises(TroupeError, match="run-forgotten"):
        await conversation.on_click(
            ButtonClick(id="p", action=Action.DETAILS, run=run, person=ANN, thread=thread)
        )
    told = await conversation.on_click(
        ButtonClick(id="q", action=Action.DETAILS, run=run, person=ANN, thread=HERE)
    )

    assert "Summarising" in told.text


async def test_an_answer_that_stands_elsewhere_keeps_its_buttons() -> None:
    scene = Scene(Bench([planning(task(0, "summarization", text="x"))]))
    direct = Thread(replace(GENERAL, id="D1"), "5")

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run is not None
        await scene.idle()
        part = ButtonClick(
            id="p", action=Action.DETAILS, run=run, person=BOB, thread=direct, shown=run
        )
        own = ButtonClick(
            id="q", action=Action.DETAILS, run=run, person=ANN, thread=direct, direct=True
        )
        told = [(await conversation.on_click(each)).text for each in (part, own)]
        for forged in (replace(part, shown=RunId("other")), replace(own, person=BOB)):
            with pytest.raises(TroupeError, match="run-forgotten"):
                await conversation.on_click(forged)

    assert ["Summarising" in text for text in told] == [True, True]


async def _forget(scene: Scene, by: Person, *messages: Person) -> tuple[str, bool]:
    """The reply to `forget thread` after these people's messages, and whether others see it."""
    conversation = scene.conversation()
    for number, person in enumerate(messages, 1):
        message = follow_up("words", number, person=person)
        await conversation.intake.thread_log.log_overheard(message, takes_part=True)
    forget = Invocation(id="f", command="forget", args={"what": "thread"}, person=by, thread=HERE)
    reply = await conversation.on_command(forget)
    assert (await scene.store.context(HERE, turns=9, tail=0)).turns == ()
    return reply.text, not reply.private


async def test_people_forget_a_thread_of_their_own() -> None:
    text, is_public = await _forget(talking(), ANN, ANN)

    assert (text, is_public) == (english("forgotten", scope="thread", rows=2, files=0), False)


async def test_only_admins_forget_what_others_wrote_in_a_thread_and_the_others_are_told() -> None:
    scene = talking()

    with pytest.raises(NotAllowed, match="not-allowed-admins"):
        await _forget(scene, ANN, ANN, BOB)
    kept: Sequence[object] = (await scene.store.context(HERE, turns=9, tail=0)).turns
    assert len(kept) == 2

    told = await _forget(talking(ANN), ANN, ANN, BOB)
    assert told == (english("forgotten-thread", name="Ann", rows=4, files=0), True)


async def test_all_in_a_channel_are_told_that_it_was_forgotten() -> None:
    conversation = talking(ANN).conversation()

    forget = Invocation(id="f", command="forget", args={"what": "channel"}, person=ANN, thread=HERE)
    reply = await conversation.on_command(forget)

    assert reply.text == english("forgotten-channel", name="Ann", rows=0, files=0)
    assert not reply.private
