"""The journal in the database."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from adapters.store.bodies import now, run_owner, seconds, uses, whole
from adapters.store.database import Database
from adapters.store.rows import Rows, put
from adapters.store.schema import file_uses, journal
from pipeline.domain import RunId
from pipeline.ports import Clock

_RECALL = select(journal.c.step, journal.c.value).where(journal.c.run == bindparam("wanted"))


@dataclass(frozen=True, slots=True)
class SqlJournal:
    """Steps of runs by name."""

    database: Database
    clock: Clock = now

    async def recall(self, run: RunId) -> Mapping[str, str]:
        def read(connection: Connection) -> dict[str, str]:
            return {row.step: row.value for row in connection.execute(_RECALL, {"wanted": run})}

        return await self.database.read(read)

    async def record(self, run: RunId, step: str, value: str) -> None:
        kept = whole(value)
        row = {"run": run, "step": step, "value": kept, "at": seconds(self.clock())}
        used = uses(run_owner(run), kept)
        await self.database.merge(put, Rows({journal: [row], file_uses: used}))
