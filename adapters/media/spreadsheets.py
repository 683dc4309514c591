"""Reads the first filled sheet of an Excel file as people see it. Runs in a worker."""

import csv
import io
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal

from openpyxl import load_workbook
from openpyxl.cell.read_only import ReadOnlyCell
from openpyxl.utils.cell import range_boundaries
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from adapters.media.bounds import Bounds, translate_decoder_errors
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import MediaError

_MERGED = re.compile(rb'<(?:\w+:)?mergeCell ref="([A-Z]+\d+:[A-Z]+\d+)"')
_NUMBER = re.compile(r"-?[\d.]+%?")
_LAST_ROW = 1_048_576
_PRECISION = ".15g"
"""As many digits as Excel shows; more only show how a number is stored (0.30000000000000004)."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet's name, its rows, and how many sheets of its file have anything in them."""

    name: str
    rows: list[list[str]]
    of: int


def convert(blob: Blob, bounds: Bounds) -> Blob:
    """The first filled sheet as CSV, under the name that people use; a note tells of others."""
    sheet = read_sheet(blob.data, bounds)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(sheet.rows)
    table = replace(blob, data=text.getvalue().encode(), media_type="text/csv")
    if sheet.of == 1:
        return table
    facts = {"file": blob.name, "sheet": sheet.name, "count": str(sheet.of)}
    return replace(table, note=LocalizedText("sheet-read", facts))


def read_sheet(data: bytes, bounds: Bounds) -> Sheet:
    """The first visible sheet with anything in it. Raises MediaError."""
    with translate_decoder_errors("Excel"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of styles and extensions that openpyxl leaves out
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        visible = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        filled = [sheet for sheet in visible if next(_read_rows(sheet), None)]
        if not filled:
            raise MediaError("media-blank")
        return Sheet(filled[0].title, _read_table(filled[0], bounds), len(filled))


def _read_rows(sheet: ReadOnlyWorksheet) -> Iterator[tuple[int, list[str]]]:
    """The rows with anything in them and their numbers, without empty cells at the end."""
    sheet.reset_dimensions()  # some programs state wrong ones
    for number, row in enumerate(sheet.iter_rows(max_row=_LAST_ROW), start=1):
        cells = [_format(cell) for cell in row]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield number, cells


def _format(cell: ReadOnlyCell) -> str:  # noqa: PLR0911 - one line for each type
    match cell.value:
        case None:
            return ""
        case bool(value):
            return str(value).upper()
        case float() | int() as value if "%" in cell.number_format:
            return f"{_format_number(value * 100)}%"
        case float(value):
            return _format_number(value)
        case datetime() as moment if not (moment.hour or moment.minute or moment.second):
            return moment.date().isoformat()
        case datetime() as moment:
            return moment.isoformat(" ", "seconds" if moment.second else "minutes")
        case date() as day:
            return day.isoformat()
        case value:
            return str(value).strip()


def _format_number(value: float) -> str:
    return f"{Decimal(format(value, _PRECISION)):f}"


def _read_table(sheet: ReadOnlyWorksheet, bounds: Bounds) -> list[list[str]]:
    """Equally long rows, without empty columns and a title above the head."""
    rows: dict[int, list[str]] = {}
    cells = 0
    for number, row in _read_rows(sheet):
        rows[number] = row
        cells += len(row)
        if len(rows) > bounds.rows or cells > bounds.cells:
            facts = {"sheet": sheet.title, "rows": bounds.rows, "cells": bounds.cells}
            raise MediaError("media-sheet-too-large", **facts)
    _fill_merged(sheet, rows)
    table = list(rows.values())
    filled = sorted({place for row in table for place, cell in enumerate(row) if cell})
    table = [[row[place] if place < len(row) else "" for place in filled] for row in table]
    head = next((at for at, row in enumerate(table) if sum(map(bool, row)) > 1), 0)
    return table[head:]


def _fill_merged(sheet: ReadOnlyWorksheet, rows: dict[int, list[str]]) -> None:
    """Repeat what is written once for several rows; a number would count more than once."""
    with sheet._get_source() as part:  # noqa: SLF001 - openpyxl skips merged cells when it streams
        areas = _MERGED.findall(part.read())
    for area in areas:
        left, top, _right, bottom = range_boundaries(area.decode())
        text = "".join(rows.get(top, ())[left - 1 : left])
        if text and not _NUMBER.fullmatch(text):
            for number in range(top + 1, min(bottom, max(rows)) + 1):
                if row := rows.get(number):
                    row += [""] * (left - len(row))
                    row[left - 1] = text
