"""The chat log: turns in their threads and channels, and the names of their files."""

from collections.abc import Sequence
from itertools import count

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    bindparam,
    func,
    insert,
    literal,
    select,
    union_all,
)

from adapters.store.bodies import body, seconds, uses, workspace_key
from adapters.store.rows import Rows
from adapters.store.schema import file_uses, summaries, threads, turn_files, turns
from adapters.store.threads import is_closed, met
from pipeline.codec import load
from pipeline.domain import Attachment, Context, NamedFile, Thread, Turn

_BOUND = func.coalesce(
    select(turns.c.number).where(turns.c.key == bindparam("before")).scalar_subquery(), 2**62
)


def _last(part: str, where: ColumnElement[bool]) -> Select[tuple[str, int, str]]:
    """The last turns of a part of the log, as many as the parameter of this name says."""
    found = (
        select(literal(part).label("part"), turns.c.number, turns.c.body)
        .where(where, turns.c.number < _BOUND)
        .order_by(turns.c.number.desc())
        .limit(bindparam(part))
        .subquery()
    )
    return select(found.c.part, found.c.number, found.c.body)


_HERE = turns.c.thread == bindparam("thread")
_AROUND = (turns.c.channel == bindparam("channel")) & ~_HERE & ~is_closed(turns.c.thread)
_CONTEXT = union_all(_last("turns", _HERE), _last("tail", _AROUND))

_SUMMARY = select(summaries.c.body).where(
    summaries.c.thread == bindparam("thread"), summaries.c.through < _BOUND
)


def logged(thread: Thread, turn: Turn) -> Rows:
    """Rows that keep a turn."""
    channel = thread.channel
    at = seconds(turn.at)
    text = body(turn)
    row = {
        "key": turn.key,
        "thread": thread.key,
        "channel": channel.key,
        "workspace": workspace_key(channel),
        "person": turn.person.id,
        "at": at,
        "body": text,
    }
    met_now = met(thread, at=at, message=_message(thread, turn))
    return Rows({threads: [met_now], turns: [row], file_uses: uses(turn.key, text)}, (turn.key,))


def context(
    connection: Connection, *, thread: Thread, before: str, last: int, tail: int
) -> Context:
    wanted = {"before": before, "thread": thread.key, "channel": thread.channel.key}
    rows = connection.execute(_CONTEXT, {**wanted, "turns": last, "tail": tail}).all()
    said = sorted((row.number, row.part, row.body) for row in rows)
    return Context(
        turns=tuple(load(Turn, text) for _, part, text in said if part == "turns"),
        channel=tuple(load(Turn, text) for _, part, text in said if part == "tail"),
        summary=connection.scalar(_SUMMARY, wanted) or "",
        older=_older(connection, wanted, [row for row in said if row[1] == "turns"], last),
    )


_WITH_FILES = (
    select(turns.c.body)
    .where(
        _HERE,
        turns.c.number < bindparam("first"),
        turns.c.key.in_(
            select(turn_files.c.turn).where(turn_files.c.thread == bindparam("thread"))
        ),
    )
    .order_by(turns.c.number.desc())
    .limit(bindparam("most"))
)
_MOST_OLDER = 50


def _older(
    connection: Connection, wanted: dict[str, str], here: Sequence[tuple[int, str, str]], last: int
) -> tuple[NamedFile, ...]:
    """The files of turns from before those that are told; of the last of them that have any."""
    if not last or len(here) < last:
        return ()
    at = {"thread": wanted["thread"], "first": here[0][0], "most": _MOST_OLDER}
    bodies = reversed(connection.scalars(_WITH_FILES, at).all())
    return tuple(file for body in bodies for file in load(Turn, body).files)


_NAMED = select(turn_files.c.hash, turn_files.c.type, turn_files.c.number).where(
    turn_files.c.turn == bindparam("wanted")
)
_HIGHEST = (
    select(turn_files.c.type, func.max(turn_files.c.number).label("most"))
    .where(turn_files.c.thread == bindparam("thread"))
    .group_by(turn_files.c.type)
)


def name_files(
    connection: Connection, thread: Thread, key: str, attachments: Sequence[Attachment]
) -> tuple[NamedFile, ...]:
    """Names the turn's files have, and new ones for those that have none."""
    numbers = {row.hash: row.number for row in connection.execute(_NAMED, {"wanted": key})}
    rows = connection.execute(_HIGHEST, {"thread": thread.key})
    fresh = {row.type: count(row.most + 1) for row in rows}
    new = []
    for attachment in attachments:
        if attachment.hash not in numbers:
            of = attachment.type.value
            numbers[attachment.hash] = next(fresh.setdefault(of, count(1)))
            new.append(_numbered(thread, key, attachment, numbers[attachment.hash]))
    if new:
        connection.execute(insert(turn_files), new)
    return tuple(
        NamedFile(f"{attachment.type.value} {numbers[attachment.hash]}", attachment)
        for attachment in attachments
    )


def _numbered(
    thread: Thread, key: str, attachment: Attachment, number: int
) -> dict[str, str | int]:
    return {
        "turn": key,
        "hash": attachment.hash,
        "thread": thread.key,
        "type": attachment.type.value,
        "number": number,
    }


def _message(thread: Thread, turn: Turn) -> str:
    """The platform's id of the message, out of the key; "" for what the bot says."""
    of_channel, _, message = turn.key.partition(f"{thread.channel.key}:")
    return message if not of_channel and not turn.person.is_bot else ""
