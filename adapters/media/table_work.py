"""What workers do for `DuckTables`: apart from it, since they load DuckDB and no ports."""

from adapters.media.bounds import Bounds
from pipeline.domain import Blob, QueryResult, TableInfo


def describe(blobs: list[Blob], bounds: Bounds) -> list[TableInfo]:
    """As `queries.describe`."""
    from adapters.media import queries

    return queries.describe(blobs, bounds)


def query(blobs: list[Blob], sql: str, bounds: Bounds) -> QueryResult:
    """As `queries.run`."""
    from adapters.media import queries

    return queries.run(blobs, sql, bounds)
