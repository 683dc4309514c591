"""Labels, depths and tables as pictures. Runs in a worker."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from adapters.media import palette, pictures
from adapters.media.bounds import Bounds, rename, translate_decoder_errors
from pipeline.domain import Blob, Labels
from pipeline.errors import MediaError
from pipeline.text.sheets import as_text, cells

_WIDTH = 720
_SIZE = 20
_ROW = 40
_MARGIN = 20
_NAMES = 240
_MOST = 10
_BAR = 22
_TRACK = (232, 236, 242)


def draw_chart(labels: Labels) -> Blob:
    """A bar for each label, the first ten, from 0 to 100 %."""
    shown = labels.items[:_MOST]
    score_room = palette.width("100 %", _SIZE) + _MARGIN
    names = min(_NAMES, max((palette.width(item.label, _SIZE) for item in shown), default=0))
    start, end = 2 * _MARGIN + names, _WIDTH - _MARGIN - score_room
    picture = Image.new("RGB", (_WIDTH, 2 * _MARGIN + _ROW * max(len(shown), 1)), palette.LIGHT)
    pen = ImageDraw.Draw(picture)
    for number, item in enumerate(shown):
        y = _MARGIN + _ROW * number + _ROW // 2
        name = palette.shorten(item.label, _SIZE, names)
        pen.text(
            (_MARGIN, y), name, fill=palette.DARK, font=palette.find_font(name, _SIZE), anchor="lm"
        )
        bar = (start, y - _BAR // 2, end, y + _BAR // 2)
        pen.rounded_rectangle(bar, radius=4, fill=_TRACK)
        filled = start + round((end - start) * min(max(item.score, 0.0), 1.0))
        if filled > start:
            pen.rounded_rectangle((*bar[:2], filled, bar[3]), radius=4, fill=palette.pick_colour(1))
        score = palette.format_percent(item.score)
        pen.text(
            (_WIDTH - _MARGIN, y),
            score,
            fill=palette.DARK,
            font=palette.find_font(score, _SIZE),
            anchor="rm",
        )
    alt = ", ".join(f"{item.label} {palette.format_percent(item.score)}" for item in shown)
    return Blob(pictures.encode(picture, "image/png"), "image/png", "chart.png", alt)


_COLOURS = np.array(
    [(13, 8, 66), (84, 15, 109), (158, 42, 99), (221, 81, 58), (252, 165, 10), (252, 255, 164)],
    np.float32,
)
"""Dark is far, bright is near; brightness rises all the way, so it reads without colours."""
_OUTLIERS = (1, 99)


def colour_depth(depth: Blob, bounds: Bounds) -> Blob:
    """A grey picture of depths in colours, from its nearest to its farthest place."""
    grey = np.asarray(pictures.load_upright(depth.data, bounds).convert("L"), np.float32)
    low, high = np.percentile(grey, _OUTLIERS)
    share = np.clip((grey - low) / max(float(high - low), 1.0), 0, 1) * (len(_COLOURS) - 1)
    steps = np.arange(len(_COLOURS))
    channels = [np.interp(share, steps, _COLOURS[:, channel]) for channel in range(3)]
    picture = Image.fromarray(np.stack(channels, axis=-1).round().astype(np.uint8))
    return rename(depth, pictures.encode(picture, "image/png"), "image/png")


_TABLE_SIZE = 17
_TABLE_ROW = 32
_TABLE_MARGIN = 14
_WIDEST = 260
_ROWS, _COLUMNS = 20, 8
_HEAD, _STRIPE, _RULE = (225, 232, 242), (246, 248, 251), (205, 212, 222)


def draw_table(table: Blob) -> Blob:
    """The head and at most 20 rows of at most 8 columns, and how much more there is."""
    with translate_decoder_errors("table"):
        rows = cells(as_text(table.data) or "", table.media_type)
    if not rows:
        raise MediaError("media-broken", kind="table")
    shown = [row[:_COLUMNS] for row in rows[: _ROWS + 1]]
    more = _more(len(rows) - len(shown), max(len(row) for row in rows) - _COLUMNS)
    picture = _picture(shown, more)
    return rename(table, pictures.encode(picture, "image/png"), "image/png")


def _more(rows: int, columns: int) -> str:
    signs = (f"+ {rows} rows" if rows > 0 else "", f"+ {columns} columns" if columns > 0 else "")
    return "   ".join(filter(None, signs))


def _picture(rows: Sequence[Sequence[str]], more: str) -> Image.Image:
    count = max(len(row) for row in rows)
    cells = [[palette.shorten(cell, _TABLE_SIZE, _WIDEST) for cell in row] for row in rows]
    columns = [[row[number] for row in cells if number < len(row)] for number in range(count)]
    widths = [max(palette.width(cell, _TABLE_SIZE) for cell in column) for column in columns]
    wide = sum(widths) + 2 * _TABLE_MARGIN * count
    high = _TABLE_ROW * (len(rows) + bool(more))
    picture = Image.new(
        "RGB", (max(wide, palette.width(more, _TABLE_SIZE) + 2 * _TABLE_MARGIN), high), "white"
    )
    pen = ImageDraw.Draw(picture)
    for number, row in enumerate(cells):
        ground = _HEAD if not number else (_STRIPE if number % 2 else palette.LIGHT)
        pen.rectangle(
            (0, _TABLE_ROW * number, picture.width, _TABLE_ROW * (number + 1)), fill=ground
        )
        _row(pen, row, widths, _TABLE_ROW * number + _TABLE_ROW // 2)
        pen.line(
            (0, _TABLE_ROW * (number + 1), picture.width, _TABLE_ROW * (number + 1)), fill=_RULE
        )
    if more:
        place = (_TABLE_MARGIN, high - _TABLE_ROW // 2)
        pen.text(
            place, more, fill=palette.QUIET, font=palette.find_font(more, _TABLE_SIZE), anchor="lm"
        )
    return picture


def _row(pen: ImageDraw.ImageDraw, row: Sequence[str], widths: Sequence[int], y: int) -> None:
    """Figures to the right, words to the left."""
    x = _TABLE_MARGIN
    for cell, wide in zip(row, widths, strict=False):
        right = _is_figure(cell)
        place = (x + wide if right else x, y)
        letters = palette.find_font(cell, _TABLE_SIZE)
        pen.text(place, cell, fill=palette.DARK, font=letters, anchor="rm" if right else "lm")
        x += wide + 2 * _TABLE_MARGIN


def _is_figure(cell: str) -> bool:
    try:
        float(cell.replace(",", "").rstrip("%"))
    except ValueError:
        return False
    return True
