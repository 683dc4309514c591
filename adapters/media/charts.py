"""Labels, depths and tables as pictures. Runs in a worker."""

from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageOps

from adapters.media import palette, pictures
from adapters.media.bounds import Bounds, rename, translate_decoder_errors
from pipeline.domain import Blob, Labels
from pipeline.errors import MediaError
from pipeline.text.sheets import as_text, cells

_WIDTH, _MARGIN, _ROW, _BAR = 720, 20, 40, 22
_SIZE = 20
_NAMES = 240
_MOST = 10
_TRACK = (232, 236, 242)


def draw_chart(labels: Labels) -> Blob:
    """A bar for each label, the first ten, from 0 to 100 %."""
    shown = labels.items[:_MOST]
    names = [palette.shorten(item.label, _SIZE, _NAMES) for item in shown]
    scores = [palette.format_percent(item.score) for item in shown]
    start = 2 * _MARGIN + max((palette.width(name, _SIZE) for name in names), default=0)
    end = _WIDTH - 2 * _MARGIN - palette.width("100 %", _SIZE)
    picture = Image.new("RGB", (_WIDTH, 2 * _MARGIN + _ROW * max(len(shown), 1)), palette.LIGHT)
    pen = ImageDraw.Draw(picture)
    for number, item in enumerate(shown):
        y = _MARGIN + _ROW * number + _ROW // 2
        palette.write(pen, (_MARGIN, y), names[number], _SIZE)
        palette.write(pen, (_WIDTH - _MARGIN, y), scores[number], _SIZE, anchor="rm")
        top, bottom = y - _BAR // 2, y + _BAR // 2
        pen.rounded_rectangle((start, top, end, bottom), radius=4, fill=_TRACK)
        filled = start + round((end - start) * min(max(item.score, 0.0), 1.0))
        if filled > start:
            shade = palette.pick_colour(1)
            pen.rounded_rectangle((start, top, filled, bottom), radius=4, fill=shade)
    alt = ", ".join(f"{item.label} {score}" for item, score in zip(shown, scores, strict=True))
    return Blob(pictures.encode(picture, "image/png"), "image/png", "chart.png", alt)


_FAR, _MIDDLE, _NEAR = (13, 8, 66), (200, 62, 76), (252, 255, 164)
"""Brightness rises all the way, so it reads without colours."""
_OUTLIERS = (1, 1)


def draw_depth(depth: Blob, bounds: Bounds) -> Blob:
    """A grey picture of depths in colours: dark is far, bright is near."""
    grey = pictures.load_upright(depth.data, bounds).convert("L")
    spread = ImageOps.autocontrast(grey, cutoff=_OUTLIERS)
    coloured = ImageOps.colorize(spread, _FAR, _NEAR, _MIDDLE)
    return rename(depth, pictures.encode(coloured, "image/png"), "image/png")


_LETTERS, _LINE, _GAP = 17, 32, 14
_WIDEST = 260
_ROWS, _COLUMNS = 20, 8
_HEAD, _STRIPE, _RULE = (225, 232, 242), (246, 248, 251), (205, 212, 222)


def draw_table(table: Blob) -> Blob:
    """The head and at most 20 rows of at most 8 columns, and how much more there is."""
    with translate_decoder_errors("table"):
        rows = cells(as_text(table.data) or "", table.media_type)
    if not rows:
        raise MediaError("media-broken", kind="table")
    left_out = {"rows": len(rows) - _ROWS - 1, "columns": max(map(len, rows)) - _COLUMNS}
    more = "   ".join(f"+ {count} {what}" for what, count in left_out.items() if count > 0)
    shown = [
        [palette.shorten(cell, _LETTERS, _WIDEST) for cell in row[:_COLUMNS]]
        for row in rows[: _ROWS + 1]
    ]
    return rename(table, pictures.encode(_draw_rows(shown, more), "image/png"), "image/png")


def _draw_rows(rows: Sequence[Sequence[str]], more: str) -> Image.Image:
    widths = [0] * max(map(len, rows))
    for row in rows:
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], palette.width(cell, _LETTERS))
    wide = max(sum(widths) + 2 * _GAP * len(widths), palette.width(more, _LETTERS) + 2 * _GAP)
    high = _LINE * (len(rows) + bool(more))
    picture = Image.new("RGB", (wide, high), "white")
    pen = ImageDraw.Draw(picture)
    for number, row in enumerate(rows):
        top, bottom = _LINE * number, _LINE * (number + 1)
        ground = _HEAD if not number else (_STRIPE if number % 2 else palette.LIGHT)
        pen.rectangle((0, top, wide, bottom), fill=ground)
        _write_cells(pen, row, widths, top + _LINE // 2)
        pen.line((0, bottom, wide, bottom), fill=_RULE)
    palette.write(pen, (_GAP, high - _LINE // 2), more, _LETTERS, ink=palette.QUIET)
    return picture


def _write_cells(
    pen: ImageDraw.ImageDraw, row: Sequence[str], widths: Sequence[int], y: int
) -> None:
    """Figures to the right, words to the left."""
    x = _GAP
    for cell, wide in zip(row, widths, strict=False):
        if cell.strip("%").replace(",", "").replace(".", "").lstrip("+-").isdecimal():
            palette.write(pen, (x + wide, y), cell, _LETTERS, anchor="rm")
        else:
            palette.write(pen, (x, y), cell, _LETTERS)
        x += wide + 2 * _GAP
