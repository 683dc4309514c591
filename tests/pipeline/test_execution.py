"""Stage 3: tasks start when what they need is there, fail alone, and leave nothing behind."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

import pytest

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
    Outcomes,
    Place,
    Skipped,
    Step,
    Stopped,
    Task,
    TaskId,
    Text,
)
from pipeline.domain.events import FellBack, Finished
from pipeline.errors import BadInput, ExpertGarbled, ExpertRefused, ExpertUnavailable
from pipeline.execution.execute import Execution
from pipeline.ports import Job
from pipeline.prompts import fence
from pipeline.task_kinds import KINDS
from pipeline.tools import RunJournal, RunLimits
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import ActingExpert, Bench, model, never, ref, request, task

PICTURE = Blob(b"picture", "image/png", "a.png")


def _read(job: Job) -> str:
    values = (value for values in job.args.values() for value in values)
    return " ".join(value.text for value in values if isinstance(value, Text))


async def _says_its_input(job: Job) -> ExpertOutput:
    return ExpertOutput({"text": Text(f"<{_read(job)}>")})


def _steps(*tasks: Task, places: tuple[Place, ...] = (LOCAL,)) -> list[Step]:
    def step(of: Task) -> Step:
        first, second = (model(name, of.kind.name, *places) for name in ("first", "second"))
        return Step(of, Choice(first, LocalizedText("chosen-ranked"), (second,)))

    return [step(each) for each in tasks]


async def _run(bench: Bench, steps: Iterable[Step], cancelled: Iterable[Task] = ()) -> Outcomes:
    known = bench.journal.steps.get(request().run, {})
    journal = RunJournal(request().run, bench.journal, dict(known))
    async with Execution(request(), bench.tools, journal, bench.events.append) as execution:
        for step in steps:
            execution.start(step)
        await asyncio.sleep(0)
        execution.cancel(cancelled)
    return execution.outcomes


def _text(outcomes: Outcomes, number: int) -> str:
    outcome = outcomes[TaskId(number)]
    assert isinstance(outcome, Done), outcome
    value = outcome.output.slots["text"]
    assert isinstance(value, Text)
    return value.text


async def test_a_task_is_given_what_the_task_before_it_made() -> None:
    bench = Bench(experts=[ActingExpert(_says_its_input)])

    outcomes = await _run(
        bench,
        _steps(
            task(0, "summarization", text="long"),
            task(1, "text2text-generation", text=(Text("say "), ref(0, "text"))),
        ),
    )

    assert _text(outcomes, 1) == f"<say \n{fence('<long>')}>"


async def test_a_task_waits_only_for_the_tasks_it_needs() -> None:
    order: list[str] = []
    gate = asyncio.Event()

    async def act(job: Job) -> ExpertOutput:
        words = await _says_its_input(job)
        said = _read(job)
        if said == "slow":
            await gate.wait()
        order.append(said)
        if said == "<quick>":
            gate.set()
        return words

    outcomes = await _run(
        Bench(experts=[ActingExpert(act)]),
        _steps(
            task(0, "summarization", text="slow"),
            task(1, "summarization", text="quick"),
            task(2, "summarization", text=ref(1, "text")),
            task(3, "summarization", 0, text="last"),
        ),
    )

    assert order == ["quick", "<quick>", "slow", "last"]
    assert len(outcomes) == 4


async def test_every_step_queues_with_the_time_at_which_its_run_began() -> None:
    expert = ActingExpert(_says_its_input)
    asked = replace(request(), began_at=7.0)
    bench = Bench(experts=[expert])
    journal = RunJournal(asked.run, bench.journal, {})

    async with Execution(asked, bench.tools, journal, bench.events.append) as execution:
        first, second = (
            task(0, "summarization", text="x"),
            task(1, "summarization", text=ref(0, "text")),
        )
        for step in _steps(first, second):
            execution.start(step)

    assert [job.ticket.began for job in expert.jobs] == [7.0, 7.0]


async def test_all_that_can_run_runs_at_once_up_to_the_limit() -> None:
    full = asyncio.Event()
    expert = ActingExpert(never)  # type: ignore[arg-type]

    async def act(job: Job) -> ExpertOutput:
        if expert.working == 4:
            full.set()
        await full.wait()
        return ExpertOutput({"text": Text("ok")})

    expert.act = act
    tasks = [task(number, "summarization", text=str(number)) for number in range(8)]

    outcomes = await _run(Bench(experts=[expert], limits=RunLimits(parallel=4)), _steps(*tasks))

    assert expert.most == 4
    assert len(outcomes) == 8


async def test_a_failed_task_takes_down_only_those_that_need_it() -> None:
    async def act(job: Job) -> ExpertOutput:
        if _read(job) == "breaks":
            raise ExpertRefused("task-too-long", seconds=1)
        return await _says_its_input(job)

    outcomes = await _run(
        Bench(experts=[ActingExpert(act)]),
        _steps(
            task(0, "summarization", text="breaks"),
            task(1, "summarization", text=ref(0, "text")),
            task(2, "summarization", text=ref(1, "text")),
            task(3, "summarization", text="fine"),
        ),
    )

    assert isinstance(outcomes[TaskId(0)], Failed)
    assert outcomes[TaskId(1)] == Skipped(TaskId(0))
    assert outcomes[TaskId(2)] == Skipped(TaskId(1))
    assert _text(outcomes, 3) == "<fine>"


async def test_a_bug_in_one_task_does_not_take_down_the_others() -> None:
    async def act(job: Job) -> ExpertOutput:
        if _read(job) == "bug":
            raise ZeroDivisionError
        return await _says_its_input(job)

    outcomes = await _run(
        Bench(experts=[ActingExpert(act)]),
        _steps(task(0, "summarization", text="bug"), task(1, "summarization", text="fine")),
    )

    broken = outcomes[TaskId(0)]
    assert isinstance(broken, Failed)
    assert broken.reason.id == "task-bug"
    assert _text(outcomes, 1) == "<fine>"


async def test_an_expert_that_is_loading_is_asked_again() -> None:
    expert = ActingExpert(_says_its_input)

    async def act(job: Job) -> ExpertOutput:
        if len(expert.jobs) == 1:
            raise ExpertUnavailable("task-too-long", seconds=1)
        return await _says_its_input(job)

    expert.act = act
    bench = Bench(experts=[expert])

    outcomes = await _run(bench, _steps(task(0, "summarization", text="again")))

    done = outcomes[TaskId(0)]
    assert isinstance(done, Done)
    assert [attempt.model for attempt in done.tried] == ["first", "first"]
    assert sum(isinstance(event, FellBack) for event in bench.events) == 1


@pytest.mark.parametrize("error", [ExpertRefused("task-bug"), ExpertGarbled("task-bug")])
async def test_the_next_model_takes_over_when_one_refuses_or_talks_nonsense(
    error: ExpertRefused,
) -> None:
    async def act(job: Job) -> ExpertOutput:
        if job.model.id == "first":
            raise error
        return await _says_its_input(job)

    outcomes = await _run(
        Bench(experts=[ActingExpert(act)]), _steps(task(0, "summarization", text="x"))
    )

    done = outcomes[TaskId(0)]
    assert isinstance(done, Done)
    assert done.model.id == "second"


async def test_the_next_place_takes_over_when_one_is_down() -> None:
    async def down(_job: Job) -> ExpertOutput:
        raise ExpertUnavailable("task-bug")

    hosted = ActingExpert(down, HOSTED)
    local = ActingExpert(_says_its_input, LOCAL)

    outcomes = await _run(
        Bench(experts=[hosted, local]),
        _steps(task(0, "summarization", text="x"), places=(HOSTED, LOCAL)),
    )

    done = outcomes[TaskId(0)]
    assert isinstance(done, Done)
    assert (done.model.id, done.place) == ("first", LOCAL)
    assert len(hosted.jobs) == RunLimits().tries


async def test_each_provider_of_a_hosted_model_is_tried_and_told() -> None:
    async def act(job: Job) -> ExpertOutput:
        if job.model.providers != ("third:c",):
            raise ExpertRefused("task-bug")
        return await _says_its_input(job)

    hosted = replace(
        model("first", "summarization", HOSTED), providers=("one:a", "two:b", "third:c")
    )

    step = Step(task(0, "summarization", text="x"), Choice(hosted, LocalizedText("chosen-only")))
    bench = Bench(experts=[ActingExpert(act, HOSTED)])

    outcomes = await _run(bench, [step])

    done = outcomes[TaskId(0)]
    assert isinstance(done, Done)
    assert [attempt.provider for attempt in done.tried] == ["one", "two", "third"]
    assert sum(isinstance(event, FellBack) for event in bench.events) == 2


async def test_a_provider_that_passes_the_parameters_is_tried_first() -> None:
    hosted = replace(
        model("first", "text-to-image", HOSTED),
        providers=("one:a", "two:b", "third:c"),
        takes={"one": frozenset({"size"}), "third": frozenset({"seed", "negative_prompt"})},
    )
    step = Step(
        task(0, "text-to-image", text="a cat", negative_prompt="rain"),
        Choice(hosted, LocalizedText("chosen-only")),
    )

    async def act(_job: Job) -> ExpertOutput:
        raise ExpertRefused("task-bug")

    expert = ActingExpert(act, HOSTED)

    await _run(Bench(experts=[expert]), [step])

    assert [job.model.providers for job in expert.jobs] == [("third:c",), ("one:a",), ("two:b",)]


async def test_a_film_may_take_as_long_as_the_request() -> None:
    pace = RunLimits(attempt=60, task=120, request=600)

    assert pace.of(KINDS["text-to-video"]).task == 540
    assert pace.of(KINDS["text-to-image"]) == pace


async def test_unsuitable_input_is_not_tried_elsewhere() -> None:
    async def act(_job: Job) -> ExpertOutput:
        raise BadInput("task-bug")

    expert = ActingExpert(act)

    outcomes = await _run(Bench(experts=[expert]), _steps(task(0, "summarization", text="x")))

    assert isinstance(outcomes[TaskId(0)], Failed)
    assert len(expert.jobs) == 1


async def test_an_expert_that_hangs_is_given_up_for_the_next() -> None:
    async def act(job: Job) -> ExpertOutput:
        if job.model.id == "first":
            await never()
        return await _says_its_input(job)

    bench = Bench(experts=[ActingExpert(act)], limits=RunLimits(attempt=0.02))

    outcomes = await _run(bench, _steps(task(0, "summarization", text="x")))

    done = outcomes[TaskId(0)]
    assert isinstance(done, Done)
    assert done.model.id == "second"


async def test_cancelling_leaves_nothing_running() -> None:
    begun = asyncio.Event()
    expert = ActingExpert(never)  # type: ignore[arg-type]

    async def act(_job: Job) -> ExpertOutput:
        begun.set()
        await never()
        raise AssertionError

    expert.act = act
    steps = _steps(task(0, "summarization", text="x"), task(1, "summarization", text="y"))

    async with asyncio.TaskGroup() as group:
        running = group.create_task(_run(Bench(experts=[expert]), steps))
        await begun.wait()
        running.cancel()

    assert expert.working == 0


async def test_what_is_remembered_is_not_done_again() -> None:
    bench = Bench(experts=[ActingExpert(_says_its_input)])
    tasks = task(0, "summarization", text="a"), task(1, "summarization", text=ref(0, "text"))
    before = await _run(bench, _steps(*tasks))
    again = ActingExpert(_says_its_input)

    after = await _run(Bench(experts=[again], journal=bench.journal), _steps(*tasks))

    assert after == before
    assert again.jobs == []


async def test_a_cancelled_task_is_stopped_with_those_that_need_it() -> None:
    async def act(job: Job) -> ExpertOutput:
        if _read(job) == "x":
            await never()
        return await _says_its_input(job)

    gone = task(0, "summarization", text="x")
    outcomes = await _run(
        Bench(experts=[ActingExpert(act)]),
        _steps(gone, task(1, "summarization", text=ref(0, "text"))),
        cancelled=[gone],
    )

    assert outcomes[TaskId(0)] == Stopped(
        LocalizedText("plan-corrected", {"kind": "summarization"})
    )
    assert outcomes[TaskId(1)] == Skipped(TaskId(0))


async def test_a_kind_that_nothing_can_run_is_said_to_be_so() -> None:
    outcomes = await _run(Bench(), [Step(task(0, "depth-estimation"), None)])

    failed = outcomes[TaskId(0)]
    assert isinstance(failed, Failed)
    assert failed.reason.args["enabled_by"] == "TROUPE_EXPERTS_URL"


async def test_boxes_are_drawn_on_the_picture_and_handed_on() -> None:
    async def act(job: Job) -> ExpertOutput:
        if job.kind.name == "object-detection":
            return ExpertOutput(
                {"boxes": Boxes((Box("face", 0.9, xmin=1, ymin=1, xmax=5, ymax=5),))}
            )
        picture = job.args["image"][0]
        assert isinstance(picture, Blob)
        return ExpertOutput({"text": Text(picture.data.decode())})

    bench = Bench(experts=[ActingExpert(act)])
    key = await bench.files.put(PICTURE.data)
    image = Media(Attachment(hash=key, media_type="image/png", name="a.png", size=7))

    outcomes = await _run(
        bench,
        _steps(
            task(0, "object-detection", image=image),
            task(1, "image-to-text", image=ref(0, "image")),
        ),
    )

    assert _text(outcomes, 1) == "picture with boxes"


async def test_a_page_sent_as_a_picture_is_no_result() -> None:
    async def act(job: Job) -> ExpertOutput:
        data = b"" if job.model.id == "first" else b"pixels"
        return ExpertOutput({"image": Blob(data, "image/png")})

    bench = Bench(experts=[ActingExpert(act)])

    outcomes = await _run(bench, _steps(task(0, "text-to-image", text="a cat")))

    done = outcomes[TaskId(0)]
    assert isinstance(done, Done)
    assert done.model.id == "second"


async def test_every_task_that_comes_to_its_end_is_told_once() -> None:
    bench = Bench(experts=[ActingExpert(_says_its_input)])

    await _run(
        bench,
        _steps(task(0, "summarization", text="a"), task(1, "summarization", text=ref(0, "text"))),
    )

    finished = [event.task for event in bench.events if isinstance(event, Finished)]
    assert finished == [0, 1]


async def test_a_text_to_be_spoken_comes_with_its_language_and_never_the_readers() -> None:
    asked: list[str] = []

    async def detect(text: str) -> str:
        asked.append(text)
        return "it"

    expert = ActingExpert(_says_its_input)
    bench = Bench(experts=[expert])
    tools = replace(bench.tools, detect_language=detect)
    steps = (
        task(0, "text-to-speech", text="Ciao a tutti"),
        task(1, "text-to-speech", text="Ciao", language="German"),
        task(2, "summarization", text="Ciao"),
    )
    journal = RunJournal(request().run, bench.journal, {})
    async with Execution(request(), tools, journal, bench.events.append) as execution:
        for step in _steps(*steps):
            execution.start(step)
        await execution.settle()

    spoken = {job.kind.name + _read(job): job.text_language for job in expert.jobs}
    assert asked == ["Ciao a tutti"]
    assert spoken["text-to-speechCiao a tutti"] == "it"
    assert {*spoken.values()} == {"it", ""}
