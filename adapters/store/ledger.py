"""What was posted, and what was taken, in the database."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b

from sqlalchemy import Connection, bindparam, delete, select

from adapters.store.bodies import now, seconds
from adapters.store.database import Database
from adapters.store.schema import deliveries, seen
from adapters.store.upserts import kept_first, replaced
from pipeline.ports import Clock, Posting

_RECEIPT = select(deliveries.c.receipt).where(deliveries.c.key == bindparam("wanted"))
_OLD = delete(seen).where(seen.c.at < bindparam("moment"))


@dataclass(frozen=True, slots=True)
class SqlLedger:
    """Posts and their receipts."""

    database: Database
    clock: Clock = now

    async def begin(self, key: str) -> tuple[Posting, str]:
        row = {"key": key, "begun_at": seconds(self.clock())}

        def write(connection: Connection) -> tuple[Posting, str]:
            if connection.execute(kept_first(connection, deliveries), row).rowcount:
                return Posting.FRESH, ""
            receipt: str | None = connection.scalar(_RECEIPT, {"wanted": key})
            return (Posting.UNSURE, "") if receipt is None else (Posting.POSTED, receipt)

        return await self.database.write(write)

    async def done(self, key: str, receipt: str) -> None:
        row = {"key": key, "receipt": receipt, "begun_at": seconds(self.clock())}

        def write(connection: Connection) -> None:
            connection.execute(replaced(connection, deliveries), row)

        await self.database.write(write)


@dataclass(slots=True)
class SqlSeen:
    """Keys asked about within `kept`. Older ones are dropped now and then, while others are noted."""

    database: Database
    clock: Clock = now
    kept: timedelta = timedelta(days=2)
    _pruned: datetime | None = field(default=None, init=False)

    async def first(self, key: str) -> bool:
        moment = self.clock()
        row = {
            "key": blake2b(key.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest(),
            "at": seconds(moment),
        }
        due = self._pruned is None or moment - self._pruned > timedelta(hours=1)
        self._pruned = moment if due else self._pruned

        def write(connection: Connection) -> bool:
            if due:
                connection.execute(_OLD, {"moment": seconds(moment - self.kept)})
            return connection.execute(kept_first(connection, seen), row).rowcount > 0

        return await self.database.write(write)
