"""The board that a run's events are folded into."""

from functools import reduce

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerPart,
    Apologised,
    Attempt,
    Choice,
    Chose,
    Done,
    Event,
    Failed,
    FellBack,
    Finished,
    Model,
    Output,
    Place,
    Plan,
    Planned,
    Progressed,
    RunId,
    Sentence,
    Skipped,
    Started,
    Stopped,
    Task,
    TaskId,
    Text,
)
from pipeline.progress import Board, Phase, headline, label, row_words, seen
from pipeline.table import KINDS

ONE, TWO = TaskId(1), TaskId(2)
KIND = next(iter(KINDS.values()))
MODEL = Model("org/first", KIND.name, (Place.EMBEDDED,))
PLAN = Plan((Task(ONE, KIND, {}), Task(TWO, KIND, {})))


def after(*events: Event) -> Board:
    return reduce(seen, events, Board())


def test_a_plan_becomes_rows_that_wait() -> None:
    board = after(Planned(PLAN))

    assert [(row.task, row.phase) for row in board.rows] == [(1, Phase.WAITING), (2, Phase.WAITING)]
    assert headline(board, "en") == "Working on it: 0 of 2 steps done"


def test_a_later_plan_keeps_what_is_known_of_its_tasks() -> None:
    board = after(
        Planned(Plan(PLAN.tasks[:1])),
        Chose(ONE, Choice(MODEL, Sentence("chosen-only"))),
        Started(ONE, "org/first", Place.EMBEDDED),
        Planned(PLAN),
    )

    assert [row.phase for row in board.rows] == [Phase.RUNNING, Phase.WAITING]
    assert row_words(board.rows[0], "en") == "⏳ Judging the mood or class of a text · org/first"


def test_progress_a_fallback_and_the_end_of_a_task_are_seen() -> None:
    error = Attempt("org/first", Place.EMBEDDED, 1.0, Sentence("stopped"))
    done = Done(Output({"text": Text("x")}), 2.5, MODEL, Place.EMBEDDED)

    started = after(Planned(PLAN), Started(ONE, "org/first", Place.EMBEDDED))
    half = seen(started, Progressed(ONE, 0.5))
    fallen = seen(half, FellBack(ONE, error))
    finished = seen(fallen, Finished(ONE, done))

    assert "50%" in row_words(half.rows[0], "en")
    assert "Stopped." in row_words(fallen.rows[0], "en")
    assert (
        row_words(finished.rows[0], "en")
        == "✅ Judging the mood or class of a text · org/first · 2.5 s"
    )
    assert headline(finished, "en") == "Working on it: 1 of 2 steps done"


def test_every_outcome_has_its_phase() -> None:
    failed = after(Planned(PLAN), Finished(ONE, Failed(Sentence("stopped"))))

    assert failed.rows[0].phase is Phase.FAILED
    assert seen(failed, Finished(TWO, Skipped(ONE))).rows[1].phase is Phase.SKIPPED
    assert seen(failed, Finished(TWO, Stopped())).rows[1].phase is Phase.STOPPED


def test_the_words_of_the_answer_add_up_until_it_is_there() -> None:
    answer = Answer(RunId("r"), "one two")

    board = after(AnswerPart("one "), AnswerPart("two"), Answered(answer))

    assert board.text == "one two"
    assert board.end == answer
    assert after(Apologised(Sentence("stopped"), "x")).end == Apologised(Sentence("stopped"), "x")


def test_every_button_has_a_label() -> None:
    assert all(label(action, "en") for action in Action)
