"""The stages of a run, by its events."""

from bot.watch import RunWatch, Stage
from pipeline.domain import (
    Answer,
    Answered,
    AnswerPart,
    Estimate,
    Event,
    Failed,
    Finished,
    LocalizedText,
    Plan,
    Planned,
    RunId,
    Started,
    TaskId,
)
from tests.fakes.places import HOSTED, LOCAL
from tests.fakes.stages import task

ONE, TWO = TaskId(1), TaskId(2)
PLAN = Plan((task(1, "text-to-image", text="x"),))
LONGER = Plan((*PLAN.tasks, task(2, "text-to-speech", text="x")))
FAILED = Failed(LocalizedText("gone"))
ANSWER = Answered(Answer(RunId("run"), "hi"))


def followed(*events: Event) -> list[Stage]:
    """The stages after each event."""
    watch, stages = RunWatch(), list[Stage]()
    watch.enter(Stage.PLAN)
    for event in events:
        watch.note(event)
        stages.append(watch.stage)
    assert sum(watch.measure_stages().values()) <= watch.seconds
    return stages


def begun(number: TaskId) -> Started:
    return Started(number, "m", LOCAL)


def test_a_run_goes_through_the_stages_of_the_paper_and_delivers() -> None:
    stages = followed(
        Planned(PLAN),
        begun(ONE),
        Planned(PLAN, (), Estimate(1.0)),
        Finished(ONE, FAILED),
        AnswerPart("hi"),
        ANSWER,
    )

    assert stages == ["plan", "execute", "execute", "respond", "respond", "deliver"]


def test_it_is_executed_as_long_as_one_step_is_at_work() -> None:
    stages = followed(
        Planned(LONGER), begun(ONE), begun(TWO), Finished(ONE, FAILED), Finished(TWO, FAILED)
    )

    assert stages == ["plan", "execute", "execute", "execute", "respond"]


def test_the_wait_for_a_second_round_was_planning() -> None:
    watch = RunWatch()
    for event in (Planned(PLAN), begun(ONE), Finished(ONE, FAILED), Planned(LONGER), begun(TWO)):
        watch.note(event)

    took = watch.measure_stages()

    assert watch.stage is Stage.EXECUTE
    assert Stage.RESPOND not in took
    assert took[Stage.PLAN] > 0


def test_the_steps_at_work_are_known_with_their_last_attempt() -> None:
    watch = RunWatch()
    for event in (begun(ONE), begun(TWO), Started(ONE, "other", HOSTED)):
        watch.note(event)
    watch.note(Finished(TWO, FAILED))

    ((attempt, _),) = watch.steps.values()

    assert (attempt.task, attempt.model) == (ONE, "other")
