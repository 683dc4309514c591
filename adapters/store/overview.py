"""What operators ask of the database: what is open, what ended since a moment, what failed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Column, select

from adapters.store.database import SqlPort, reads
from adapters.store.key_values import load_cached
from adapters.store.schema import (
    Stored,
    attempts,
    catalogue,
    events,
    inbox,
    interactions,
    journal,
    outcomes,
    prompts,
    runs,
    turns,
)
from adapters.store.transactions import Transaction
from pipeline.codec import from_plain
from pipeline.domain import Apologised, Done, Event, Failed, ModelCall, RunState
from pipeline.errors import name_for_log
from pipeline.ports import Cached

PROGRAM = "program"
"""The key in the cache under which the serving program says that it is there."""
_MARK = ":read"
"""The end of the keys in the cache that say how far a workspace or server was read."""
_MOST_RUNS = 20_000
"""Ended runs that are read."""
_MOST_FAILURES = 500
"""Failed steps that are read."""
_AGING = (runs.c.saved_at, turns.c.at, journal.c.at, prompts.c.at, inbox.c.accepted_at)
"""When the rows of tables are from that are deleted with time; each has an index."""
_SIZE = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}


@dataclass(frozen=True, slots=True)
class OpenMessage:
    """A message that is not answered yet; `attempts` is 0 if its run never began."""

    run: str
    channel: str
    accepted_at: datetime
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedRun:
    """A run, how it ended, and the calls of language models for it."""

    run: str
    channel: str
    at: datetime
    outcome: str
    calls: tuple[ModelCall, ...]
    reason: str = ""
    """Why it ended with an apology: the sentence as the log has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFailure:
    """An attempt that failed, or a step that failed without one (`model` is "" then).

    `reason` is the id of the sentence.
    """

    run: str
    channel: str
    at: datetime
    kind: str
    place: str
    model: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseOverview:
    """The database as it is. Sequences are newest first, except those of what waits."""

    size: int
    """In bytes."""
    program: Cached | None
    """What the serving program wrote last, and when."""
    waiting: Sequence[OpenMessage]
    unanswered: Mapping[str, Sequence[datetime]]
    """Platform → when the commands and clicks came that have no reply yet."""
    read_up_to: Mapping[str, datetime]
    """Workspace or server ("slack:T1") → until when its messages have been read."""
    runs: Sequence[EndedRun]
    failures: Sequence[StepFailure]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRows:
    """How many rows a table has, how many of them are old, and when the oldest is from.

    Numbers stop at a limit.
    """

    table: str
    rows: int
    old: int
    """Rows from before a moment."""
    older_soon: int
    """Rows from the first day after it."""
    oldest: datetime | None


class SqlOverview(SqlPort):
    """Reads only; no words of people are read out."""

    @reads
    def measure(self, tx: Transaction) -> int:
        """The size of the database in bytes."""
        return _measure(tx)

    @reads
    def count_stored(self, tx: Transaction, before: datetime, *, most: int) -> Sequence[StoredRows]:
        """Count what is deleted with time, up to `most` of each."""
        first, then = before.timestamp(), (before + timedelta(days=1)).timestamp()
        return tuple(
            StoredRows(
                table=at.table.name,
                rows=_count(tx, at, most),
                old=_count(tx, at, most, at < first),
                older_soon=_count(tx, at, most, (at >= first) & (at < then)),
                oldest=_find_time(tx.scalar(select(sa.func.min(at)))),
            )
            for at in _AGING
        )

    @reads
    def load(self, tx: Transaction, since: datetime, program: str = PROGRAM) -> DatabaseOverview:
        """What is open, and what ended since a moment; `program`: where it leaves signs of life."""
        began = since.timestamp()
        records = _load_records(tx, began)
        return DatabaseOverview(
            size=_measure(tx),
            program=load_cached(tx, program),
            waiting=_list_waiting(tx),
            unanswered=_list_unanswered(tx),
            read_up_to=_list_marks(tx),
            runs=_list_runs(records, _load_reasons(tx, began)),
            failures=[
                each for row in _load_failures(tx, began) for each in _read_failures(row, records)
            ],
        )


def _count(
    tx: Transaction, at: Column[float], most: int, *conditions: sa.ColumnElement[bool]
) -> int:
    some = select(at).where(*conditions).limit(most).subquery()
    return int(tx.scalar(select(sa.func.count()).select_from(some)) or 0)


def _find_time(seconds: float | None) -> datetime | None:
    return None if seconds is None else _time(seconds)


def _measure(tx: Transaction) -> int:
    return int(tx.scalar(sa.text(_SIZE[tx.connection.dialect.name])) or 0)


