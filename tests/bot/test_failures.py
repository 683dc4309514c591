"""Failures around an answer: the platform, saving the run, shutdown."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

import pytest

from pipeline.domain import (
    Answer,
    Apologised,
    Attachment,
    Event,
    ExpertOutput,
    Incoming,
    PlanPart,
    Proposed,
    Replied,
    Request,
    Run,
    RunId,
    Text,
    Thread,
    Turn,
)
from pipeline.errors import (
    ChatError,
    ChatGone,
    ChatRefused,
    RequestError,
    StoreDamaged,
    StoreUnavailable,
)
from pipeline.outage import Outage
from pipeline.ports import Job
from pipeline.tools import RunLimits
from tests.bot.scenes import Scene, message
from tests.fakes.chat import FakeChat
from tests.fakes.persistence import FakeInbox
from tests.fakes.stages import ActingExpert, Bench, FakePlanner, model, never, planning, task
from tests.fakes.store import FakeStore


@dataclass
class MoodyChat(FakeChat):
    """Raises one error per call of `follow`, then works."""

    moods: list[Exception] = field(default_factory=list)
    follows: int = 0

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        self.follows += 1
        self._news.set()
        if self.moods:
            await anext(events)
            raise self.moods.pop(0)
        await FakeChat.follow(self, message, run, events)

    async def tried(self, times: int) -> None:
        while self.follows < times:
            await self.changed()


def _replying(text: str = "Hello!") -> Bench:
    return Bench(planners=[FakePlanner([Replied(text)])])


def _working(expert: ActingExpert) -> Bench:
    return Bench(
        planners=[planning(task(0, "summarization", text="x"))],
        experts=[expert],
        models=[model("m", "summarization")],
    )


@pytest.mark.parametrize(
    "away",
    [ChatError("slack-unreachable", method="chat.update"), StoreUnavailable("store-gone")],
)
async def test_an_answer_is_shown_when_platform_and_database_are_back(away: RequestError) -> None:
    chat = MoodyChat(moods=[away, ExceptionGroup("both", [away])])
    expert = ActingExpert(_short)
    scene = Scene(_working(expert), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        answer = await chat.wait_for_answer()

    assert isinstance(answer, Answer)
    assert len(expert.jobs) == 1


async def _short(_job: Job) -> ExpertOutput:
    return ExpertOutput({"text": Text("short")})


def _away() -> ChatError:
    return ChatError("slack-unreachable", method="chat.update")


async def test_a_platform_may_stay_away_for_long_and_holds_up_no_other_thread() -> None:
    chat = MoodyChat(moods=[_away() for _ in range(200)])
    scene = Scene(_replying(), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.on_message(message("one"))
        await conversation.on_message(message("two", id="002", root="002"))
        await chat.wait_for_answer(2)
        await scene.idle()

    assert chat.follows == 202


async def test_an_answer_that_was_not_delivered_is_delivered_after_a_restart() -> None:
    expert = ActingExpert(_short)
    away = MoodyChat(moods=[_away() for _ in range(10_000)])
    scene = Scene(_working(expert), chat=away)
    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        await away.tried(10)
    assert await scene.inbox.list_waiting() == [run]

    scene.inbox, scene.chat = scene.inbox.restarted(), FakeChat()
    async with scene.at_work():
        answer = await scene.chat.wait_for_answer()
        await scene.idle()

    assert isinstance(answer, Answer)
    assert len(expert.jobs) == 1


async def test_restarts_while_the_platform_is_away_are_no_interrupted_attempts() -> None:
    scene = Scene(_replying())
    await scene.conversation().on_message(message())
    for _ in range(8):
        scene.chat = away = MoodyChat(moods=[_away() for _ in range(10_000)])
        scene.inbox = scene.inbox.restarted()
        async with scene.at_work():
            await away.tried(3)

    scene.inbox, scene.chat = scene.inbox.restarted(), FakeChat()
    async with scene.at_work():
        answer = await scene.chat.wait_for_answer()

    assert isinstance(answer, Answer)


async def test_a_forgotten_message_is_not_delivered_when_the_platform_is_back() -> None:
    chat = MoodyChat(moods=[_away() for _ in range(10_000)])
    scene = Scene(_replying(), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await chat.tried(3)
        scene.inbox.entries.clear()
        tries = chat.follows
        for _ in range(50):
            await asyncio.sleep(0)

    assert chat.transcript == []
    assert chat.follows <= tries + 1


@pytest.mark.parametrize("refusal", [ChatGone("slack-gone"), ChatRefused("slack-refused")])
async def test_a_platform_that_refuses_for_good_is_not_asked_again(refusal: ChatError) -> None:
    chat = MoodyChat(moods=[refusal])
    scene = Scene(_replying(), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await scene.idle()

    assert chat.follows == 1


async def test_nobody_waits_for_a_place_that_is_gone() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        try:
            await never()
        finally:
            ended.set()
        raise AssertionError

    chat = MoodyChat(moods=[ChatGone("slack-gone")])
    scene = Scene(_working(ActingExpert(act)), chat=chat)

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await scene.idle()

    assert chat.follows == 1
    assert ended.is_set() == begun.is_set()


async def test_a_bug_in_showing_a_run_is_told_as_one() -> None:
    chat = MoodyChat(moods=[ZeroDivisionError()])
    scene = Scene(_replying(), chat=chat)

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        told = await chat.wait_for_answer()
        await scene.idle()

    assert isinstance(told, Apologised)
    assert told.reason.id == "apology-bug"
    assert run is not None
    assert told.reference == run[:8]


class ForgetfulStore(FakeStore):
    """A store that cannot save runs."""

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
        attachments: Sequence[Attachment] = (),
    ) -> None:
        raise ZeroDivisionError


async def test_a_run_whose_record_cannot_be_kept_is_answered_and_harms_no_other() -> None:
    scene = Scene(_replying(), store=ForgetfulStore())

    async with scene.at_work() as conversation:
        await conversation.on_message(message("one"))
        await conversation.on_message(message("two", id="002"))
        await scene.chat.wait_for_answer(2)
        await scene.idle()

    assert len(scene.chat.transcript) == 2


@dataclass
class LockedStore(FakeStore):
    """A store that takes no turn until it is opened."""

    outage: Outage = field(default_factory=lambda: Outage(late=0))
    is_open: asyncio.Event = field(default_factory=asyncio.Event)

    async def log(
        self,
        thread: Thread,
        turn: Turn,
        attachments: Sequence[Attachment] = (),
        *,
        run: RunId | None = None,
        after: str | None = None,
    ) -> Turn:
        await self.outage.wait_out(self.check)
        return await FakeStore.log(self, thread, turn, attachments, run=run, after=after)

    async def check(self) -> None:
        if not self.is_open.is_set():
            raise StoreUnavailable("store-gone")


@pytest.mark.program
async def test_a_run_that_waits_for_the_database_says_so_and_is_answered_however_late() -> None:
    store = LockedStore()
    scene = Scene(replace(_replying(), limits=RunLimits(request=0.05)), store=store)

    async with scene.at_work() as conversation:
        scene.runner.outage = store.outage
        run = await conversation.on_message(message())
        while not (scene.chat.notified and store.outage.seconds > 0.1):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0)
        store.is_open.set()
        answer = await scene.chat.wait_for_answer()

    assert isinstance(answer, Answer)
    assert [(to, sentence.id) for to, sentence in scene.chat.notified] == [(run, "store-waiting")]


async def test_a_run_that_begins_as_an_outage_ends_says_nothing_of_it() -> None:
    store = LockedStore()
    scene = Scene(_replying())

    async with scene.at_work() as conversation, asyncio.TaskGroup() as group:
        scene.runner.outage = store.outage
        late = group.create_task(store.outage.wait_out(store.check))
        while not store.outage.seconds:  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.01)
        await conversation.on_message(message())
        await scene.chat.wait_for_answer()
        store.is_open.set()
        await late

    assert scene.chat.notified == []


class DamagedInbox(FakeInbox):
    """An inbox that cannot note that a message is answered."""

    async def finish(self, run: RunId) -> bool:
        raise StoreDamaged("store-damaged")


async def test_a_damaged_database_does_not_end_the_program() -> None:
    scene = Scene(_replying(), inbox=DamagedInbox())

    async with scene.at_work() as conversation:
        await conversation.on_message(message("one"))
        await conversation.on_message(message("two", id="002", root="002"))
        await scene.chat.wait_for_answer(2)

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
        run = await conversation.on_message(message())
        await following.wait()

    assert await scene.inbox.list_waiting() == [run]


@dataclass
class _LatePlanner:
    """Plans one task; when it is in the queue, the time of the request is over."""

    queued: asyncio.Event = field(default_factory=asyncio.Event)
    name: str = "late"

    async def plan(self, _request: Request) -> AsyncGenerator[PlanPart]:
        yield Proposed(task(0, "summarization", text="x"))
        await self.queued.wait()
        raise TimeoutError


@pytest.mark.parametrize(
    ("places", "reason"), [((2, 1), "apology-still-queued"), ((1, 0), "apology-out-of-time")]
)
async def test_a_request_that_never_got_its_turn_hears_that_too_many_were_ahead(
    places: Sequence[int], reason: str
) -> None:
    planner = _LatePlanner()

    async def wait(job: Job) -> ExpertOutput:
        for place in places:
            job.ticket.report(place)
        planner.queued.set()
        await never()
        raise AssertionError

    bench = replace(_working(ActingExpert(wait)), planners=[planner])
    scene = Scene(bench)

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        apology = await scene.chat.wait_for_answer()
        await scene.idle()

    assert isinstance(apology, Apologised)
    assert apology.reason.id == reason
    [events] = scene.store.run_events.values()
    assert "Started" in str(events)
    assert "Progressed" not in str(events)


async def test_the_record_of_a_run_says_what_broke_and_how_long_it_took() -> None:
    scene = Scene(_replying(), chat=MoodyChat(moods=[ZeroDivisionError("by nought")]))

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await scene.idle()

    (kept,) = [each.run for each in scene.store.saved.values()]
    assert kept.error == "ZeroDivisionError"
    assert kept.trace.endswith("ZeroDivisionError: by nought\n")
    assert list(kept.seconds)[:2] == ["queued", "intake"]
