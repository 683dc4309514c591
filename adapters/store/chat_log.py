"""The chat log: threads, their turns and summaries, and the names of their files."""

import hashlib
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from itertools import count
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Insert,
    ScalarSelect,
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    union_all,
)

from adapters.store.database import reads, writes
from adapters.store.schema import file_uses, inbox, runs, summaries, threads, turn_files, turns
from adapters.store.serialization import (
    Row,
    SqlPort,
    add_row,
    dump_value,
    insert_into,
    load_value,
    refer_to_files,
    run_owner,
    upsert,
    workspace_key,
)
from pipeline.domain import (
    Attachment,
    Channel,
    Context,
    FileHash,
    NamedFile,
    RunState,
    Thread,
    Turn,
)
from pipeline.ports import PendingSummary, ThreadOverview, ThreadPage

_MOST_OLDER_FILES = 50
_MOST_AROUND = 500
"""Turns of the channel among which those of other threads are looked for."""
_MOST_SUMMARIZED = 500

_BEFORE = func.coalesce(
    select(turns.c.number).where(turns.c.key == bindparam("before")).scalar_subquery(), 2**62
)
_IN_THREAD = turns.c.thread == bindparam("thread")


def _last_turns(part: str, where: ColumnElement[bool]) -> Select[tuple[str, int, str, str, str]]:
    return (
        select(
            literal(part).label("part"), turns.c.number, turns.c.key, turns.c.thread, turns.c.body
        )
        .where(where, turns.c.number < _BEFORE)
        .order_by(turns.c.number.desc())
    )


