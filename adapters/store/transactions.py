"""Transactions: what the ports do in them, the same for both databases."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Table
from sqlalchemy.dialects.sqlite import Insert

from adapters.store.run_leases import SELECT_OURS, RunLeases
from adapters.store.schema import file_uses
from pipeline.domain import Channel, RunId, Thread
from pipeline.errors import LeaseLost

Row = Mapping[str, object]
_UPLOAD = re.compile(r"file:.{64}")


class Transaction:
    """A connection in a transaction; `at` is when it began, in seconds since 1970.

    `may_be_done`: the connection broke at the end of an earlier attempt, which may be committed.
    """

    def __init__(
        self,
        connection: Connection,
        at: float,
        run_leases: RunLeases,
        *,
        may_be_done: bool = False,
    ) -> None:
        self.connection, self.at, self.may_be_done = connection, at, may_be_done
        self.run_leases = run_leases
        self.execute, self.scalar = connection.execute, connection.scalar
        self.scalars = connection.scalars

    def fence(self, run: str) -> None:
        """Check that this program may write for a run. Raises LeaseLost: see `RunLeases`."""
        self.run_leases.fence(self.connection, run)

    def exists(self, *conditions: sa.ColumnElement[bool]) -> bool:
        return bool(self.scalar(sa.select(sa.exists().where(*conditions))))

    def insert(self, table: Table) -> Insert:
        """An INSERT of this database's dialect, which knows ON CONFLICT."""
        return insert_into(self.connection.dialect.name, table)

    def add(self, table: Table, *rows: Row) -> bool:
        """Insert the rows whose keys are not there already; False for a single one that is."""
        insert = _insert_absent(self.connection.dialect.name, table)
        return bool(rows) and self.execute(insert, rows).rowcount > 0

    def add_of_run(self, run: str, table: Table, row: Row, *, overwrites: str = "") -> bool:
        """Insert a row of a run; return whether it is new.

        One that is there already stays, or its column `overwrites` gets the new value. If this
        program has taken the run, all is one statement with the check of `fence`. Raises LeaseLost.
        """
        attempt = self.run_leases.find_attempt(run)
        if attempt is None:
            if not overwrites:
                return self.add(table, row)
            self.put(table, row)
            return True
        values = {f"new_{name}": value for name, value in row.items()}
        statement = _insert_fenced(table, tuple(row), overwrites)
        found = self.execute(statement, {**values, "wanted": run, "attempt": attempt}).one()
        if not found.held:
            self.run_leases.lose(RunId(run))
            raise LeaseLost("lease-lost")
        return bool(found.put)

    def put(self, table: Table, *rows: Row, key: str = "") -> None:
        """Insert rows; those with the same `key` (default: primary key) get the new values."""
        if rows:
            self.execute(_upsert(self.connection.dialect.name, table, key), rows)

    def refer_to_files(self, owner: str, *texts: str) -> None:
        """Record which files an owner (a turn by its key, a run by `run_owner`) refers to.

        Parses the JSON, so that a hash that somebody typed is not taken for a reference.
        """
        hashes = set().union(*map(_find_files, texts))
        self.add(file_uses, *({"owner": owner, "hash": name} for name in hashes))


def workspace_key(channel: Channel) -> str:
    return f"{channel.platform}:{channel.workspace}"


def place_of(thread: Thread) -> Row:
    """The columns `thread`, `channel` and `workspace` of a row."""
    channel = thread.channel
    return {"thread": thread.key, "channel": channel.key, "workspace": workspace_key(channel)}


def run_owner(run: str) -> str:
    """A run as an owner of files. The bot's turn has the id of the run as its key."""
    return f"run {run}"


def may_mention_files(text: str) -> bool:
    """False for most values, which need not be parsed."""
    return '"media_type"' in text or '"file:' in text


def _find_files(text: str) -> set[str]:
    """Hashes of the attachments and uploads in a JSON text."""
    hashes = set[str]()

    def note_file(fields: dict[str, object]) -> None:
        match fields:
            case {"hash": str(name), "media_type": str(), "size": int()}:
                hashes.add(name)
            case {"url": str(url), "name": str()} if _UPLOAD.fullmatch(url):
                hashes.add(url.removeprefix("file:"))

    if may_mention_files(text):
        with suppress(ValueError, RecursionError):
            json.loads(text, object_hook=note_file)
    return hashes


def insert_into(dialect: str, table: Table) -> Insert:
    """The INSERT of a dialect; both support ON CONFLICT in the same way."""
    # Only one of them is imported: PostgreSQL's takes a quarter of a second.
    insert: Insert = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    return insert


@cache
def _insert_fenced(table: Table, names: tuple[str, ...], overwrites: str) -> sa.Select[Any]:
    """How many rows say that a run is ours (one or none), and how many were inserted or changed."""
    held = SELECT_OURS.cte("held")
    new = [sa.bindparam(f"new_{name}", type_=table.c[name].type) for name in names]
    insert = insert_into("postgresql", table)
    insert = insert.from_select(list(names), sa.select(*new).select_from(held))
    if overwrites:
        insert = insert.on_conflict_do_update(
            index_elements=list(table.primary_key),
            set_={overwrites: insert.excluded[overwrites]},
        )
    else:
        insert = insert.on_conflict_do_nothing()
    put = insert.returning(*table.primary_key).cte("put")
    count = sa.func.count
    return sa.select(
        sa.select(count()).select_from(held).scalar_subquery().label("held"),
        sa.select(count()).select_from(put).scalar_subquery().label("put"),
    )


# Cached, because building a statement takes longer than running it.
@cache
def _insert_absent(dialect: str, table: Table) -> Insert:
    return insert_into(dialect, table).on_conflict_do_nothing()


@cache
def _upsert(dialect: str, table: Table, key: str) -> Insert:
    statement = insert_into(dialect, table)
    primary = table.primary_key.columns.keys()
    keys = [key] if key else primary
    new = {each.name: each for each in statement.excluded if each.name not in (*keys, *primary)}
    return statement.on_conflict_do_update(index_elements=keys, set_=new)
