"""Runs with their outcomes, events and votes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, select

from adapters.store.bodies import body, run_owner, uses, whole, workspace_key
from adapters.store.rows import Row, Rows
from adapters.store.schema import attempts, events, feedback, file_uses, outcomes, runs
from adapters.store.upserts import replaced
from pipeline.codec import load, load_union
from pipeline.domain import (
    Attempt,
    Channel,
    Done,
    Failed,
    Outcome,
    Run,
    RunId,
    Skipped,
    Source,
    Stopped,
    TaskId,
    Thread,
)
from pipeline.ports import ANSWERING, Vote

_ANSWER = -1
"""Where the writing of the answer stands among the tasks."""


def saved(run: Run, thread: Thread, at: float) -> Rows:
    """Rows that keep a run."""
    channel = thread.channel
    text = body(replace(run, outcomes={}))
    row = {
        "id": run.id,
        "thread": thread.key,
        "channel": channel.key,
        "workspace": workspace_key(channel),
        "person": run.person,
        "state": run.state.value,
        "audience": run.audience.value,
        "saved_at": at,
        "body": text,
    }
    done: list[dict[str, Any]] = [
        {"run": run.id, "task": task, "body": body(outcome, Outcome), "content": _content(outcome)}
        for task, outcome in run.outcomes.items()
    ]
    return Rows(
        {
            runs: [row],
            outcomes: done,
            attempts: list(_attempts(run, channel)),
            file_uses: uses(run_owner(run.id), text, *(row["body"] for row in done)),
        }
    )


def _content(outcome: Outcome) -> str:
    return outcome.key if isinstance(outcome, Done) else ""


def told(run: RunId, numbered: Sequence[tuple[int, str]], at: float) -> Rows:
    """Rows that keep events."""
    rows = [
        {"run": run, "number": number, "body": whole(text), "at": at} for number, text in numbered
    ]
    used = uses(run_owner(run), *(text for _, text in numbered))
    return Rows({events: rows, file_uses: used})


_LOAD = select(runs.c.id, runs.c.body).where(runs.c.id == bindparam("wanted"))
_OF_THREAD = (
    select(runs.c.id, runs.c.body)
    .where(runs.c.thread == bindparam("thread"))
    .order_by(runs.c.number.desc())
    .limit(bindparam("limit"))
)
_OUTCOMES = select(outcomes.c.run, outcomes.c.task, outcomes.c.body).where(
    outcomes.c.run.in_(bindparam("wanted", expanding=True))
)


def load_run(connection: Connection, run: RunId) -> Run | None:
    found = _whole(connection, connection.execute(_LOAD, {"wanted": run}).all())
    return found[0] if found else None


def of_thread(connection: Connection, thread: Thread, limit: int) -> tuple[Run, ...]:
    rows = connection.execute(_OF_THREAD, {"thread": thread.key, "limit": limit}).all()
    return _whole(connection, rows)


def _whole(connection: Connection, rows: Sequence[object]) -> tuple[Run, ...]:
    """Runs with their outcomes put back."""
    found = [load(Run, row.body) for row in rows]  # type: ignore[attr-defined]
    done: dict[str, dict[TaskId, Outcome]] = {run.id: {} for run in found}
    if found:
        for row in connection.execute(_OUTCOMES, {"wanted": list(done)}):
            done[row.run][TaskId(row.task)] = load_union(Outcome, row.body)
    return tuple(replace(run, outcomes=done[run.id]) for run in found)


_EVENTS = select(events.c.body).where(events.c.run == bindparam("wanted")).order_by(events.c.number)
_VOTES = select(feedback).where(feedback.c.run == bindparam("wanted")).order_by(feedback.c.at)
_PLACE = select(runs.c.channel, runs.c.workspace).where(runs.c.id == bindparam("wanted"))


def events_of(connection: Connection, run: RunId) -> tuple[str, ...]:
    return tuple(connection.scalars(_EVENTS, {"wanted": run}))


def vote(connection: Connection, cast: Vote, at: float) -> None:
    """Keep a vote; the last of a person counts. None on a run that is not there (any more)."""
    place = connection.execute(_PLACE, {"wanted": cast.run}).mappings().one_or_none()
    if place is not None:
        row = {**place, "run": cast.run, "person": cast.person, "value": cast.value, "at": at}
        connection.execute(replaced(connection, feedback), row)


def votes_on(connection: Connection, run: RunId) -> tuple[Vote, ...]:
    rows = connection.execute(_VOTES, {"wanted": run})
    return tuple(Vote(RunId(row.run), row.person, row.value) for row in rows)


def _attempts(run: Run, channel: Channel) -> Iterator[Row]:
    """Those of the tasks, and the writing of the answer."""
    if written := run.answer.written if run.answer else None:
        yield {
            "run": run.id,
            "task": _ANSWER,
            "number": 0,
            "channel": channel.key,
            "model": written.by,
            "kind": ANSWERING,
            "place": "",
            "failed": False,
            "took": written.took,
            "cost": None,
        }
    kinds = {task.id: task.kind.name for task in run.plan.tasks}
    for task, outcome in run.outcomes.items():
        for number, attempt in enumerate(_tried(outcome)):
            yield {
                "run": run.id,
                "task": task,
                "number": number,
                "channel": channel.key,
                "model": attempt.model,
                "kind": kinds.get(task, ""),
                "place": attempt.place.value,
                "failed": attempt.error is not None,
                "took": attempt.took,
                "cost": attempt.cost,
            }


def _tried(outcome: Outcome) -> tuple[Attempt, ...]:
    match outcome:
        case Done(source=Source()):  # counted where they were made
            return ()
        case Done(tried=tried) if tried and tried[-1].error is None:
            return tried
        case Done():
            rest = outcome.took - sum(attempt.took for attempt in outcome.tried)
            return (*outcome.tried, Attempt(outcome.model.id, outcome.place, max(rest, 0.0)))
        case Failed(tried=tried):
            return tried
        case Skipped() | Stopped():
            return ()
