"""Votes, what they teach, and how models have done."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from statistics import median
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, Select, bindparam, select

from adapters.store.chat_log import is_closed
from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import attempts, channel_settings, feedback, runs
from adapters.store.transaction import Transaction, workspace_key
from pipeline.domain import Audience, Channel, RunId, Thread
from pipeline.feedback import MOST, VotedRun, limit_reach, select_examples
from pipeline.ports import ANSWERING, PlanExample, Records, TrackRecord, Vote

_MOST_ATTEMPTS = 5_000
_RECENT = 200
"""Over how many of the last good attempts a median is taken."""


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
    def vote(self, tx: Transaction, vote: Vote) -> None:
        place = select(runs.c.channel, runs.c.workspace).where(runs.c.id == vote.run)
        row = tx.execute(place.with_for_update()).mappings().one_or_none()
        if row is not None:  # else the run was forgotten
            new = {"run": vote.run, "person": vote.person, "value": vote.value, "at": tx.at}
            tx.put(feedback, {**row, **new})

    @reads
    def votes(self, tx: Transaction, run: RunId) -> Sequence[Vote]:
        rows = tx.execute(select(feedback).where(feedback.c.run == run).order_by(feedback.c.at))
        return tuple(Vote(RunId(row.run), row.person, row.value) for row in rows)

    @writes
    def retract_votes(self, tx: Transaction, runs: Sequence[RunId]) -> None:
        tx.execute(sa.delete(feedback).where(feedback.c.run.in_(runs), feedback.c.value > 0))

    @reads
    def track_records(
        self, tx: Transaction, *, since: datetime | None = None, channel: Channel | None = None
    ) -> Records:
        """Count the newest attempts, and the newest votes, each with all models of its run."""
        tried = runs.c.saved_at >= (since.timestamp() if since else 0.0)
        newest = select(attempts).join(runs, runs.c.id == attempts.c.run).where(tried)
        opinions = (
            select(attempts.c.model, attempts.c.kind, feedback)
            .join(feedback, feedback.c.run == attempts.c.run)
            .where(~attempts.c.failed, attempts.c.kind != ANSWERING)
            .order_by(feedback.c.at.desc())
            .limit(_MOST_ATTEMPTS)
            .distinct()
        )
        if channel:
            newest = newest.where(attempts.c.channel == channel.key)
            opinions = opinions.where(feedback.c.channel == channel.key)
        tries: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for attempt in tx.execute(newest.order_by(runs.c.number.desc()).limit(_MOST_ATTEMPTS)):
            tries[attempt.model, attempt.kind].append(attempt)
        votes: dict[tuple[str, str], list[Any]] = defaultdict(list)
        models: dict[str, set[str]] = defaultdict(set)
        for vote in tx.execute(opinions):
            votes[vote.model, vote.kind].append(vote)
            models[vote.run].add(vote.model)
        shares = {run: 1 / len(names) for run, names in models.items()}
        return {key: _make_record(tries[key], votes[key], shares) for key in {*tries, *votes}}

    @reads
    def find_examples(
        self, tx: Transaction, thread: Thread, *, reach: str
    ) -> Sequence[PlanExample]:
        order = _find_voted_runs(tx, thread, reach)
        if not order:
            return ()
        values: dict[str, list[int]] = {run: [] for run in order}
        for vote in tx.execute(select(feedback).where(feedback.c.run.in_(order))):
            values[vote.run].append(vote.value)
        voted = select(runs.c.id, runs.c.channel, runs.c.body).where(runs.c.id.in_(order))
        rows = {row.id: row for row in tx.execute(voted)}
        here = thread.channel.key
        return select_examples(
            VotedRun(rows[run].body, tuple(values[run]), rows[run].channel == here)
            for run in order
            if rows[run].body
        )


def _make_record(
    tries: Sequence[Any], votes: Sequence[Any], shares: Mapping[str, float]
) -> TrackRecord:
    good = [attempt for attempt in tries if not attempt.failed]
    costs = [attempt.cost for attempt in good if attempt.cost is not None]
    values = [vote.value for vote in votes]
    return TrackRecord(
        attempts=len(tries),
        failures=len(tries) - len(good),
        median_took=median(attempt.took for attempt in good[:_RECENT]) if good else 0.0,
        ups=values.count(1),
        downs=values.count(-1),
        median_cost=median(costs[:_RECENT]) if costs else None,
        liking=round(sum(vote.value * shares[vote.run] for vote in votes), 6),
    )


def _find_voted_runs(tx: Transaction, thread: Thread, installed: str) -> Sequence[str]:
    """Runs that may serve as examples in a thread, the one with the newest vote first."""
    here, workspace = thread.channel.key, workspace_key(thread.channel)
    place = {"channel": here, "workspace": workspace, "thread": thread.key}
    around = tx.execute(_VOTES_AROUND, place).all()
    if not around:
        return ()
    of_workspace = channel_settings.c.workspace == workspace
    settings = {
        row.channel: row.body for row in tx.execute(select(channel_settings).where(of_workspace))
    }

    def reach_of(channel: str) -> str:
        chosen = settings.get(channel)
        return limit_reach(installed, chosen.learn if chosen else "")

    @cache
    def is_shared(channel: str) -> bool:
        return reach_of(channel) == "workspace" and _is_open(tx, channel)

    if reach_of(here) == "off":
        return ()
    votes = {*tx.execute(_VOTES_HERE, place), *around}
    newest = (
        vote.run
        for vote in sorted(votes, key=lambda vote: (-vote.at, vote.run))
        if vote.channel == here or (is_shared(here) and is_shared(vote.channel))
    )
    return list(dict.fromkeys(newest))[:MOST]


def _is_open(tx: Transaction, channel: str) -> bool:
    """Whether the whole workspace can read a channel: as its newest run says."""
    known = (runs.c.channel == channel) & (runs.c.audience != Audience.UNKNOWN.value)
    newest = select(runs.c.audience).where(known).order_by(runs.c.number.desc()).limit(1)
    return bool(tx.scalar(newest) == Audience.WORKSPACE.value)
