"""The first rows of a table as a picture. Runs in a worker."""

from collections.abc import Sequence
from itertools import accumulate, zip_longest

from PIL import Image, ImageDraw

from adapters.media import pictures, tables
from adapters.media.bounds import Bounds
from adapters.media.lettering import LIGHT, measure_width, shorten, write
from adapters.media.renaming import rename
from pipeline.domain import Blob
from pipeline.errors import MediaError

_LETTERS = 17
"""Pixels of the letters, as what follows."""
_LINE = 32
_GAP = 14
_WIDEST = 260
"""The widest column."""
_ROWS = 20
"""Rows that are shown below the header."""
_COLUMNS = 8
"""Columns that are shown."""
_HEAD = (225, 232, 242)
"""The colour behind the header."""
_RULE = (205, 212, 222)
"""The colour of the lines between rows."""


def draw_table(table: Blob) -> Blob:
    """The header, up to 20 rows and 8 columns, and how many more there are."""
    rows = tables.read(table, Bounds()).rows
    if not rows:
        raise MediaError("media-broken", kind="table")
    left_out = {"rows": len(rows) - _ROWS - 1, "columns": max(map(len, rows)) - _COLUMNS}
    more = "   ".join(f"+ {count} {what}" for what, count in left_out.items() if count > 0)
    shown = [
        [shorten(cell, _LETTERS, _WIDEST) for cell in row[:_COLUMNS]] for row in rows[: _ROWS + 1]
    ]
    picture = _draw_rows([*shown, [more]] if more else shown)
    return rename(table, pictures.encode(picture, "image/png"), "image/png")


def _draw_rows(rows: Sequence[Sequence[str]]) -> Image.Image:
    columns = zip_longest(*rows, fillvalue="")
    widths = [max(measure_width(cell, _LETTERS) for cell in column) for column in columns]
    starts = list(accumulate((wide + 2 * _GAP for wide in widths), initial=_GAP))
    picture = Image.new("RGB", (starts[-1] - _GAP, _LINE * len(rows)), LIGHT)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, picture.width, _LINE), fill=_HEAD)
    for number, row in enumerate(rows):
        bottom = _LINE * (number + 1)
        for x, cell in zip(starts, row, strict=False):
            write(pen, (x, bottom - _LINE // 2), cell, _LETTERS)
        pen.line((0, bottom, picture.width, bottom), fill=_RULE)
    return picture
