"""Tables as files: CSV, TSV, Excel and JSON. Runs in a worker."""

import csv
import io
import json
from collections.abc import Mapping, Sequence

MEDIA_TYPES: Mapping[str, str] = {
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
Cell = str | float


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
