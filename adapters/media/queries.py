"""SELECTs on the tables of a file, carried out by DuckDB. Runs in a worker.

The engine holds copies of the tables and nothing else. A query is read by DuckDB's own parser, and
may name these tables and functions without effects; besides, the engine is closed to files,
extensions and settings, and bounded in memory and time. See docs/adr/0171. The program imports this
module, too, to name its work; only a worker loads DuckDB.
"""

import csv
import gc
import hashlib
import json
import re
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

from adapters.media import tables
from adapters.media.bounds import Bounds
from adapters.media.column_types import TEXT, Column, find_types
from pipeline.domain import Blob, LocalizedText, QueryResult, TableColumn, TableInfo
from pipeline.errors import MediaError

SECONDS = 10.0
_MEMORY = "1GB"
_THREADS = 2
_MOST_ROWS = 1_000_000
"""Rows of a table."""
_MOST_CELLS = 5_000_000
"""Cells of a table."""
_MOST_TABLES = 20
"""Tables of all files."""
_MOST_COLUMNS = 200
"""Columns of a table."""
_SHOWN_ROWS = 50
"""Rows of a result that are shown."""
_FILED_ROWS = 100_000
"""Rows of a result that go into its file."""
_FIRST = 3
"""Rows from the beginning of a table that are shown to the model."""
_LAST = 2
"""Rows from its end."""
_FEW = 12
"""Distinct values of a column that are few enough to be listed."""
_LONGEST_NAME = 60
"""Characters of a column's name."""
_LONGEST_SAMPLE = 60
"""Characters of a value that is shown."""
_LONGEST_CELL = 1_000
"""Characters of a value of a result."""
_LONGEST_QUERY = 10_000
"""Characters."""
_LONGEST_PROBLEM = 400
"""Characters of what is wrong with a query."""
_CONFIG: Mapping[str, Any] = {
    "threads": _THREADS,
    "memory_limit": _MEMORY,
    "temp_directory": "",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_unsigned_extensions": False,
    "python_enable_replacements": False,
}
_CLOSE = ("SET enable_external_access = false", "SET lock_configuration = true")
_SOURCES = frozenset({"unnest", "range", "generate_series"})
"""The functions that may stand where a table does."""
_OF_THE_SESSION = re.compile(
    r"current_(?!date$|timestamp$|time$|localtime).*|get(?:env|variable)|version|in_search_path"
    r"|txid_.*|(?:pg|duckdb|pragma|has|__internal)_.*|(?:session_)?user|stats|vector_type"
)
"""Functions that tell of the engine instead of the tables."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


class _Refused(Exception):
    """A query that is not carried out; the reason is for the one who wrote it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    """A table before it is given to the engine. `names` are unique."""

    name: str
    title: str
    names: list[str]
    columns: list[Column]
    notes: tuple[LocalizedText, ...] = ()


def describe(blobs: list[Blob], bounds: Bounds) -> list[TableInfo]:
    """The tables of these files. Raises MediaError."""
    loaded = _load(blobs, bounds)
    _KEPT[_identify(blobs)] = loaded
    return [_describe(table) for table in loaded]


def run(blobs: list[Blob], sql: str, bounds: Bounds) -> QueryResult:
    """The result of one SELECT on the tables of these files. Raises MediaError."""
    import duckdb

    loaded = _KEPT.pop(_identify(blobs), None) or _load(blobs, bounds)
    _KEPT.clear()
    with duckdb.connect(":memory:", config=dict(_CONFIG)) as engine:
        for table in loaded:
            _copy(engine, table)
        for statement in _CLOSE:
            engine.execute(statement)
        return _carry_out(engine, sql, {table.name for table in loaded})


def _carry_out(engine: Any, sql: str, own: set[str]) -> QueryResult:
    import duckdb

    try:
        _check(engine, sql, own)
        with _bounded(engine):
            return _read_result(engine.execute(sql))
    except _Refused as refused:
        return QueryResult(problem=str(refused))
    except duckdb.InterruptException:
        return QueryResult(problem=f"the query takes longer than {SECONDS:g} s")
    except duckdb.OutOfMemoryException:
        return QueryResult(problem=f"the query takes more than {_MEMORY} of memory")
    except duckdb.Error as error:
        return QueryResult(problem=_shorten(error))


