"""Runs of all platforms, found by what operators know of them."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import ColumnElement, select

from adapters.store.database import SqlPort, reads
from adapters.store.runs import load_runs
from adapters.store.schema import attempts, problems, runs
from adapters.store.transactions import Transaction
from pipeline.ports import ListedRun, RunFilter, RunPage

_MOST_SEARCHED = 20_000
"""Runs that one search reads, in a few hundredths of a second."""
_MOST_OPENED = 8_000
"""Runs that a search for a kind or a model reads: it takes as long, for it reads their steps."""
_AFTER = re.compile(r"([0-9]{1,11}\.[0-9]{1,12}) ([!-~]{0,100})")
"""Where a page ends: the time at which its last run was saved, and the id of that run."""
_REFERENCE = re.compile(r"[0-9a-f]{6,32}")
_LAST = "\x7f"
"""Sorts after every character of an id."""


class SqlRunIndex(SqlPort):
    """Searches in indexes that hold all that filters ask for, newest first."""

    @reads
    def find_runs(
        self, tx: Transaction, wanted: RunFilter, *, after: str = "", limit: int
    ) -> RunPage:
        start = _parse_after(after) if after else None
        if not after and _REFERENCE.fullmatch(wanted.words):
            referred = select(runs.c.id).where(_begins(wanted.words))
            if found := tx.execute(referred.order_by(runs.c.saved_at.desc()).limit(limit)).all():
                return RunPage(_load(tx, found))
        # Only runs with problems are searched for what went wrong.
        table = problems if wanted.words or wanted.failed else runs
        at, key = table.c.saved_at, table.c.run if table is problems else table.c.id
        bounds = [*_list_bounds(wanted, at)]
        if start:
            earlier = (at < start[0]) | (at == start[0]) & (key < start[1])
            bounds += [at <= start[0], earlier]
        columns = at.label("saved_at"), key.label("id")
        newest = at.desc(), key.desc()
        most = _MOST_OPENED if wanted.kind or wanted.model else _MOST_SEARCHED
        far = select(*columns).where(*bounds).order_by(*newest).offset(most - 1).limit(1)
        end = tx.execute(far).one_or_none()
        query = select(*columns)
        if table is problems:
            query = query.join(runs, runs.c.id == key)
        if end:
            bounds += [at >= end.saved_at, (at > end.saved_at) | (key >= end.id)]
        query = query.where(*bounds, *_list_conditions(wanted))
        found = tx.execute(query.order_by(*newest).limit(limit + 1)).all()
        last = found[limit - 1] if len(found) > limit else end
        return RunPage(_load(tx, found[:limit]), f"{last.saved_at!r} {last.id}" if last else "")

    @reads
    def find_run(self, tx: Transaction, reference: str) -> ListedRun | None:
        query = select(runs.c.id).where(_begins(reference)).order_by(runs.c.saved_at.desc())
        return next(iter(_load(tx, tx.execute(query.limit(1)).all())), None)


def _begins(reference: str) -> ColumnElement[bool]:
    return (runs.c.id >= reference) & (runs.c.id < reference + _LAST)


def _list_bounds(wanted: RunFilter, at: ColumnElement[float]) -> Iterator[ColumnElement[bool]]:
    if wanted.since:
        yield at >= wanted.since.timestamp()
    if wanted.until:
        yield at <= wanted.until.timestamp()


def _list_conditions(wanted: RunFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.state:
        yield runs.c.state == wanted.state
    if wanted.platform:
        yield runs.c.channel.startswith(f"{wanted.platform}:", autoescape=True)
    if wanted.place:
        # Not by the indexes of these two, which are not in the order of time.
        yield _is_or_ends(runs.c.channel, wanted.place) | _is_or_ends(runs.c.thread, wanted.place)
    if wanted.person:
        yield runs.c.person == wanted.person
    if wanted.kind or wanted.model:
        tried = sa.exists().where(attempts.c.run == runs.c.id)
        if wanted.kind:
            tried = tried.where(attempts.c.kind == wanted.kind)
        if wanted.model:
            tried = tried.where(attempts.c.model.icontains(wanted.model, autoescape=True))
        yield tried.correlate(runs)
    if wanted.failed:
        yield problems.c.failed
    if wanted.words:
        yield problems.c.words.icontains(wanted.words, autoescape=True)


def _is_or_ends(column: ColumnElement[str], key: str) -> ColumnElement[bool]:
    return (column == key) | column.endswith(f":{key}", autoescape=True)


def _load(tx: Transaction, found: Sequence[Any]) -> Sequence[ListedRun]:
    """The runs with these ids, in their order."""
    order = [row.id for row in found]
    facts = select(runs.c.id, runs.c.channel, runs.c.saved_at, problems.c.words, problems.c.failed)
    facts = facts.join(problems, problems.c.run == runs.c.id, isouter=True)
    rows = {row.id: row for row in tx.execute(facts.where(runs.c.id.in_(order)))}
    loaded = {run.id: run for run in load_runs(tx, order)}
    return tuple(
        ListedRun(
            run=loaded[id_],
            channel=rows[id_].channel,
            at=datetime.fromtimestamp(rows[id_].saved_at, UTC),
            problems=rows[id_].words or "",
            failed=bool(rows[id_].failed),
        )
        for id_ in order
        if id_ in loaded
    )


def _parse_after(after: str) -> tuple[float, str]:
    match = _AFTER.fullmatch(after)
    if match is None:
        raise ValueError(after)
    return float(match[1]), match[2]
