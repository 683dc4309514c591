"""One request through the four stages."""

import asyncio
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest

from pipeline.domain import (
    Answered,
    AnswerPart,
    Attachment,
    Blob,
    Context,
    Done,
    ExpertOutput,
    FileHash,
    Finished,
    LocalizedText,
    Media,
    Model,
    NamedFile,
    Noticed,
    Planned,
    PlanPart,
    Proposed,
    RejectedFile,
    Repair,
    Repaired,
    Replanned,
    Replied,
    ReplyPart,
    Skipped,
    Started,
    Stopped,
    TaskId,
    Text,
    Turn,
)
from pipeline.errors import ExpertRefused, LlmUnavailable, PlanError
from pipeline.ports import Job
from pipeline.run.answer import answer
from pipeline.run.plan_draft import propose
from pipeline.tools import open_run_journal
from tests.fakes.places import LOCAL
from tests.fakes.stages import (
    ANN,
    ActingExpert,
    Bench,
    FakePlanner,
    FakeResponder,
    model,
    planning,
    ref,
    request,
    task,
)

DOWN = LlmUnavailable("task-too-long", seconds=1)
MODELS = [
    model("painter", "text-to-image"),
    model("speaker", "text-to-speech"),
    model("captioner", "image-to-text"),
    model("poser", "openpose-control"),
    model("posing-painter", "openpose-text-to-image"),
]


async def _acts(job: Job) -> ExpertOutput:
    match job.kind.makes[0].type.value:
        case "image":
            return ExpertOutput({"image": Blob(f"{job.kind.name}".encode(), "image/png")})
        case "audio":
            return ExpertOutput({"audio": Blob(b"sound", "audio/wav")})
        case _:
            return ExpertOutput({"text": Text("a girl reading")})


async def test_files_of_the_answer_come_from_the_record_with_words_for_each() -> None:
    sent = Attachment(hash=FileHash("0" * 64), media_type="image/png", name="boy.png", size=3)
    bench = Bench(
        planners=[
            planning(
                task(0, "openpose-control", image=Media(sent)),
                task(1, "openpose-text-to-image", text="a girl", image=ref(0, "image")),
                task(2, "image-to-text", image=ref(1, "image")),
                task(3, "text-to-speech", text=ref(2, "text")),
            )
        ],
        experts=[ActingExpert(_acts)],
        models=MODELS,
    )
    bench.files.kept[sent.hash] = b"boy"

    answered = await bench.answers(request(files=(NamedFile("image 1", sent),)))

    assert [file.kind for file in answered.files] == ["openpose-text-to-image", "text-to-speech"]
    assert [file.alt for file in answered.files] == ["a girl reading", "Spoken: a girl reading"]
    assert [file.model for file in answered.files] == ["posing-painter", "speaker"]
    assert answered.files[1].attachment.name == "a-girl-reading.wav"


async def test_a_file_made_once_more_is_delivered_once_more() -> None:
    bench = Bench(
        planners=[planning(task(0, "text-to-speech", text="hello"))],
        experts=[ActingExpert(_acts)],
        models=MODELS,
    )
    (first,) = (await bench.answers(request())).files
    bench.journal.steps.clear()
    before = Turn(
        key="t",
        person=ANN,
        text="hello",
        files=(NamedFile("audio 1", first.attachment),),
        at=datetime.now(UTC),
    )

    again = await bench.answers(request(context=Context((before,))))

    assert [file.attachment.hash for file in again.files] == [first.attachment.hash]


async def test_what_another_version_of_the_program_remembered_is_done_again() -> None:
    bench = Bench(planners=[FakePlanner([Replied("Hello!")])])
    steps = bench.journal.steps.setdefault(request().run, {})
    steps["plan"] = '[{"is":"Proposed","task":{"id":0,"kind":"no-such-kind"}}]'
    steps["answer"] = '{"words":"of old"}'

    answered = await bench.answers(request("hi"))

    assert answered.text == "Hello!"


