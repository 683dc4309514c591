"""Folds a run's events into a board, which each chat surface draws in its own way."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum
from typing import Any

from pipeline.domain import (
    Action,
    Answer,
    Answered,
    AnswerFile,
    AnswerPart,
    Apologised,
    Chose,
    Delayed,
    Done,
    Estimate,
    Event,
    Failed,
    FellBack,
    Finished,
    LocalizedText,
    Outcome,
    Plan,
    Planned,
    Progressed,
    Repair,
    Skipped,
    Started,
    TaskId,
)
from pipeline.response.media_results import collect_files

_QUICK = 1.0
"""Seconds of a step about which there is nothing to tell."""
LONGEST_TEXT = 100_000
"""Characters of streamed prose that a board keeps; the final answer is complete."""


class Phase(StrEnum):
    """The state of one task."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    STOPPED = "stopped"
    PARTLY = "partly"
    """Of a whole run: some steps were done, and some were not."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """One task on the board."""

    task: TaskId
    kind: str
    _: KW_ONLY
    phase: Phase = Phase.WAITING
    model: str = ""
    took: float = 0.0
    """Seconds."""
    fraction: float = -1.0
    """How much of it is done, from 0 to 1; -1 if unknown."""
    note: str = ""
    """Its place in a queue, "#3"; "" if it does not wait."""
    why: LocalizedText | None = None
    """The problem, or where its result was copied from."""
    page: str = ""
    """The address of the model's page, if it has one."""


@dataclass(frozen=True, slots=True)
class Board:
    """The state of a run as shown: its steps, the prose so far, and how it ended."""

    rows: tuple[TaskRow, ...] = ()
    _: KW_ONLY
    repairs: tuple[Repair, ...] = ()
    estimate: Estimate | None = None
    text: str = ""
    end: Answer | Apologised | None = None
    plan: Plan | None = None
    outcomes: Mapping[TaskId, Outcome] = field(default_factory=dict)


def apply_event(board: Board, event: Event) -> Board:
    """Return the board with an event applied."""
    match event:
        case Planned(plan, repairs, estimate):
            known = {row.task: row for row in board.rows}
            rows = (known.get(task.id, TaskRow(task.id, task.kind.name)) for task in plan.tasks)
            board = replace(board, plan=plan, rows=tuple(rows))
            return replace(board, repairs=repairs, estimate=estimate)
        case AnswerPart(text):
            room = LONGEST_TEXT - len(board.text)
            return replace(board, text=board.text + text[:room]) if room > 0 else board
        case Answered(answer):
            return replace(board, end=answer)
        case Apologised():
            unended = (Phase.WAITING, Phase.RUNNING)  # what goes on is stopped with the run
            rows = (
                replace(row, phase=Phase.STOPPED, note="") if row.phase in unended else row
                for row in board.rows
            )
            return replace(board, end=event, rows=tuple(rows))
        case Delayed():
            return board
        case _:
            return _apply_task_event(board, event)


def list_actions(board: Board) -> tuple[Action, ...]:
    """The buttons under the end of a run: those that mean something there.

    A run without tasks (small talk, a command) has nothing to vote on, to explain or to repeat.
    """
    details = (Action.DETAILS,) if board.rows else ()
    match board.end:
        case Answer() if not board.rows:
            return ()
        case Answer(comparison=comparison, has_alternatives=has_alternatives):
            another = (Action.ANOTHER,) if has_alternatives else ()
            votes = (Action.FIRST, Action.SECOND) if comparison else (Action.UP, Action.DOWN)
            return (Action.RETRY, *another, *details, *votes)
        case Apologised(may_retry=False):
            return ()
        case _:
            return (Action.RETRY, *details)


def list_files(board: Board, locale: str) -> tuple[AnswerFile, ...]:
    """The files that the steps made so far, as an answer would show them."""
    return collect_files(locale, board.plan, board.outcomes) if board.plan else ()


def find_phase(board: Board) -> Phase | None:
    """The state of a run that ended with an answer; None if it had no steps."""
    if not board.rows:
        return None
    undone = {Phase.FAILED, Phase.SKIPPED, Phase.STOPPED}
    return Phase.PARTLY if any(row.phase in undone for row in board.rows) else Phase.DONE


def has_plan(board: Board) -> bool:
    """Whether the steps of a run are worth showing: not a single one that took no time."""
    is_quick = len(board.rows) == 1 and board.rows[0].took < _QUICK
    return bool(board.rows) and not (is_quick and board.rows[0].phase is Phase.DONE)


def describe_source(outcome: Done) -> LocalizedText | None:
    """Where a task's result was copied from; None if an expert computed it for this task."""
    if (source := outcome.source) is None:
        return None
    same_run = LocalizedText("taken-task", {"task": source.task})
    return LocalizedText("taken-earlier") if source.run else same_run


def find_provider(outcome: Done) -> str:
    """The inference provider that ran a task; "" if unknown."""
    return outcome.tried[-1].provider if outcome.tried else ""


def _with_provider(model: str, provider: str) -> str:
    return f"{model} ({provider})" if provider else model


def _apply_task_event(
    board: Board, event: Chose | Started | Progressed | FellBack | Finished
) -> Board:
    match event:
        case Chose(task, choice):
            return _change_row(board, task, model=choice.model.id)
        case Started(task, model, place, provider):
            changes = {"phase": Phase.RUNNING, "model": _with_provider(model, provider)}
            changes["page"] = place.find_page(model)
            return _change_row(board, task, **changes, fraction=-1.0, note="", why=None)
        case Progressed(task, fraction, note):
            return _change_row(board, task, fraction=fraction, note=note)
        case FellBack(task, attempt):
            return _change_row(board, task, why=attempt.error)
        case Finished(task, outcome):
            board = replace(board, outcomes={**board.outcomes, task: outcome})
            return _finish_row(board, task, outcome)


def _finish_row(board: Board, task: TaskId, outcome: Outcome) -> Board:
    match outcome:
        case Done(took=took, model=model, place=place):
            name, why = _with_provider(model.id, find_provider(outcome)), describe_source(outcome)
            changes = {"phase": Phase.DONE, "took": took, "model": name, "why": why}
            changes["page"] = place.find_page(model.id)
        case Failed(reason, tried):
            took = sum(attempt.took for attempt in tried)
            changes = {"phase": Phase.FAILED, "took": took, "why": reason}
            if blamed := next((each for each in tried if each.error == reason), None):
                changes["model"] = _with_provider(blamed.model, blamed.provider)
                changes["page"] = blamed.place.find_page(blamed.model)
        case _:
            is_skipped = isinstance(outcome, Skipped)
            changes = {"phase": Phase.SKIPPED if is_skipped else Phase.STOPPED, "why": None}
    return _change_row(board, task, **changes)


def _change_row(board: Board, task: TaskId, **changes: Any) -> Board:  # noqa: ANN401 - the row's fields
    rows = (replace(row, **changes) if row.task == task else row for row in board.rows)
    return replace(board, rows=tuple(rows))
