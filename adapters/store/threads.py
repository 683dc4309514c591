"""Threads that were met, and when they were last."""

from functools import cache

from sqlalchemy import ColumnElement, Connection, Insert, bindparam, case, exists, select

from adapters.store.bodies import workspace_key
from adapters.store.schema import threads
from adapters.store.upserts import into
from pipeline.domain import Channel, Thread


def met(thread: Thread, *, at: float, message: str) -> dict[str, str | float | bool]:
    """A row for a thread, when something was said in it, and the id of the message if it is the platform's ("": it is ours)."""
    channel = thread.channel
    return {
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


def later(connection: Connection) -> Insert:
    """Insert threads; of one that is there already, what came last counts, and once closed it stays so."""
    return _later(connection.dialect.name)


@cache
def _later(dialect: str) -> Insert:
    row = into(dialect, threads)
    new = row.excluded
    return row.on_conflict_do_update(
        index_elements=["key"],
        set_={
            name: case((new[name] > threads.c[name], new[name]), else_=threads.c[name])
            for name in ("last_message", "last_at")
        }
        | {"closed": threads.c.closed | new.closed},
    )


def is_closed(thread: ColumnElement[str]) -> ColumnElement[bool]:
    """Whether the thread of a row is one that not all who read its channel can read."""
    return exists().where(threads.c.key == thread, threads.c.closed)


_ACTIVE = (
    select(threads)
    .where(threads.c.platform == bindparam("platform"), threads.c.last_at >= bindparam("since"))
    .order_by(threads.c.last_at)
)


def active(connection: Connection, platform: str, since: float) -> tuple[tuple[Thread, str], ...]:
    """Threads with something said since a moment, and the id of the last message of each."""
    rows = connection.execute(_ACTIVE, {"platform": platform, "since": since})
    return tuple(
        (
            Thread(Channel(row.platform, row.workspace_id, row.channel_id), row.root, row.closed),
            row.last_message,
        )
        for row in rows
    )
