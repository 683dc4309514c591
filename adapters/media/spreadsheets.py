"""Reads the filled sheets of a workbook as people see it: Excel and OpenDocument."""

import io
import re
import warnings
import zipfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from importlib.util import find_spec
from typing import Any

from openpyxl import load_workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries
from openpyxl.worksheet._read_only import ReadOnlyWorksheet
from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from adapters.media.bounds import Bounds
from adapters.media.decoder_errors import translate_decoder_errors
from adapters.media.unread import count_parts, name_unread
from pipeline.domain import LocalizedText
from pipeline.errors import MediaError

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell ref="([A-Z]+\d+:[A-Z]+\d+)"')
_CELL = re.compile(rb'<(?:\w+:)?c (?:[^>]*? )?r="([A-Z]+\d+)"[^>]*>')
_FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
_RESULT = re.compile(rb"<(?:\w+:)?v>[^<]|<(?:\w+:)?is>")
_NUMBER = re.compile(r"-?[\d.]+%?")
_LAST_ROW = 1_048_576
_MOST_FORMULAS = 20_000
"""Formulas of a sheet."""
_MOST_RESULTS = 10_000_000
"""Characters of all their results."""
_PRECISION = ".15g"
"""Excel shows this many digits; more reveal how a number is stored (0.30000000000000004)."""
_PARTS = {
    "unused-charts": "xl/charts/chart",
    "unused-pictures": "xl/media/",
    "unused-comments": "xl/comments",
    "unused-macros": "xl/vbaProject",
}
"""Parts of a workbook that are not read."""
_Row = list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet's name, its rows, and how many sheets of its file have anything in them."""

    name: str
    rows: list[_Row]
    of: int
    calculated: int = 0
    """Formulas without a stored result that were calculated."""
    unknown: int = 0
    """Formulas without a stored result that could not be."""
    unused: tuple[LocalizedText, ...] = ()

    @property
    def notes(self) -> tuple[LocalizedText, ...]:
        """What was calculated, and what was not read."""
        told = (
            (self.calculated, LocalizedText("formulas-calculated", {"count": self.calculated})),
            (self.unknown, LocalizedText("formulas-unknown", {"count": self.unknown})),
        )
        return (*(note for holds, note in told if holds), *name_unread(self.unused))


def read_sheet(data: bytes, bounds: Bounds) -> Sheet:
    """The first visible sheet with anything in it. Raises MediaError."""
    with closing(_read_sheets(data, bounds)) as sheets:
        return next(sheets)


def read_sheets(data: bytes, bounds: Bounds) -> list[Sheet]:
    """All visible sheets with anything in them. Raises MediaError."""
    return [*_read_sheets(data, bounds)]


def _read_sheets(data: bytes, bounds: Bounds) -> Generator[Sheet]:
    with translate_decoder_errors("Excel"):
        read = _read_excel if _is_new_excel(data) else _read_other
        yield from read(data, bounds)


def _is_new_excel(data: bytes) -> bool:
    if data[:2] != b"PK":
        return False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "xl/workbook.xml" in archive.namelist()


def _read_other(data: bytes, bounds: Bounds) -> Iterator[Sheet]:
    """Sheets of an old Excel, binary or OpenDocument file; their formulas have stored results."""
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    visible = [
        sheet.name
        for sheet in book.sheets_metadata
        if sheet.visible is SheetVisibleEnum.Visible and sheet.typ is SheetTypeEnum.WorkSheet
    ]
    filled = [sheet for sheet in map(book.get_sheet_by_name, visible) if sheet.height]
    if not filled:
        raise MediaError("media-blank")
    for sheet in filled:
        cells = ([_format(cell) for cell in row] for row in sheet.iter_rows())
        rows = _collect(sheet.name, enumerate(map(_strip, cells), start=1), bounds)
        first_row, first_column = sheet.start or (0, 0)
        for (top, left), (bottom, _) in sheet.merged_cell_ranges or ():
            _repeat(rows, left - first_column, top - first_row + 1, bottom - first_row + 1)
        yield Sheet(name=sheet.name, rows=_trim(rows), of=len(filled))


def _read_excel(data: bytes, bounds: Bounds) -> Iterator[Sheet]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions that openpyxl leaves out
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        filled = [sheet for sheet in visible if next(_read_rows(sheet, {}), None)]
        if not filled:
            raise MediaError("media-blank")
        unused = count_parts(data, _PARTS)
        for sheet in filled:
            yield replace(_read_worksheet(sheet, data, bounds), of=len(filled), unused=unused)


