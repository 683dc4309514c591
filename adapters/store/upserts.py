"""Inserts that meet a row that is there already. Built once per table, since building costs more than running."""

from functools import cache

from sqlalchemy import Connection, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite


def kept_first(connection: Connection, table: Table) -> Insert:
    """Insert; rows whose key is there already are left as they are."""
    return _kept_first(connection.dialect.name, table)


def replaced(connection: Connection, table: Table, key: str | tuple[str, ...] = ()) -> Insert:
    """Insert; rows with the same `key` (default: primary key) get the new values."""
    return _replaced(connection.dialect.name, table, key)


@cache
def _kept_first(dialect: str, table: Table) -> Insert:
    if dialect == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


@cache
def _replaced(dialect: str, table: Table, key: str | tuple[str, ...]) -> Insert:
    insert = postgresql.insert(table) if dialect == "postgresql" else sqlite.insert(table)
    keys = (key,) if isinstance(key, str) else key or tuple(table.primary_key.columns.keys())
    kept = {*keys, *table.primary_key.columns.keys()}
    return insert.on_conflict_do_update(
        index_elements=keys,
        set_={
            column.name: insert.excluded[column.name]
            for column in table.columns
            if column.name not in kept
        },
    )
