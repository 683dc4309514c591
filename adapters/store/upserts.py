"""Inserts that meet a row that is there already. Built once per table, since building costs more than running."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from sqlalchemy import Column, Connection, Table
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlalchemy.sql.dml import ReturningInsert


def kept_first(connection: Connection, table: Table) -> Insert:
    """Insert; rows whose key is there already are left as they are."""
    return _kept_first(connection.dialect.name, table)


def replaced(connection: Connection, table: Table, key: str | tuple[str, ...] = ()) -> Insert:
    """Insert; rows with the same `key` (default: primary key) get the new values."""
    return _replaced(connection.dialect.name, table, key)


def fresh(
    connection: Connection, key: Column[str], rows: Sequence[Mapping[str, object]]
) -> list[bool]:
    """Insert the rows whose key is not there yet, and tell which those were; of several with one key, the first."""
    new = set(connection.scalars(_fresh(connection.dialect.name, key), rows))
    told = []
    for row in rows:
        told.append(row[key.name] in new)
        new.discard(cast("str", row[key.name]))
    return told


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
def _fresh(dialect: str, key: Column[str]) -> ReturningInsert[Any]:
    return into(dialect, key.table).on_conflict_do_nothing().returning(key)


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
