"""Runs with their outcomes and events, and results that can be used again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import BindParameter, Connection, bindparam, exists, select

from adapters.store.chat_log import store_turn
from adapters.store.database import reads, writes
from adapters.store.schema import attempts, events, feedback, outcomes, runs
from adapters.store.serialization import (
    Row,
    SqlPort,
    dump_value,
    escape_surrogates,
    insert_absent,
    load_union,
    load_value,
    put_rows,
    refer_to_files,
    run_owner,
    workspace_key,
)
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
    Turn,
)
from pipeline.ports import ANSWERING

_ANSWER = -1
"""Where the writing of the answer stands among the tasks."""
_MOST_RESULTS = 200

_RUN = runs.c.id == bindparam("run")
_THESE: BindParameter[str] = bindparam("runs", expanding=True)
_LOAD = select(runs.c.id, runs.c.message, runs.c.body).where(_RUN)
_OF_THREAD = (
    select(runs.c.id, runs.c.message, runs.c.body)
    .where(runs.c.thread == bindparam("thread"))
    .order_by(runs.c.number.desc())
    .limit(bindparam("limit"))
)
_EARLIER = _OF_THREAD.where(
    runs.c.number < select(runs.c.number).where(runs.c.id == bindparam("before")).scalar_subquery()
)
_EXISTS = select(exists().where(runs.c.thread == bindparam("thread")))
_OUTCOMES = select(outcomes.c.run, outcomes.c.task, outcomes.c.body).where(
    outcomes.c.run.in_(_THESE)
)
_EVENTS = (
    select(events.c.run, events.c.body)
    .where(events.c.run.in_(_THESE))
    .order_by(events.c.run, events.c.number)
)
_DISLIKED = exists().where(feedback.c.run == runs.c.id, feedback.c.value < 0)
# "> ''" and not "!=", so that SQLite reads the index alone and passes by the bodies.
_RESULTS = (
    select(outcomes.c.content, outcomes.c.run, outcomes.c.task, _DISLIKED.label("disliked"))
    .join(runs, runs.c.id == outcomes.c.run)
    .where(runs.c.thread == bindparam("thread"), outcomes.c.content > "")
    .order_by(runs.c.number.desc(), outcomes.c.task)
    .limit(_MOST_RESULTS)
)
_OUTCOME = select(outcomes.c.body).where(
    outcomes.c.run == bindparam("run"), outcomes.c.task == bindparam("task")
)
_IS_DISLIKED = select(exists().where(feedback.c.run == bindparam("run"), feedback.c.value < 0))


class SqlRuns(SqlPort):
    """Runs in the database."""

    @writes
    def keep(
        self,
        connection: Connection,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
    ) -> None:
        if turn:
            store_turn(connection, thread, turn)
        at = self.clock().timestamp()
        text = _store_run(connection, run, thread, at)
        done = [
            {
                "run": run.id,
                "task": task,
                "body": dump_value(outcome, Outcome),
                "content": outcome.key if isinstance(outcome, Done) else "",
            }
            for task, outcome in run.outcomes.items()
        ]
        put_rows(connection, outcomes, done)
        tried = list(_attempt_rows(run, thread.channel))
        if tried:
            connection.execute(insert_absent(connection, attempts), tried)
        told = _store_events(connection, run.id, events, at)
        texts = (text, *(str(row["body"]) for row in done), *told)
        refer_to_files(connection, run_owner(run.id), *texts)

    @reads
    def load(self, connection: Connection, run: RunId) -> Run | None:
        loaded = _load_runs(connection, connection.execute(_LOAD, {"run": run}).all())
        return loaded[0] if loaded else None

    @reads
    def runs(
        self, connection: Connection, thread: Thread, *, limit: int, before: RunId | None = None
    ) -> Sequence[Run]:
        query = _EARLIER if before else _OF_THREAD
        wanted = {"thread": thread.key, "limit": limit, "before": before}
        return _load_runs(connection, connection.execute(query, wanted).all())

    @reads
    def takes_part(self, connection: Connection, thread: Thread) -> bool:
        return bool(connection.scalar(_EXISTS, {"thread": thread.key}))

    @reads
    def events(self, connection: Connection, run: RunId) -> Sequence[str]:
        return [row.body for row in connection.execute(_EVENTS, {"runs": [run]})]

    @reads
    def events_of(
        self, connection: Connection, runs: Sequence[RunId]
    ) -> Mapping[RunId, Sequence[str]]:
        told: dict[RunId, list[str]] = {run: [] for run in runs}
        for row in connection.execute(_EVENTS, {"runs": list(runs)}):
            told[row.run].append(row.body)
        return told

    @reads
    def find_results(self, connection: Connection, thread: Thread) -> Mapping[str, Source]:
        newest: dict[str, Source | None] = {}
        for row in connection.execute(_RESULTS, {"thread": thread.key}):
            source = None if row.disliked else Source(RunId(row.run), TaskId(row.task))
            newest.setdefault(row.content, source)
        return {key: source for key, source in newest.items() if source is not None}

    @reads
    def load_outcome(self, connection: Connection, source: Source) -> Outcome | None:
        text = connection.scalar(_OUTCOME, {"run": source.run, "task": source.task})
        outcome: Outcome | None = load_union(Outcome, text, key=source.run)
        # What a run took over from a disliked one is no better than its source.
        origin = outcome.source.run if isinstance(outcome, Done) and outcome.source else ""
        disliked = origin and connection.scalar(_IS_DISLIKED, {"run": origin})
        return None if disliked else outcome


def _store_run(connection: Connection, run: Run, thread: Thread, at: float) -> str:
    text = dump_value(replace(run, outcomes={}))
    row = {
        "id": run.id,
        "message": run.message,
        "thread": thread.key,
        "channel": thread.channel.key,
        "workspace": workspace_key(thread.channel),
        "person": run.person,
        "state": run.state.value,
        "audience": run.audience.value,
        "saved_at": at,
        "body": text,
    }
    put_rows(connection, runs, [row], "id")
    return text


def _store_events(
    connection: Connection, run: RunId, numbered: Sequence[tuple[int, str]], at: float
) -> list[str]:
    texts = [escape_surrogates(text) for _, text in numbered]
    rows = [
        {"run": run, "number": number, "body": text, "at": at}
        for (number, _), text in zip(numbered, texts, strict=True)
    ]
    if rows:
        connection.execute(insert_absent(connection, events), rows)
    return texts


def _load_runs(connection: Connection, rows: Sequence[Any]) -> tuple[Run, ...]:
    """Runs with their outcomes put back, without those that cannot be read."""
    readable = {row.id: run for row in rows if (run := load_value(Run, row.body, key=row.id))}
    done: dict[str, dict[TaskId, Outcome]] = {run: {} for run in readable}
    if readable:
        for row in connection.execute(_OUTCOMES, {"runs": list(done)}):
            outcome = load_union(Outcome, row.body, key=row.run)
            if outcome:
                done[row.run][TaskId(row.task)] = outcome
    return tuple(
        replace(readable[row.id], outcomes=done[row.id], message=row.message)
        for row in rows
        if row.id in readable
    )


def _attempt_rows(run: Run, channel: Channel) -> Iterator[Row]:
    """The attempts of the tasks, and the writing of the answer."""
    kinds = {task.id: task.kind.name for task in run.plan.tasks}
    for task, outcome in run.outcomes.items():
        kind = kinds.get(task, "")
        for number, attempt in enumerate(_attempts_of(outcome)):
            yield {
                "run": run.id,
                "task": task,
                "number": number,
                "channel": channel.key,
                "model": attempt.model,
                "kind": kind,
                "place": attempt.place.value,
                "failed": attempt.error is not None,
                "took": attempt.took,
                "cost": attempt.cost,
            }
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


def _attempts_of(outcome: Outcome) -> tuple[Attempt, ...]:
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
