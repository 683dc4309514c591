"""The same thing is not made twice, neither within a plan nor in a later run of the thread."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from adapters.chat.board import Board, apply_event
from adapters.chat.board_text import format_row
from pipeline.domain import (
    Answer,
    Attachment,
    Blob,
    ChannelSettings,
    Context,
    Done,
    ExpertOutput,
    FileHash,
    Finished,
    Media,
    Outcome,
    Person,
    PlanPart,
    Proposed,
    Request,
    RunId,
    Source,
    TaskId,
    Text,
    Thread,
    Turn,
)
from pipeline.errors import ExpertRefused, RequestError
from pipeline.ports import Job
from tests.fakes.stages import (
    ANN,
    ActingExpert,
    Bench,
    FakePlanner,
    model,
    planning,
    ref,
    request,
    task,
)

BEFORE = Turn(
    key="earlier",
    person=Person("troupe", "Troupe", is_bot=True),
    text="Hello!",
    files=(),
    at=datetime.now(UTC),
)
HEARD = task(
    0,
    "automatic-speech-recognition",
    audio=Media(
        Attachment(hash=FileHash("a" * 64), media_type="audio/wav", name="talk.wav", size=5)
    ),
)
MODELS = [
    model(name, kind)
    for kind in ("automatic-speech-recognition", "summarization", "translation", "text-generation")
    for name in (f"{kind}-1", f"{kind}-2")
]


@dataclass
class KeptResults:
    """What earlier runs of the thread made. Keeps how often it was asked."""

    outcomes: dict[Source, Outcome] = field(default_factory=dict)
    asked: int = 0
    broken: bool = False

    def keep(self, run: str, bench: Bench) -> None:
        for event in bench.events:
            if isinstance(event, Finished):
                self.outcomes[Source(RunId(run), event.task)] = event.outcome

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:
        self.asked += 1
        if self.broken:
            raise RequestError("store-busy")
        return {
            outcome.key: source
            for source, outcome in self.outcomes.items()
            if isinstance(outcome, Done) and outcome.key
        }

    async def load_outcome(self, source: Source) -> Outcome | None:
        return self.outcomes.get(source)


@dataclass
class Saying:
    """An expert that says its kind and input, and fails for the words it is told to."""

    fails: str = ""
    jobs: list[str] = field(default_factory=list)

    async def __call__(self, job: Job) -> ExpertOutput:
        given = [v for values in job.args.values() for v in values]
        words = " ".join(v.text if isinstance(v, Text) else "file" for v in given)
        self.jobs.append(f"{job.kind.name}({words})")
        if self.fails and self.fails in words:
            raise ExpertRefused("task-bug", reference="1")
        return ExpertOutput({"text": Text(f"{job.kind.name} of {words}")})


def _bench(saying: Saying, *parts: PlanPart, results: KeptResults | None = None) -> Bench:
    bench = Bench(
        planners=[FakePlanner(parts)],
        experts=[ActingExpert(saying)],
        models=MODELS,
        results=results or KeptResults(),
    )
    bench.files.kept[FileHash("a" * 64)] = b"sound"
    return bench


def _outcomes(bench: Bench) -> dict[int, Outcome]:
    return {event.task: event.outcome for event in bench.events if isinstance(event, Finished)}


def _followed(text: str = "please", **more: object) -> Request:
    return request(text, context=Context((BEFORE,)), **more)


async def _heard_before() -> KeptResults:
    """A thread in whose first run the recording was written down."""
    results = KeptResults()
    first = _bench(Saying(), Proposed(HEARD))
    await first.answers(request())
    results.keep("earlier", first)
    return results


async def _once_more(
    results: KeptResults, asked: Request, *parts: PlanPart
) -> tuple[list[str], dict[int, Outcome]]:
    """What the experts were asked in a later run, and what became of its tasks."""
    saying = Saying()
    bench = _bench(saying, *(parts or (Proposed(HEARD),)), results=results)
    await bench.answers(asked)
    return saying.jobs, _outcomes(bench)


async def test_what_differs_in_model_words_or_kind_and_what_is_to_be_new_runs_each_time() -> None:
    saying = Saying()
    bench = _bench(
        saying,
        Proposed(task(0, "summarization", text="a"), "summarization-1"),
        Proposed(task(1, "summarization", text="a"), "summarization-2"),
        Proposed(task(2, "summarization", text="b"), "summarization-1"),
        Proposed(task(3, "text-generation", text="a")),
        Proposed(task(4, "text-generation", text="a")),
    )

    await bench.answers(request())

    assert len(saying.jobs) == 5
    assert all(isinstance(o, Done) and o.source is None for o in _outcomes(bench).values())


async def test_a_later_run_takes_what_was_made_of_the_same_file_under_any_name() -> None:
    results = await _heard_before()
    renamed = task(
        7,
        HEARD.kind.name,
        audio=Media(
            Attachment(
                hash=FileHash("a" * 64),
                media_type="audio/wav",
                name="other name.wav",
                size=5,
                description="a voice",
            )
        ),
    )

    jobs, outcomes = await _once_more(
        results,
        _followed(),
        Proposed(renamed),
        Proposed(task(8, "summarization", text=ref(7, "text"))),
    )

    assert [job.partition("(")[0] for job in jobs] == ["summarization"]
    taken = outcomes[7]
    assert isinstance(taken, Done)
    assert taken.source == Source(RunId("earlier"), TaskId(0))
    assert [attempt.model for attempt in taken.tried] == ["automatic-speech-recognition-1"]
    assert results.asked == 1


async def test_what_was_taken_once_says_still_who_made_it() -> None:
    results = await _heard_before()
    second = _bench(Saying(), Proposed(HEARD), results=results)
    await second.answers(_followed())
    results.outcomes.clear()
    results.keep("second", second)

    _, outcomes = await _once_more(results, _followed())

    assert isinstance(outcomes[0], Done)
    assert outcomes[0].source == Source(RunId("earlier"), TaskId(0))


async def test_what_was_taken_stands_after_a_restart_even_if_its_source_is_forgotten() -> None:
    results = await _heard_before()
    saying = Saying()
    bench = _bench(saying, Proposed(HEARD), results=results)
    await bench.answers(_followed())
    before = _outcomes(bench)
    del bench.journal.steps[request().run]["answer"]
    results.outcomes.clear()
    bench.events.clear()

    await bench.answers(_followed())

    assert saying.jobs == []
    assert _outcomes(bench) == before


@pytest.mark.parametrize(
    "asked",
    [
        request(),
        _followed(anew=True),
        _followed(settings=ChannelSettings(policy={"deny": "automatic-speech-recognition-1"})),
        _followed(
            settings=ChannelSettings(models={HEARD.kind.name: "automatic-speech-recognition-2"})
        ),
        _followed(text="with automatic-speech-recognition-2"),
        replace(_followed(), person=replace(ANN, locale="de")),
    ],
    ids=["first", "retry", "denied", "channel", "named", "language"],
)
async def test_what_would_not_be_the_same_or_may_not_be_used_is_made_anew(asked: Request) -> None:
    results = await _heard_before()

    jobs, outcomes = await _once_more(results, asked)

    assert jobs == ["automatic-speech-recognition(file)"]
    assert isinstance(outcomes[0], Done)
    assert outcomes[0].source is None


async def test_a_comparison_of_models_is_made_with_both_of_them() -> None:
    results = await _heard_before()
    first, second = (f"{HEARD.kind.name}-{number}" for number in (1, 2))

    jobs, outcomes = await _once_more(
        results,
        _followed(),
        Proposed(HEARD, first),
        Proposed(replace(HEARD, id=TaskId(1)), second),
    )

    assert len(jobs) == 1
    assert [o.model.id for o in outcomes.values() if isinstance(o, Done)] == [first, second]


async def test_when_the_store_does_not_answer_the_task_is_done() -> None:
    jobs, _ = await _once_more(KeptResults(broken=True), _followed())

    assert jobs == ["automatic-speech-recognition(file)"]


async def test_failures_are_not_taken_up() -> None:
    results = KeptResults()
    first = _bench(Saying(fails="file"), Proposed(HEARD))
    await first.answers(request())
    results.keep("earlier", first)

    jobs, _ = await _once_more(results, _followed())

    assert jobs == ["automatic-speech-recognition(file)"]


async def test_the_board_says_where_a_result_was_taken_from() -> None:
    results = await _heard_before()
    bench = _bench(
        Saying(), Proposed(HEARD), Proposed(replace(HEARD, id=TaskId(1))), results=results
    )
    await bench.answers(_followed())
    board = Board()
    for event in bench.events:
        board = apply_event(board, event)

    told = [format_row(row, "en") for row in board.rows]

    assert told[0] == f"✅ Transcribing speech · {HEARD.kind.name}-1 · reused from earlier"
    assert told[1] == told[0]


async def test_a_file_taken_from_earlier_is_given_with_the_answer() -> None:
    spoken = task(0, "text-to-speech", text="hello")

    async def speaks(_job: Job) -> ExpertOutput:
        return ExpertOutput({"audio": Blob(b"sound", "audio/wav")})

    results = KeptResults()
    bench = Bench(
        planners=[planning(spoken)],
        experts=[ActingExpert(speaks)],
        models=[model("speaker", "text-to-speech")],
        results=results,
    )
    first = await bench.answers(request())
    results.keep("earlier", bench)
    bench.journal.steps.clear()

    second: Answer = await bench.answers(_followed())

    assert [file.attachment for file in second.files] == [file.attachment for file in first.files]
    assert len(bench.experts[0].jobs) == 1  # type: ignore[attr-defined]
