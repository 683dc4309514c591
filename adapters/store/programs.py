"""The programs that serve a PostgreSQL database, and whether its clock is theirs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from adapters.store.database import SqlPort, reads, writes
from adapters.store.leases import DATABASE_NOW
from adapters.store.schema import programs
from adapters.store.transactions import Transaction
from pipeline.codec import dump, load

ALIVE_SECONDS = 15.0
"""After so long without a sign of life, a program counts no more."""
_LOCK = sa.text("SELECT pg_advisory_xact_lock(7270603)")
"""A number of its own: `postgres` has those of serving and of migrations."""
_TRAITS = dict[str, str]
_ALIVE = (
    select(programs)
    .where(programs.c.seen > DATABASE_NOW - ALIVE_SECONDS)
    .order_by(programs.c.started, programs.c.id)
)
_GONE = sa.delete(programs).where(programs.c.seen < DATABASE_NOW - 2 * ALIVE_SECONDS)
_LEAVE = sa.delete(programs).where(programs.c.id == bindparam("which"))
_CLOCK = select(DATABASE_NOW)


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program at work. `traits`: what must be the same for all, as fingerprints by name."""

    id: str
    host: str
    version: str
    traits: Mapping[str, str]
    started: datetime
    seen: datetime


class SqlPrograms(SqlPort):
    """The programs that serve the database, each with a row that it renews."""

    @writes
    def join(
        self, tx: Transaction, program: Program, check: Callable[[Sequence[Program]], None]
    ) -> None:
        """Add a program, unless `check` raises, which gets those at work already."""
        tx.execute(_LOCK)  # of two that start at once, one sees the other
        tx.execute(_GONE)
        check([each for each in _list_alive(tx) if each.id != program.id])
        self._put(tx, program)

    @writes
    def renew(self, tx: Transaction, program: Program) -> Sequence[Program]:
        """Give a sign of life. Returns the other programs at work."""
        self._put(tx, program)
        return [each for each in _list_alive(tx) if each.id != program.id]

    @writes
    def leave(self, tx: Transaction, id: str) -> None:  # noqa: A002 - a program's
        tx.execute(_LEAVE, {"which": id})

    @reads
    def list_alive(self, tx: Transaction) -> Sequence[Program]:
        """The programs at work, the one that started first first."""
        return _list_alive(tx)

    @reads
    def read_clock(self, tx: Transaction) -> float:
        """The database's clock, in seconds since 1970."""
        seconds: float = tx.execute(_CLOCK).scalar_one()
        return float(seconds)

    def _put(self, tx: Transaction, program: Program) -> None:
        insert = tx.insert(programs).values(
            id=program.id,
            host=program.host,
            version=program.version,
            traits=dump(dict(program.traits), _TRAITS),
            started=program.started.timestamp(),
            seen=DATABASE_NOW,
        )
        seen = {"seen": insert.excluded.seen}
        tx.execute(insert.on_conflict_do_update(index_elements=["id"], set_=seen))


def _list_alive(tx: Transaction) -> Sequence[Program]:
    return [
        Program(
            id=row.id,
            host=row.host,
            version=row.version,
            traits=load(_TRAITS, row.traits),
            started=datetime.fromtimestamp(row.started, UTC),
            seen=datetime.fromtimestamp(row.seen, UTC),
        )
        for row in tx.execute(_ALIVE)
    ]
