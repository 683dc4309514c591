"""The decoder and encoder of tables: CSV, Excel, OpenDocument, JSON. Runs in a worker."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adapters.media.bounds import Bounds
from pipeline.domain import SPREADSHEETS, Blob, LocalizedText, Type
from pipeline.errors import MediaError
from pipeline.text.encodings import decode, is_binary
from pipeline.text.sheets import cells, delimiter_of

MEDIA_TYPES: Mapping[str, str] = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
Cell = str | float


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table, the head first, and notes on what was not read of its file."""

    rows: Sequence[Sequence[str]]
    notes: tuple[LocalizedText, ...] = ()


def read(blob: Blob, bounds: Bounds) -> TableRows:
    """The rows of a table that have anything in them. Raises MediaError."""
    if _is_workbook(blob):
        return _read_workbook(blob, bounds)
    text = decode(blob.data)
    if text is None:
        is_none = b"%PDF-" in blob.data[:1024] or is_binary(blob.data)
        raise MediaError("media-no-table" if is_none else "media-encoding-unknown")
    if text.lstrip("\ufeff \n\r\t")[:1] in ("{", "["):
        return TableRows(read_objects(text, bounds))
    try:
        if blob.type is not Type.TABLE and not delimiter_of(text):
            raise MediaError("media-no-table")
        rows = cells(text, blob.media_type)
    except csv.Error as error:
        raise MediaError("media-no-table") from error
    if len(rows) > bounds.rows:
        facts = {"rows": len(rows) - 1, "read": bounds.rows}
        return TableRows(rows[: bounds.rows + 1], (LocalizedText("rows-cut", facts),))
    return TableRows(rows)


def read_all(blob: Blob, bounds: Bounds) -> list[tuple[str, TableRows]]:
    """The tables of a file by their names: the sheets of a workbook, or one. Raises MediaError."""
    if not _is_workbook(blob):
        return [("", read(blob, bounds))]
    from adapters.media.spreadsheets import read_sheets

    sheets = read_sheets(blob.data, bounds)
    return [(sheet.name, TableRows(sheet.rows, sheet.notes)) for sheet in sheets]


def _is_workbook(blob: Blob) -> bool:
    is_sheet = blob.data[:4] in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
    return blob.media_type in SPREADSHEETS or is_sheet


def convert(blob: Blob, bounds: Bounds) -> Blob:
    """A workbook's first filled sheet as CSV, under the name that people use, with a note."""
    table = read(blob, bounds)
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(table.rows)
    made = replace(blob, data=text.getvalue().encode(), media_type="text/csv")
    if not table.notes:
        return made
    *others, note = table.notes
    for other in reversed(others):
        note = LocalizedText("notes-together", {"one": other, "more": note})
    return replace(made, note=note)


def _read_workbook(blob: Blob, bounds: Bounds) -> TableRows:
    from adapters.media.spreadsheets import read_sheet

    sheet = read_sheet(blob.data, bounds)
    if sheet.of == 1:
        return TableRows(sheet.rows, sheet.notes)
    facts = {"file": blob.name, "sheet": sheet.name, "count": str(sheet.of)}
    return TableRows(sheet.rows, (LocalizedText("sheet-read", facts), *sheet.notes))


def read_objects(text: str, bounds: Bounds) -> list[list[str]]:
    """A list of objects, also as the only list in an object; all their names are the head.

    Raises MediaError.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MediaError("media-broken", kind="JSON") from error
    if isinstance(value, dict):
        lists = [each for each in value.values() if isinstance(each, list)]
        value = lists[0] if len(lists) == 1 else None
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise MediaError("media-no-table")
    records = value[: bounds.rows]
    names = [*dict.fromkeys(name for record in records for name in record)]
    if len(names) * len(records) > bounds.cells:
        limits = {"rows": bounds.rows, "cells": bounds.cells}
        raise MediaError("media-sheet-too-large", sheet="JSON", **limits)
    return [names, *([_format(record.get(name)) for name in names] for record in records)]


def _format(value: object) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def write(names: Sequence[str], rows: Sequence[Sequence[Cell]], ending: str) -> bytes:
    """A table as a file of one of `MEDIA_TYPES`."""
    match ending:
        case "json":
            objects = [dict(zip(names, map(_plain, row), strict=True)) for row in rows]
            return json.dumps(objects, ensure_ascii=False, indent=1).encode()
        case "xlsx":
            return _write_excel(names, rows)
        case _:
            text = io.StringIO(newline="")
            writer = csv.writer(text, "excel-tab" if ending == "tsv" else "excel")
            writer.writerows([names, *([_plain(cell) for cell in row] for row in rows)])
            return text.getvalue().encode("utf-8-sig" if not text.getvalue().isascii() else "utf-8")


def _plain(cell: Cell) -> str | int | float:
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell


def _write_excel(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bytes:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Sheet1")
    for row in (names, *rows):
        cells = [WriteOnlyCell(sheet, _plain(cell)) for cell in row]
        for cell in cells:
            if isinstance(cell.value, str):
                cell.data_type = "s"  # never a formula
        sheet.append(cells)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()
