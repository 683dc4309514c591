"""Tables for places that have none: columns of equal width, or one record below the other."""

import unicodedata
from collections.abc import Sequence

WIDE = 2


def columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in a monospaced face; East Asian characters count for two."""
    table = [list(head), *(list(row) for row in rows)]
    widths = [max(map(_width, column)) for column in zip(*table, strict=True)]
    lines = [_line(row, widths) for row in table]
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def records(head: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The same as "column: value" lines, one tuple for each row, empty cells left out."""
    return tuple(
        tuple(
            f"{name}: {cell}" if name else cell
            for name, cell in zip(head, row, strict=True)
            if cell
        )
        for row in rows
    )


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)]
    return " | ".join(cells).rstrip()


def _width(text: str) -> int:
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return WIDE if unicodedata.east_asian_width(character) in "WF" else 1
