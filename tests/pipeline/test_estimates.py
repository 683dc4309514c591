"""An estimate of a plan, from how its models have done, when it is worth saying."""

import pytest

from adapters.chat.board import Board, apply_event
from adapters.chat.board_text import format_headline
from pipeline.domain import (
    Choice,
    Estimate,
    ExpertOutput,
    LocalizedText,
    Place,
    Planned,
    Step,
    Text,
)
from pipeline.estimates import estimate, format_estimate
from pipeline.ports import ANSWERING, Job, Records, TrackRecord
from pipeline.words import say
from tests.fakes.places import EMBEDDED, HOSTED
from tests.fakes.stages import ActingExpert, Bench, model, planning, ref, request, task
from tests.words import english

SLOW = task(0, "summarization", text="long")
BESIDE = task(1, "summarization", text="other")
AFTER = task(2, "translation", text=ref(0, "text"))
RECORDS = {
    ("m", "summarization"): TrackRecord(
        attempts=9, failures=1, median_took=30.0, median_cost=0.004
    ),
    ("m", "translation"): TrackRecord(attempts=9, failures=0, median_took=12.0, median_cost=0.02),
    ("", ANSWERING): TrackRecord(attempts=9, failures=0, median_took=3.0),
}


def _step(of: object, place: Place = HOSTED) -> Step:
    assert hasattr(of, "kind")
    chosen = model("m", of.kind.name, place)
    return Step(of, Choice(chosen, LocalizedText("chosen-only")))  # type: ignore[arg-type]


def _expect(
    *steps: Step, records: Records = RECORDS, begun: float = 0.0, writer: str = ""
) -> Estimate:
    return estimate(steps, {step.task.id: begun for step in steps}, records, writer=writer)


def test_the_longest_chain_counts_and_all_that_costs() -> None:
    expected = _expect(_step(SLOW), _step(BESIDE), _step(AFTER))

    assert expected.seconds == 42.0 + 3.0
    assert expected.cost == pytest.approx(0.028)


def test_what_is_not_known_of_one_step_is_not_known_of_all() -> None:
    few = {**RECORDS, ("m", "translation"): TrackRecord(attempts=3, failures=1, median_took=12.0)}

    assert _expect(_step(SLOW), _step(AFTER), records=few) == Estimate(None, None)


def test_what_runs_on_the_own_machine_costs_nothing() -> None:
    own = {
        ("m", "summarization"): TrackRecord(attempts=9, failures=0, median_took=30.0),
        ("", ANSWERING): TrackRecord(attempts=3),
    }

    assert _expect(_step(SLOW, EMBEDDED), records=own) == Estimate(30.0, 0.0)


def test_a_step_begins_when_it_was_proposed() -> None:
    steps = [_step(SLOW), _step(AFTER)]

    together = estimate(steps, {SLOW.id: 8.0, AFTER.id: 8.0}, RECORDS, writer="")
    streamed = estimate(steps, {SLOW.id: 1.0, AFTER.id: 8.0}, RECORDS, writer="")

    assert together.seconds == 8 + 42 + 3
    assert streamed.seconds == 1 + 42 + 3


def test_without_a_history_of_the_writer_no_time_is_told() -> None:
    assert _expect(_step(SLOW), writer="gpt").seconds is None


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(19.0, 0.0), None),
        (Estimate(None, None), None),
        (Estimate(43.0, 0.0), "about 40 s"),
        (Estimate(58.0, None), "about a minute"),
        (Estimate(200.0, None), "about 3 minutes"),
        (Estimate(4.4, 0.001), "about 4 s, less than $0.01 for its steps"),
        (Estimate(None, 0.0234), english("estimate-cost", dollars="0.023")),
        (Estimate(43.0, 1.5), "about 40 s, about $1.50 for its steps"),
    ],
)
def test_it_is_said_in_round_figures_where_it_is_long_or_costs_something(
    estimate: Estimate, words: str | None
) -> None:
    said = format_estimate(estimate)

    assert (said and say("en", said)) == words


async def test_it_is_told_when_the_models_are_chosen_and_stands_beside_the_progress() -> None:
    async def acts(_job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text("ok")})

    bench = Bench(
        planners=[planning(SLOW, AFTER)],
        experts=[ActingExpert(acts)],
        models=[model("m", "summarization"), model("m", "translation")],
        records={
            **RECORDS,
            ("fake", ANSWERING): TrackRecord(attempts=3, failures=0, median_took=1.0),
        },
    )

    await bench.answers(request())

    plans = [event for event in bench.events if isinstance(event, Planned)]
    assert [bool(plan.estimate) for plan in plans] == [False, False, True]
    assert format_headline(apply_event(Board(), plans[-1]), "de") == (
        "Ich bin dabei: 0 von 2 Schritten erledigt · etwa 40 s"
    )


async def test_an_answer_knows_who_wrote_it() -> None:
    async def acts(_job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text("ok")})

    bench = Bench(
        [planning(SLOW)], experts=[ActingExpert(acts)], models=[model("m", "summarization")]
    )

    answer = await bench.answers(request())

    assert answer.written
    assert answer.written.by == "fake"
