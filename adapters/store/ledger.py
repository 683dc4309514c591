"""What was posted, and what was taken, in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b

from sqlalchemy import Connection, bindparam, delete, select

from adapters.store.bodies import now, seconds
from adapters.store.database import Database
from adapters.store.rows import Rows, put
from adapters.store.schema import deliveries, seen
from adapters.store.upserts import fresh
from pipeline.ports import Clock, Posting

_RECEIPTS = select(deliveries.c.key, deliveries.c.receipt).where(
    deliveries.c.key.in_(bindparam("wanted", expanding=True))
)
_OLD = delete(seen).where(seen.c.at < bindparam("moment"))


@dataclass(frozen=True, slots=True)
class SqlLedger:
    """Posts and their receipts."""

    database: Database
    clock: Clock = now

    async def begin(self, key: str) -> tuple[Posting, str]:
        row = {"key": key, "begun_at": seconds(self.clock())}
        return await self.database.merge(_begin, row)

    async def done(self, key: str, receipt: str) -> None:
        row = {"key": key, "receipt": receipt, "begun_at": seconds(self.clock())}
        await self.database.merge(put, Rows({deliveries: [row]}))


@dataclass(slots=True)
class SqlSeen:
    """Keys asked about within `kept`. Older ones are dropped now and then, while others are noted."""

    database: Database
    clock: Clock = now
    kept: timedelta = timedelta(days=2)
    _pruned: datetime | None = field(default=None, init=False)

    async def first(self, key: str) -> bool:
        moment = self.clock()
        if self._pruned is None or moment - self._pruned > timedelta(hours=1):
            self._pruned = moment
            await self._prune(seconds(moment - self.kept))
        row = {
            "key": blake2b(key.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest(),
            "at": seconds(moment),
        }
        return await self.database.merge(_first, row)

    async def _prune(self, before: float) -> None:
        def write(connection: Connection) -> None:
            connection.execute(_OLD, {"moment": before})

        await self.database.write(write)


def _begin(
    connection: Connection, rows: Sequence[Mapping[str, object]]
) -> list[tuple[Posting, str]]:
    new = fresh(connection, deliveries.c.key, rows)
    if all(new):
        return [(Posting.FRESH, "")] * len(rows)
    known = [row["key"] for row, is_new in zip(rows, new, strict=True) if not is_new]
    receipts = {row.key: row.receipt for row in connection.execute(_RECEIPTS, {"wanted": known})}
    return [
        (Posting.FRESH, "") if is_new else _posted(receipts[row["key"]])
        for row, is_new in zip(rows, new, strict=True)
    ]


def _posted(receipt: str | None) -> tuple[Posting, str]:
    return (Posting.UNSURE, "") if receipt is None else (Posting.POSTED, receipt)


def _first(connection: Connection, rows: Sequence[Mapping[str, object]]) -> list[bool]:
    return fresh(connection, seen.c.key, rows)
