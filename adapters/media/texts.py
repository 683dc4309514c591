"""Files without a mark: plain text, tables, web pages and the like."""

import csv
import json
import re
import xml.parsers.expat
from contextlib import suppress
from dataclasses import dataclass

from pipeline.text.sheets import delimiter_of, rows, widths

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
    rows, columns = _count(text, delimiter), widths(text, delimiter)[0]
    tab = "tab-separated-values" if delimiter == "\t" else "csv"
    many = "row" if rows == 1 else "rows"
    return Written(f"text/{tab}", f"table, {rows} {many} × {columns} columns")


def _count(text: str, delimiter: str) -> int:
    """The rows below the head; where a later one cannot be read, those before it."""
    count = -1
    with suppress(csv.Error):
        for row in rows(text, delimiter):
            count += bool(row)
    return count


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
