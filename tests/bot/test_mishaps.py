"""What goes wrong around an answer: with the platform, with the record, at the end of the program."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest

from pipeline.domain import (
    Answer,
    Apologised,
    Event,
    Incoming,
    Made,
    Replied,
    Run,
    RunId,
    Text,
    Thread,
    Turn,
)
from pipeline.errors import ChatError, ChatGone
from pipeline.ports import Job
from tests.bot.scenes import Scene, message
from tests.fakes.chat import FakeChat
from tests.fakes.stages import ActingExpert, Bench, FakePlanner, model, never, planning, task
from tests.fakes.store import FakeStore


@dataclass
class MoodyChat(FakeChat):
    """Raises what it was told to, one error for each time it is to follow a run; then does as it should."""

    moods: list[Exception] = field(default_factory=list)
    follows: int = 0

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        self.follows += 1
        if self.moods:
            await anext(events)
            raise self.moods.pop(0)
        await FakeChat.follow(self, message, run, events)


def _replying(text: str = "Hello!") -> Bench:
    return Bench(planners=[FakePlanner([Replied(text)])])


def _working(expert: ActingExpert) -> Bench:
    return Bench(
        planners=[planning(task(0, "summarization", text="x"))],
        experts=[expert],
        models=[model("m", "summarization")],
    )


async def test_a_platform_that_was_away_for_a_while_gets_the_answer_later() -> None:
    away = ChatError("slack-unreachable", method="chat.update")
    chat = MoodyChat(moods=[away, ExceptionGroup("both", [away])])
    expert = ActingExpert(_short)
    scene = Scene(_working(expert), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.said(message())
        answer = await chat.stands()

    assert isinstance(answer, Answer)
    assert len(expert.jobs) == 1


async def _short(_job: Job) -> Made:
    return Made({"text": Text("short")})


async def test_a_platform_that_stays_away_is_given_up_and_harms_no_other() -> None:
    chat = MoodyChat(moods=[ChatError("slack-unreachable", method="chat.update")] * 3)
    scene = Scene(_replying(), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.said(message("one"))
        await scene.idle()
        await conversation.said(message("two", id="002", root="002"))
        answer = await chat.stands()

    assert isinstance(answer, Answer)
    assert chat.follows == 4


async def test_nobody_waits_for_a_place_that_is_gone() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def act(_job: Job) -> Made:
        begun.set()
        try:
            await never()
        finally:
            ended.set()
        raise AssertionError

    chat = MoodyChat(moods=[ChatGone("slack-gone")])
    scene = Scene(_working(ActingExpert(act)), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.said(message())
        await scene.idle()

    assert chat.follows == 1
    assert ended.is_set() == begun.is_set()


async def test_a_bug_in_showing_a_run_is_told_as_one() -> None:
    chat = MoodyChat(moods=[ZeroDivisionError()])
    scene = Scene(_replying(), chat=chat)

    async with scene.at_work() as conversation:
        run = await conversation.said(message())
        told = await chat.stands()
        await scene.idle()

    assert isinstance(told, Apologised)
    assert told.reason.id == "apology-bug"
    assert run is not None
    assert told.reference == run[:8]


class ForgetfulStore(FakeStore):
    """Cannot keep runs."""

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
    ) -> None:
        raise ZeroDivisionError


async def test_a_run_whose_record_cannot_be_kept_is_answered_and_harms_no_other() -> None:
    scene = Scene(_replying(), store=ForgetfulStore())

    async with scene.at_work() as conversation:
        await conversation.said(message("one"))
        await conversation.said(message("two", id="002"))
        await scene.chat.stands(2)
        await scene.idle()

    assert len(scene.chat.transcript) == 2


@pytest.mark.parametrize("error", [ChatError("slack-unreachable", method="x"), OSError()])
async def test_a_platform_that_fails_while_the_program_ends_loses_no_message(
    error: Exception,
) -> None:
    following = asyncio.Event()

    @dataclass
    class ParkedChat(FakeChat):
        async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
            following.set()
            try:
                await never()
            finally:
                raise error

    scene = Scene(_replying(), chat=ParkedChat())

    async with scene.at_work() as conversation:
        run = await conversation.said(message())
        await following.wait()

    assert await scene.inbox.waiting() == [run]
