"""The first rows of a table as a picture. Runs in a worker."""

from collections.abc import Sequence

from PIL import Image, ImageDraw

from adapters.media import palette, pictures
from adapters.media.bounds import reading
from adapters.media.names import renamed
from pipeline.domain import Blob
from pipeline.errors import MediaError
from pipeline.text.sheets import as_text, cells

_SIZE = 17
_ROW = 32
_MARGIN = 14
_WIDEST = 260
_ROWS, _COLUMNS = 20, 8
_HEAD, _STRIPE, _RULE = (225, 232, 242), (246, 248, 251), (205, 212, 222)


def drawn(table: Blob) -> Blob:
    """The head and at most 20 rows of at most 8 columns, and how much more there is."""
    with reading("table"):
        rows = cells(as_text(table.data) or "", table.media_type)
    if not rows:
        raise MediaError("media-broken", kind="table")
    shown = [row[:_COLUMNS] for row in rows[: _ROWS + 1]]
    more = _more(len(rows) - len(shown), max(len(row) for row in rows) - _COLUMNS)
    picture = _picture(shown, more)
    return renamed(table, pictures.encoded(picture, "image/png"), "image/png")


def _more(rows: int, columns: int) -> str:
    signs = (f"+ {rows} rows" if rows > 0 else "", f"+ {columns} columns" if columns > 0 else "")
    return "   ".join(filter(None, signs))


def _picture(rows: Sequence[Sequence[str]], more: str) -> Image.Image:
    count = max(len(row) for row in rows)
    cells = [[palette.shortened(cell, _SIZE, _WIDEST) for cell in row] for row in rows]
    columns = [[row[number] for row in cells if number < len(row)] for number in range(count)]
    widths = [max(palette.width(cell, _SIZE) for cell in column) for column in columns]
    wide = sum(widths) + 2 * _MARGIN * count
    high = _ROW * (len(rows) + bool(more))
    picture = Image.new("RGB", (max(wide, palette.width(more, _SIZE) + 2 * _MARGIN), high), "white")
    pen = ImageDraw.Draw(picture)
    for number, row in enumerate(cells):
        ground = _HEAD if not number else (_STRIPE if number % 2 else palette.LIGHT)
        pen.rectangle((0, _ROW * number, picture.width, _ROW * (number + 1)), fill=ground)
        _row(pen, row, widths, _ROW * number + _ROW // 2)
        pen.line((0, _ROW * (number + 1), picture.width, _ROW * (number + 1)), fill=_RULE)
    if more:
        place = (_MARGIN, high - _ROW // 2)
        pen.text(place, more, fill=palette.QUIET, font=palette.font(more, _SIZE), anchor="lm")
    return picture


def _row(pen: ImageDraw.ImageDraw, row: Sequence[str], widths: Sequence[int], y: int) -> None:
    """Figures to the right, words to the left."""
    x = _MARGIN
    for cell, wide in zip(row, widths, strict=False):
        right = _is_figure(cell)
        place = (x + wide if right else x, y)
        letters = palette.font(cell, _SIZE)
        pen.text(place, cell, fill=palette.DARK, font=letters, anchor="rm" if right else "lm")
        x += wide + 2 * _MARGIN


def _is_figure(cell: str) -> bool:
    try:
        float(cell.replace(",", "").rstrip("%"))
    except ValueError:
        return False
    return True
