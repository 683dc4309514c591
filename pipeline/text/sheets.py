"""Decode text files of unknown encoding, and parse tables of unknown delimiter."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

_DELIMITERS = (",", ";", "\t", "|")
_MOST_SAMPLED = 200
_MOST_CELL_CHARACTERS = 2_000
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def as_text(data: bytes) -> str | None:
    """Decode by byte order mark, as UTF-8 or UTF-16, else Windows-1252; None for binary data."""
    try:
        text = data.decode(_encoding(data))
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        if text.count("�") > len(text) / 1000:
            return None
    return None if len(_CONTROL.findall(text[:100_000])) > len(text[:100_000]) / 1000 else text


def _encoding(data: bytes) -> str:
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return name
    if len(data) % 2 == 0 and data[:2000].count(0) > 0.3 * len(data[:2000]):
        return "utf-16-le" if data[1:2] == b"\0" else "utf-16-be"
    return "utf-8"


def cells(text: str, media_type: str = "") -> list[list[str]]:
    """The non-empty rows of a table; the delimiter is detected. Raises csv.Error."""
    if media_type == "text/tab-separated-values":
        delimiter = "\t"
    else:
        first = text.partition("\n")[0]
        delimiter = delimiter_of(text) or max(_DELIMITERS, key=first.count)
    return [row for row in rows(text, delimiter) if any(cell.strip() for cell in row)]


def delimiter_of(text: str, *, fewest: int = 2) -> str:
    """The delimiter of a table; "" if the text is not a table of at least `fewest` rows."""
    for delimiter in _DELIMITERS:
        columns = widths(text, delimiter)
        if len(columns) >= fewest and len(set(columns)) == 1 and columns[0] > 1:
            return delimiter
    return ""


def widths(text: str, delimiter: str) -> list[int]:
    """The number of cells in each of the first rows; empty if a cell is too long for a table."""
    counts: list[int] = []
    try:
        for row in islice(filter(None, rows(text, delimiter)), _MOST_SAMPLED):
            if any(len(cell) > _MOST_CELL_CHARACTERS for cell in row):
                return []
            counts.append(len(row))
    except csv.Error:
        return []
    return counts


def rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
