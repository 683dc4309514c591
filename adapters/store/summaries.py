"""What was said in a thread, in short: kept as long as every turn that went into it."""

import hashlib
from collections.abc import Collection

from sqlalchemy import Connection, Delete, bindparam, delete, func, literal, select

from adapters.store.schema import summaries, turns
from adapters.store.upserts import replaced
from pipeline.codec import load
from pipeline.domain import Thread, Turn
from pipeline.ports import Unfolded

_LONGEST = 500
_SUMMARY = select(summaries.c.through, summaries.c.body).where(
    summaries.c.thread == bindparam("wanted")
)
_SINCE = (turns.c.thread == bindparam("wanted")) & (turns.c.number > bindparam("through"))
_COUNT = select(func.count()).select_from(turns).where(_SINCE)
_TURNS = (
    select(turns.c.number, turns.c.body)
    .where(_SINCE)
    .order_by(turns.c.number)
    .limit(bindparam("most"))
)


def unfolded(connection: Connection, *, thread: Thread, most: int, keep: int) -> Unfolded | None:
    through, before = _so_far(connection, thread)
    since = {"wanted": thread.key, "through": through}
    count = connection.scalar(_COUNT, since) or 0
    if count <= most:
        return None
    rows = connection.execute(_TURNS, {**since, "most": min(count - keep, _LONGEST)}).all()
    bodies = [row.body for row in rows]
    said = tuple(load(Turn, text) for text in bodies)
    return Unfolded(before, said, _stamp(before, rows[-1].number, bodies))


def fold(
    connection: Connection, *, thread: Thread, found: Unfolded, summary: str, at: float
) -> bool:
    through, before = _so_far(connection, thread)
    wanted = {"wanted": thread.key, "through": through, "most": len(found.turns)}
    rows = connection.execute(_TURNS, wanted).all()
    if not rows or found.stamp != _stamp(before, rows[-1].number, [row.body for row in rows]):
        return False
    row = {"thread": thread.key, "through": rows[-1].number, "body": summary, "at": at}
    connection.execute(replaced(connection, table=summaries, key="thread"), [row])
    return True


def let_go(keys: Collection[str]) -> Delete:
    """Lets the summaries go that these turns went into; before the turns are changed or deleted."""
    held = select(literal(1)).where(
        turns.c.key.in_(keys),
        turns.c.thread == summaries.c.thread,
        turns.c.number <= summaries.c.through,
    )
    return delete(summaries).where(held.exists())


def _so_far(connection: Connection, thread: Thread) -> tuple[int, str]:
    row = connection.execute(_SUMMARY, {"wanted": thread.key}).one_or_none()
    return (row.through, row.body) if row else (0, "")


def _stamp(before: str, through: int, bodies: list[str]) -> str:
    return hashlib.sha256(repr((before, through, bodies)).encode()).hexdigest()
