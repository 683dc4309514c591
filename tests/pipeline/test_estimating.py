"""What a plan will take is told beforehand, from how its models have done, when it is worth saying."""

import pytest

from pipeline.domain import Choice, Estimate, Made, Place, Planned, Sentence, Step, Text
from pipeline.estimating import estimated, told
from pipeline.ports import Job, TrackRecord
from pipeline.progress import Board, headline, seen
from pipeline.words import say
from tests.fakes.stages import ActingExpert, Bench, model, planning, ref, request, task

SLOW = task(0, "summarization", text="long")
BESIDE = task(1, "summarization", text="other")
AFTER = task(2, "translation", text=ref(0, "text"))
RECORDS = {
    ("m", "summarization"): TrackRecord(9, 1, 30.0, median_cost=0.004),
    ("m", "translation"): TrackRecord(9, 0, 12.0, median_cost=0.02),
}


def _step(of: object, place: Place = Place.HOSTED) -> Step:
    assert hasattr(of, "kind")
    chosen = model("m", of.kind.name, place)
    return Step(of, Choice(chosen, Sentence("chosen-only")))  # type: ignore[arg-type]


def test_the_longest_chain_counts_and_all_that_costs() -> None:
    foreseen = estimated([_step(SLOW), _step(BESIDE), _step(AFTER)], RECORDS)

    assert foreseen.seconds == 42.0
    assert foreseen.cost == pytest.approx(0.028)


def test_what_is_not_known_of_one_step_is_not_known_of_all() -> None:
    few = {**RECORDS, ("m", "translation"): TrackRecord(3, 1, 12.0)}

    assert estimated([_step(SLOW), _step(AFTER)], few) == Estimate(None, None)


def test_what_runs_on_the_own_machine_costs_nothing() -> None:
    own = {("m", "summarization"): TrackRecord(9, 0, 30.0)}

    assert estimated([_step(SLOW, Place.EMBEDDED)], own) == Estimate(30.0, 0.0)


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(19.0, 0.0), None),
        (Estimate(None, None), None),
        (Estimate(43.0, 0.0), "about 40 s"),
        (Estimate(58.0, None), "about a minute"),
        (Estimate(200.0, None), "about 3 minutes"),
        (Estimate(4.4, 0.001), "about 4 s, less than $0.01"),
        (Estimate(None, 0.0234), "about $0.023"),
        (Estimate(43.0, 1.5), "about 40 s, about $1.50"),
    ],
)
def test_it_is_said_in_round_figures_where_it_is_long_or_costs_something(
    estimate: Estimate, words: str | None
) -> None:
    said = told(estimate)

    assert (said and say("en", said)) == words


async def test_it_is_told_when_the_models_are_chosen_and_stands_beside_the_progress() -> None:
    async def acts(_job: Job) -> Made:
        return Made({"text": Text("ok")})

    bench = Bench(
        planners=[planning(SLOW, AFTER)],
        experts=[ActingExpert(acts)],
        models=[model("m", "summarization"), model("m", "translation")],
        records=RECORDS,
    )

    await bench.answers(request())

    plans = [event for event in bench.events if isinstance(event, Planned)]
    assert [plan.estimate for plan in plans] == [None, Estimate(42.0, 0.0)]
    assert headline(seen(Board(), plans[-1]), "de") == (
        "Ich bin dabei: 0 von 2 Schritten erledigt · etwa 40 s"
    )
