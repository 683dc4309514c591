"""Parse tables whose delimiter is not known."""

import csv
import io
import re
from collections.abc import Iterator
from itertools import islice

_DELIMITERS = (",", ";", "\t", "|")
_MOST_SAMPLED = 200
_MOST_CELL_CHARACTERS = 2_000
_SEPARATOR = re.compile(r"\ufeff?sep=(.)\r?\n", re.IGNORECASE)
"""The first line by which Excel is told the delimiter; it is no row."""


def cells(text: str, media_type: str = "") -> list[list[str]]:
    """The non-empty rows of a table; the delimiter is detected. Raises csv.Error."""
    if media_type == "text/tab-separated-values" and not _SEPARATOR.match(text):
        delimiter = "\t"
    else:
        first = text.partition("\n")[0]
        delimiter = delimiter_of(text) or max(_DELIMITERS, key=first.count)
    return [row for row in rows(text, delimiter) if any(cell.strip() for cell in row)]


def delimiter_of(text: str, *, fewest: int = 2) -> str:
    """The delimiter of a table; "" if the text is not a table of at least `fewest` rows."""
    if told := _SEPARATOR.match(text):
        return told[1]
    for delimiter in _DELIMITERS:
        columns = _count_cells(text, delimiter)
        if len(columns) >= fewest and len(set(columns)) == 1 and columns[0] > 1:
            return delimiter
    return ""


def _count_cells(text: str, delimiter: str) -> list[int]:
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
    """The rows of a table with this delimiter, without the line that names it for Excel."""
    if told := _SEPARATOR.match(text):
        text = text[told.end() :]
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
