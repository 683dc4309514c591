"""Whether the database keeps what it is given, for the health check."""

import secrets

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.database import SqlPort
from adapters.store.schema import catalogue, inbox
from adapters.store.transactions import Transaction
from pipeline.errors import StoreDamaged

_KEY = "readyz"
_VALUE = select(catalogue.c.body).where(catalogue.c.key == _KEY)
_WAITING = select(inbox.c.run).where(inbox.c.finished == sa.false()).limit(1)


class SqlProbe(SqlPort):
    """Writes a fresh value and reads it back from disk."""

    async def check(self) -> None:
        """Raises StoreUnavailable if messages could be lost."""
        value = secrets.token_hex(8)
        await self.database.write(
            lambda tx: tx.put(catalogue, {"key": _KEY, "body": value, "fetched_at": tx.at}),
            durable=True,
        )
        if await self.database.reread(_read) != value:
            raise StoreDamaged("store-damaged")


def _read(tx: Transaction) -> str | None:
    tx.execute(_WAITING).all()
    value: str | None = tx.scalar(_VALUE)
    return value
