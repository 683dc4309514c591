"""The port for questions on tables: an engine that carries out queries."""

from collections.abc import Sequence
from typing import Protocol

from pipeline.domain import Blob, QueryResult, TableInfo
from pipeline.queues import FIRST, Ticket


class TableEngine(Protocol):
    """Carries out queries on the tables of files, and on nothing else."""

    async def describe(self, blobs: Sequence[Blob], ticket: Ticket = FIRST) -> Sequence[TableInfo]:
        """The tables of these files. Raises MediaError."""

    async def query(self, blobs: Sequence[Blob], sql: str, ticket: Ticket = FIRST) -> QueryResult:
        """Carry out one SELECT. Raises MediaError."""
