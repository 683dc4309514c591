"""The chat log: turns in their threads and channels, and the names of their files."""

from collections.abc import Sequence
from itertools import count

from sqlalchemy import Connection, Select, bindparam, delete, func, insert, select

from adapters.store.bodies import seconds, uses, workspace_key
from adapters.store.schema import file_uses, turn_files, turns
from adapters.store.threads import met
from adapters.store.upserts import kept_first, replaced
from pipeline.codec import load
from pipeline.domain import Attachment, Context, NamedFile, Thread, Turn

_THREAD = turns.c.thread == bindparam("thread")
_BOUNDED = turns.c.number < bindparam("before")


def _last(query: Select[str]) -> Select[str]:
    return query.order_by(turns.c.number.desc()).limit(bindparam("limit"))


_TURNS = _last(select(turns.c.body).where(_THREAD, _BOUNDED))
_TAIL = _last(
    select(turns.c.body).where(
        turns.c.channel == bindparam("channel"), turns.c.thread != bindparam("thread"), _BOUNDED
    )
)
_NUMBER = select(turns.c.number).where(turns.c.key == bindparam("wanted"))
_UNUSE = delete(file_uses).where(file_uses.c.owner == bindparam("wanted"))
_END = 2**62


def log(connection: Connection, thread: Thread, turn: Turn, text: str) -> None:
    """Keep a turn, whose body is given."""
    channel = thread.channel
    at = seconds(turn.at)
    met(connection, thread, at=at, message=_message(thread, turn))
    row = {
        "key": turn.key,
        "thread": thread.key,
        "channel": channel.key,
        "workspace": workspace_key(channel),
        "person": turn.person.id,
        "at": at,
        "body": text,
    }
    connection.execute(replaced(connection, turns, "key"), row)
    connection.execute(_UNUSE, {"wanted": turn.key})
    used = uses(turn.key, text)
    if used:
        connection.execute(kept_first(connection, file_uses), used)


def context(
    connection: Connection, thread: Thread, *, before: str, turns: int, tail: int
) -> Context:
    number = connection.scalar(_NUMBER, {"wanted": before}) if before else None
    bounds = {"thread": thread.key, "before": _END if number is None else number}
    said = connection.scalars(_TURNS, {**bounds, "limit": turns}).all() if turns else ()
    around = {**bounds, "channel": thread.channel.key, "limit": tail}
    rest = connection.scalars(_TAIL, around).all() if tail else ()
    return Context(turns=_oldest_first(said), channel=_oldest_first(rest))


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


def _oldest_first(bodies: Sequence[str]) -> tuple[Turn, ...]:
    return tuple(load(Turn, text) for text in reversed(bodies))


def _message(thread: Thread, turn: Turn) -> str:
    """The platform's id of the message, out of the key; "" for what the bot says."""
    of_channel, _, message = turn.key.partition(f"{thread.channel.key}:")
    return message if not of_channel and not turn.person.is_bot else ""