async def test_an_answer_that_stands_since_before_a_restart_comes_with_what_led_to_it() -> None:
    bench = Bench(
        planners=[planning(task(0, "image-to-text"), task(1, "text-to-speech", text="hello"))],
        experts=[ActingExpert(_acts)],
        models=MODELS[1:2],
    )
    await bench.answers(request())
    ended = [event for event in bench.events if isinstance(event, Finished)]
    bench.events.clear()

    await bench.answers(request())

    assert [type(event) for event in bench.events] == [Planned, Finished, Finished, Answered]
    assert sorted(bench.events[1:3], key=lambda event: event.task) == sorted(  # type: ignore[union-attr]
        ended, key=lambda event: event.task
    )


async def test_plain_talk_is_answered_by_the_planner_alone() -> None:
    responder = FakeResponder()
    bench = Bench(planners=[FakePlanner([Replied("Hello!")])], responders=[responder])

    answered = await bench.answers(request("hi"))

    assert answered.text == "Hello!"
    assert responder.outcomes == []


async def test_plain_talk_streams_and_begins_anew_with_the_next_planner() -> None:
    again: list[PlanPart] = [ReplyPart("Hello "), ReplyPart("there."), Replied("Hello there.")]
    first = FakePlanner([ReplyPart("Well then")], error=DOWN)
    bench = Bench(planners=[first, FakePlanner(again)])

    answered = await bench.answers(request("hi"))

    parts = [event.text for event in bench.events if isinstance(event, AnswerPart)]
    assert "".join(parts) == "Well then\n\nHello there."
    assert len(parts) > 2
    assert answered.text == "Hello there."


async def test_the_next_planner_and_responder_take_over_and_the_answer_says_so() -> None:
    bench = Bench(
        planners=[FakePlanner(error=DOWN), planning(task(0, "text-to-image", text="a cat"))],
        responders=[FakeResponder(error=DOWN, pieces=["half "]), FakeResponder(pieces=["A cat."])],
        experts=[ActingExpert(_acts)],
        models=MODELS,
    )

    answered = await bench.answers(request())

    assert answered.text == "A cat."
    assert [notice.id for notice in answered.notices] == ["fallback-planner", "fallback-responder"]


async def test_a_request_nobody_can_plan_is_an_error() -> None:
    bench = Bench(planners=[FakePlanner(error=PlanError("nothing-to-do"))])

    with pytest.raises(PlanError):
        await bench.answers(request())


async def test_repairs_notices_and_unused_files_are_told_with_the_answer() -> None:
    repair = Repair(LocalizedText("plan-corrected"))
    bench = Bench(
        planners=[
            FakePlanner([Noticed(LocalizedText("stopped")), Repaired(repair), Replied("Nothing.")])
        ]
    )
    unused = (RejectedFile("a.png", LocalizedText("task-bug", {"reference": "1"})),)

    answered = await bench.answers(request(rejected=unused))

    assert [notice.id for notice in answered.notices] == [
        "stopped",
        "plan-corrected",
        "file-unused",
    ]


async def test_a_restarted_run_plans_and_answers_from_memory() -> None:
    bench = Bench(
        planners=[planning(task(0, "text-to-image", text="a cat"))],
        experts=[ActingExpert(_acts)],
        models=MODELS,
    )
    before = await bench.answers(request())
    planner, expert = FakePlanner(), ActingExpert(_acts)
    again = Bench(
        planners=[planner],
        experts=[expert],
        models=MODELS,
        journal=bench.journal,
        files=bench.files,
    )

    after = await again.answers(request())

    assert after == before
    assert (planner.requests, expert.jobs) == ([], [])
    assert isinstance(again.events[-1], Answered)


async def test_a_plan_written_anew_with_other_numbers_does_nothing_again() -> None:
    calls = count()

    async def act(job: Job) -> ExpertOutput:
        if job.kind.name == "translation":
            raise ExpertRefused("task-too-long", seconds=1)
        return ExpertOutput({"text": Text(f"call {next(calls)}")})

    def story(one: int, two: int, german: int, short: int) -> FakePlanner:
        return planning(
            task(one, "text-generation", text="a story"),
            task(two, "text-generation", text="a story"),
            task(german, "translation", text=ref(two, "text"), language="German"),
            task(short, "summarization", text=ref(german, "text")),
        )

    kinds = ("text-generation", "translation", "summarization")
    bench = Bench(
        planners=[story(0, 1, 2, 3)],
        experts=[ActingExpert(act)],
        models=[model(kind, kind) for kind in kinds],
    )
    await bench.answers(request())
    for step in ("plan", "answer"):
        del bench.journal.steps[request().run][step]
    again = replace(bench, planners=[story(7, 1, 3, 2)], experts=[ActingExpert(act)], events=[])

    await again.answers(request())

    ends = {event.task: event.outcome for event in again.events if isinstance(event, Finished)}
    made = {id_: end.output.slots["text"] for id_, end in ends.items() if isinstance(end, Done)}
    assert made == {7: Text("call 0"), 1: Text("call 1")}
    assert ends[TaskId(2)] == Skipped(TaskId(3))
    assert not [event for event in again.events if isinstance(event, Started)]


