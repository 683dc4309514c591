"""A table as it was written, and with its numbers and dates as such."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from adapters.embedded.lexicon import phrases
from adapters.media import tables
from adapters.media.bounds import Bounds
from adapters.media.column_types import Column, find_types, strip_mark
from adapters.media.unread import refusals_keep
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import BadInput

_MOST_ROWS = 100_000
_YEARS = (1500, 2200)
"""The first and the last number that may be a year."""
_MOST_TRUTHS = 3
"""Different cells of a column of yes and no: a third one is for neither."""
_FEW = 0.5
"""Share of cells with digits in a column of names; others hold codes."""


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table as it was written (`cells`), and with numbers and dates as such (`typed`)."""

    cells: Any
    typed: Any
    left_out: str = ""
    """The row of totals at the end, in words ("item ≠ Total"): it is no row of the data."""
    notes: tuple[LocalizedText, ...] = ()
    """What of the file was not read."""

    @property
    def names(self) -> list[str]:
        return list(self.cells.columns)

    def keep_rows(self, rows: Any) -> "TypedTable":
        """The table with these rows of its index only."""
        return replace(self, cells=self.cells.loc[rows], typed=self.typed.loc[rows])

    def is_numeric(self, name: str) -> bool:
        return bool(self.typed[name].dtype.kind == "f")

    def is_date(self, name: str) -> bool:
        return bool(self.typed[name].dtype.kind == "M")

    def is_text(self, name: str) -> bool:
        return not (self.is_numeric(name) or self.is_date(name))

    def is_id(self, name: str) -> bool:
        """Whether a column numbers its rows: nothing to calculate with."""
        numbers = self.typed[name]
        is_counted = self.is_numeric(name) and numbers.is_unique and (numbers % 1 == 0).all()
        return bool(is_counted and ("#" in name or "id" in find_roles(name)))

    def find_affixes(self, name: str) -> tuple[str, str]:
        """The sign of currency or percent of all numbers of a column, before or behind them."""
        cells = self.cells[name].tolist() if self.is_numeric(name) else []
        _, mark = strip_mark(cells)
        cell = next(filter(None, cells), "")
        before, _, after = cell.partition(mark) if mark else ("", "", "")
        if before:
            return "", cell[len(before.rstrip()) :]
        return cell[: len(cell) - len(after.lstrip())] if mark else "", ""

    def find_truths(self, name: str) -> list[str]:
        """The values that say yes, in a column that holds nothing but yes and no; else none."""
        values = self.cells[name].unique()[: _MOST_TRUTHS + 1] if self.is_text(name) else ()
        said = {value: phrases("truth").concepts(value) for value in values if value}
        is_truth = len(said) <= _MOST_TRUTHS and all(map(len, said.values()))
        yes = [value for value, concepts in said.items() if concepts == ["truth.yes"]]
        return yes if is_truth and ["truth.no"] in said.values() else []

    def tells_years(self, name: str) -> bool:
        """Whether all numbers of a column can be years."""
        numbers = self.typed[name].dropna()
        return bool((numbers % 1 == 0).all() and numbers.between(*_YEARS).all())

    def find_by_role(self, role: str) -> list[str]:
        """The columns whose names say that they are about this."""
        return [name for name in self.names if role in find_roles(name)]

    def find_name(self) -> str:
        """The column that names its rows: of texts that differ, the one called so; "" for none."""
        unique = [name for name in self.names if self.is_text(name) and self.cells[name].is_unique]
        named = [name for name in unique if name in self.find_by_role("name")]
        wordy = [name for name in unique if self.cells[name].str.contains(r"\d").mean() < _FEW]
        return next(iter([*named, *wordy, *unique]), "")


def find_roles(name: str) -> set[str]:
    """What the name of a column says that it is about: {"price"}."""
    concepts = phrases("role").concepts(name)
    return {concept.removeprefix("role.") for concept in concepts}


def load_table(blob: Blob) -> TypedTable:
    """The rows of a table, all as long as its head, its columns typed.

    Raises BadInput, MediaError.
    """
    import pandas as pd

    read = tables.read(blob, Bounds())
    if len(read.rows) < 2:  # noqa: PLR2004 - a head and a row
        raise BadInput("embedded-table-empty")
    width = len(read.rows[0])
    padded = ([*row, *[""] * width][:width] for row in read.rows)
    head, *rows = [[cell.strip() for cell in row] for row in padded]
    names = [name or f"#{place + 1}" for place, name in enumerate(head)]
    if len(set(names)) < len(names):
        names = [f"{name} #{place + 1}" for place, name in enumerate(names)]
    table = pd.DataFrame(rows[:_MOST_ROWS], columns=names, dtype=str)
    columns = find_types([table[name].tolist() for name in names])
    typed = {
        name: _read_column(table[name], column) for name, column in zip(names, columns, strict=True)
    }
    return TypedTable(table, pd.DataFrame(typed), notes=read.notes)


def _read_column(cells: Any, column: Column) -> Any:
    """Numbers as such, dates and months as dates, all else as it is."""
    import pandas as pd

    if column.type.startswith(("BIGINT", "DECIMAL", "DOUBLE")):
        return pd.to_numeric(pd.Series(column.values, cells.index).replace("", None)).astype(float)
    if column.type in ("DATE", "TIMESTAMP"):
        return pd.to_datetime(pd.Series(column.values, cells.index).replace("", None))
    months = pd.to_datetime(cells, format="%Y-%m", errors="coerce")
    return months if months.notna().any() and months[cells != ""].notna().all() else cells


def leave_out_totals(table: TypedTable) -> TypedTable:
    """A table without a last row that is called a total and has the sum of a column."""
    rows, last = table.typed.iloc[:-1], table.typed.iloc[-1]
    sums = [name for name in table.names if table.is_numeric(name)]
    sums = [name for name in sums if math.isclose(rows[name].sum(), last[name], rel_tol=1e-3)]
    for name, cell in table.cells.iloc[-1].items():
        if len(rows) > 1 and sums and phrases("table").concepts(cell) == ["table.sum"]:
            return replace(
                table, cells=table.cells.iloc[:-1], typed=rows, left_out=f"{name} ≠ {cell}"
            )
    return table


@contextmanager
def told_of_other_sheets(table: TypedTable, blob: Blob) -> Iterator[None]:
    """Says with a refusal that other sheets were not read: they may hold what was asked for."""
    sheets = (note for note in table.notes if note.id == "sheet-read")
    note = next(sheets, blob.note)
    with refusals_keep([note] if note else []):
        yield
