"""Votes, plan examples, and the track records of models."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from statistics import median
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, select

from adapters.store.chat_log import is_closed
from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import attempts, channel_settings, feedback, runs
from adapters.store.transactions import Row, Transaction, workspace_key
from pipeline.domain import Action, Audience, Channel, RunId, Thread
from pipeline.feedback import MOST, limit_reach, select_examples
from pipeline.ports import ANSWERING, PlanExample, Records, TrackRecord, Vote, find_button

_MOST_ATTEMPTS = 5_000
_MOST_VOTES = 5 * MOST
"""A run may have several."""
_RECENT = 200
"""How many of the last successful attempts the medians cover."""

_WORKSPACE = sa.bindparam("workspace", type_=sa.String)
_HAS_VOTES = select(sa.exists().where(feedback.c.workspace == _WORKSPACE))
_CHANNEL_SETTINGS = select(channel_settings).where(channel_settings.c.workspace == _WORKSPACE)


def _is_open(channel: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether the whole workspace can read a channel, by its newest run that knows."""
    known = (runs.c.channel == channel) & (runs.c.audience != Audience.UNKNOWN.value)
    newest = select(runs.c.audience).where(known).order_by(runs.c.number.desc()).limit(1)
    return newest.scalar_subquery() == Audience.WORKSPACE.value


_IS_OPEN = select(_is_open(sa.bindparam("channel", type_=sa.String)))
_VOTED = select(feedback.c.channel).where(feedback.c.workspace == _WORKSPACE).distinct().subquery()
_OPEN_CHANNELS = select(_VOTED).where(_is_open(_VOTED.c.channel))
_VOTES = (
    select(feedback.c.run)
    .join(runs, runs.c.id == feedback.c.run)
    .where(feedback.c.channel.in_(sa.bindparam("channels", expanding=True)))
    .where((runs.c.thread == sa.bindparam("thread")) | ~is_closed(runs.c.thread))
    .order_by(feedback.c.at.desc(), feedback.c.run)
    .limit(_MOST_VOTES)
)

_Share = tuple[int, float]
"""A vote on a model: +1 or -1, and the model's share of it."""