async def test_the_plan_is_told_before_its_tasks_begin() -> None:
    bench = Bench(
        planners=[planning(task(0, "text-to-image", text="a cat"))],
        experts=[ActingExpert(_acts)],
        models=MODELS,
    )

    await bench.answers(request())

    assert isinstance(bench.events[0], Planned)


async def test_the_model_that_was_asked_for_is_taken() -> None:
    wanted = FakePlanner(
        [Proposed(task(0, "text-to-image", text="a cat"), model="other/painter-2")]
    )
    bench = Bench(
        planners=[wanted],
        experts=[ActingExpert(_acts)],
        models=[*MODELS, model("other/painter-2", "text-to-image", LOCAL)],
    )

    answered = await bench.answers(request())

    assert answered.files[0].model == "other/painter-2"


@pytest.mark.parametrize("others", [(), (model("other/painter", "text-to-image"),)])
async def test_an_answer_knows_whether_another_model_could_have_done_a_step(
    others: tuple[Model, ...],
) -> None:
    bench = Bench(
        planners=[planning(task(0, "text-to-image", text="a cat"))],
        experts=[ActingExpert(_acts)],
        models=[*MODELS, *others],
    )

    answered = await bench.answers(request())

    assert answered.has_alternatives == bool(others)


async def test_a_planner_that_is_left_early_is_closed_then_and_there() -> None:
    draw = Proposed(task(0, "text-to-image", text="a cat"))
    planner = FakePlanner([draw, draw])

    async with aclosing(propose(request(), [planner])) as parts:
        await anext(parts)

    assert planner.closed_early == 1


async def test_a_run_that_is_broken_off_while_its_plan_is_written_closes_the_planner() -> None:
    draw = Proposed(task(0, "text-to-image", text="a cat"))
    planner = FakePlanner([draw, draw])
    bench = Bench(planners=[planner], models=MODELS)
    memory = await open_run_journal(request().run, bench.journal)

    def gone(_event: object) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await answer(request(), bench.tools, memory, gone)

    assert planner.closed_early == 1


async def test_a_plan_that_starts_over_keeps_the_steps_it_repeats_and_cancels_the_others() -> None:
    gate, calls = asyncio.Event(), count()

    async def act(job: Job) -> ExpertOutput:
        if job.args["text"][0] == Text("wrong"):
            await gate.wait()
        return ExpertOutput({"text": Text(f"call {next(calls)}")})

    plan: list[PlanPart] = [
        Proposed(task(0, "summarization", text="a story")),
        Proposed(task(1, "summarization", text="wrong")),
        Repaired(Repair(LocalizedText("plan-corrected"))),
        Replanned(),
        Proposed(task(1, "summarization", text="a story")),
        Proposed(task(2, "translation", text=ref(1, "text"), language="de")),
        Proposed(task(0, "summarization", text="a story")),
    ]
    bench = Bench(
        planners=[FakePlanner(plan)],
        experts=[ActingExpert(act)],
        models=[model("writer", "summarization"), model("translator", "translation")],
    )

    await bench.answers(request())

    ends = {event.task: event.outcome for event in bench.events if isinstance(event, Finished)}
    assert {number: type(end) for number, end in ends.items()} == {
        0: Done,
        1: Stopped,
        2: Done,
        3: Done,
    }
    told = [event for event in bench.events if isinstance(event, Planned)][-1]
    assert [(each.id, each.needs) for each in told.plan.tasks] == [
        (0, frozenset()),
        (2, frozenset({0})),
        (3, frozenset()),
    ]
    assert told.repairs == ()
    steps = bench.journal.steps[request().run]
    del steps["answer"]
    bench.events.clear()
    await bench.answers(request())
    assert not any(isinstance(event, Started) for event in bench.events)
