"""Votes, what they teach, and how models have done."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from statistics import median
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    select,
    true,
)

from adapters.store.chat_log import is_closed
from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import attempts, channel_settings, feedback, inbox, runs
from adapters.store.serialization import load_value, put_rows, workspace_key
from pipeline.domain import (
    Audience,
    Channel,
    ChannelSettings,
    Incoming,
    Run,
    RunId,
    Thread,
)
from pipeline.feedback import MOST, VotedRun, limit_reach, select_examples
from pipeline.ports import ANSWERING, PlanExample, Records, TrackRecord, Vote

_MOST_ATTEMPTS = 5_000
_RECENT = 200
"""Over how many of the last good attempts a median is taken."""

_THESE = feedback.c.run.in_(bindparam("runs", expanding=True))
_VOTES = select(feedback).where(feedback.c.run == bindparam("run")).order_by(feedback.c.at)
_PLACE = (
    select(runs.c.channel, runs.c.workspace).where(runs.c.id == bindparam("run")).with_for_update()
)
_OF_MODEL = attempts.c.model == bindparam("model")
_OF_TASK = attempts.c.kind != ANSWERING
_IN_CHANNEL = (bindparam("channel") == "") | (attempts.c.channel == bindparam("channel"))


def _attempts(*where: ColumnElement[bool]) -> Select[Any]:
    """The newest attempts."""
    columns = attempts.c.model, attempts.c.kind, attempts.c.failed, attempts.c.took, attempts.c.cost
    return (
        select(*columns)
        .join(runs, runs.c.id == attempts.c.run)
        .where(*where)
        .order_by(runs.c.number.desc())
        .limit(_MOST_ATTEMPTS)
    )


def _opinions(where: ColumnElement[bool]) -> Select[Any]:
    """The newest votes, each with all models that did something in the run."""
    vote = feedback.c.run, feedback.c.person, feedback.c.value, feedback.c.at
    return (
        select(attempts.c.model, attempts.c.kind, *vote)
        .join(feedback, feedback.c.run == attempts.c.run)
        .where(~attempts.c.failed, _OF_TASK, where)
        .order_by(feedback.c.at.desc())
        .limit(_MOST_ATTEMPTS)
        .distinct()
    )


_TOOK_PART = select(attempts.c.run).where(_OF_MODEL, _IN_CHANNEL, ~attempts.c.failed, _OF_TASK)
_LATELY = _attempts(runs.c.saved_at >= bindparam("since"))
_BY_MODEL = _attempts(_OF_MODEL, _IN_CHANNEL, _OF_TASK)
_OPINIONS = _opinions(true())
_OPINIONS_ON_MODEL = _opinions(feedback.c.run.in_(_TOOK_PART))

_AUDIENCE = (
    select(runs.c.audience)
    .where(runs.c.channel == bindparam("channel"), runs.c.audience != Audience.UNKNOWN.value)
    .order_by(runs.c.number.desc())
    .limit(1)
)
_LAST_MESSAGE = (
    select(inbox.c.body)
    .where(inbox.c.channel == bindparam("channel"))
    .order_by(inbox.c.number.desc())
    .limit(1)
)
_SETTINGS = select(channel_settings.c.channel, channel_settings.c.body).where(
    channel_settings.c.workspace == bindparam("workspace")
)
_RUNS = select(runs.c.id, runs.c.channel, runs.c.body).where(
    runs.c.id.in_(bindparam("runs", expanding=True))
)


def _newest_votes(place: ColumnElement[bool], limit: int) -> Select[Any]:
    """The newest votes of a place, without those on runs in other threads that are closed."""
    return (
        select(feedback.c.run, feedback.c.channel, feedback.c.at)
        .join(runs, runs.c.id == feedback.c.run)
        .where(place, (runs.c.thread == bindparam("thread")) | ~is_closed(runs.c.thread))
        .order_by(feedback.c.at.desc())
        .limit(limit)
    )


_VOTES_HERE = _newest_votes(feedback.c.channel == bindparam("channel"), MOST)
_VOTES_AROUND = _newest_votes(feedback.c.workspace == bindparam("workspace"), 5 * MOST)


class SqlFeedback(SqlPort):
    """Votes in the database. Examples are read each time anew, so what is forgotten is gone."""

    @writes
    def vote(self, connection: Connection, vote: Vote) -> None:
        place = connection.execute(_PLACE, {"run": vote.run}).mappings().one_or_none()
        if place is not None:  # else the run was forgotten
            at = self.clock().timestamp()
            row = {**place, "run": vote.run, "person": vote.person, "value": vote.value, "at": at}
            put_rows(connection, feedback, row)

    @reads
    def votes(self, connection: Connection, run: RunId) -> Sequence[Vote]:
        rows = connection.execute(_VOTES, {"run": run})
        return tuple(Vote(RunId(row.run), row.person, row.value) for row in rows)

    @writes
    def retract_votes(self, connection: Connection, runs: Sequence[RunId]) -> None:
        connection.execute(delete(feedback).where(_THESE, feedback.c.value > 0), {"runs": [*runs]})

    @reads
    def track_record(
        self, connection: Connection, model: str, *, channel: Channel | None = None
    ) -> Mapping[str, TrackRecord]:
        wanted = {"model": model, "channel": channel.key if channel else ""}
        records = _count(
            connection.execute(_BY_MODEL, wanted), connection.execute(_OPINIONS_ON_MODEL, wanted)
        )
        return {kind: record for (name, kind), record in records.items() if name == model}

    @reads
    def track_records(self, connection: Connection, *, since: datetime) -> Records:
        lately = connection.execute(_LATELY, {"since": since.timestamp()})
        return _count(lately, connection.execute(_OPINIONS))

    @reads
    def find_examples(
        self, connection: Connection, thread: Thread, *, reach: str
    ) -> Sequence[PlanExample]:
        order = _find_voted_runs(connection, thread, reach)
        if not order:
            return ()
        values: dict[str, list[int]] = {run: [] for run in order}
        for vote in connection.execute(select(feedback).where(_THESE), {"runs": order}):
            values[vote.run].append(vote.value)
        rows = {row.id: row for row in connection.execute(_RUNS, {"runs": order})}
        here = thread.channel.key
        return select_examples(
            VotedRun(loaded, tuple(values[run]), rows[run].channel == here)
            for run in order
            if (loaded := load_value(Run, rows[run].body, key=run))
        )


@dataclass(slots=True)
class _Tally:
    """What is counted of a model and a kind."""

    failures: int = 0
    times: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    votes: list[tuple[int, float]] = field(default_factory=list)
    """Each vote, and the part of it that counts for this model."""

    @property
    def record(self) -> TrackRecord:
        values = [value for value, _ in self.votes]
        return TrackRecord(
            attempts=self.failures + len(self.times),
            failures=self.failures,
            median_took=median(self.times[:_RECENT]) if self.times else 0.0,
            ups=values.count(1),
            downs=values.count(-1),
            median_cost=median(self.costs[:_RECENT]) if self.costs else None,
            liking=round(sum(value * part for value, part in self.votes), 6),
        )


def _count(tries: Iterable[Row[Any]], opinions: Iterable[Row[Any]]) -> Records:
    tallies: dict[tuple[str, str], _Tally] = defaultdict(_Tally)
    for attempt in tries:
        tally = tallies[attempt.model, attempt.kind]
        if attempt.failed:
            tally.failures += 1
            continue
        tally.times.append(attempt.took)
        if attempt.cost is not None:
            tally.costs.append(attempt.cost)
    votes = list(opinions)
    models: dict[str, set[str]] = defaultdict(set)
    for vote in votes:
        models[vote.run].add(vote.model)
    for vote in votes:
        tallies[vote.model, vote.kind].votes.append((vote.value, 1 / len(models[vote.run])))
    return {key: tally.record for key, tally in tallies.items()}


def _find_voted_runs(connection: Connection, thread: Thread, reach: str) -> list[str]:
    """Runs that may serve as examples in a thread, the one with the newest vote first."""
    here = thread.channel.key
    wanted = {"channel": here, "workspace": workspace_key(thread.channel), "thread": thread.key}
    around = connection.execute(_VOTES_AROUND, wanted).all()
    if not around:
        return []
    reach_in = _reaches(connection, wanted, reach)

    @cache
    def is_shared(channel: str) -> bool:
        audience = _audience_of(connection, channel)
        return reach_in(channel) == "workspace" and audience is Audience.WORKSPACE

    if reach_in(here) == "off":
        return []
    votes = {*connection.execute(_VOTES_HERE, wanted), *around}
    newest: dict[str, None] = {}
    for vote in sorted(votes, key=lambda vote: (-vote.at, vote.run)):
        if vote.channel == here or (is_shared(here) and is_shared(vote.channel)):
            newest[vote.run] = None
        if len(newest) == MOST:
            break
    return list(newest)


def _reaches(
    connection: Connection, wanted: Mapping[str, str], installed: str
) -> Callable[[str], str]:
    """How far votes reach, by the key of a channel."""
    settings = {
        row.channel: load_value(ChannelSettings, row.body, key=row.channel)
        for row in connection.execute(_SETTINGS, wanted)
    }

    def reach_in(channel: str) -> str:
        chosen = settings.get(channel)
        return limit_reach(installed, chosen.learn if chosen else "")

    return reach_in


def _audience_of(connection: Connection, channel: str) -> Audience:
    """Who can read a channel: as its newest message says, or the newest run that knew."""
    body = connection.scalar(_LAST_MESSAGE, {"channel": channel})
    message = load_value(Incoming, body, key=channel)
    if message and message.addressing.audience is not Audience.UNKNOWN:
        return message.addressing.audience
    return Audience(connection.scalar(_AUDIENCE, {"channel": channel}) or "")
