"""The board that a run's events are folded into."""

from functools import reduce

import pytest

from adapters.chat.board import Board, Phase, apply_event, find_phase, list_actions
from adapters.chat.board_text import format_headline, format_label, format_row
from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerPart,
    Apologised,
    Attempt,
    Choice,
    Chose,
    Comparison,
    Done,
    Event,
    Failed,
    FellBack,
    Finished,
    LocalizedText,
    Model,
    Outcome,
    Output,
    Plan,
    Planned,
    Progressed,
    RunId,
    Skipped,
    Started,
    Stopped,
    Task,
    TaskId,
    Text,
)
from pipeline.task_kinds import KINDS
from tests.fakes.places import EMBEDDED, HOSTED, LOCAL

ONE, TWO = TaskId(1), TaskId(2)
KIND = next(iter(KINDS.values()))
MODEL = Model("org/first", KIND.name, (EMBEDDED,))
PLAN = Plan((Task(ONE, KIND, {}), Task(TWO, KIND, {})))


def after(*events: Event) -> Board:
    return reduce(apply_event, events, Board())


def test_a_plan_becomes_rows_that_wait() -> None:
    board = after(Planned(PLAN))

    assert [(row.task, row.phase) for row in board.rows] == [(1, Phase.WAITING), (2, Phase.WAITING)]
    assert format_headline(board, "en") == "Working on it: 0 of 2 steps done"


def test_a_later_plan_keeps_what_is_known_of_its_tasks() -> None:
    board = after(
        Planned(Plan(PLAN.tasks[:1])),
        Chose(ONE, Choice(MODEL, LocalizedText("chosen-only"))),
        Started(ONE, "org/first", EMBEDDED),
        Planned(PLAN),
    )

    assert [row.phase for row in board.rows] == [Phase.RUNNING, Phase.WAITING]
    assert format_row(board.rows[0], "en") == "⏳ Judging the mood or class of a text · org/first"


def test_progress_a_fallback_and_the_end_of_a_task_are_seen() -> None:
    error = Attempt(model="org/first", place=EMBEDDED, took=1.0, error=LocalizedText("stopped"))
    done = Done(Output({"text": Text("x")}), took=2.5, model=MODEL, place=EMBEDDED)

    started = after(Planned(PLAN), Started(ONE, "org/first", EMBEDDED))
    half = apply_event(started, Progressed(ONE, 0.5))
    fallen = apply_event(half, FellBack(ONE, error))
    finished = apply_event(fallen, Finished(ONE, done))

    assert "50%" in format_row(half.rows[0], "en")
    assert "Stopped." in format_row(fallen.rows[0], "en")
    assert (
        format_row(finished.rows[0], "en")
        == "✅ Judging the mood or class of a text · org/first · 2.5 s"
    )
    assert format_headline(finished, "en") == "Working on it: 1 of 2 steps done"


def test_a_failed_step_is_not_counted_as_done() -> None:
    failed = after(Planned(PLAN), Finished(ONE, Failed(LocalizedText("stopped"), ())))

    assert format_headline(failed, "en") == "Working on it: 0 of 2 steps done"


def test_what_had_not_ended_is_stopped_when_the_run_ends_without_an_answer() -> None:
    done = Finished(ONE, Done(Output({"text": Text("x")}), took=2.5, model=MODEL, place=EMBEDDED))

    stopped = after(Planned(PLAN), done, Apologised(LocalizedText("stopped"), ""))

    assert [row.phase for row in stopped.rows] == [Phase.DONE, Phase.STOPPED]


def test_a_task_in_a_queue_shows_its_place_until_it_begins() -> None:
    started = after(Planned(PLAN), Started(ONE, "org/first", EMBEDDED))
    queued = apply_event(started, Progressed(ONE, -1.0, "#3"))
    begun = apply_event(queued, Progressed(ONE, -1.0, ""))
    again = apply_event(queued, Started(ONE, "org/first", EMBEDDED))

    assert format_row(queued.rows[0], "en").endswith(" · waiting in line, #3")
    assert begun == again == started


def test_every_outcome_has_its_phase() -> None:
    failed = after(Planned(PLAN), Finished(ONE, Failed(LocalizedText("stopped"))))

    assert failed.rows[0].phase is Phase.FAILED
    assert apply_event(failed, Finished(TWO, Skipped(ONE))).rows[1].phase is Phase.SKIPPED
    assert apply_event(failed, Finished(TWO, Stopped())).rows[1].phase is Phase.STOPPED


def test_the_words_of_the_answer_add_up_until_it_is_there() -> None:
    answer = Answer(RunId("r"), "one two")

    board = after(AnswerPart("one "), AnswerPart("two"), Answered(answer))

    assert board.text == "one two"
    assert board.end == answer
    assert after(Apologised(LocalizedText("stopped"), "x")).end == Apologised(
        LocalizedText("stopped"), "x"
    )


def test_every_button_has_a_label() -> None:
    assert all(format_label(action, "en") for action in Action)


ANSWER = Answer(RunId("r"), "Hi!")
COMPARED = Answer(RunId("r"), "A or B", comparison=Comparison(KIND.name, "one", "two"))
REASON = LocalizedText("chosen-only")


@pytest.mark.parametrize(
    ("events", "actions"),
    [
        ([Answered(ANSWER)], ""),
        ([Planned(PLAN), Answered(ANSWER)], "retry another details up down"),
        ([Planned(PLAN), Answered(COMPARED)], "retry another details first second"),
        (
            [Planned(PLAN), Answered(Answer(RunId("r"), "Hi!", has_alternatives=False))],
            "retry details up down",
        ),
        ([Apologised(REASON, "R")], "retry"),
        ([Planned(PLAN), Apologised(REASON, "R")], "retry details"),
        ([Apologised(REASON, "R", may_retry=False)], ""),
        ([Planned(PLAN)], "retry details"),
    ],
)
def test_only_buttons_that_mean_something_are_offered(events: list[Event], actions: str) -> None:
    assert " ".join(list_actions(after(*events))) == actions


def test_a_failed_task_names_the_model_that_its_error_is_about() -> None:
    first, second = LocalizedText("stopped"), LocalizedText("apology-bug", {"reference": "1"})
    tried = (
        Attempt(model="org/first", place=HOSTED, took=1.0, error=first, provider="fal"),
        Attempt(model="org/second", place=LOCAL, took=2.0, error=second),
    )
    started = [Started(ONE, each.model, each.place, each.provider) for each in tried]

    (row, *_) = after(Planned(PLAN), *started, Finished(ONE, Failed(first, tried))).rows

    assert (row.model, row.why) == ("org/first (fal)", first)
    assert row.page == "https://huggingface.co/org/first"


@pytest.mark.parametrize(
    ("second", "phase"),
    [
        (
            Done(Output({"text": Text("hi")}), took=1.0, model=MODEL, place=EMBEDDED),
            Phase.DONE,
        ),
        (Skipped(ONE), Phase.PARTLY),
    ],
)
def test_a_run_of_which_a_step_was_not_done_is_done_in_part(second: Outcome, phase: Phase) -> None:
    first = Done(Output({"text": Text("hi")}), took=1.0, model=MODEL, place=EMBEDDED)
    board = after(Planned(PLAN), Finished(ONE, first), Finished(TWO, second))

    assert find_phase(board) is phase
    assert find_phase(Board()) is None
