"""The chat log: threads, their turns and summaries, and the names of their files."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.branches import load_branches
from adapters.store.database import SqlPort, reads, writes
from adapters.store.paths import Path, find_turn, follow, is_superseded
from adapters.store.schema import file_uses, inbox, runs, summaries, threads, turn_files, turns
from adapters.store.transactions import (
    Row,
    Transaction,
    insert_into,
    place_of,
    run_owner,
    workspace_key,
)
from adapters.store.words import store_words
from pipeline.codec import dump
from pipeline.domain import (
    Attachment,
    Branches,
    Channel,
    Context,
    FileHash,
    NamedFile,
    RunId,
    RunState,
    Thread,
    Turn,
)
from pipeline.ports import PendingSummary, ThreadOverview

_MOST_OLDER_FILES = 50
"""Turns before the last ones whose files can be named."""
_MOST_FILES_SEARCHED = 500
"""Turns with files among which those are looked for."""
_MOST_SUMMARIZED = 500

_TURNS = select(turns.c.number, turns.c.key, turns.c.thread, turns.c.body)
_IN_THREAD = turns.c.thread == sa.bindparam("thread")
_OF_THREAD = summaries.c.thread == sa.bindparam("thread")
_BELOW = sa.bindparam("below", type_=turns.c.number.type)
_THESE: sa.BindParameter[Sequence[int]] = sa.bindparam("numbers", expanding=True)


def is_closed(thread: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Whether some who can read its channel cannot read the thread with this key."""
    return sa.exists().where(threads.c.key == thread, threads.c.closed)


