"""Copies all rows of an SQLite file into an empty database on a server, in one transaction."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import Connection, Table

from adapters.store.database import parse_address
from adapters.store.faults import FAULTS, explain_at_start
from adapters.store.opening import open_database
from adapters.store.schema import metadata
from adapters.store.transactions import Transaction, insert_into
from pipeline.errors import SettingsError, StoreUnavailable
from pipeline.outage import limit_patience
from pipeline.ports import read_clock

_AT_ONCE = 500
"""Rows of one statement."""
_LEFT_OUT = frozenset({"leases", "programs", "progress", "rate_limits", "compatibility"})
"""What programs do at the moment, and which of them may use these tables: not to be kept."""
_EVIDENCE = ("threads", "turns", "runs", "inbox", "channel_settings", "installations")
"""Tables that tell whether a database is in use."""


async def copy_rows(source: Path, url: str) -> int:
    """Copy the rows of an SQLite file; returns how many.

    Both have the newest tables already, and nobody writes to either. All rows are copied, or none.
    Raises SettingsError, also if there is something in the database at the address already.
    """
    address = parse_address(url)
    async with open_database(address, read_clock) as database:
        try:
            with limit_patience(0):
                return await database.write(lambda tx: _copy_tables(source, tx), durable=True)
        except (StoreUnavailable, *FAULTS) as error:
            raise explain_at_start(error.__cause__ or error, address) from error


def _copy_tables(source: Path, tx: Transaction) -> int:
    tables = [each for each in metadata.sorted_tables if each.name not in _LEFT_OUT]
    if any(_has_rows(tx, metadata.tables[name]) for name in _EVIDENCE):
        raise SettingsError("copy-not-empty")
    with closing(sqlite3.connect(f"file:{source}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return sum(_copy_table(connection, table, tx.connection) for table in tables)


def _has_rows(tx: Transaction, table: Table) -> bool:
    return tx.scalar(sa.select(sa.literal(1)).select_from(table).limit(1)) is not None


def _copy_table(source: sqlite3.Connection, table: Table, target: Connection) -> int:
    """Copy one table. What is there already under the same key stays: the cache of a start."""
    insert = insert_into(target.dialect.name, table).on_conflict_do_nothing()
    count = 0
    for rows in _read_rows(source, table):
        target.execute(insert, rows)
        count += len(rows)
    column = table.autoincrement_column
    if column is not None and target.dialect.name == "postgresql":
        last = sa.select(sa.func.max(column)).scalar_subquery()
        counter = sa.func.pg_get_serial_sequence(table.name, column.name)
        target.execute(sa.select(sa.func.setval(counter, last)).where(last.is_not(None)))
    return count


def _read_rows(
    source: sqlite3.Connection, table: Table
) -> Iterator[Sequence[Mapping[str, object]]]:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    cursor = source.execute(f'SELECT {names} FROM "{table.name}"')  # noqa: S608 - our own names
    while rows := cursor.fetchmany(_AT_ONCE):
        yield [
            {column.name: _convert(row[column.name], column) for column in table.columns}
            for row in rows
        ]


def _convert(value: object, column: sa.Column[object]) -> object:
    """A value of SQLite as a server takes it: it knows truth values, and no NUL in texts."""
    if isinstance(column.type, sa.Boolean) and value is not None:
        return bool(value)
    return value.replace("\0", "") if isinstance(value, str) else value