def _read_worksheet(sheet: ReadOnlyWorksheet, data: bytes, bounds: Bounds) -> Sheet:
    with sheet._get_source() as part:  # noqa: SLF001 - openpyxl skips merged cells when it streams
        source = part.read()
    missing = _find_missing(source)
    results = _calculate(data, sheet.title, missing) if missing else {}
    rows = _collect(sheet.title, _read_rows(sheet, results), bounds)
    for area in _MERGED.findall(source):
        left, top, _right, bottom = range_boundaries(area.decode())
        _repeat(rows, left - 1, top, bottom)
    return Sheet(
        name=sheet.title,
        rows=_trim(rows),
        of=1,
        calculated=len(results),
        unknown=len(missing) - len(results),
    )


def _find_missing(source: bytes) -> list[tuple[int, int]]:
    """Rows and columns of the formulas without a stored result, as some programs write them."""
    if not _FORMULA.search(source):
        return []
    cells = [*_CELL.finditer(source)]
    ends = [*(cell.start() for cell in cells[1:]), len(source)]
    bodies = ((cell[1], source[cell.end() : end]) for cell, end in zip(cells, ends, strict=True))
    return [
        coordinate_to_tuple(place.decode())
        for place, body in bodies
        if _FORMULA.search(body) and not _RESULT.search(body)
    ]


def _calculate(
    data: bytes, sheet: str, places: list[tuple[int, int]]
) -> Mapping[tuple[int, int], Any]:
    """What formulas give, where the library knows their functions; nothing without the library."""
    if find_spec("formualizer") is None or len(places) > _MOST_FORMULAS:
        return {}
    import formualizer

    try:
        book = formualizer.load_workbook_bytes(data)
        values = book.evaluate_cells([(sheet, *place) for place in places])
    except Exception:  # noqa: BLE001 - of a library that reads hostile files; told as not calculated
        return {}
    if sum(len(value) for value in values if isinstance(value, str)) > _MOST_RESULTS:
        return {}
    return {
        place: value
        for place, value in zip(places, values, strict=True)
        if isinstance(value, str | float | int | date) and not str(value).startswith("#")
    }


def _read_rows(
    sheet: ReadOnlyWorksheet, results: Mapping[tuple[int, int], Any]
) -> Iterator[tuple[int, _Row]]:
    """The rows with anything in them and their numbers, without empty cells at the end."""
    sheet.reset_dimensions()  # some programs state wrong ones
    for number, row in enumerate(sheet.iter_rows(max_row=_LAST_ROW), start=1):
        cells = [
            _format_cell(cell, results.get((number, place)))
            for place, cell in enumerate(row, start=1)
        ]
        if kept := _strip(cells):
            yield number, kept


def _strip(cells: _Row) -> _Row:
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _format_cell(cell: ReadOnlyCell, result: object) -> str:
    value = cell.value if result is None else result
    if isinstance(value, float | int) and "%" in (cell.number_format or ""):
        return f"{_format_number(value * 100)}%"
    return _format(value)


def _format(value: object) -> str:  # noqa: PLR0911 - one line for each type
    match value:
        case None:
            return ""
        case bool():
            return str(value).upper()
        case float():
            return _format_number(value)
        case datetime() as moment if not (moment.hour or moment.minute or moment.second):
            return moment.date().isoformat()
        case datetime() as moment:
            return moment.isoformat(" ", "seconds" if moment.second else "minutes")
        case date() as day:
            return day.isoformat()
        case _:
            return str(value).strip()


def _format_number(value: float) -> str:
    return f"{Decimal(format(value, _PRECISION)):f}"


def _collect(name: str, rows: Iterator[tuple[int, _Row]], bounds: Bounds) -> dict[int, _Row]:
    """The filled rows by number. Raises MediaError for too many."""
    collected: dict[int, _Row] = {}
    cells = 0
    for number, row in rows:
        if row:
            collected[number] = row
        cells += len(row)
        if len(collected) > bounds.rows or cells > bounds.cells:
            limits = {"rows": bounds.rows, "cells": bounds.cells}
            raise MediaError("media-sheet-too-large", sheet=name, **limits)
    return collected


def _trim(rows: Mapping[int, _Row]) -> list[_Row]:
    """Equally long rows, without empty columns and a title above the head."""
    table = [*rows.values()]
    filled = sorted({place for row in table for place, cell in enumerate(row) if cell})
    table = [[row[place] if place < len(row) else "" for place in filled] for row in table]
    head = next((at for at, row in enumerate(table) if sum(map(bool, row)) > 1), 0)
    return table[head:]


def _repeat(rows: dict[int, _Row], column: int, top: int, bottom: int) -> None:
    """Repeat what is written once for several rows; a number would count more than once."""
    text = "".join(rows.get(top, ())[column : column + 1])
    if text and not _NUMBER.fullmatch(text):
        for number in range(top + 1, min(bottom, max(rows)) + 1):
            if row := rows.get(number):
                row += [""] * (column + 1 - len(row))
                row[column] = text
