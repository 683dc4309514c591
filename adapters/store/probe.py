"""Whether the database keeps what it is given, for the health check."""

import secrets
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy import bindparam, select

from adapters.store.database import SqlPort
from adapters.store.schema import catalogue, inbox
from adapters.store.transactions import Transaction
from pipeline.errors import StoreDamaged

_VALUE = select(catalogue.c.body).where(catalogue.c.key == bindparam("of"))
_WAITING = select(inbox.c.run).where(inbox.c.finished == sa.false()).limit(1)


@dataclass(slots=True)
class SqlProbe(SqlPort):
    """Writes a fresh value and reads it back from disk.

    Under a key of its own, since other programs on the database do the same.
    """

    key: str = field(default_factory=lambda: f"readyz {secrets.token_hex(8)}")

    async def check(self) -> None:
        """Raises StoreUnavailable if messages could be lost."""
        value = secrets.token_hex(8)
        await self.database.write(
            lambda tx: tx.put(catalogue, {"key": self.key, "body": value, "fetched_at": tx.at}),
            durable=True,
        )
        if await self.database.reread(self._read) != value:
            raise StoreDamaged("store-damaged")

    def _read(self, tx: Transaction) -> str | None:
        tx.execute(_WAITING).all()
        value: str | None = tx.scalar(_VALUE, {"of": self.key})
        return value