_KEPT: dict[str, list[_Table]] = {}
"""What was described last, until it is asked: most queries follow at once, in the same process."""


def _shorten(error: Exception) -> str:
    """What is wrong, without the place in the query and without advice for operators."""
    problem = str(error).partition("\nLINE ")[0].partition("\n\n")[0]
    return " ".join(problem.split())[:_LONGEST_PROBLEM]


def _identify(blobs: Iterable[Blob]) -> str:
    digest = hashlib.sha256()
    for blob in blobs:
        digest.update(blob.original or blob.data)
    return digest.hexdigest()


def _load(blobs: Sequence[Blob], bounds: Bounds) -> list[_Table]:
    _KEPT.clear()
    gc.disable()  # millions of cells, none of which refers to another: half of the time
    try:
        return _read_tables(blobs, bounds)
    finally:
        gc.enable()


def _read_tables(blobs: Sequence[Blob], bounds: Bounds) -> list[_Table]:
    found: list[_Table] = []
    bounds = replace(bounds, rows=_MOST_ROWS, cells=_MOST_CELLS)
    for blob in blobs:
        source = replace(blob, data=blob.original, media_type="") if blob.original else blob
        for name, table in tables.read_all(source, bounds)[:_MOST_TABLES]:
            title = ": ".join(filter(None, (PurePosixPath(blob.name).stem, name)))
            found.append(_type_table(f"t{len(found) + 1}", title, table, are_plain=bool(name)))
    return found


def _type_table(name: str, title: str, table: tables.TableRows, *, are_plain: bool) -> _Table:
    """A table whose first row is its head. Raises MediaError for an empty or a huge one."""
    rows = table.rows
    if len(rows) < 2:  # noqa: PLR2004 - a head and a row
        raise MediaError("media-blank")
    width = min(max(map(len, rows)), _MOST_COLUMNS)
    if len(rows) * width > _MOST_CELLS:
        facts = {"rows": _MOST_ROWS, "cells": _MOST_CELLS}
        raise MediaError("media-sheet-too-large", sheet=title, **facts)
    head, *body = [
        row if len(row) == width else [*row[:width], *[""] * (width - len(row))] for row in rows
    ]
    columns = [list(map(str.strip, column)) for column in zip(*body, strict=True)]
    types = find_types(columns, are_plain=are_plain)
    return _Table(
        name=name, title=title, names=_name_columns(head), columns=types, notes=table.notes
    )


def _name_columns(head: Sequence[str]) -> list[str]:
    """The names of the columns, no two of them alike for DuckDB."""
    names: list[str] = []
    taken = set[str]()
    for place, cell in enumerate(head, 1):
        words = " ".join(_CONTROL.sub(" ", cell).split())[:_LONGEST_NAME] or f"column {place}"
        name, count = words, 1
        while name.casefold() in taken:
            count += 1
            name = f"{words} {count}"
        taken.add(name.casefold())
        names.append(name)
    return names


def _describe(table: _Table) -> TableInfo:
    rows = len(table.columns[0].values)
    places = [*range(min(_FIRST, rows)), *range(max(_FIRST, rows - _LAST), rows)]
    samples = tuple(
        tuple(column.values[place][:_LONGEST_SAMPLE] for column in table.columns)
        for place in places
    )
    columns = tuple(
        TableColumn(name, column.type, column.remark, _list_few(column))
        for name, column in zip(table.names, table.columns, strict=True)
    )
    return TableInfo(
        name=table.name,
        title=table.title,
        rows=rows,
        columns=columns,
        samples=samples,
        notes=table.notes,
    )


def _list_few(column: Column) -> tuple[str, ...]:
    """The distinct values of a column of texts, if they are few and short."""
    found = dict[str, None]()
    for value in column.values if column.type == TEXT else ():
        if value and value not in found:
            found[value] = None
            if len(found) > _FEW or len(value) > _LONGEST_SAMPLE:
                return ()
    return tuple(found)


