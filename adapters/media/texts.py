"""Files without a mark: plain text, tables, web pages and the like."""

import codecs
import csv
import io
import json
import re
import xml.parsers.expat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

_DELIMITERS = (",", ";", "\t", "|")
_LOOKED_AT = 200
_CELL = 2_000
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_HTML = re.compile(
    r"\s*(<!--.*?-->\s*)*(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_SVG = re.compile(r"<svg[\s>]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Written:
    """A text file: its media type and one line on it."""

    media_type: str
    description: str


def as_text(data: bytes) -> str | None:
    """The text in some bytes; None where they are no text."""
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        if text.count("�") > len(text) / 1000:
            return None
    return None if len(_CONTROL.findall(text[:100_000])) > len(text[:100_000]) / 1000 else text


def look(text: str, ending: str) -> Written:
    """What kind of text it is. The name's ending only decides between kinds of text."""
    start = text[:4096]
    if _HTML.match(start):
        return Written("text/html", f"web page (HTML), {_words(text)}")
    if start.lstrip().startswith("<") and _is_xml(text):
        if _SVG.search(start):
            return Written("application/xml", "drawing (SVG), as text")
        return Written("application/xml", f"XML, {_length(text)}")
    if start.lstrip()[:1] in ("{", "[") and _is_json(text):
        return Written("application/json", f"JSON, {_length(text)}")
    return _table(text, ending) or Written(
        "text/markdown" if ending in ("md", "markdown") else "text/plain", f"text, {_words(text)}"
    )


def _table(text: str, ending: str) -> Written | None:
    """A table has the same number of columns in every row; two rows are enough if it is called a table."""
    delimiter = delimiter_of(text, fewest=2 if ending in ("csv", "tsv", "tab") else 3)
    if not delimiter:
        return None
    rows, columns = _count(text, delimiter), _columns(text, delimiter)[0]
    tab = "tab-separated-values" if delimiter == "\t" else "csv"
    many = "row" if rows == 1 else "rows"
    return Written(f"text/{tab}", f"table, {rows} {many} × {columns} columns")


def delimiter_of(text: str, *, fewest: int = 2) -> str:
    """What stands between the cells of a table; "" where it is none of at least so many rows."""
    for delimiter in _DELIMITERS:
        columns = _columns(text, delimiter)
        if len(columns) >= fewest and len(set(columns)) == 1 and columns[0] > 1:
            return delimiter
    return ""


def _columns(text: str, delimiter: str) -> list[int]:
    """How many cells the first rows have; nothing where a cell is as long as prose."""
    found: list[int] = []
    try:
        for row in islice(filter(None, _rows(text, delimiter)), _LOOKED_AT):
            if any(len(cell) > _CELL for cell in row):
                return []
            found.append(len(row))
    except csv.Error:
        return []
    return found


def _count(text: str, delimiter: str) -> int:
    """The rows below the head; where a later one cannot be read, those before it."""
    count = -1
    with suppress(csv.Error):
        for row in _rows(text, delimiter):
            count += bool(row)
    return count


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def _is_xml(text: str) -> bool:
    """Well formed as far as its first element; entities are not expanded, so nothing can blow up."""
    parser = xml.parsers.expat.ParserCreate()
    try:
        parser.Parse(text[:4096], False)  # noqa: FBT003 - not the last piece
    except xml.parsers.expat.ExpatError:
        return False
    return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _words(text: str) -> str:
    count = len(text.split())
    return "1 word" if count == 1 else f"{count} words"


def _length(text: str) -> str:
    return f"{len(text)} characters"
