"""A run that another program takes over ends here without a word, and shutdown gives runs back."""

import asyncio
from dataclasses import dataclass, field, replace

import pytest

from pipeline.domain import Answer, ExpertOutput, RunId, Text
from pipeline.errors import LeaseLost
from pipeline.fencing import check_fence
from pipeline.ports import Job
from tests.bot.scenes import Scene, message
from tests.fakes.persistence import FakeInbox, FakeJournal
from tests.fakes.stages import ActingExpert, Bench, model, planning, task


@dataclass
class RememberingInbox(FakeInbox):
    """Knows which runs were given back, and which were finished."""

    given_back: list[RunId] = field(default_factory=list)
    finished: list[RunId] = field(default_factory=list)

    async def give_back(self, run: RunId) -> None:
        self.given_back.append(run)
        await FakeInbox.give_back(self, run)

    async def finish(self, run: RunId) -> bool:
        known = await FakeInbox.finish(self, run)
        self.finished.append(run)
        return known


@dataclass
class Work:
    """A step that waits."""

    began: asyncio.Event = field(default_factory=asyncio.Event)
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)
    was_cancelled: bool = False

    async def run(self, _job: Job) -> ExpertOutput:
        self.began.set()
        try:
            await self.goes_on.wait()
        except asyncio.CancelledError:
            self.was_cancelled = True
            raise
        return ExpertOutput({"text": Text("short")})

    def scene(self) -> Scene:
        bench = Bench(
            planners=[planning(task(0, "summarization", text="x"))],
            experts=[ActingExpert(self.run)],
            models=[model("m", "summarization")],
        )
        return Scene(bench, inbox=RememberingInbox())


async def until(scene: Scene, *, left: bool) -> None:
    inbox = scene.inbox
    assert isinstance(inbox, RememberingInbox)
    async with asyncio.timeout(10):
        while bool(inbox.given_back) is not left:  # noqa: ASYNC110 - the port cannot tell
            await asyncio.sleep(0)


async def test_a_lost_run_is_stopped_and_nothing_of_it_is_shown_or_kept() -> None:
    work = Work()
    scene = work.scene()

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        assert run
        await work.began.wait()
        scene.inbox.lose(run)
        await until(scene, left=True)

    assert isinstance(scene.inbox, RememberingInbox)
    assert work.was_cancelled
    assert scene.inbox.given_back == [run]
    assert scene.inbox.finished == []
    assert scene.chat.transcript == []
    assert scene.store.saved == {}
    assert scene.runner.metrics.registry.get_sample_value("troupe_runs_total") is None


@dataclass
class RefusingJournal(FakeJournal):
    """Another program has every run."""

    async def record(self, run: RunId, step: str, value: str) -> None:
        raise LeaseLost("lease-lost")


async def test_a_refused_write_ends_the_run_as_well() -> None:
    work = Work()
    work.goes_on.set()
    scene = work.scene()
    scene.bench.journal = RefusingJournal()

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        await until(scene, left=True)

    assert isinstance(scene.inbox, RememberingInbox)
    assert scene.inbox.given_back == [run]
    assert scene.inbox.finished == []
    assert not any(isinstance(shown, Answer) for shown in scene.chat.transcript)
    assert scene.store.saved == {}


async def test_what_was_not_finished_at_shutdown_is_given_back() -> None:
    work = Work()
    scene = work.scene()

    async with scene.at_work() as conversation:
        run = await conversation.on_message(message())
        await work.began.wait()

    assert isinstance(scene.inbox, RememberingInbox)
    assert scene.inbox.given_back == [run]
    assert scene.inbox.finished == []


async def test_an_answered_message_is_not_given_back() -> None:
    work = Work()
    work.goes_on.set()
    scene = work.scene()

    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await scene.chat.wait_for_answer()
        await scene.idle()

    assert isinstance(scene.inbox, RememberingInbox)
    assert scene.inbox.given_back == []


async def test_nothing_is_fenced_outside_of_a_run() -> None:
    await check_fence()


async def test_the_steps_of_a_run_are_fenced_by_its_lease() -> None:
    work = Work()
    scene = work.scene()
    refused = list[type[Exception]]()

    async def lose_and_check(_job: Job) -> ExpertOutput:
        await check_fence()
        (run,) = await scene.inbox.list_waiting()
        scene.inbox.lost.add(run)
        with pytest.raises(LeaseLost):
            await check_fence()
        refused.append(LeaseLost)
        scene.inbox.lost.discard(run)
        return ExpertOutput({"text": Text("short")})

    scene.bench = replace(scene.bench, experts=[ActingExpert(lose_and_check)])
    async with scene.at_work() as conversation:
        await conversation.on_message(message())
        await scene.chat.wait_for_answer()
        await scene.idle()

    assert refused == [LeaseLost]