def _copy(engine: Any, table: _Table) -> None:
    """Give a table to the engine, by a file that is gone afterwards."""
    pairs = zip(table.names, table.columns, strict=True)
    columns = ", ".join(f"{_quote(name)} {column.type}" for name, column in pairs)
    engine.execute(f"CREATE TABLE {_quote(table.name)} ({columns})")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
            rows = zip(*(column.values for column in table.columns), strict=True)
            csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
        options = "FORMAT csv, HEADER false, DELIMITER ',', QUOTE '\"', ESCAPE '\"', NULLSTR ''"
        path_text = str(path).replace("'", "''")
        engine.execute(
            f"COPY {_quote(table.name)} FROM '{path_text}' ({options}, AUTO_DETECT false,"
            f" ALLOW_QUOTED_NULLS true, NEW_LINE '\\n', MAX_LINE_SIZE 16000000)"
        )


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _check(engine: Any, sql: str, own: set[str]) -> None:
    """Raises _Refused for anything else than one SELECT on our tables, duckdb.Error for no SQL."""
    import duckdb

    if len(sql) > _LONGEST_QUERY:
        raise _Refused("the query is too long")
    statements = duckdb.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise _Refused("only one SELECT statement is carried out")
    row = engine.execute("SELECT json_serialize_sql(?::VARCHAR)", [sql]).fetchone()
    tree = json.loads(row[0]) if row else {}
    if tree.get("error"):
        raise _Refused("only one SELECT statement is carried out")
    nodes = [*_list_nodes(tree)]
    named = {str(entry["key"]).casefold() for node in nodes for entry in _list_ctes(node)}
    read = [node for node in nodes if node.get("type") == "BASE_TABLE"]
    for node in read:
        name = str(node["table_name"])
        is_ours = node["schema_name"] in ("", "main") and node["catalog_name"] in ("", "memory")
        if not is_ours or name.casefold() not in own | named:
            raise _Refused(f"there is no table {name[:_LONGEST_NAME]}")
    if not any(str(node["table_name"]).casefold() in own for node in read):
        raise _Refused("the query reads none of the tables")
    _check_functions(engine, nodes)


def _list_ctes(node: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The entries of the tables that a query defines for itself."""
    match node:
        case {"cte_map": {"map": list(entries)}}:
            return entries
        case _:
            return ()


def _check_functions(engine: Any, nodes: Sequence[Mapping[str, Any]]) -> None:
    """Raises _Refused for functions that read something else, or that have effects."""
    for node in nodes:
        if node.get("type") == "SHOW_REF":
            raise _Refused("only one SELECT statement is carried out")
        match node:
            case {"type": "TABLE_FUNCTION", "function": {"function_name": str(name)}}:
                is_fit = name.casefold() in _SOURCES
            case {"function_name": str(name)}:
                is_fit = not _OF_THE_SESSION.fullmatch(name.casefold())
            case _:
                continue
        if not is_fit:
            raise _Refused(f"the function {name[:_LONGEST_NAME]} is not for tables")
    names = {str(node["function_name"]).casefold() for node in nodes if "function_name" in node}
    known = "SELECT function_name FROM duckdb_functions() WHERE has_side_effects"
    if active := names & {row[0] for row in engine.execute(known).fetchall()}:
        raise _Refused(f"the function {min(active)[:_LONGEST_NAME]} is not for tables")


def _list_nodes(tree: object) -> Iterator[Mapping[str, Any]]:
    left = [tree]
    while left:
        match left.pop():
            case dict() as node:
                yield node
                left += node.values()
            case list() as parts:
                left += parts
            case _:
                pass


@contextmanager
def _bounded(engine: Any) -> Iterator[None]:
    timer = threading.Timer(SECONDS, engine.interrupt)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _read_result(result: Any) -> QueryResult:
    names = tuple(str(column[0])[:_LONGEST_NAME] for column in result.description or ())
    kept: list[tuple[str, ...]] = []
    total = 0
    while rows := result.fetchmany(10_000):
        total += len(rows)
        kept += [tuple(map(_format, row)) for row in islice(rows, _FILED_ROWS - len(kept))]
    file = tables.write(names, kept, "csv") if total > 1 else b""
    return QueryResult(columns=names, rows=tuple(kept[:_SHOWN_ROWS]), total=total, file=file)


def _format(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case float():
            return f"{Decimal(format(value, '.15g')):f}" if value == value else ""  # noqa: PLR0124 - NaN
        case Decimal():
            return _trim(f"{value:f}")
        case _:
            return str(value)[:_LONGEST_CELL]


def _trim(number: str) -> str:
    return number.rstrip("0").rstrip(".") if "." in number else number
