"""What the colours mean, in a strip below the picture. Runs in a worker."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from adapters.media import palette
from adapters.media.palette import Colour

_MOST = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """A colour and what it stands for."""

    text: str
    colour: Colour


def with_legend(picture: Image.Image, entries: Sequence[Entry], size: int) -> Image.Image:
    """The picture with the legend below, in as many rows as it takes; without one where there is nothing to tell."""
    if not entries:
        return picture
    rows = _rows(_bounded(entries), picture.width, size)
    high = round(size * 1.7)
    whole = Image.new(
        "RGB", (picture.width, picture.height + high * len(rows) + size), palette.LIGHT
    )
    whole.paste(picture)
    pen = ImageDraw.Draw(whole)
    for number, row in enumerate(rows):
        x, y = size, picture.height + size // 2 + high * number + high // 2
        for entry in row:
            pen.rectangle((x, y - size // 2, x + size, y + size // 2), fill=entry.colour)
            pen.text(
                (x + round(size * 1.5), y),
                entry.text,
                fill=palette.DARK,
                font=palette.font(entry.text, size),
                anchor="lm",
            )
            x += _width(entry, size)
    return whole


def _bounded(entries: Sequence[Entry]) -> Sequence[Entry]:
    left = len(entries) - _MOST
    return entries if left <= 0 else (*entries[:_MOST], Entry(f"+ {left}", palette.QUIET))


def _rows(entries: Sequence[Entry], width: int, size: int) -> list[list[Entry]]:
    rows: list[list[Entry]] = [[]]
    used = size
    for entry in entries:
        text = palette.shortened(entry.text, size, width - 4 * size)
        shown = Entry(text, entry.colour)
        wide = _width(shown, size)
        if rows[-1] and used + wide > width:
            rows.append([])
            used = size
        rows[-1].append(shown)
        used += wide
    return rows


def _width(entry: Entry, size: int) -> int:
    return round(size * 2.5) + palette.width(entry.text, size)
