"""Draws labels, depth maps and tables. Runs in a worker."""

from collections.abc import Sequence
from itertools import accumulate, zip_longest

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
    """A bar chart of the first ten labels, from 0 to 100 %."""
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
"""Brightness rises steadily, so that the picture also works in grey."""
_OUTLIERS = (1, 1)


def draw_depth(depth: Blob, bounds: Bounds) -> Blob:
    """Colour a grey depth map: dark is far, bright is near."""
    grey = pictures.load_upright(depth.data, bounds).convert("L")
    spread = ImageOps.autocontrast(grey, cutoff=_OUTLIERS)
    coloured = ImageOps.colorize(spread, _FAR, _NEAR, _MIDDLE)
    return rename(depth, pictures.encode(coloured, "image/png"), "image/png")


_LETTERS, _LINE, _GAP = 17, 32, 14
_WIDEST = 260
_ROWS, _COLUMNS = 20, 8
_HEAD, _RULE = (225, 232, 242), (205, 212, 222)


def draw_table(table: Blob) -> Blob:
    """The header, up to 20 rows and 8 columns, and how many more there are."""
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
    picture = _draw_rows([*shown, [more]] if more else shown)
    return rename(table, pictures.encode(picture, "image/png"), "image/png")


def _draw_rows(rows: Sequence[Sequence[str]]) -> Image.Image:
    columns = zip_longest(*rows, fillvalue="")
    widths = [max(palette.width(cell, _LETTERS) for cell in column) for column in columns]
    starts = list(accumulate((wide + 2 * _GAP for wide in widths), initial=_GAP))
    picture = Image.new("RGB", (starts[-1] - _GAP, _LINE * len(rows)), palette.LIGHT)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, picture.width, _LINE), fill=_HEAD)
    for number, row in enumerate(rows):
        bottom = _LINE * (number + 1)
        for x, cell in zip(starts, row, strict=False):
            palette.write(pen, (x, bottom - _LINE // 2), cell, _LETTERS)
        pen.line((0, bottom, picture.width, bottom), fill=_RULE)
    return picture
