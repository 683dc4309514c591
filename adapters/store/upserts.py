"""Inserts that meet a row that is there already. Built once per table, since building costs more than running."""

from functools import cache
from typing import cast

from sqlalchemy import Connection, Table
from sqlalchemy.dialects.sqlite import Insert, insert


def kept_first(connection: Connection, table: Table) -> Insert:
    """Insert; rows whose key is there already are left as they are."""
    return _kept_first(connection.dialect.name, table)


def replaced(connection: Connection, table: Table, key: str | tuple[str, ...] = ()) -> Insert:
    """Insert; rows with the same `key` (default: primary key) get the new values."""
    return _replaced(connection.dialect.name, table, key)


def into(dialect: str, table: Table) -> Insert:
    """An insert of this database's own; those of the two have the same methods."""
    if dialect == "sqlite":
        return insert(table)
    # Imported here, since it takes a quarter of a second that only those who use it need to spend.
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    return cast("Insert", postgresql.insert(table))


@cache
def _kept_first(dialect: str, table: Table) -> Insert:
    return into(dialect, table).on_conflict_do_nothing()


@cache
def _replaced(dialect: str, table: Table, key: str | tuple[str, ...]) -> Insert:
    row = into(dialect, table)
    keys = (key,) if isinstance(key, str) else key or tuple(table.primary_key.columns.keys())
    kept = {*keys, *table.primary_key.columns.keys()}
    return row.on_conflict_do_update(
        index_elements=keys,
        set_={
            column.name: row.excluded[column.name]
            for column in table.columns
            if column.name not in kept
        },
    )
