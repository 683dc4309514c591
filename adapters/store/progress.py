"""The progress of runs on PostgreSQL."""

from collections.abc import Sequence
from datetime import timedelta

import sqlalchemy as sa
import structlog
from sqlalchemy import bindparam, select

from adapters.store.database import SqlPort, reads, writes
from adapters.store.postgres_notifications import CHANNEL, format_payload
from adapters.store.schema import inbox, progress
from adapters.store.transactions import Transaction
from pipeline.codec import dump, load
from pipeline.domain import Answered, Apologised, Event, RunId
from pipeline.ports import ENDED, Position, Topic

log = structlog.get_logger()

_EVENTS = tuple[Event, ...]
_of = progress.alias("told")
_NEWEST = select(sa.func.max(_of.c.telling)).where(_of.c.run == bindparam("of"))
_LATER = (
    select(progress.c.telling, progress.c.number, progress.c.body)
    .where(progress.c.run == bindparam("of"))
    .where(progress.c.telling == _NEWEST.scalar_subquery())
    .where((progress.c.telling > bindparam("after")) | (progress.c.number > bindparam("last")))
    .order_by(progress.c.number)
)
_IS_UNFINISHED = sa.exists().where(inbox.c.run == progress.c.run, inbox.c.finished == sa.false())
_CLEAR = sa.delete(progress).where(progress.c.at < bindparam("before"), ~_IS_UNFINISHED)


def _insert() -> sa.Select[int]:
    """Insert a part and notify, in one statement; its commit does not wait for the disk."""
    telling = sa.func.coalesce(_NEWEST.scalar_subquery(), 0) + 1
    row = sa.insert(progress).values(
        run=bindparam("of"),
        telling=sa.case((bindparam("after") > 0, bindparam("after")), else_=telling),
        number=bindparam("next"),
        body=bindparam("text", type_=sa.Text),
        at=bindparam("now"),
    )
    put = row.returning(progress.c.telling).cte("put")
    notify = sa.func.pg_notify(CHANNEL, bindparam("payload"))
    return select(put.c.telling, notify, sa.func.set_config("synchronous_commit", "off", sa.true()))


_INSERT = _insert()


class SqlProgress(SqlPort):
    """Parts as rows. Each is told to all programs in the transaction that inserts it."""

    @writes
    def tell(
        self, tx: Transaction, run: RunId, after: Position, events: Sequence[Event]
    ) -> Position:
        number, is_end = after.number + 1, isinstance(events[-1], Answered | Apologised)
        of = progress.c
        is_mine = (of.run == run) & (of.telling == after.telling) & (of.number == number)
        if tx.may_be_done and tx.exists(is_mine):
            return Position(after.telling, number)
        if not after.telling:
            tx.fence(run)
        values = {
            "of": run,
            "after": after.telling,
            "next": number,
            "text": dump(tuple(events), _EVENTS),
            "now": tx.at,
            "payload": format_payload(Topic.PROGRESS, f"{run} {ENDED if is_end else number}"),
        }
        telling: int = tx.execute(_INSERT, values).one()[0]
        return Position(telling, number)

    @reads
    def read(
        self, tx: Transaction, run: RunId, after: Position
    ) -> tuple[Position, Sequence[Event]]:
        found = {"of": run, "after": after.telling, "last": after.number}
        events = list[Event]()
        for row in tx.execute(_LATER, found):
            after = Position(row.telling, row.number)
            try:
                events += load(_EVENTS, row.body)
            except ValueError as error:  # a newer program's
                log.warning("progress skipped", run=run, why=str(error))
        return after, events

    @writes
    def clear(self, tx: Transaction, older_than: timedelta) -> None:
        tx.execute(_CLEAR, {"before": tx.at - older_than.total_seconds()})
