"""Domain values as the texts that are stored, and the files they refer to."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar, cast

import structlog
from sqlalchemy import Connection, Table
from sqlalchemy.dialects.sqlite import Insert, insert

from adapters.store.database import Database
from adapters.store.schema import file_uses
from pipeline.codec import dump, load
from pipeline.domain import Channel
from pipeline.ports import Clock

log = structlog.get_logger()

T = TypeVar("T")
Row = Mapping[str, object]

_HASH_LENGTH = 64


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class SqlPort:
    """What every port on the database has."""

    database: Database
    clock: Clock = now


def workspace_key(channel: Channel) -> str:
    return f"{channel.platform}:{channel.workspace}"


def dump_value(value: object, as_type: object = None) -> str:
    return escape_surrogates(dump(value, as_type))


def escape_surrogates(text: str) -> str:
    """The JSON text as every database takes it: some clients send half a surrogate pair."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def load_value(as_type: type[T], text: str | None, *, key: str) -> T | None:
    """The stored value; None when there is none, or none that this program can read.

    A value may be damaged, of a newer program, or name a kind of task that no longer exists.
    """
    if text is None:
        return None
    try:
        return load(as_type, text)
    except ValueError as error:
        name = getattr(as_type, "__name__", str(as_type))
        log.warning("stored value skipped", of=name, key=key, why=type(error.__cause__).__name__)
        return None


def load_union(union: object, text: str | None, *, key: str) -> Any:  # noqa: ANN401 - its members
    """As `load_value`, for a union such as Event or Outcome."""
    return load_value(cast("type[Any]", union), text, key=key)


def find_files(*texts: str) -> set[str]:
    """Hashes of the files that stored values refer to: of their attachments and uploads.

    Reads the values, not the text: a hash that somebody wrote in a message is no reference.
    """
    return {found for text in texts for found in _files_in(_parse(text))}


def _parse(text: str) -> object:
    # Most values have no files: they are told apart without being parsed.
    if '"media_type"' not in text and '"file:' not in text:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _files_in(value: object) -> Iterator[str]:
    left = [value]
    while left:
        match left.pop():
            case {"hash": str(name), "media_type": str(), "size": int()}:
                yield name
            case {"url": str(url), "name": str(), **rest}:
                name = url.removeprefix("file:")
                if name != url and len(name) == _HASH_LENGTH:
                    yield name
                left.extend(rest.values())
            case dict(fields):
                left.extend(fields.values())
            case list(items):
                left.extend(items)
            case _:
                pass


def refer_to_files(connection: Connection, owner: str, *texts: str) -> None:
    """Note which files an owner (a turn by its key, a run by `run_owner`) refers to."""
    rows = [{"owner": owner, "hash": name} for name in find_files(*texts)]
    if rows:
        connection.execute(insert_absent(connection, file_uses), rows)


def run_owner(run: str) -> str:
    """A run as an owner of files: told apart from the bot's turn, which has the same key."""
    return f"run {run}"


def insert_absent(connection: Connection, table: Table) -> Insert:
    """An insert that leaves rows alone whose key is there already."""
    return _insert_absent(connection.dialect.name, table)


def upsert(connection: Connection, table: Table, key: str = "") -> Insert:
    """An insert that gives rows with the same `key` (default: primary key) the new values."""
    return _upsert(connection.dialect.name, table, key)


def add_row(connection: Connection, table: Table, row: Row) -> bool:
    """Insert a row; False when its key is there already."""
    return connection.execute(insert_absent(connection, table), row).rowcount > 0


def put_rows(connection: Connection, table: Table, rows: Sequence[Row], key: str = "") -> None:
    if rows:
        connection.execute(upsert(connection, table, key), rows)


def insert_into(dialect: str, table: Table) -> Insert:
    """An insert of this database's own; those of the two have the same methods."""
    if dialect == "sqlite":
        return insert(table)
    # Imported here: it takes a quarter of a second, which only those who use it need to spend.
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415

    return cast("Insert", postgresql.insert(table))


# Statements are built once for each table: that costs more than to run them.
@cache
def _insert_absent(dialect: str, table: Table) -> Insert:
    return insert_into(dialect, table).on_conflict_do_nothing()


@cache
def _upsert(dialect: str, table: Table, key: str) -> Insert:
    statement = insert_into(dialect, table)
    primary = tuple(table.primary_key.columns.keys())
    keys = (key,) if key else primary
    return statement.on_conflict_do_update(
        index_elements=keys,
        set_={
            column.name: statement.excluded[column.name]
            for column in table.columns
            if column.name not in {*keys, *primary}
        },
    )