def is_closed(thread: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether not everybody who reads its channel can read the thread with this key."""
    return exists().where(threads.c.key == thread, threads.c.closed)


_HERE = _last_turns("here", _IN_THREAD).limit(bindparam("turns")).subquery()
_LATELY = (
    _last_turns("around", turns.c.channel == bindparam("channel")).limit(_MOST_AROUND).subquery()
)
_AROUND = (
    select(_LATELY)
    .where(_LATELY.c.thread != bindparam("thread"), ~is_closed(_LATELY.c.thread))
    .order_by(_LATELY.c.number.desc())
    .limit(bindparam("tail"))
    .subquery()
)
_CONTEXT = union_all(select(_HERE), select(_AROUND))
_SUMMARY = select(summaries.c.body).where(
    summaries.c.thread == bindparam("thread"), summaries.c.through < _BEFORE
)
_OLDER_WITH_FILES = (
    select(turns.c.key, turns.c.body)
    .where(_IN_THREAD, turns.c.has_files, turns.c.number < bindparam("first"))
    .order_by(turns.c.number.desc())
    .limit(_MOST_OLDER_FILES)
)


def _turn_of_thread(*, last: bool) -> ScalarSelect[str]:
    order = turns.c.number.desc() if last else turns.c.number
    here = select(turns.c.body).where(turns.c.thread == threads.c.key)
    return here.order_by(order).limit(1).scalar_subquery()


_PAGE = select(
    threads,
    _turn_of_thread(last=False).label("first_turn"),
    _turn_of_thread(last=True).label("last_turn"),
    select(runs.c.state)
    .where(runs.c.thread == threads.c.key)
    .order_by(runs.c.number.desc())
    .limit(1)
    .scalar_subquery()
    .label("state"),
).order_by(threads.c.last_at.desc(), threads.c.key.desc())
_FILE_NUMBERS = select(turn_files.c.hash, turn_files.c.number).where(
    turn_files.c.turn == bindparam("turn")
)
_HIGHEST_NUMBERS = (
    select(turn_files.c.type, func.max(turn_files.c.number).label("highest"))
    .where(turn_files.c.thread == bindparam("thread"))
    .group_by(turn_files.c.type)
)
_SUMMARY_SO_FAR = select(summaries.c.through, summaries.c.body).where(
    summaries.c.thread == bindparam("thread")
)
_UNSUMMARIZED = _IN_THREAD & (turns.c.number > bindparam("through"))


class SqlChatLog(SqlPort):
    """The chat log in the database."""

    @writes
    def log(self, connection: Connection, thread: Thread, turn: Turn) -> None:
        store_turn(connection, thread, turn)

    async def name_files(
        self, thread: Thread, key: str, attachments: Sequence[Attachment]
    ) -> tuple[NamedFile, ...]:
        return await self._name_files(thread, key, attachments) if attachments else ()

    @writes
    def _name_files(
        self, connection: Connection, thread: Thread, key: str, attachments: Sequence[Attachment]
    ) -> tuple[NamedFile, ...]:
        touch_thread(connection, thread)  # holds its row: nobody else takes the same number
        rows = connection.execute(_FILE_NUMBERS, {"turn": key})
        numbers = {row.hash: row.number for row in rows}
        rows = connection.execute(_HIGHEST_NUMBERS, {"thread": thread.key})
        unused = {row.type: count(row.highest + 1) for row in rows}
        for attachment in attachments:
            if attachment.hash in numbers:
                continue
            of_type = attachment.type.value
            numbers[attachment.hash] = next(unused.setdefault(of_type, count(1)))
            row = {
                "turn": key,
                "hash": attachment.hash,
                "thread": thread.key,
                "type": of_type,
                "number": numbers[attachment.hash],
            }
            connection.execute(insert(turn_files), row)
        return tuple(
            NamedFile(f"{attachment.type.value} {numbers[attachment.hash]}", attachment)
            for attachment in attachments
        )

    @reads
    def context(
        self, connection: Connection, thread: Thread, *, before: str = "", turns: int, tail: int
    ) -> Context:
        wanted = {"before": before, "thread": thread.key, "channel": thread.channel.key}
        found = connection.execute(_CONTEXT, {**wanted, "turns": turns, "tail": tail})
        rows = sorted(found, key=lambda row: row.number)
        here = [row for row in rows if row.part == "here"]
        older: Sequence[Any] = ()
        if turns and len(here) == turns:
            at = {"thread": thread.key, "first": here[0].number}
            older = connection.execute(_OLDER_WITH_FILES, at).all()[::-1]
        return Context(
            turns=_load_turns(here),
            channel=_load_turns([row for row in rows if row.part == "around"]),
            summary=connection.scalar(_SUMMARY, wanted) or "",
            older=tuple(file for turn in _load_turns(older) for file in turn.files),
        )

    @reads
    def active_threads(
        self, connection: Connection, platform: str, *, since: datetime
    ) -> Sequence[tuple[Thread, str]]:
        query = (
            select(threads)
            .where(threads.c.platform == platform, threads.c.last_at >= since.timestamp())
            .order_by(threads.c.last_at)
        )
        return [(_load_thread(row), row.last_message) for row in connection.execute(query)]

    @reads
    def threads(
        self, connection: Connection, platform: str, workspace: str, *, limit: int, cursor: str = ""
    ) -> ThreadPage:
        query = _PAGE.where(threads.c.workspace == f"{platform}:{workspace}").limit(limit + 1)
        if cursor:
            at, _, key = cursor.partition(" ")
            last_at = float(at)
            is_later = (threads.c.last_at == last_at) & (threads.c.key < key)
            query = query.where((threads.c.last_at < last_at) | is_later)
        rows = connection.execute(query).all()
        overviews = tuple(
            ThreadOverview(
                _load_thread(row),
                load_value(Turn, row.first_turn, key=row.key),
                load_value(Turn, row.last_turn, key=row.key),
                RunState(row.state) if row.state else None,
            )
            for row in rows[:limit]
        )
        last = rows[limit - 1] if len(rows) > limit else None
        return ThreadPage(overviews, f"{last.last_at!r} {last.key}" if last else "")

    @reads
    def is_known(self, connection: Connection, workspace: str) -> bool:
        return bool(connection.scalar(select(exists().where(threads.c.workspace == workspace))))

    @reads
    def is_shown_file(self, connection: Connection, workspace: str, file: FileHash) -> bool:
        owner = file_uses.c.owner
        by_turn = exists().where(turns.c.key == owner, turns.c.workspace == workspace)
        run = func.substr(owner, len(run_owner("")) + 1)
        by_run = exists().where(runs.c.id == run, runs.c.workspace == workspace)
        by_message = exists().where(inbox.c.run == run, inbox.c.workspace == workspace)
        is_run = owner.startswith(run_owner("")) & (by_run | by_message)
        query = select(exists().where(file_uses.c.hash == file, by_turn | is_run))
        return bool(connection.scalar(query))

    @reads
    def find_pending(
        self, connection: Connection, thread: Thread, *, most: int, keep: int
    ) -> PendingSummary | None:
        through, summary = _summary_so_far(connection, thread)
        since = {"thread": thread.key, "through": through}
        number = connection.scalar(
            select(func.count()).select_from(turns).where(_UNSUMMARIZED), since
        )
        if not number or number <= most:
            return None
        rows = _unsummarized(connection, since, min(number - keep, _MOST_SUMMARIZED))
        return PendingSummary(summary, _load_turns(rows), _stamp(summary, rows))

    @writes
    def save_summary(
        self, connection: Connection, thread: Thread, pending: PendingSummary, summary: str
    ) -> bool:
        touch_thread(connection, thread)  # holds its row: no turn is changed meanwhile
        through, before = _summary_so_far(connection, thread)
        since = {"thread": thread.key, "through": through}
        last = int(pending.stamp.partition(" ")[0])
        rows = [row for row in _unsummarized(connection, since) if row.number <= last]
        if not rows or pending.stamp != _stamp(before, rows):
            return False
        at = self.clock().timestamp()
        row = {"thread": thread.key, "through": last, "body": summary, "at": at}
        connection.execute(upsert(connection, summaries, "thread"), row)
        return True


def store_turn(connection: Connection, thread: Thread, turn: Turn) -> None:
    """Keep a turn; one with the same key is replaced, and the summaries it went into go."""
    at = turn.at.timestamp()
    touch_thread(connection, thread, at=at, message=_message_id(thread, turn))
    text = dump_value(turn)
    row = {
        "key": turn.key,
        "thread": thread.key,
        "channel": thread.channel.key,
        "workspace": workspace_key(thread.channel),
        "person": turn.person.id,
        "at": at,
        "has_files": bool(turn.files),
        "body": text,
    }
    if not add_row(connection, turns, row):
        connection.execute(delete(file_uses).where(file_uses.c.owner == turn.key))
        connection.execute(delete_summaries_of([turn.key]))
        connection.execute(upsert(connection, turns, "key"), row)
    refer_to_files(connection, turn.key, text)


def touch_thread(
    connection: Connection, thread: Thread, *, at: float = 0.0, message: str = ""
) -> None:
    """Note a thread, and when something was said in it last; once closed, it stays closed.

    `message` is the platform's id of a message of that moment, "" for what the bot said.
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
    connection.execute(_touch(connection.dialect.name), row)


@cache
def _touch(dialect: str) -> Insert:
    row = insert_into(dialect, threads)
    new = row.excluded
    later = {
        name: case((new[name] > threads.c[name], new[name]), else_=threads.c[name])
        for name in ("last_message", "last_at")
    }
    return row.on_conflict_do_update(
        index_elements=["key"], set_=later | {"closed": threads.c.closed | new.closed}
    )


def delete_summaries_of(keys: Collection[str]) -> Delete:
    """Deletes the summaries that these turns went into; before the turns change or go."""
    covered = select(literal(1)).where(
        turns.c.key.in_(keys),
        turns.c.thread == summaries.c.thread,
        turns.c.number <= summaries.c.through,
    )
    return delete(summaries).where(covered.exists())


def _load_turns(rows: Sequence[Any]) -> tuple[Turn, ...]:
    loaded = (load_value(Turn, row.body, key=row.key) for row in rows)
    return tuple(turn for turn in loaded if turn)


def _load_thread(row: Any) -> Thread:  # noqa: ANN401 - a row
    channel = Channel(row.platform, row.workspace_id, row.channel_id)
    return Thread(channel, row.root, row.closed)


def _message_id(thread: Thread, turn: Turn) -> str:
    """The platform's id of the message, out of the key; "" for what the bot says."""
    before, _, message = turn.key.partition(f"{thread.channel.key}:")
    return message if not before and not turn.person.is_bot else ""


def _summary_so_far(connection: Connection, thread: Thread) -> tuple[int, str]:
    row = connection.execute(_SUMMARY_SO_FAR, {"thread": thread.key}).one_or_none()
    return (row.through, row.body) if row else (0, "")


def _unsummarized(
    connection: Connection, since: Row, most: int = _MOST_SUMMARIZED
) -> Sequence[Any]:
    query = select(turns.c.number, turns.c.key, turns.c.body).where(_UNSUMMARIZED)
    return connection.execute(query.order_by(turns.c.number).limit(most), since).all()


def _stamp(summary: str, rows: Sequence[Any]) -> str:
    """The number of the last turn, and a fingerprint of all that the new summary stands for."""
    covered = repr((summary, [row.body for row in rows]))
    return f"{rows[-1].number} {hashlib.sha256(covered.encode()).hexdigest()}"