def _newest(limit: int | sa.BindParameter[int], *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return _TURNS.where(*where).order_by(turns.c.number.desc()).limit(limit)


_HERE = _newest(
    sa.bindparam("turns"), _IN_THREAD, turns.c.number < _BELOW, ~is_superseded(turns, _BELOW)
)
_AROUND = _newest(
    sa.bindparam("tail"),
    turns.c.channel == sa.bindparam("channel"),
    turns.c.thread != sa.bindparam("thread"),
    turns.c.number < _BELOW,
    ~is_closed(turns.c.thread),
    ~is_superseded(turns, _BELOW),
)
_BY_NUMBER = _TURNS.where(turns.c.number.in_(_THESE)).order_by(turns.c.number)
_WITH_FILES = (
    select(turns.c.number, turns.c.key, turns.c.parent)
    .where(_IN_THREAD, turns.c.has_files, turns.c.number < _BELOW)
    .order_by(turns.c.number.desc())
    .limit(_MOST_FILES_SEARCHED)
)
_SUMMARY = select(summaries.c.through, summaries.c.body).where(_OF_THREAD)
_UNSUMMARIZED = (
    _TURNS.where(_IN_THREAD, turns.c.number > sa.bindparam("through"), turns.c.number < _BELOW)
    .where(~is_superseded(turns, _BELOW))
    .order_by(turns.c.number)
    .limit(_MOST_SUMMARIZED)
)

_VERSIONS = select(turns.c.key).where(_IN_THREAD, turns.c.parent == sa.bindparam("parent"))
_NUMBERS = select(turn_files.c.turn, turn_files.c.hash, turn_files.c.number).where(
    (turn_files.c.turn == sa.bindparam("turn")) | turn_files.c.turn.in_(_VERSIONS)
)
_LAST_NUMBERS = (
    select(turn_files.c.type, sa.func.max(turn_files.c.number).label("last"))
    .where(turn_files.c.thread == sa.bindparam("thread"))
    .group_by(turn_files.c.type)
)


def find_first_value(
    column: sa.Column[str], order: sa.ColumnElement[Any], name: str
) -> sa.Label[str]:
    """The first value of a column, in this order, among the rows of a thread."""
    values = select(column).where(column.table.c.thread == threads.c.key)
    return values.order_by(order).limit(1).scalar_subquery().label(name)


_LATEST = select(
    threads,
    find_first_value(turns.c.body, turns.c.number, "first_turn"),
    find_first_value(turns.c.body, turns.c.number.desc(), "last_turn"),
    find_first_value(runs.c.state, runs.c.number.desc(), "state"),
).order_by(threads.c.last_at.desc(), threads.c.key.desc())


class SqlChatLog(SqlPort):
    """The chat log in the database."""

    @writes
    def log(
        self,
        tx: Transaction,
        thread: Thread,
        turn: Turn,
        attachments: Sequence[Attachment] = (),
        *,
        run: RunId | None = None,
        after: str | None = None,
    ) -> Turn:
        if run and tx.exists(inbox.c.run == run, inbox.c.key == ""):
            return turn
        return store_turn(tx, thread, turn, attachments, parent=find_turn(tx, thread, after))

    @writes
    def note(self, tx: Transaction, thread: Thread, message: str, at: datetime) -> None:
        touch_thread(tx, thread, at=at.timestamp(), message=message)

    @writes
    def relog(
        self, tx: Transaction, thread: Thread, turn: Turn, attachments: Sequence[Attachment] = ()
    ) -> None:
        if tx.exists(turns.c.key == turn.key):
            store_turn(tx, thread, turn, attachments)

    @reads
    def name_files(
        self,
        tx: Transaction,
        thread: Thread,
        key: str,
        attachments: Sequence[Attachment],
        *,
        after: str | None = None,
    ) -> tuple[NamedFile, ...]:
        parent = find_turn(tx, thread, after)
        return _name_files(tx, thread, key, attachments, parent).named

    @reads
    def context(
        self,
        tx: Transaction,
        thread: Thread,
        *,
        before: str = "",
        after: str | None = None,
        turns: int,
        tail: int,
    ) -> Context:
        path = follow(tx, thread, before=before, after=after)
        here = _load_last(tx, thread, path, turns)
        place = {"thread": thread.key, "channel": thread.channel.key, "below": path.limit}
        around = tx.execute(_AROUND, {**place, "tail": tail}).all()[::-1]
        through, summary = _summary_so_far(tx, thread)
        shown = {row.number for row in here}
        older = _find_older_files(tx, thread, path, shown) if turns else ()
        return Context(
            turns=_load_turns(here),
            channel=_load_turns(around),
            summary=summary if path.covers(through) else "",
            older=older,
        )

    @reads
    def branches(self, tx: Transaction, thread: Thread) -> Branches:
        return load_branches(tx, thread)

    @writes
    def open_at(self, tx: Transaction, thread: Thread, leaf: str) -> None:
        this = (threads.c.key == thread.key) & (threads.c.leaf != leaf)
        tx.execute(sa.update(threads).where(this).values(leaf=leaf))

    @reads
    def find_turns(self, tx: Transaction, keys: Sequence[str]) -> Sequence[Turn]:
        return _load_turns(tx.execute(_TURNS.where(turns.c.key.in_(keys))).all())

    @reads
    def active_threads(
        self,
        tx: Transaction,
        platform: str,
        *,
        since: datetime,
        workspace: str = "",
        noted: bool = True,
    ) -> Sequence[tuple[Thread, str]]:
        active = (threads.c.platform == platform) & (threads.c.last_at >= since.timestamp())
        if workspace:
            active &= threads.c.workspace == f"{platform}:{workspace}"
        if not noted:
            active &= sa.exists().where(turns.c.thread == threads.c.key)
        rows = tx.execute(select(threads).where(active).order_by(threads.c.last_at))
        return [(load_thread(row), row.last_message) for row in rows]

    @reads
    def threads(
        self, tx: Transaction, platform: str, workspace: str, *, limit: int
    ) -> Sequence[ThreadOverview]:
        here = threads.c.workspace == f"{platform}:{workspace}"
        query = _LATEST.where(here, sa.exists().where(turns.c.thread == threads.c.key)).limit(limit)
        return [
            ThreadOverview(
                load_thread(row),
                row.first_turn,
                row.last_turn,
                RunState(row.state) if row.state else None,
            )
            for row in tx.execute(query)
        ]

    @reads
    def is_known(self, tx: Transaction, workspace: str) -> bool:
        return tx.exists(threads.c.workspace == workspace)

    @reads
    def is_shown_file(self, tx: Transaction, workspace: str, file: FileHash) -> bool:
        owner, of_run = file_uses.c.owner, run_owner("")
        run = sa.func.substr(owner, len(of_run) + 1)
        by_turn = sa.exists().where(turns.c.key == owner, turns.c.workspace == workspace)
        by_run = sa.exists().where(runs.c.id == run, runs.c.workspace == workspace)
        by_message = sa.exists().where(inbox.c.run == run, inbox.c.workspace == workspace)
        shown = by_turn | (owner.startswith(of_run) & (by_run | by_message))
        return tx.exists(file_uses.c.hash == file, shown)

    @reads
    def is_file_of(self, tx: Transaction, run: RunId, file: FileHash) -> bool:
        return tx.exists(file_uses.c.owner == run_owner(run), file_uses.c.hash == file)

    @reads
    def find_pending(
        self, tx: Transaction, thread: Thread, *, end: RunId | None = None, most: int, keep: int
    ) -> PendingSummary | None:
        summary, rows = _find_unsummarized(tx, thread, end)
        if len(rows) <= most:
            return None
        rows = rows[: len(rows) - keep]
        return PendingSummary(summary, _load_turns(rows), _stamp(summary, rows), end)

    @writes
    def save_summary(
        self, tx: Transaction, thread: Thread, pending: PendingSummary, summary: str
    ) -> bool:
        touch_thread(tx, thread)  # locks its row: no turn changes meanwhile
        before, rows = _find_unsummarized(tx, thread, pending.end)
        last = int(pending.stamp.partition(" ")[0])
        rows = [row for row in rows if row.number <= last]
        if not rows or pending.stamp != _stamp(before, rows):
            return False
        row = {"thread": thread.key, "through": last, "body": summary}
        tx.put(summaries, {**row, "at": tx.at})
        return True


def store_turn(
    tx: Transaction,
    thread: Thread,
    turn: Turn,
    attachments: Sequence[Attachment] = (),
    *,
    parent: str | None = None,
) -> Turn:
    """Insert or replace a turn; replacing it deletes the summaries that cover it.

    The attachments get names and become files of the turn. `parent`: the turn that it follows, for
    an answer its message; then summaries with another answer to that are deleted, too. One that is
    replaced keeps its parent if None is given.
    """
    at = turn.at.timestamp()
    # The key of a person's turn contains the platform's id of the message.
    before, _, message = turn.key.partition(f"{thread.channel.key}:")
    is_message = not before and not turn.person.is_bot
    touch_thread(tx, thread, at=at, message=message if is_message else "")
    named = _name_files(tx, thread, turn.key, attachments, parent if is_message else None)
    tx.add(turn_files, *named.new)
    for taken in named.taken:
        this = (turn_files.c.turn == taken.turn) & (turn_files.c.hash == taken.hash)
        tx.execute(sa.update(turn_files).where(this).values(turn=turn.key))
    turn = replace(turn, files=(*turn.files, *named.named))
    text = dump(turn)
    row: dict[str, object] = {
        **place_of(thread),
        "key": turn.key,
        "person": turn.person.id,
        "at": at,
        "has_files": bool(turn.files),
        "body": text,
    }
    if parent is not None:
        row["parent"] = parent
        if not is_message:
            others = {"thread": thread.key, "parent": parent}
            tx.execute(delete_summaries_of(tx.scalars(_VERSIONS, others).all()))
    if not tx.add(turns, row):
        tx.execute(sa.delete(file_uses).where(file_uses.c.owner == turn.key))
        tx.execute(delete_summaries_of([turn.key]))
        tx.execute(sa.update(turns).where(turns.c.key == turn.key).values(row))
    tx.refer_to_files(turn.key, text)
    store_words(tx, thread, turn)
    return turn


@dataclass(slots=True)
class _Named:
    """Files with their names in a thread, and the rows that hold their numbers.

    `taken`: rows of another version of the message, which this one takes over: it may stay longer.
    """

    named: tuple[NamedFile, ...] = ()
    new: Sequence[Row] = ()
    taken: Sequence[Any] = ()


def _name_files(
    tx: Transaction,
    thread: Thread,
    key: str,
    attachments: Sequence[Attachment],
    parent: str | None,
) -> _Named:
    """Number the files among the thread's files of their type; new ones get the next, as rows.

    A file that an edited message keeps has the name that it had: `parent` is what both versions
    follow. Where the rows are stored, `touch_thread` must have locked the thread's row.
    """
    if not attachments:
        return _Named()
    place = {"turn": key, "thread": thread.key, "parent": parent}
    own_last = sorted(tx.execute(_NUMBERS, place), key=lambda row: row.turn == key)
    known = {row.hash: row for row in own_last}
    numbers = {row.hash: row.number for row in known.values()}
    taken = [known[each] for each in {it.hash for it in attachments} & known.keys()]
    last = {row.type: row.last for row in tx.execute(_LAST_NUMBERS, {"thread": thread.key})}
    rows: list[Row] = []
    for file in attachments:
        if file.hash not in numbers:
            type_ = file.type.value
            numbers[file.hash] = last[type_] = last.get(type_, 0) + 1
            row = {"turn": key, "hash": file.hash, "thread": thread.key, "type": type_}
            rows.append({**row, "number": numbers[file.hash]})
    named = (NamedFile(f"{it.type.value} {numbers[it.hash]}", it) for it in attachments)
    return _Named(tuple(named), rows, [row for row in taken if row.turn != key])


def touch_thread(tx: Transaction, thread: Thread, *, at: float = 0.0, message: str = "") -> None:
    """Insert a thread, or update when it was last active; a closed thread stays closed.

    `message` is the platform's id of the message, "" for the bot's own.
    """
    channel = thread.channel
    row = {
        "key": thread.key,
        "channel": channel.key,
        "workspace": workspace_key(channel),
        "platform": channel.platform,
        "workspace_id": channel.workspace,
        "channel_id": channel.id,
        "root": thread.root,
        "last_message": message,
        "last_at": at,
        "closed": thread.closed,
    }
    tx.execute(_upsert_thread(tx.connection.dialect.name), row)


@cache
def _upsert_thread(dialect: str) -> sa.Insert:
    row = insert_into(dialect, threads)
    new, old = row.excluded, threads.c
    later = {
        name: sa.case((new[name] > old[name], new[name]), else_=old[name])
        for name in ("last_message", "last_at")
    }
    return row.on_conflict_do_update(
        index_elements=["key"], set_={**later, "closed": old.closed | new.closed}
    )


def delete_summaries_of(keys: Collection[str]) -> sa.Delete:
    """Delete the summaries that cover these turns; must run before the turns change."""
    covered = (turns.c.thread == summaries.c.thread) & (turns.c.number <= summaries.c.through)
    return sa.delete(summaries).where(sa.exists().where(turns.c.key.in_(keys), covered))


def _load_last(tx: Transaction, thread: Thread, path: Path, limit: int) -> Sequence[Any]:
    """The rows of the last turns of a path, oldest first."""
    numbers = [step.number for step in path.steps[:limit]]
    steps = tx.execute(_BY_NUMBER, {"numbers": numbers}).all() if numbers else ()
    rest = limit - len(steps)
    if rest <= 0 or not path.below:
        return steps
    place = {"thread": thread.key, "below": path.below, "turns": rest}
    return [*tx.execute(_HERE, place).all()[::-1], *steps]


def _find_older_files(
    tx: Transaction, thread: Thread, path: Path, shown: Collection[int]
) -> tuple[NamedFile, ...]:
    """The files of a path that are not in the turns `shown`, and those of its other answers."""
    keys = {step.key for step in path.steps}

    def is_on_path(row: Any) -> bool:  # noqa: ANN401 - a row
        is_answer = not row.key.startswith(f"{thread.channel.key}:")
        return row.number < path.below or row.key in keys or (is_answer and row.parent in keys)

    place = {"thread": thread.key, "below": path.limit}
    numbers = [
        row.number
        for row in tx.execute(_WITH_FILES, place)
        if row.number not in shown and is_on_path(row)
    ]
    if not numbers:
        return ()
    older = tx.execute(_BY_NUMBER, {"numbers": numbers[:_MOST_OLDER_FILES]}).all()
    return tuple(file for turn in _load_turns(older) for file in turn.files)


def _find_unsummarized(
    tx: Transaction, thread: Thread, end: RunId | None
) -> tuple[str, Sequence[Any]]:
    """The summary of the path that ends with a run, if there is one, and the turns since."""
    path = follow(tx, thread, after=end)
    through, summary = _summary_so_far(tx, thread)
    if not path.covers(through):
        through, summary = 0, ""
    place = {"thread": thread.key, "through": through, "below": path.below}
    rows = tx.execute(_UNSUMMARIZED, place).all() if through < path.below else []
    later = [step.number for step in path.steps if step.number > through][::-1]
    if later := later[: _MOST_SUMMARIZED - len(rows)]:
        rows = [*rows, *tx.execute(_BY_NUMBER, {"numbers": later})]
    return summary, rows


def _load_turns(rows: Sequence[Any]) -> tuple[Turn, ...]:
    return tuple(row.body for row in rows if row.body)


def load_thread(row: Any) -> Thread:  # noqa: ANN401 - a row
    return Thread(Channel(row.platform, row.workspace_id, row.channel_id), row.root, row.closed)


def _summary_so_far(tx: Transaction, thread: Thread) -> tuple[int, str]:
    row = tx.execute(_SUMMARY, {"thread": thread.key}).one_or_none()
    return (row.through, row.body) if row else (0, "")


def _stamp(summary: str, rows: Sequence[Any]) -> str:
    """The number of the last turn, and a hash of everything that the new summary covers."""
    covered = repr((summary, [row.body for row in rows]))
    return f"{rows[-1].number} {hashlib.sha256(covered.encode()).hexdigest()}"
