"""Leases: rows that one program after the other owns, or none where only one can be at work."""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import bindparam

from adapters.store.database import SqlPort, writes_once
from adapters.store.schema import leases
from adapters.store.transactions import Transaction

DATABASE_NOW = sa.func.extract("epoch", sa.func.clock_timestamp())
"""The clock of a PostgreSQL server, in seconds since 1970."""

_RELEASE = sa.delete(leases).where(
    leases.c.name == bindparam("which"), leases.c.owner == bindparam("holder")
)


@dataclass(slots=True)
class SqlLeases(SqlPort):
    """Leases in PostgreSQL. `program` is the id of this program, another one at each start."""

    program: str

    @writes_once
    def acquire(self, tx: Transaction, name: str, seconds: float) -> bool:
        values = {"name": name, "owner": self.program, "until": DATABASE_NOW + seconds}
        insert = tx.insert(leases).values(values)
        is_free = (leases.c.owner == self.program) | (leases.c.until < DATABASE_NOW)
        take = insert.on_conflict_do_update(
            index_elements=["name"],
            set_={"owner": insert.excluded.owner, "until": insert.excluded.until},
            where=is_free,
        )
        return tx.scalar(take.returning(leases.c.name)) is not None

    @writes_once
    def release(self, tx: Transaction, name: str) -> None:
        tx.execute(_RELEASE, {"which": name, "holder": self.program})


class SoleLeases:
    """Leases where only one program can be at work: it has them all."""

    async def acquire(self, name: str, seconds: float) -> bool:  # noqa: ARG002 - the port's
        return True

    async def release(self, name: str) -> None:
        """Nothing: nobody waits for it."""
