"""The branches of a thread, read from its messages, runs and turns."""

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.schema import inbox, runs, threads, turns
from adapters.store.transactions import Transaction
from pipeline.domain import Branches, Exchange, RunState, Thread, connect

_ANSWERED = (RunState.ANSWERED, RunState.LEFT)
_OPEN = (None, RunState.ACCEPTED, RunState.RUNNING)

_ACCEPTED = (
    select(
        inbox.c.run,
        inbox.c.key,
        inbox.c.finished,
        runs.c.state,
        turns.c.number.label("turn"),
        turns.c.parent,
    )
    .select_from(inbox.outerjoin(runs, runs.c.id == inbox.c.run))
    .outerjoin(turns, turns.c.key == inbox.c.key)
    .where(inbox.c.thread == sa.bindparam("thread"), inbox.c.key != "")
    .order_by(inbox.c.number)
)
_NOT_LOGGED = (
    select(inbox.c.run, inbox.c.body)
    .outerjoin(turns, turns.c.key == inbox.c.key)
    .where(inbox.c.thread == sa.bindparam("thread"), inbox.c.key != "", turns.c.key.is_(None))
)
_ONLY_RUNS = (
    select(runs.c.id, runs.c.message, runs.c.state, turns.c.parent)
    .outerjoin(inbox, inbox.c.run == runs.c.id)
    .outerjoin(turns, turns.c.key == runs.c.message)
    .where(runs.c.thread == sa.bindparam("thread"), inbox.c.run.is_(None))
    .order_by(runs.c.number)
)
"""Runs whose messages the inbox no longer has: the oldest ones."""


def load_branches(tx: Transaction, thread: Thread) -> Branches:
    """The runs of a thread as a tree, with those that are not answered yet."""
    place = {"thread": thread.key}
    leaf = tx.scalar(select(threads.c.leaf).where(threads.c.key == thread.key))
    rows = tx.execute(_ACCEPTED, place).all()
    is_logged = all(row.turn for row in rows)
    bodies = {} if is_logged else {row.run: row.body for row in tx.execute(_NOT_LOGGED, place)}
    older = (
        Exchange(
            run=row.id,
            message=row.message or row.id,
            after=row.parent,
            is_answered=row.state in _ANSWERED,
        )
        for row in tx.execute(_ONLY_RUNS, place)
    )
    accepted = (
        Exchange(
            run=row.run,
            message=row.key,
            after=row.parent if row.turn else body and body.after,
            is_open=row.state in _OPEN and not row.finished,
            is_answered=row.state in _ANSWERED,
            beside=bool(body and body.beside),
        )
        for row in rows
        for body in (bodies.get(row.run),)
    )
    return connect((*older, *accepted), leaf or "")
