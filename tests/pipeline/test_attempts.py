"""One task on one model after another: what is told when none does it."""

import asyncio

from pipeline.domain import (
    Attachment,
    Blob,
    Box,
    Boxes,
    Choice,
    Done,
    ExpertOutput,
    Failed,
    LocalizedText,
    Media,
    Progressed,
    Text,
)
from pipeline.errors import ExpertUnavailable, MediaError
from pipeline.execution.execute import attempt
from pipeline.ports import Job
from pipeline.queues import Ticket
from pipeline.tools import RunLimits
from tests.fakes.places import LOCAL
from tests.fakes.stages import ActingExpert, Bench, FakeMedia, model, never, task

PICTURE = Blob(b"picture", "image/png", "a.png")


class BrokenPens(FakeMedia):
    """Cannot draw on what it is given."""

    async def draw_boxes(self, image: Blob, boxes: Boxes) -> Blob:
        raise MediaError("task-input-unreadable", file=image.name)


async def test_a_picture_that_cannot_be_drawn_on_is_told_as_that() -> None:
    async def act(_job: Job) -> ExpertOutput:
        return ExpertOutput({"boxes": Boxes((Box("face", 0.9, xmin=1, ymin=1, xmax=5, ymax=5),))})

    bench = Bench(experts=[ActingExpert(act)], media=BrokenPens())
    image = Media(
        Attachment(
            hash=await bench.files.put(PICTURE.data), media_type="image/png", name="a.png", size=7
        )
    )
    wanted = task(0, "object-detection", image=image)
    first, second = (model(name, "object-detection", LOCAL) for name in ("one", "two"))
    job = Job(wanted.kind, first, {"image": (PICTURE,)})

    failed = await attempt(
        wanted,
        Choice(first, LocalizedText("chosen-ranked"), (second,)),
        job,
        bench.tools,
        bench.events.append,
    )

    assert isinstance(failed, Failed)
    assert failed.reason.id == "task-input-unreadable"
    assert [each.model for each in failed.tried] == ["one", "two"]


class Queue:
    """Models that are busy for so many turns first, each time for the seconds it says."""

    def __init__(self, **waits: list[float]) -> None:
        self.waits = waits

    async def act(self, asked: Job) -> ExpertOutput:
        if waits := self.waits[asked.model.id]:
            raise ExpertUnavailable("expert-busy", retry_after=waits.pop(0), model=asked.model.id)
        return ExpertOutput({"text": Text(asked.model.id)})


async def _written(pace: RunLimits, **waits: list[float]) -> Done | Failed:
    first, *others = (model(name, "summarization", LOCAL) for name in waits)
    wanted = task(0, "summarization", text="long")
    bench = Bench(experts=[ActingExpert(Queue(**waits).act)], limits=pace)
    job = Job(wanted.kind, first, {"text": (Text("long"),)})
    choice = Choice(first, LocalizedText("chosen-ranked"), tuple(others))
    return await attempt(wanted, choice, job, bench.tools, bench.events.append)


async def test_who_asks_for_a_long_wait_is_left_for_the_next() -> None:
    done = await _written(RunLimits(), one=[3600.0], two=[], three=[])

    assert isinstance(done, Done)
    assert [each.model for each in done.tried] == ["one", "two"]


async def test_a_short_wait_is_waited_out() -> None:
    done = await _written(RunLimits(), one=[0.001, 0.001], two=[])

    assert isinstance(done, Done)
    assert [each.model for each in done.tried] == ["one", "one", "one"]


async def test_when_all_ask_for_patience_the_one_that_is_free_first_is_asked_first() -> None:
    done = await _written(RunLimits(patience=0.0), one=[0.02], two=[0.001, 3600.0])

    assert isinstance(done, Done)
    assert [each.model for each in done.tried] == ["one", "two", "two", "one"]


async def test_nobody_is_asked_more_often_than_the_pace_allows() -> None:
    pace = RunLimits(patience=0.0, tries=2)

    failed = await _written(pace, one=[0.001] * 9, two=[0.002] * 9)

    assert isinstance(failed, Failed)
    assert sorted(each.model for each in failed.tried) == ["one", "one", "two", "two"]


async def test_a_wait_beyond_the_tasks_end_is_not_begun() -> None:
    failed = await _written(RunLimits(), one=[3600.0])

    assert isinstance(failed, Failed)
    assert [each.model for each in failed.tried] == ["one"]
    assert failed.reason.id == "expert-busy"


async def _queued(expert: ActingExpert, bench: Bench) -> Done | Failed:
    bench.experts = [expert]
    wanted, only = task(0, "summarization", text="long"), model("one", "summarization", LOCAL)
    job = Job(
        wanted.kind,
        only,
        {"text": (Text("long"),)},
        report=lambda fraction, note: bench.events.append(Progressed(wanted.id, fraction, note)),
        ticket=Ticket(7.0),
    )
    choice = Choice(only, LocalizedText("chosen-only"))
    return await attempt(wanted, choice, job, bench.tools, bench.events.append)


async def test_the_deadline_of_an_attempt_does_not_count_the_wait_for_its_turn() -> None:
    async def act(job: Job) -> ExpertOutput:
        job.ticket.report(2)
        await _pass_time()
        return ExpertOutput({"text": Text("short")})

    done = await _queued(ActingExpert(act), Bench(limits=RunLimits(attempt=0.0)))

    assert isinstance(done, Done)


async def test_the_deadline_of_an_attempt_begins_with_its_turn() -> None:
    async def act(job: Job) -> ExpertOutput:
        job.ticket.report(1)
        await _pass_time()
        job.ticket.report(0)
        await never()
        raise AssertionError

    failed = await _queued(ActingExpert(act), Bench(limits=RunLimits(attempt=0.0)))

    assert isinstance(failed, Failed)
    assert failed.reason.id == "task-too-long"


async def test_what_waits_shows_its_place_and_keeps_its_runs_begin() -> None:
    async def act(job: Job) -> ExpertOutput:
        for place in (2, 1, 0):
            job.ticket.report(place)
        return ExpertOutput({"text": Text("short")})

    bench, expert = Bench(), ActingExpert(act)

    await _queued(expert, bench)

    notes = [event.note for event in bench.events if isinstance(event, Progressed)]
    assert notes == ["#2", "#1", ""]
    assert expert.jobs[0].ticket.began == 7.0


async def _pass_time() -> None:
    for _ in range(10):
        await asyncio.sleep(0)
