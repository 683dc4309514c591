"""What was fetched from elsewhere, in the database."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, bindparam, select

from adapters.store.bodies import now, seconds, whole
from adapters.store.database import Database
from adapters.store.rows import Rows, put
from adapters.store.schema import catalogue
from pipeline.ports import Cached, Clock

_GET = select(catalogue.c.body, catalogue.c.fetched_at).where(
    catalogue.c.key == bindparam("wanted")
)


@dataclass(frozen=True, slots=True)
class SqlCache:
    """Values by key, the newest each."""

    database: Database
    clock: Clock = now

    async def get(self, key: str) -> Cached | None:
        def read(connection: Connection) -> Cached | None:
            row = connection.execute(_GET, {"wanted": key}).one_or_none()
            return row and Cached(row.body, datetime.fromtimestamp(row.fetched_at, UTC))

        return await self.database.read(read)

    async def put(self, key: str, value: str) -> None:
        row = {"key": key, "body": whole(value), "fetched_at": seconds(self.clock())}
        await self.database.merge(put, Rows({catalogue: [row]}))
