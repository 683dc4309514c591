"""Runs with their outcomes and events, and results that can be used again."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store import schema
from adapters.store.chat_log import store_turn
from adapters.store.database import SqlPort, reads, writes
from adapters.store.paths import find_message
from adapters.store.schema import attempts, feedback, outcomes, problems, runs
from adapters.store.transactions import Row, Transaction, place_of, run_owner
from pipeline.codec import dump
from pipeline.domain import (
    Attachment,
    Attempt,
    Done,
    Failed,
    Outcome,
    Run,
    RunId,
    RunState,
    SentPrompt,
    Source,
    TaskId,
    Thread,
    Turn,
)
from pipeline.ports import ANSWERING
from pipeline.problems import find_problems

_ANSWER = -1
"""The task number of writing the answer."""
_MOST_RESULTS = 200

_RUNS = select(runs.c.id, runs.c.message, runs.c.body)
_EVENTS = (
    select(schema.events)
    .where(schema.events.c.run.in_(sa.bindparam("runs", expanding=True)))
    .order_by(schema.events.c.number)
)


_NO_PROBLEMS = sa.delete(problems).where(problems.c.run == sa.bindparam("of"))


def _is_disliked(run: Any, task: Any) -> sa.ColumnElement[bool]:  # noqa: ANN401 - columns or values
    """Whether somebody disliked a run, or found the model of this task worse than another."""
    is_worse = (
        sa.exists()
        .where(attempts.c.run == run, attempts.c.task == task)
        .where(attempts.c.model == feedback.c.loser, attempts.c.kind == feedback.c.compared)
        .correlate(feedback, runs, outcomes)
    )
    is_counted = (feedback.c.compared == "") | is_worse
    return sa.exists().where(feedback.c.run == run, feedback.c.value < 0, is_counted)


# "> ''" and not "!=", so that SQLite reads only the index, not the bodies.
_RESULTS = (
    select(
        outcomes.c.content,
        outcomes.c.run,
        outcomes.c.task,
        _is_disliked(runs.c.id, outcomes.c.task).label("disliked"),
    )
    .join(runs, runs.c.id == outcomes.c.run)
    .where(runs.c.thread == sa.bindparam("thread"), outcomes.c.content > "")
    .order_by(runs.c.number.desc(), outcomes.c.task)
    .limit(_MOST_RESULTS)
)


class SqlRuns(SqlPort):
    """Runs in the database."""

    @writes
    def keep(
        self,
        tx: Transaction,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
        attachments: Sequence[Attachment] = (),
    ) -> None:
        if turn:
            parent = find_message(tx, thread, run)
            store_turn(tx, thread, turn, attachments, parent=parent)
        run_row = {
            **place_of(thread),
            "id": run.id,
            "message": run.message,
            "person": run.person,
            "state": run.state.value,
            "audience": run.audience.value,
            "saved_at": tx.at,
            "body": dump(replace(run, outcomes={})),
        }
        tx.put(runs, run_row, key="id")
        outcome_rows = list(_outcome_rows(run))
        tx.put(outcomes, *outcome_rows)
        tx.add(attempts, *_attempt_rows(run, thread.channel.key))
        event_rows = [
            {"run": run.id, "number": number, "body": text, "at": tx.at} for number, text in events
        ]
        tx.add(schema.events, *event_rows)
        _note_problems(tx, run, [text for _, text in events])
        texts = [str(row["body"]) for row in (run_row, *outcome_rows, *event_rows)]
        tx.refer_to_files(run_owner(run.id), *texts)
        tx.fence(run.id)  # last: whoever forgets also locks the thread before the run

    @reads
    def load(self, tx: Transaction, run: RunId) -> Run | None:
        return next(iter(_load_runs(tx, _RUNS.where(runs.c.id == run))), None)

    @reads
    def load_all(self, tx: Transaction, runs: Sequence[RunId]) -> Sequence[Run]:
        return _load_runs(tx, _RUNS.where(schema.runs.c.id.in_(runs)))

    @reads
    def runs(self, tx: Transaction, thread: Thread, *, limit: int) -> Sequence[Run]:
        query = _RUNS.where(runs.c.thread == thread.key).order_by(runs.c.number.desc())
        return _load_runs(tx, query.limit(limit))

    @reads
    def takes_part(self, tx: Transaction, thread: Thread, *, before: str = "") -> bool:
        newest = select(runs.c.state).where(runs.c.thread == thread.key)
        newest = newest.where(runs.c.state != RunState.SILENT.value)
        if before:
            commands = f"{thread.channel.key}::"  # their ids begin with letters, after all digits
            newest = newest.where((runs.c.message < before) | (runs.c.message > commands))
        state = tx.scalar(newest.order_by(runs.c.number.desc()).limit(1))
        return state not in (None, RunState.LEFT.value)

    @reads
    def events(self, tx: Transaction, *runs: RunId) -> Mapping[RunId, Sequence[str]]:
        events: dict[RunId, list[str]] = {run: [] for run in runs}
        for row in tx.execute(_EVENTS, {"runs": list(runs)}):
            events[row.run].append(row.body)
        return events

    @writes
    def keep_prompts(self, tx: Transaction, run: RunId, prompts: Sequence[SentPrompt]) -> None:
        tx.fence(run)
        table = schema.prompts
        tx.execute(sa.delete(table).where(table.c.run == run))
        rows = [
            {"run": run, "number": number, "model": each.model, "at": tx.at}
            | {"body": each.text, "reply": each.reply}
            for number, each in enumerate(prompts)
        ]
        tx.add(table, *rows)

    @reads
    def prompts(self, tx: Transaction, run: RunId) -> Sequence[SentPrompt]:
        table = schema.prompts
        rows = tx.execute(select(table).where(table.c.run == run).order_by(table.c.number))
        return tuple(SentPrompt(row.model, row.body, row.reply) for row in rows)

    @reads
    def find_results(self, tx: Transaction, thread: Thread) -> Mapping[str, Source]:
        newest: dict[str, Source | None] = {}
        for row in tx.execute(_RESULTS, {"thread": thread.key}):
            source = None if row.disliked else Source(RunId(row.run), TaskId(row.task))
            newest.setdefault(row.content, source)
        return {key: source for key, source in newest.items() if source is not None}

    @reads
    def load_outcome(self, tx: Transaction, source: Source) -> Outcome | None:
        this = (outcomes.c.run == source.run) & (outcomes.c.task == source.task)
        outcome: Outcome | None = tx.scalar(select(outcomes.c.body).where(this))
        # A result reused from a disliked run counts as disliked, too.
        origin = outcome.source if isinstance(outcome, Done) else None
        if origin and tx.scalar(select(_is_disliked(origin.run, origin.task))):
            return None
        return outcome


def load_runs(tx: Transaction, ids: Collection[str]) -> tuple[Run, ...]:
    """The runs with these ids, in any order."""
    return _load_runs(tx, _RUNS.where(runs.c.id.in_(ids)))


def _load_runs(tx: Transaction, query: sa.Select[Any]) -> tuple[Run, ...]:
    """Runs with their outcomes; those that cannot be read are skipped."""
    loaded = [replace(row.body, message=row.message) for row in tx.execute(query) if row.body]
    outcomes_of: dict[str, dict[TaskId, Outcome]] = {run.id: {} for run in loaded}
    for row in tx.execute(select(outcomes).where(outcomes.c.run.in_(list(outcomes_of)))):
        if row.body:
            outcomes_of[row.run][TaskId(row.task)] = row.body
    return tuple(replace(run, outcomes=outcomes_of[run.id]) for run in loaded)


def _note_problems(tx: Transaction, run: Run, events: Sequence[str]) -> None:
    """Note what went wrong in a run, for the search."""
    tx.execute(_NO_PROBLEMS, {"of": run.id})
    if found := find_problems(run, events):
        row = {"run": run.id, "saved_at": tx.at, "failed": found.failed, "words": found.words}
        tx.add(problems, row)


def _outcome_rows(run: Run) -> Iterator[Row]:
    for task, outcome in run.outcomes.items():
        key = outcome.key if isinstance(outcome, Done) else ""
        body = dump(outcome, Outcome)
        yield {"run": run.id, "task": task, "body": body, "content": key}


def _attempt_rows(run: Run, channel: str) -> Iterator[Row]:
    """One row for each attempt of a task, and one for writing the answer."""
    kinds = {task.id: task.kind.name for task in run.plan.tasks}
    of_run = {"run": run.id, "channel": channel}
    for task, outcome in run.outcomes.items():
        for number, attempt in enumerate(_attempts_of(outcome)):
            yield {
                **of_run,
                "task": task,
                "number": number,
                "model": attempt.model,
                "kind": kinds.get(task, ""),
                "place": attempt.place.name,
                "failed": attempt.error is not None,
                "took": attempt.took,
                "cost": attempt.cost,
            }
    if written := run.answer.written if run.answer else None:
        answer = {"task": _ANSWER, "number": 0, "kind": ANSWERING, "place": "", "failed": False}
        yield {**of_run, **answer, "model": written.by, "took": written.took, "cost": None}


def _attempts_of(outcome: Outcome) -> tuple[Attempt, ...]:
    match outcome:
        case Done(source=None, tried=tried) if not tried or tried[-1].error is not None:
            rest = outcome.took - sum(attempt.took for attempt in tried)
            return (
                *tried,
                Attempt(model=outcome.model.id, place=outcome.place, took=max(rest, 0.0)),
            )
        case Done(source=None, tried=tried) | Failed(tried=tried):
            return tried
        case _:  # not attempted, or reused: counted in its own run
            return ()
