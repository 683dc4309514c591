"""What a run looks like from outside: its events folded into one board that every surface can draw."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerPart,
    Apologised,
    Chose,
    Done,
    Estimate,
    Event,
    Failed,
    FellBack,
    Finished,
    Outcome,
    Plan,
    Planned,
    Progressed,
    Repair,
    Sentence,
    Skipped,
    Started,
    Stopped,
    TaskId,
)
from pipeline.estimating import told
from pipeline.words import say, title


class Phase(StrEnum):
    """How far a task has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    STOPPED = "stopped"


SIGNS = {
    Phase.WAITING: "◽",
    Phase.RUNNING: "⏳",
    Phase.DONE: "✅",
    Phase.FAILED: "❌",
    Phase.SKIPPED: "⏭️",
    Phase.STOPPED: "⏹️",
}

RUNNING_ACTIONS = (Action.STOP,)
ANSWERED_ACTIONS = (Action.RETRY, Action.ANOTHER, Action.DETAILS, Action.UP, Action.DOWN)
APOLOGISED_ACTIONS = (Action.RETRY, Action.DETAILS)


@dataclass(frozen=True, slots=True)
class Row:
    """One task on the board. `took` in seconds; `fraction` from 0 to 1, -1 if unknown."""

    task: TaskId
    kind: str
    phase: Phase = Phase.WAITING
    model: str = ""
    took: float = 0.0
    fraction: float = -1.0
    why: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """A run as far as it was seen."""

    rows: tuple[Row, ...] = ()
    repairs: tuple[Repair, ...] = ()
    estimate: Estimate | None = None
    text: str = ""
    end: Answer | Apologised | None = None

    @property
    def finished(self) -> int:
        return sum(row.phase not in (Phase.WAITING, Phase.RUNNING) for row in self.rows)


def seen(board: Board, event: Event) -> Board:
    """The board after an event."""
    match event:
        case Planned(plan, repairs, estimate):
            return replace(board, rows=_planned(board, plan), repairs=repairs, estimate=estimate)
        case AnswerPart(text):
            return replace(board, text=board.text + text)
        case Answered(answer):
            return replace(board, end=answer)
        case Apologised():
            return replace(board, end=event)
        case _:
            return _task_seen(board, event)


def row_words(row: Row, locale: str) -> str:
    """A row in one line: sign, what is done, model, time or what is the matter."""
    words = [title(locale, row.kind), row.model]
    if row.phase is Phase.RUNNING and row.fraction >= 0:
        words.append(f"{row.fraction:.0%}")
    if row.phase in (Phase.DONE, Phase.FAILED) and row.took:
        words.append(say(locale, Sentence("progress-took", {"seconds": f"{row.took:.1f}"})))
    if row.why is not None:
        words.append(say(locale, row.why))
    return f"{SIGNS[row.phase]} " + " · ".join(word for word in words if word)


def headline(board: Board, locale: str) -> str:
    """What is going on, in one line."""
    if not board.rows:
        return say(locale, Sentence("progress-thinking"))
    args = {"done": board.finished, "all": len(board.rows)}
    working = say(locale, Sentence("progress-working", args))
    foreseen = told(board.estimate)
    return f"{working} · {say(locale, foreseen)}" if foreseen else working


def taken(outcome: Done) -> Sentence | None:
    """Where a task's result was taken from; None: it made it itself."""
    source = outcome.source
    if source is None:
        return None
    return (
        Sentence("taken-earlier") if source.run else Sentence("taken-task", {"task": source.task})
    )


def provider_of(outcome: Done) -> str:
    """Whose machines did it, where that is known."""
    return outcome.tried[-1].provider if outcome.tried else ""


def with_provider(model: str, provider: str) -> str:
    return f"{model} ({provider})" if provider else model


def label(action: Action, locale: str) -> str:
    """What is on a button."""
    return say(locale, Sentence(f"button-{action}"))


def _planned(board: Board, plan: Plan) -> tuple[Row, ...]:
    before = {row.task: row for row in board.rows}
    return tuple(before.get(task.id) or Row(task.id, task.kind.name) for task in plan.tasks)


def _task_seen(board: Board, event: Chose | Started | Progressed | FellBack | Finished) -> Board:
    match event:
        case Chose(task, choice):
            return _changed(board, task, model=choice.model.id)
        case Started(task, model, _, provider):
            by = with_provider(model, provider)
            return _changed(board, task, phase=Phase.RUNNING, model=by, fraction=-1.0, why=None)
        case Progressed(task, fraction, _):
            return _changed(board, task, fraction=fraction)
        case FellBack(task, attempt):
            return _changed(board, task, why=attempt.error)
        case Finished(task, outcome):
            return _finished(board, task, outcome)


def _changed(board: Board, task: TaskId, **what: object) -> Board:
    return replace(board, rows=tuple(_rows(board.rows, task, what)))


def _rows(rows: Iterable[Row], task: TaskId, what: dict[str, object]) -> Iterable[Row]:
    for row in rows:
        yield replace(row, **what) if row.task == task else row  # type: ignore[arg-type]


def _finished(board: Board, task: TaskId, outcome: Outcome) -> Board:
    match outcome:
        case Done(took=took, model=model):
            by = with_provider(model.id, provider_of(outcome))
            done = _changed(board, task, phase=Phase.DONE, took=took, model=by)
            return _changed(done, task, fraction=-1.0, why=taken(outcome))
        case Failed(reason, tried):
            took = sum(attempt.took for attempt in tried)
            return _changed(board, task, phase=Phase.FAILED, took=took, why=reason)
        case Skipped():
            return _changed(board, task, phase=Phase.SKIPPED, why=None)
        case Stopped():
            return _changed(board, task, phase=Phase.STOPPED, why=None)
