"""Commands sent as messages while something runs in the same thread; edits of messages."""

import asyncio

import pytest

from bot.access import ListGate
from bot.commands.parsing import parse_command
from pipeline.domain import (
    Addressing,
    Answer,
    Apologised,
    ExpertOutput,
    Invocation,
    Person,
    Replied,
    RunState,
)
from pipeline.errors import NotAllowed
from pipeline.ports import Job
from tests.bot.scenes import MENTION, Scene, follow_up, message
from tests.fakes.stages import (
    ANN,
    ActingExpert,
    Bench,
    FakePlanner,
    model,
    never,
    planning,
    task,
)

BOB = Person("bob", "Bob")


class Busy:
    """An expert that runs until cancelled."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()

    async def act(self, _job: Job) -> ExpertOutput:
        self.begun.set()
        await never()
        raise AssertionError

    @property
    def bench(self) -> Bench:
        return Bench(
            planners=[planning(task(0, "summarization", text="x"))],
            experts=[ActingExpert(self.act)],
            models=[model("m", "summarization")],
        )


@pytest.mark.parametrize("words", ["stop", "Stop!", "STOP.", "/stop"])
async def test_stop_said_in_no_thread_ends_what_one_asked_for_in_the_channel(words: str) -> None:
    busy = Busy()
    scene = Scene(busy.bench)

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run is not None
        await busy.begun.wait()
        await conversation.on_message(message(words, id="002", root="002", person=BOB))
        await scene.chat.wait_for_answer()
        is_left_alone = not any(isinstance(each, Apologised) for each in scene.chat.events[run])
        await conversation.on_message(message(words, id="003", root="003"))
        await scene.chat.wait_for_answer(3)

    assert is_left_alone
    (apology,) = (each for each in scene.chat.events[run] if isinstance(each, Apologised))
    assert apology.reason.id == "stopped"


async def test_stop_said_in_the_thread_ends_what_is_under_way_there_and_not_itself() -> None:
    busy = Busy()
    scene = Scene(busy.bench)

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        await busy.begun.wait()
        await conversation.on_message(follow_up("stop", 2))
        told = [await scene.chat.wait_for_answer(number) for number in (1, 2)]

    (answer,) = (each for each in told if isinstance(each, Answer))
    (apology,) = (each for each in told if isinstance(each, Apologised))
    assert answer.text == "Stopped."
    assert apology.reason.id == "stopped"
    assert run is not None
    assert scene.chat.events[run][-1] == apology


@pytest.mark.parametrize(
    ("said", "command", "args"),
    [
        ("/models text-to-image stable diffusion", "models", ["text-to-image", "stable diffusion"]),
        ("models text-to-image stable diffusion", None, []),
        ("/model", "help", []),
        ("model", None, []),
        ("/model org/one", "model", ["org/one"]),
        ("/plan", "plan", []),
        ("plan a trip to Rome", None, []),
    ],
)
def test_behind_a_slash_there_is_no_doubt_that_a_command_is_meant(
    said: str, command: str | None, args: list[str]
) -> None:
    found = parse_command(message(said))

    assert (found and found.command) == command
    assert list(found.args.values() if found else ()) == args


async def test_status_said_in_the_thread_tells_at_once_and_does_not_count_itself() -> None:
    busy = Busy()
    scene = Scene(busy.bench)

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await busy.begun.wait()
        await conversation.on_message(follow_up("status", 2))
        answer = await scene.chat.wait_for_answer()

    assert isinstance(answer, Answer)
    assert "1" in answer.text
    assert "2" not in answer.text


async def test_the_last_plan_is_told_also_after_commands_and_talk() -> None:
    plan = planning(task(0, "summarization", text="x"))
    scene = Scene(Bench(planners=[plan], models=[model("m", "summarization")]))

    async with scene.at_work() as conversation:
        await conversation.on_message(message("sum it up"))
        for number, words in enumerate(("learned", "status", "plan"), 2):
            await scene.idle()
            await conversation.on_message(follow_up(words, number))
        told = await scene.chat.wait_for_answer(4)

    assert isinstance(told, Answer)
    assert "Summarising" in told.text


async def test_neither_a_command_nor_its_reply_is_what_the_thread_talks_about() -> None:
    scene = Scene(Bench(planners=[FakePlanner([Replied("Hello!")])]))

    async with scene.at_work() as conversation:
        await conversation.on_message(message("first"))
        await conversation.on_message(follow_up("status", 2))
        await conversation.on_message(follow_up("forget channel", 3, addressing=MENTION))
        await scene.chat.wait_for_answer(3)
        await scene.idle()

    context = await scene.store.context(message().thread, turns=9, tail=0)
    assert [turn.text for turn in context.turns] == ["first", "Hello!"]


@pytest.mark.parametrize("said", [False, True])
async def test_only_admins_forget_a_channel(*, said: bool) -> None:
    scene = Scene(Bench(planners=[FakePlanner([Replied("Hello!")])]), gate=ListGate())

    async with scene.at_work() as conversation:
        if said:
            await conversation.on_message(message("forget channel"))
            told = await scene.chat.wait_for_answer()
            assert isinstance(told, Apologised)
            assert told.reason.id == "not-allowed-admins"
        else:
            thread = message().thread
            with pytest.raises(NotAllowed):
                await conversation.on_command(
                    Invocation(
                        id="i",
                        command="forget",
                        args={"what": "channel"},
                        person=ANN,
                        thread=thread,
                    )
                )
            mine = await conversation.on_command(
                Invocation(id="j", command="forget", args={"what": "me"}, person=ANN, thread=thread)
            )
            assert mine.text


async def test_an_edit_of_an_answered_message_changes_the_log_and_answers_nothing() -> None:
    scene = Scene(Bench(planners=[FakePlanner([Replied("Hello!")])]))

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message("first"))
        await scene.chat.wait_for_answer()
        await scene.idle()
        await conversation.on_edit(message("second"))

    context = await scene.store.context(message().thread, turns=9, tail=0)
    assert [turn.text for turn in context.turns] == ["second", "Hello!"]
    assert run is not None
    kept = await scene.store.load(run)
    assert kept is not None
    assert kept.state is RunState.ANSWERED
    assert len(scene.chat.transcript) == 1


@pytest.mark.parametrize("said", ["forget me", "forget thread", "Forget  channel"])
def test_people_who_say_it_to_each_other_erase_nothing(said: str) -> None:
    assert parse_command(message(said)) is not None
    assert parse_command(message(said, addressing=Addressing())) is None
    assert parse_command(message("status", addressing=Addressing())) is not None
