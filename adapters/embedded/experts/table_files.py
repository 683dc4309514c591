"""Tables written as other files: sorted, filtered, with some columns, as ordered in words."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from adapters.embedded.experts.orders import list_numbers, refuse
from adapters.embedded.experts.table_words import (
    SIGNS,
    Condition,
    OrderWords,
    cut_conditions,
    find_columns,
    find_rows,
    read_table_words,
)
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file, require_text
from adapters.embedded.experts.typed_table import TypedTable, load_table, told_of_other_sheets
from adapters.embedded.lexicon import list_words, phrases
from adapters.media import tables
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput

_CAN = "embedded-can-tables"
_SPELLINGS: Mapping[str, str] = {
    "csv": "csv", "tsv": "tsv", "xlsx": "xlsx", "excel": "xlsx", "json": "json",
    "エクセル": "xlsx",
}  # fmt: skip
_ENDS = {"max": "descending", "min": "ascending"}
_DIRECTIONS = frozenset({"descending", "ascending", "old_first", "young_first"})
_BESIDE = "|".join(("group", "rows", r"C\d+", *sorted(_DIRECTIONS)))
_SORT = re.compile(rf"(?P<before>(?:(?:{_BESIDE}) )*)sort(?P<after>(?: (?:{_BESIDE}))*)")
_BEST_FIRST = re.compile(r"(?:which )?(max|min)(?: C\d+)? first(?! N)")
"""The most expensive first, the highest first."""
_BEST_BY = re.compile(r"(max|min) N(\d+)(?: rows)?(?: group)? C(\d+)(?!\S)")
"""The top three by revenue."""
_HEAD = re.compile(r"(?:first|max) N(\d+)(?: rows)?|N(\d+) first(?: rows)?")
_TAIL = re.compile(r"(?:last|min) N(\d+)(?: rows)?|N(\d+) last(?: rows)?")
_BARE = re.compile(rf"(?<!\d )\b((?:{'|'.join(SIGNS)}) N\d)")
_IGNORED = frozenset({"filter", "rows", "equal", "to", "which", "group"})
_LOOSE = frozenset({"columns", "keep", "drop", "not", "sort", *_DIRECTIONS, *_IGNORED})
_KNOWN = _LOOSE | {"sort", "first", "last", "max", "min", *SIGNS}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOrder:
    """What is to be done with a table, in this order."""

    conditions: Sequence[Condition] = ()
    is_negated: bool = False
    sort_by: Sequence[str] = ()
    descends: bool = False
    head: int = 0
    """The first rows, negative: the last ones; 0: all."""
    columns: Sequence[str] = ()
    ending: str = ""


def convert(args: ExpertInput, _language: str) -> WorkerResult:
    """The table after what was ordered, as a file. Raises BadInput, ExpertRefused."""
    blob = get_file(args, "table", Type.TABLE, Type.DOCUMENT)
    table = load_table(blob)
    own = PurePosixPath(blob.name).suffix.removeprefix(".").casefold()
    with told_of_other_sheets(table, blob):
        order = parse_order(table, require_text(args, "text"), own)
    rows = find_rows(table, order.conditions, fit=not order.is_negated)
    if not len(rows):
        raise BadInput("embedded-no-rows-fit")
    if order.sort_by:
        sorted_rows = table.typed.loc[rows].sort_values(
            [*order.sort_by], ascending=not order.descends, kind="stable", na_position="last"
        )
        rows = sorted_rows.index
    if order.head:
        rows = rows[: order.head] if order.head > 0 else rows[order.head :]
    names = [*(order.columns or table.names)]
    ending = order.ending or "csv"
    data = tables.write(names, _list_rows(table, rows, names), ending)
    stem = PurePosixPath(blob.name).stem or "table"
    suffix = "" if set(table.names) == {*names} and len(rows) == len(table.cells) else "-part"
    made = Blob(data, tables.MEDIA_TYPES[ending], f"{stem}{suffix}.{ending}")
    return WorkerResult(
        slots={"table": made}, notes=(_describe(order, len(rows), ending), *table.notes)
    )


def _list_rows(table: TypedTable, rows: Any, names: Sequence[str]) -> list[list[str | float]]:
    """Cells as they were written, and numbers where all of a column are such."""
    cells = table.cells.loc[rows, [*names]].astype(object)
    for name in filter(table.is_numeric, names):
        numbers = table.typed.loc[rows, name].astype(object)
        cells[name] = numbers.where(cells[name] != "", "")
    written: list[list[str | float]] = cells.to_numpy().tolist()
    return written


def _describe(order: TableOrder, rows: int, ending: str) -> LocalizedText:
    facts = {
        "where": ", ".join(condition.words for condition in order.conditions) or "none",
        "not": "yes" if order.is_negated else "no",
        "sorted": ", ".join(order.sort_by) or "none",
        "order": "descending" if order.descends else "ascending",
        "rows": rows,
        "ending": ending.upper(),
    }
    return LocalizedText("embedded-table-written", facts)


def parse_order(table: TypedTable, text: str, own: str = "") -> TableOrder:
    """What is to be done with a table, every word understood. Raises ExpertRefused.

    `own` is the file's own type: beside another, that is the one it is to become.
    """
    tokens, conditions = read_table_words(table, text, _order_words())
    named = [token[1:] for token in tokens.split() if token[0] == "."]
    endings = [ending for ending in named if ending != own] or named
    tokens = " ".join(each for each in tokens.split() if each[0] != "." and each != "to")
    tokens, compared = cut_conditions(table, _name_only_figure(table, tokens))
    conditions = [*conditions, *compared]
    tokens = _BEST_BY.sub(lambda m: f"sort C{m[3]} {_ENDS[m[1]]} first N{m[2]}", tokens)
    tokens = _BEST_FIRST.sub(lambda m: _ENDS[m[1]], tokens)
    sort = _SORT.search(tokens)
    sort_by = find_columns(table, sort[0]) if sort else []
    directions = _DIRECTIONS.intersection(tokens.split())
    tokens = _SORT.sub(" ", tokens, count=1)
    head, tail = _HEAD.search(tokens), _TAIL.search(tokens)
    rest = _TAIL.sub(" ", _HEAD.sub(" ", tokens)).split()
    used = {condition.column for condition in conditions}
    columns = [name for name in find_columns(table, " ".join(rest)) if name not in used]
    if "drop" in rest and columns:
        columns = [name for name in table.names if name not in columns]
    odd = [word for word in rest if word not in _LOOSE and word[0] != "C"]
    if odd or (sort and not sort_by) or (not columns and not conditions and "drop" in rest):
        raise refuse(list_numbers(odd), _CAN)
    if not (conditions or sort_by or head or tail or columns or endings):
        raise refuse([], _CAN)
    count = next((int(g) for hit in (head, tail) if hit for g in hit.groups() if g), 0)
    return TableOrder(
        conditions=conditions,
        is_negated="not" in rest or ("drop" in rest and bool(conditions)),
        sort_by=sort_by,
        descends=bool(sort_by) and _descends(table, sort_by[0], directions),
        head=-count if tail and not head else count,
        columns=columns,
        ending=endings[-1] if endings else "",
    )


def _descends(table: TypedTable, name: str, directions: Collection[str]) -> bool:
    """Whether high values come first: the oldest have the highest age, and the earliest date."""
    if table.is_numeric(name) and not table.tells_years(name):
        return bool({"descending", "old_first"} & {*directions})
    return bool({"descending", "young_first"} & {*directions})


def _name_only_figure(table: TypedTable, tokens: str) -> str:
    """A comparison that names no column is of the only one that has figures: "over 500"."""
    figures = [name for name in table.names if table.is_numeric(name) and not table.is_id(name)]
    if len(figures) != 1:
        return tokens
    return _BARE.sub(rf"C{table.names.index(figures[0])} \1", tokens)


@cache
def _order_words() -> OrderWords:
    known = phrases("table_file", "order", "conversion", "table", "extreme", "join", "number")
    allowed = _KNOWN | list_words("extreme").keys()
    return OrderWords(known.with_types(_SPELLINGS), allowed, _CAN)
