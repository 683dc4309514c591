"""A bar chart of labels and their scores. Runs in a worker."""

from PIL import Image, ImageDraw

from adapters.media import pictures
from adapters.media.lettering import (
    LIGHT,
    format_percent,
    measure_width,
    pick_colour,
    shorten,
    write,
)
from pipeline.domain import Blob, Labels

_WIDTH = 720
"""Pixels of the picture, as all that follows."""
_MARGIN = 20
_ROW = 40
_BAR = 22
_SIZE = 20
"""The size of letters."""
_NAMES = 240
"""The widest label."""
_MOST = 10
"""Labels that are shown."""
_TRACK = (232, 236, 242)
"""The colour of a bar up to 100 %."""


def draw_chart(labels: Labels) -> Blob:
    """A bar chart of the first ten labels, from 0 to 100 %."""
    shown = labels.items[:_MOST]
    names = [shorten(item.label, _SIZE, _NAMES) for item in shown]
    scores = [format_percent(item.score) for item in shown]
    start = 2 * _MARGIN + max((measure_width(name, _SIZE) for name in names), default=0)
    end = _WIDTH - 2 * _MARGIN - measure_width("100 %", _SIZE)
    picture = Image.new("RGB", (_WIDTH, 2 * _MARGIN + _ROW * max(len(shown), 1)), LIGHT)
    pen = ImageDraw.Draw(picture)
    for number, item in enumerate(shown):
        y = _MARGIN + _ROW * number + _ROW // 2
        write(pen, (_MARGIN, y), names[number], _SIZE)
        write(pen, (_WIDTH - _MARGIN, y), scores[number], _SIZE, anchor="rm")
        top, bottom = y - _BAR // 2, y + _BAR // 2
        pen.rounded_rectangle((start, top, end, bottom), radius=4, fill=_TRACK)
        filled = start + round((end - start) * min(max(item.score, 0.0), 1.0))
        if filled > start:
            shade = pick_colour(1)
            pen.rounded_rectangle((start, top, filled, bottom), radius=4, fill=shade)
    alt = ", ".join(f"{item.label} {score}" for item, score in zip(shown, scores, strict=True))
    return Blob(pictures.encode(picture, "image/png"), "image/png", "chart.png", alt=alt)
