"""Queries on tables by DuckDB in worker processes: port `TableEngine`."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from adapters.media import queries
from adapters.media.bounds import Bounds
from adapters.media.worker_calls import run_decoder
from pipeline.domain import Blob, QueryResult, TableInfo
from pipeline.ports import Workers
from pipeline.queues import FIRST, Ticket

T = TypeVar("T")
_SECONDS = 60.0
"""The end of a process whose engine does not stop by itself."""


class DuckTables:
    """DuckDB in the sandbox of the workers: no network, and none of our files."""

    def __init__(self, workers: Workers, bounds: Bounds | None = None) -> None:
        self._workers = workers
        self._bounds = bounds or Bounds()

    async def describe(self, blobs: Sequence[Blob], ticket: Ticket = FIRST) -> Sequence[TableInfo]:
        return await self._run(queries.describe, [*blobs], self._bounds, ticket=ticket)

    async def query(self, blobs: Sequence[Blob], sql: str, ticket: Ticket = FIRST) -> QueryResult:
        return await self._run(queries.run, [*blobs], sql, self._bounds, ticket=ticket)

    async def _run(self, work: Callable[..., T], *args: object, ticket: Ticket) -> T:
        return await run_decoder(self._workers, work, *args, ticket=ticket, seconds=_SECONDS)
