"""The turns that a message follows: along their parents, where these are known."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.schema import inbox, runs, turns
from adapters.store.transactions import Transaction
from pipeline.domain import Run, RunState, Thread

_NO_NUMBER = 2**62
"""Above the number of every turn."""
_MOST_STEPS = 1000
"""Turns along parents; 1,000 take 2 ms. What lies farther back is in the thread's summary."""
_MOST_HOPS = 100
"""Commands and refused messages, which are no turns, that are passed over on the way to one."""
_CHUNK = 500
_ANSWERED = (RunState.ANSWERED.value, RunState.LEFT.value)

_THREAD: sa.BindParameter[str] = sa.bindparam("thread")
_path = (
    select(turns.c.number, turns.c.key, turns.c.parent, sa.literal(1).label("depth"))
    .where(turns.c.key == sa.bindparam("start"), turns.c.thread == _THREAD)
    .cte("path", recursive=True)
)
_next = turns.alias("next")
_path = _path.union_all(
    select(_next.c.number, _next.c.key, _next.c.parent, _path.c.depth + 1).where(
        _next.c.key == _path.c.parent, _next.c.thread == _THREAD, _path.c.depth < _MOST_STEPS
    )
)
_STEPS = select(_path.c.number, _path.c.key, _path.c.parent).order_by(_path.c.depth)


@dataclass(frozen=True, slots=True)
class Path:
    """What a message follows: the turns `steps`, newest first, and all before the number `below`.

    `limit`: the number of the message itself; nothing of the thread counts that is not below it.
    """

    steps: Sequence[Any]
    below: int
    limit: int

    def covers(self, number: int) -> bool:
        """Whether the turn with this number is on the path, and so all turns before it."""
        return number < self.below or any(step.number == number for step in self.steps)


def follow(tx: Transaction, thread: Thread, *, before: str = "", after: str | None = None) -> Path:
    """The path to the message with the key `before`, which follows the turn or run `after`.

    Without `after`, it follows what its turn says; if that says nothing, all that stands before it.
    """
    turn = None
    if before:
        turn = tx.execute(
            select(turns.c.number, turns.c.parent).where(turns.c.key == before)
        ).one_or_none()
    limit = turn.number if turn else _NO_NUMBER
    if after is None and turn:
        after = turn.parent
    start = find_turn(tx, thread, after)
    if start is None:
        return Path((), limit, limit)
    if not start:
        return Path((), 0, limit)
    steps = tx.execute(_STEPS, {"start": start, "thread": thread.key}).all()
    goes_on = bool(steps) and steps[-1].parent is None
    return Path(steps, steps[-1].number if goes_on else 0, limit)


def find_turn(tx: Transaction, thread: Thread, after: str | None) -> str | None:
    """The key of the turn that stands for a run or a turn; "" for none before it; None: not known.

    Commands and refused messages are no turns: these stand for what they follow.
    """
    for _ in range(_MOST_HOPS):
        if not after or tx.exists(turns.c.key == after, turns.c.thread == thread.key):
            return after
        query = select(inbox.c.key, inbox.c.body)
        message = tx.execute(
            query.where(inbox.c.run == after, inbox.c.thread == thread.key)
        ).one_or_none()
        if message is None:
            return None
        if tx.exists(turns.c.key == message.key):
            return str(message.key)
        after = message.body.after if message.body else None
    return None


def find_message(tx: Transaction, thread: Thread, run: Run) -> str | None:
    """The key of the turn that a run answers, or else of what its message follows."""
    if tx.exists(turns.c.key == run.message, turns.c.thread == thread.key):
        return run.message
    message = tx.scalar(select(inbox.c.body).where(inbox.c.run == run.id))
    return find_turn(tx, thread, message.after) if message else None


def is_superseded(turn: sa.FromClause, below: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    """Whether another answer stands for the message that a turn answers.

    That is the newest one below a number, but an apology only if there is no answer.
    """
    other, run, own = turns.alias("other"), runs.alias("other_run"), runs.alias("own_run")
    is_answered, was_answered = run.c.state.in_(_ANSWERED), own.c.state.in_(_ANSWERED)
    is_newer = other.c.number > turn.c.number
    return sa.exists().where(
        other.c.parent == turn.c.parent,
        other.c.thread == turn.c.thread,
        other.c.number < below,
        run.c.id == other.c.key,
        own.c.id == turn.c.key,
        own.c.id != run.c.id,
        (is_answered & ~was_answered) | (is_newer & (is_answered | ~was_answered)),
    )


def reattach(tx: Transaction, gone: Collection[str]) -> None:
    """Before turns are deleted, let what follows them follow what they followed."""
    listed = list(gone)
    chunks = [listed[start : start + _CHUNK] for start in range(0, len(listed), _CHUNK)]
    columns = select(turns.c.key, turns.c.thread, turns.c.number, turns.c.parent)
    left = [
        row
        for chunk in chunks
        for row in tx.execute(columns.where(turns.c.parent.in_(chunk)))
        if row.key not in gone
    ]
    if not left:
        return
    rows = {
        row.key: row
        for chunk in chunks
        for row in tx.execute(columns.where(turns.c.key.in_(chunk)))
    }
    for child in left:
        first = child
        while first.parent in rows:
            first = rows[first.parent]
        parent = first.parent
        if parent is None and not tx.exists(runs.c.id == child.key):
            before = select(turns.c.key).where(turns.c.thread == child.thread)
            before = before.where(turns.c.number < first.number, turns.c.key.not_in(list(rows)))
            parent = tx.scalar(before.order_by(turns.c.number.desc()).limit(1)) or ""
        tx.execute(sa.update(turns).where(turns.c.key == child.key).values(parent=parent))
