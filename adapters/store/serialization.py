"""Domain values as the texts that are stored, the files they refer to, and how rows get in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, TypeVar, cast

import structlog
from sqlalchemy import ColumnElement, Connection, Table, select
from sqlalchemy import exists as sa_exists
from sqlalchemy.dialects.sqlite import Insert

from adapters.store.schema import file_uses
from pipeline.codec import dump, load
from pipeline.domain import Channel, Thread

log = structlog.get_logger()

T = TypeVar("T")
Row = Mapping[str, object]

_HASH_LENGTH = 64


def workspace_key(channel: Channel) -> str:
    return f"{channel.platform}:{channel.workspace}"


def place_of(thread: Thread) -> Row:
    """The columns that say where a row belongs."""
    channel = thread.channel
    return {"thread": thread.key, "channel": channel.key, "workspace": workspace_key(channel)}


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


def run_owner(run: str) -> str:
    """A run as an owner of files: told apart from the bot's turn, which has the same key."""
    return f"run {run}"


def refer_to_files(connection: Connection, owner: str, *texts: str) -> None:
    """Note which files an owner (a turn by its key, a run by `run_owner`) refers to.

    Reads the values, not the text: a hash that somebody wrote in a message is no reference.
    """
    # Most values have no files: they are told apart without being parsed.
    parsed = [_parse(text) for text in texts if '"media_type"' in text or '"file:' in text]
    hashes = set(_find_files(parsed))
    add_rows(connection, file_uses, [{"owner": owner, "hash": name} for name in hashes])


def _parse(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _find_files(value: object) -> Iterator[str]:
    """Hashes of the attachments and uploads in a JSON value."""
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


def exists(connection: Connection, *conditions: ColumnElement[bool]) -> bool:
    return bool(connection.scalar(select(sa_exists().where(*conditions))))


def add_row(connection: Connection, table: Table, row: Row) -> bool:
    """Insert a row; False when its key is there already."""
    return connection.execute(_insert_absent(connection.dialect.name, table), row).rowcount > 0


def add_rows(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Insert rows whose keys are not there already."""
    if rows:
        connection.execute(_insert_absent(connection.dialect.name, table), rows)


def put_rows(connection: Connection, table: Table, *rows: Row, key: str = "") -> None:
    """Insert rows; those with the same `key` (default: primary key) get the new values."""
    if rows:
        connection.execute(_upsert(connection.dialect.name, table, key), rows)


def insert_into(dialect: str, table: Table) -> Insert:
    """An insert of this database's own; those of the two have the same methods."""
    # Only one of them is imported: PostgreSQL's takes a quarter of a second.
    insert: Insert = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    return insert


# Statements are built once for each table: that costs more than to run them.
@cache
def _insert_absent(dialect: str, table: Table) -> Insert:
    return insert_into(dialect, table).on_conflict_do_nothing()


@cache
def _upsert(dialect: str, table: Table, key: str) -> Insert:
    statement = insert_into(dialect, table)
    keys = {key} if key else set(table.primary_key.columns.keys())
    fixed = keys | set(table.primary_key.columns.keys())
    new = {column.name: column for column in statement.excluded if column.name not in fixed}
    return statement.on_conflict_do_update(index_elements=[*keys], set_=new)
