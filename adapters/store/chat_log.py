"""The chat log: threads, their turns and summaries, and the names of their files."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import file_uses, inbox, runs, summaries, threads, turn_files, turns
from adapters.store.transactions import (
    Row,
    Transaction,
    insert_into,
    place_of,
    run_owner,
    workspace_key,
)
from pipeline.codec import dump
from pipeline.domain import (
    Attachment,
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
_MOST_SUMMARIZED = 500

_TURNS = select(turns.c.number, turns.c.key, turns.c.thread, turns.c.body)
_IN_THREAD = turns.c.thread == sa.bindparam("thread")
_OF_THREAD = summaries.c.thread == sa.bindparam("thread")
_BEFORE = sa.func.coalesce(
    select(turns.c.number).where(turns.c.key == sa.bindparam("before")).scalar_subquery(), 2**62
)


def is_closed(thread: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    """Whether some who can read its channel cannot read the thread with this key."""
    return sa.exists().where(threads.c.key == thread, threads.c.closed)


def _newest(limit: int | sa.BindParameter[int], *where: sa.ColumnElement[bool]) -> sa.Select[Any]:
    return _TURNS.where(*where).order_by(turns.c.number.desc()).limit(limit)


_HERE = _newest(sa.bindparam("turns"), _IN_THREAD, turns.c.number < _BEFORE)
_AROUND = _newest(
    sa.bindparam("tail"),
    turns.c.channel == sa.bindparam("channel"),
    turns.c.thread != sa.bindparam("thread"),
    turns.c.number < _BEFORE,
    ~is_closed(turns.c.thread),
)
_OLDER_WITH_FILES = _newest(
    _MOST_OLDER_FILES, _IN_THREAD, turns.c.has_files, turns.c.number < sa.bindparam("first")
)
_SUMMARY = select(summaries.c.through, summaries.c.body).where(_OF_THREAD)
_SUMMARY_BEFORE = select(summaries.c.body).where(_OF_THREAD, summaries.c.through < _BEFORE)
_UNSUMMARIZED = (
    _TURNS.where(_IN_THREAD, turns.c.number > sa.bindparam("through"))
    .order_by(turns.c.number)
    .limit(_MOST_SUMMARIZED)
)

_NUMBERS = select(turn_files.c.hash, turn_files.c.number).where(
    turn_files.c.turn == sa.bindparam("turn")
)
_LAST_NUMBERS = (
    select(turn_files.c.type, sa.func.max(turn_files.c.number).label("last"))
    .where(turn_files.c.thread == sa.bindparam("thread"))
    .group_by(turn_files.c.type)
)


def _first_value(column: sa.Column[str], order: sa.ColumnElement[Any], name: str) -> sa.Label[str]:
    """The first value of a column, in this order, among the rows of a thread."""
    values = select(column).where(column.table.c.thread == threads.c.key)
    return values.order_by(order).limit(1).scalar_subquery().label(name)


_LATEST = select(
    threads,
    _first_value(turns.c.body, turns.c.number, "first_turn"),
    _first_value(turns.c.body, turns.c.number.desc(), "last_turn"),
    _first_value(runs.c.state, runs.c.number.desc(), "state"),
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
    ) -> Turn:
        if run and tx.exists(inbox.c.run == run, inbox.c.key == ""):
            return turn
        return store_turn(tx, thread, turn, attachments)

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
        self, tx: Transaction, thread: Thread, key: str, attachments: Sequence[Attachment]
    ) -> tuple[NamedFile, ...]:
        return _name_files(tx, thread, key, attachments)[0]

    @reads
    def context(
        self, tx: Transaction, thread: Thread, *, before: str = "", turns: int, tail: int
    ) -> Context:
        place = {"thread": thread.key, "channel": thread.channel.key, "before": before}
        here = tx.execute(_HERE, {**place, "turns": turns}).all()[::-1]
        around = tx.execute(_AROUND, {**place, "tail": tail}).all()[::-1]
        summary = tx.scalar(_SUMMARY_BEFORE, place)
        older: Sequence[Any] = ()
        if turns and len(here) == turns:
            first = {"thread": thread.key, "first": here[0].number}
            older = tx.execute(_OLDER_WITH_FILES, first).all()[::-1]
        return Context(
            turns=_load_turns(here),
            channel=_load_turns(around),
            summary=summary or "",
            older=tuple(file for turn in _load_turns(older) for file in turn.files),
        )

    @reads
    def active_threads(
        self, tx: Transaction, platform: str, *, since: datetime
    ) -> Sequence[tuple[Thread, str]]:
        active = (threads.c.platform == platform) & (threads.c.last_at >= since.timestamp())
        rows = tx.execute(select(threads).where(active).order_by(threads.c.last_at))
        return [(_load_thread(row), row.last_message) for row in rows]

    @reads
    def threads(
        self, tx: Transaction, platform: str, workspace: str, *, limit: int
    ) -> Sequence[ThreadOverview]:
        here = threads.c.workspace == f"{platform}:{workspace}"
        query = _LATEST.where(here, sa.exists().where(turns.c.thread == threads.c.key)).limit(limit)
        return [
            ThreadOverview(
                _load_thread(row),
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
        self, tx: Transaction, thread: Thread, *, most: int, keep: int
    ) -> PendingSummary | None:
        through, summary = _summary_so_far(tx, thread)
        rows = tx.execute(_UNSUMMARIZED, {"thread": thread.key, "through": through}).all()
        if len(rows) <= most:
            return None
        rows = rows[: len(rows) - keep]
        return PendingSummary(summary, _load_turns(rows), _stamp(summary, rows))

    @writes
    def save_summary(
        self, tx: Transaction, thread: Thread, pending: PendingSummary, summary: str
    ) -> bool:
        touch_thread(tx, thread)  # locks its row: no turn changes meanwhile
        through, before = _summary_so_far(tx, thread)
        last = int(pending.stamp.partition(" ")[0])
        since = {"thread": thread.key, "through": through}
        rows = [row for row in tx.execute(_UNSUMMARIZED, since) if row.number <= last]
        if not rows or pending.stamp != _stamp(before, rows):
            return False
        row = {"thread": thread.key, "through": last, "body": summary}
        tx.put(summaries, {**row, "at": tx.at})
        return True


def store_turn(
    tx: Transaction, thread: Thread, turn: Turn, attachments: Sequence[Attachment] = ()
) -> Turn:
    """Insert or replace a turn; replacing it deletes the summaries that cover it.

    The attachments get names and become files of the turn.
    """
    at = turn.at.timestamp()
    # The key of a person's turn contains the platform's id of the message.
    before, _, message = turn.key.partition(f"{thread.channel.key}:")
    is_message = not before and not turn.person.is_bot
    touch_thread(tx, thread, at=at, message=message if is_message else "")
    named, numbers = _name_files(tx, thread, turn.key, attachments)
    tx.add(turn_files, *numbers)
    turn = replace(turn, files=(*turn.files, *named))
    text = dump(turn)
    row = {
        **place_of(thread),
        "key": turn.key,
        "person": turn.person.id,
        "at": at,
        "has_files": bool(turn.files),
        "body": text,
    }
    if not tx.add(turns, row):
        tx.execute(sa.delete(file_uses).where(file_uses.c.owner == turn.key))
        tx.execute(delete_summaries_of([turn.key]))
        tx.put(turns, row, key="key")
    tx.refer_to_files(turn.key, text)
    return turn


def _name_files(
    tx: Transaction, thread: Thread, key: str, attachments: Sequence[Attachment]
) -> tuple[tuple[NamedFile, ...], list[Row]]:
    """Number the files among the thread's files of their type; new ones get the next, as rows.

    Where these are stored, `touch_thread` must have locked the thread's row.
    """
    if not attachments:
        return (), []
    numbers = {row.hash: row.number for row in tx.execute(_NUMBERS, {"turn": key})}
    last = {row.type: row.last for row in tx.execute(_LAST_NUMBERS, {"thread": thread.key})}
    rows: list[Row] = []
    for file in attachments:
        if file.hash not in numbers:
            type_ = file.type.value
            numbers[file.hash] = last[type_] = last.get(type_, 0) + 1
            row = {"turn": key, "hash": file.hash, "thread": thread.key, "type": type_}
            rows.append({**row, "number": numbers[file.hash]})
    named = (NamedFile(f"{it.type.value} {numbers[it.hash]}", it) for it in attachments)
    return tuple(named), rows


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


def _load_turns(rows: Sequence[Any]) -> tuple[Turn, ...]:
    return tuple(row.body for row in rows if row.body)


def _load_thread(row: Any) -> Thread:  # noqa: ANN401 - a row
    return Thread(Channel(row.platform, row.workspace_id, row.channel_id), row.root, row.closed)


def _summary_so_far(tx: Transaction, thread: Thread) -> tuple[int, str]:
    row = tx.execute(_SUMMARY, {"thread": thread.key}).one_or_none()
    return (row.through, row.body) if row else (0, "")


def _stamp(summary: str, rows: Sequence[Any]) -> str:
    """The number of the last turn, and a hash of everything that the new summary covers."""
    covered = repr((summary, [row.body for row in rows]))
    return f"{rows[-1].number} {hashlib.sha256(covered.encode()).hexdigest()}"
