"""An estimate of a plan, from how its models have done, when it is worth saying."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from adapters.chat.board import Board, apply_event, format_headline
from pipeline.domain import (
    Choice,
    Context,
    Done,
    Estimate,
    ExpertOutput,
    LocalizedText,
    Outcome,
    Output,
    Person,
    Place,
    Planned,
    RunId,
    Source,
    Step,
    TaskId,
    Text,
    Thread,
    Turn,
)
from pipeline.estimates import Forecast, estimate, format_estimate
from pipeline.ports import ANSWERING, Job, TrackRecord
from pipeline.result_reuse import make_key
from pipeline.words import say
from tests.fakes.stages import ActingExpert, Bench, model, planning, ref, request, task
from tests.words import english

SLOW = task(0, "summarization", text="long")
BESIDE = task(1, "summarization", text="other")
AFTER = task(2, "translation", text=ref(0, "text"))
RECORDS = {
    ("m", "summarization"): TrackRecord(9, 1, 30.0, median_cost=0.004),
    ("m", "translation"): TrackRecord(9, 0, 12.0, median_cost=0.02),
    ("", ANSWERING): TrackRecord(9, 0, 3.0),
}


def _step(of: object, place: Place = Place.HOSTED) -> Step:
    assert hasattr(of, "kind")
    chosen = model("m", of.kind.name, place)
    return Step(of, Choice(chosen, LocalizedText("chosen-only")))  # type: ignore[arg-type]


def test_the_longest_chain_counts_and_all_that_costs() -> None:
    foreseen = estimate(Forecast([_step(SLOW), _step(BESIDE), _step(AFTER)]), RECORDS)

    assert foreseen.seconds == 42.0 + 3.0
    assert foreseen.cost == pytest.approx(0.028)


def test_what_is_not_known_of_one_step_is_not_known_of_all() -> None:
    few = {**RECORDS, ("m", "translation"): TrackRecord(3, 1, 12.0)}

    assert estimate(Forecast([_step(SLOW), _step(AFTER)]), few) == Estimate(None, None)


def test_what_runs_on_the_own_machine_costs_nothing() -> None:
    own = {("m", "summarization"): TrackRecord(9, 0, 30.0), ("", ANSWERING): TrackRecord(3)}

    assert estimate(Forecast([_step(SLOW, Place.EMBEDDED)]), own) == Estimate(30.0, 0.0)


def test_planning_counts_and_a_step_begins_when_it_was_proposed() -> None:
    steps = [_step(SLOW), _step(AFTER)]

    after = estimate(Forecast(steps, planned=8.0), RECORDS)
    streamed = estimate(Forecast(steps, 8.0, {SLOW.id: 1.0, AFTER.id: 8.0}), RECORDS)
    long_plan = estimate(
        Forecast(steps, planned=99.0, proposed={SLOW.id: 1.0, AFTER.id: 2.0}), RECORDS
    )

    assert after.seconds == 8 + 42 + 3
    assert streamed.seconds == 1 + 42 + 3
    assert long_plan.seconds == 99 + 3


def test_without_a_history_of_the_writer_no_time_is_told() -> None:
    assert estimate(Forecast([_step(SLOW)], writer="gpt"), RECORDS).seconds is None


def test_what_is_taken_from_elsewhere_takes_nothing() -> None:
    steps = [_step(SLOW), _step(BESIDE), _step(AFTER)]
    unknown = {("", ANSWERING): RECORDS["", ANSWERING]}

    taken = estimate(Forecast(steps, reused=[SLOW.id]), RECORDS)
    all_taken = estimate(Forecast(steps, reused=[SLOW.id, BESIDE.id, AFTER.id]), unknown)

    assert taken.seconds == 30.0 + 3.0
    assert taken.cost == pytest.approx(0.024)
    assert all_taken == Estimate(3.0, 0.0)


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
        records={**RECORDS, ("fake", ANSWERING): TrackRecord(3, 0, 1.0)},
    )

    await bench.answers(request())

    plans = [event for event in bench.events if isinstance(event, Planned)]
    assert [bool(plan.estimate) for plan in plans] == [False, False, True]
    assert format_headline(apply_event(Board(), plans[-1]), "de") == (
        "Ich bin dabei: 0 von 2 Schritten erledigt · etwa 40 s"
    )


@dataclass
class OneResult:
    """The only thing that the thread made before."""

    key: str
    done: Done

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:
        return {self.key: Source(RunId("earlier"), TaskId(0))}

    async def load_outcome(self, source: Source) -> Outcome | None:
        return self.done


async def test_what_will_be_taken_from_earlier_is_not_foreseen_to_take_time() -> None:
    async def acts(_job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text("ok")})

    long_ago = Turn("t", Person("b", "Bot", is_bot=True), "hello", (), datetime.now(UTC))
    short = model("m", "summarization")
    before = Done(Output({"text": Text("short")}), 30.0, short, Place.LOCAL)
    bench = Bench(
        planners=[planning(SLOW, AFTER)],
        experts=[ActingExpert(acts)],
        models=[short, model("m", "translation")],
        records={
            **RECORDS,
            ("m", "translation"): TrackRecord(9, 0, 60.0),
            ("fake", ANSWERING): TrackRecord(3, 0, 1.0),
        },
        results=OneResult(make_key(SLOW, {}, request().person.locale), before),
    )

    await bench.answers(request())
    await bench.answers(replace(request(context=Context((long_ago,))), run=RunId("second")))

    plans = [event.estimate for event in bench.events if isinstance(event, Planned)]
    foreseen = [say("en", words) for plan in plans if (words := format_estimate(plan))]
    assert foreseen == ["about 2 minutes", "about a minute"]


async def test_an_answer_knows_who_wrote_it() -> None:
    async def acts(_job: Job) -> ExpertOutput:
        return ExpertOutput({"text": Text("ok")})

    bench = Bench(
        [planning(SLOW)], experts=[ActingExpert(acts)], models=[model("m", "summarization")]
    )

    answer = await bench.answers(request())

    assert answer.written
    assert answer.written.by == "fake"