def _list_waiting(tx: Transaction) -> Sequence[OpenMessage]:
    columns = inbox.c.run, inbox.c.channel, inbox.c.accepted_at, inbox.c.attempts
    query = select(*columns).where(inbox.c.finished == sa.false()).order_by(inbox.c.number)
    return [OpenMessage(run, channel, _time(at), n) for run, channel, at, n in tx.execute(query)]


def _list_unanswered(tx: Transaction) -> Mapping[str, Sequence[datetime]]:
    query = select(interactions.c.platform, interactions.c.at)
    unanswered: dict[str, list[datetime]] = {}
    for platform, at in tx.execute(query.where(interactions.c.payload != "").order_by("at")):
        unanswered.setdefault(platform, []).append(_time(at))
    return unanswered


def _list_marks(tx: Transaction) -> Mapping[str, datetime]:
    query = select(catalogue.c.key, catalogue.c.fetched_at).order_by(catalogue.c.key)
    marks = tx.execute(query.where(catalogue.c.key.endswith(_MARK, autoescape=True)))
    return {key.removesuffix(_MARK): _time(at) for key, at in marks}


def _load_records(tx: Transaction, began: float) -> Mapping[str, Any]:
    """The runs since a moment by id, newest first, with their bodies as plain JSON data.

    As domain values they would take ten times as long.
    """
    body = sa.type_coerce(runs.c.body, sa.Text()).label("body")
    query = select(runs.c.id, runs.c.channel, runs.c.saved_at, runs.c.state, body)
    recent = query.where(runs.c.saved_at >= began).order_by(runs.c.saved_at.desc())
    return {
        row.id: (row, json.loads(row.body).get("value", {}))
        for row in tx.execute(recent.limit(_MOST_RUNS))
    }


def _load_reasons(tx: Transaction, began: float) -> Mapping[str, str]:
    """Why runs ended with an apology."""
    ended = runs.c.saved_at >= began, runs.c.state == RunState.APOLOGISED.value
    event = sa.type_coerce(events.c.body, Stored(Event))
    query = select(events.c.run, event).join(runs, runs.c.id == events.c.run)
    apologies = query.where(*ended, events.c.body.like('%"is":"Apologised"}}'))
    return {
        run: name_for_log(apology.reason)
        for run, apology in tx.execute(apologies)
        if isinstance(apology, Apologised)
    }


def _list_runs(records: Mapping[str, Any], reasons: Mapping[str, str]) -> Sequence[EndedRun]:
    return [
        EndedRun(
            run=run,
            channel=row.channel,
            at=_time(row.saved_at),
            outcome=_name_outcome(row.state, value),
            calls=from_plain(tuple[ModelCall, ...], value.get("calls", ())),
            reason=reasons.get(run, ""),
        )
        for run, (row, value) in records.items()
    ]


def _name_outcome(state: str, value: Mapping[str, Any]) -> str:
    is_refusal = (value.get("answer") or {}).get("is_refusal", False)
    return "not_done" if state == RunState.ANSWERED.value and is_refusal else state


def _load_failures(tx: Transaction, began: float) -> Sequence[Any]:
    """The outcomes that failed, or were reached after a failed attempt."""
    here = attempts.c.run == outcomes.c.run, attempts.c.task == outcomes.c.task
    had_failures = sa.exists().where(*here, attempts.c.failed)
    has_failed = sa.type_coerce(outcomes.c.body, sa.Text()).like('%"is":"Failed"}}')
    query = select(outcomes.c.run, outcomes.c.task, outcomes.c.body)
    query = query.join(runs, runs.c.id == outcomes.c.run).where(runs.c.saved_at >= began)
    query = query.where(had_failures | has_failed).order_by(runs.c.saved_at.desc())
    return tx.execute(query.limit(_MOST_FAILURES)).all()


def _read_failures(row: Any, records: Mapping[str, Any]) -> Iterator[StepFailure]:  # noqa: ANN401
    if row.run not in records:
        return
    run, value = records[row.run]
    tasks = value.get("plan", {}).get("tasks", ())
    kind = next((task["kind"] for task in tasks if task["id"] == row.task), "")
    failure = StepFailure(
        run=run.id,
        channel=run.channel,
        at=_time(run.saved_at),
        kind=kind,
        place="",
        model="",
        reason="",
    )
    match row.body:
        case Failed(reason, ()):
            yield replace(failure, reason=reason.id)
        case Failed(tried=tried) | Done(tried=tried):
            for each in tried:
                if each.error:
                    place = each.place.name
                    yield replace(failure, place=place, model=each.model, reason=each.error.id)
        case _:
            pass


def _time(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
