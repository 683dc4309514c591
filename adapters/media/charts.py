"""Labels and their scores as a small chart. Runs in a worker."""

from PIL import Image, ImageDraw

from adapters.media import palette, pictures
from pipeline.domain import Blob, Labels

_WIDTH = 720
_SIZE = 20
_ROW = 40
_MARGIN = 20
_NAMES = 240
_MOST = 10
_BAR = 22
_TRACK = (232, 236, 242)


def chart(labels: Labels) -> Blob:
    """A bar for each label, the first ten, from 0 to 100 %."""
    shown = labels.items[:_MOST]
    score_room = palette.width("100 %", _SIZE) + _MARGIN
    names = min(_NAMES, max((palette.width(item.label, _SIZE) for item in shown), default=0))
    start, end = 2 * _MARGIN + names, _WIDTH - _MARGIN - score_room
    picture = Image.new("RGB", (_WIDTH, 2 * _MARGIN + _ROW * max(len(shown), 1)), palette.LIGHT)
    pen = ImageDraw.Draw(picture)
    for number, item in enumerate(shown):
        y = _MARGIN + _ROW * number + _ROW // 2
        name = palette.shortened(item.label, _SIZE, names)
        pen.text((_MARGIN, y), name, fill=palette.DARK, font=palette.font(name, _SIZE), anchor="lm")
        bar = (start, y - _BAR // 2, end, y + _BAR // 2)
        pen.rounded_rectangle(bar, radius=4, fill=_TRACK)
        filled = start + round((end - start) * min(max(item.score, 0.0), 1.0))
        if filled > start:
            pen.rounded_rectangle((*bar[:2], filled, bar[3]), radius=4, fill=palette.colour(1))
        score = palette.percent(item.score)
        pen.text(
            (_WIDTH - _MARGIN, y),
            score,
            fill=palette.DARK,
            font=palette.font(score, _SIZE),
            anchor="rm",
        )
    alt = ", ".join(f"{item.label} {palette.percent(item.score)}" for item in shown)
    return Blob(pictures.encoded(picture, "image/png"), "image/png", "chart.png", alt)