class SqlFeedback(SqlPort):
    """Votes in the database. Examples are not cached, so that erased ones disappear at once."""

    @writes
    def vote(self, tx: Transaction, vote: Vote) -> None:
        place = select(runs.c.channel, runs.c.workspace).where(runs.c.id == vote.run)
        row = tx.execute(place.with_for_update()).mappings().one_or_none()
        if row is not None:  # else the run was erased
            new = {"run": vote.run, "person": vote.person, "value": vote.value, "at": tx.at}
            tx.put(feedback, {**row, **new, **_name_models(vote)})

    @reads
    def find_votes(
        self, tx: Transaction, runs: Sequence[RunId], person: str
    ) -> Mapping[RunId, Action]:
        own = feedback.c.run.in_(runs), feedback.c.person == person
        votes = select(feedback.c.run, feedback.c.value, feedback.c.compared).where(*own)
        return {
            vote.run: find_button(vote.value, is_comparison=vote.compared != "")
            for vote in tx.execute(votes)
        }

    @writes
    def retract_votes(self, tx: Transaction, runs: Sequence[RunId]) -> None:
        tx.execute(sa.delete(feedback).where(feedback.c.run.in_(runs), feedback.c.value > 0))

    @reads
    def track_records(
        self, tx: Transaction, *, since: datetime | None = None, channel: Channel | None = None
    ) -> Records:
        """Count the newest attempts and votes: on two models, or on all models of a run."""
        recent = runs.c.saved_at >= (since.timestamp() if since else 0.0)
        newest = select(attempts).join(runs, runs.c.id == attempts.c.run).where(recent)
        newest_votes = (
            select(attempts.c.model, attempts.c.kind, feedback)
            .join(feedback, feedback.c.run == attempts.c.run)
            .where(~attempts.c.failed, attempts.c.kind != ANSWERING, feedback.c.compared == "")
            .order_by(feedback.c.at.desc())
            .limit(_MOST_ATTEMPTS)
            .distinct()
        )
        comparisons = select(feedback).where(feedback.c.compared > "")
        comparisons = comparisons.order_by(feedback.c.at.desc()).limit(_MOST_ATTEMPTS)
        if channel:
            newest = newest.where(attempts.c.channel == channel.key)
            newest_votes = newest_votes.where(feedback.c.channel == channel.key)
            comparisons = comparisons.where(feedback.c.channel == channel.key)
        tries: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for attempt in tx.execute(newest.order_by(runs.c.number.desc()).limit(_MOST_ATTEMPTS)):
            tries[attempt.model, attempt.kind].append(attempt)
        votes: dict[tuple[str, str], list[_Share]] = defaultdict(list)
        models: dict[str, set[str]] = defaultdict(set)
        votes_on_runs = tx.execute(newest_votes).all()
        for vote in votes_on_runs:
            models[vote.run].add(vote.model)
        for vote in votes_on_runs:
            votes[vote.model, vote.kind].append((vote.value, 1 / len(models[vote.run])))
        for vote in tx.execute(comparisons):
            votes[vote.winner, vote.compared].append((1, 1.0))
            votes[vote.loser, vote.compared].append((-1, 1.0))
        return {key: _make_record(tries[key], votes[key]) for key in {*tries, *votes}}

    @reads
    def find_examples(
        self, tx: Transaction, thread: Thread, *, reach: str
    ) -> Sequence[PlanExample]:
        run_ids = _find_voted_runs(tx, thread, reach)
        if not run_ids:
            return ()
        values: dict[str, list[int]] = {run: [] for run in run_ids}
        votes = select(feedback).where(feedback.c.run.in_(run_ids), feedback.c.compared == "")
        for vote in tx.execute(votes):
            values[vote.run].append(vote.value)
        voted = select(runs.c.id, runs.c.channel, runs.c.body).where(runs.c.id.in_(run_ids))
        rows = {row.id: row for row in tx.execute(voted)}
        here = thread.channel.key
        return select_examples(
            (
                PlanExample(
                    run=run.id,
                    text=run.text,
                    sent=run.sent,
                    plan=run.plan,
                    here=row.channel == here,
                ),
                values[row.id],
            )
            for row in map(rows.__getitem__, run_ids)
            if (run := row.body)
        )


def _name_models(vote: Vote) -> Row:
    """The columns that only a vote on two models fills."""
    if (compared := vote.comparison) is None:
        return {"winner": "", "loser": "", "compared": ""}
    models = (compared.first, compared.second)
    loser, winner = models if vote.value > 0 else reversed(models)
    return {"winner": winner, "loser": loser, "compared": compared.kind}


def _make_record(tries: Sequence[Any], votes: Sequence[_Share]) -> TrackRecord:
    good = [attempt for attempt in tries if not attempt.failed]
    costs = [attempt.cost for attempt in good if attempt.cost is not None]
    values = [value for value, _ in votes]
    return TrackRecord(
        attempts=len(tries),
        failures=len(tries) - len(good),
        median_took=median(attempt.took for attempt in good[:_RECENT]) if good else 0.0,
        ups=values.count(1),
        downs=values.count(-1),
        median_cost=median(costs[:_RECENT]) if costs else None,
        liking=round(sum(value * share for value, share in votes), 6),
    )


def _find_voted_runs(tx: Transaction, thread: Thread, reach: str) -> Sequence[str]:
    """Runs that may serve as examples in a thread, by their newest votes."""
    here, workspace = thread.channel.key, workspace_key(thread.channel)
    of_workspace = {"workspace": workspace}
    if not tx.scalar(_HAS_VOTES, of_workspace):
        return ()
    settings = {row.channel: row.body for row in tx.execute(_CHANNEL_SETTINGS, of_workspace)}

    def reach_of(channel: str) -> str:
        chosen = settings.get(channel)
        return limit_reach(reach, chosen.learn if chosen else "")

    if reach_of(here) == "off":
        return ()
    channels = {here}
    if reach_of(here) == "workspace" and tx.scalar(_IS_OPEN, {"channel": here}):
        others = tx.scalars(_OPEN_CHANNELS, of_workspace)
        channels.update(channel for channel in others if reach_of(channel) == "workspace")
    votes = tx.scalars(_VOTES, {"channels": sorted(channels), "thread": thread.key})
    return list(dict.fromkeys(votes))[:MOST]
