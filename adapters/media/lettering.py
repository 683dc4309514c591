"""Texts in pictures: fonts that have their letters, sizes, colours that they are legible on."""

import unicodedata
from contextlib import suppress
from functools import cache

from PIL import ImageDraw, ImageFont

Colour = tuple[int, int, int]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
_COLOURS: tuple[Colour, ...] = (
    (230, 75, 53),
    (37, 110, 200),
    (0, 130, 100),
    (175, 120, 0),
    (140, 80, 175),
    (20, 140, 180),
    (160, 110, 60),
    (205, 70, 140),
    (90, 130, 30),
    (70, 80, 95),
)
"""Dark enough for white letters."""
DARK: Colour = (32, 36, 44)
LIGHT: Colour = (255, 255, 255)
_SYSTEM_FONTS = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf", "Arial.ttf"),
    *("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "wqy-zenhei.ttc", "msyh.ttc"),
    *("Hiragino Sans GB.ttc", "Arial Unicode.ttf"),
)
"""They have more letters than Pillow's own, which has ASCII only."""
_NO_LETTER = "\uffff"
"""Every font draws it as the sign for a letter that it lacks."""
_ELLIPSIS = "..."
_LONGEST_LABEL = 200
"""Characters."""


def pick_colour(index: int) -> Colour:
    """A colour; they repeat after ten."""
    return _COLOURS[index % len(_COLOURS)]


def write(
    pen: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    size: int,
    *,
    ink: Colour = DARK,
    anchor: str = "lm",
) -> None:
    """Draw a text that `shorten` returned."""
    pen.text(place, text, fill=ink, font=find_font(text, size), anchor=anchor)


def measure_width(text: str, size: int) -> int:
    return round(find_font(text, size).getlength(text))


def shorten(text: str, size: int, room: int) -> str:
    """The text in letters that we can draw, cut with an ellipsis if it is wider than `room`."""
    shown = to_printable(" ".join(text[:_LONGEST_LABEL].split()))
    if measure_width(shown, size) <= room:
        return shown
    while shown and measure_width(f"{shown}{_ELLIPSIS}", size) > room:
        shown = shown[:-1]
    return f"{shown.rstrip()}{_ELLIPSIS}"


def to_printable(text: str) -> str:
    """The text, if a font has all its letters; else "Muller" for "Müller", and "?" for others."""
    if text.isascii() or _choose_font(text):
        return text
    signs = unicodedata.normalize("NFKD", text)
    plain = (sign if sign.isascii() else "?" for sign in signs if not unicodedata.combining(sign))
    return "".join(plain)


def format_percent(score: float) -> str:
    """A score from 0 to 1 as a percentage; small ones are not rounded to 0."""
    share = min(max(score, 0.0), 1.0) * 100
    return f"{share:.0f} %" if share >= 1 or not share else "<1 %"


def find_font(text: str, size: int) -> Font:
    """Pillow's own font for ASCII, else the first system font with all letters of a text."""
    return _load("" if text.isascii() else _choose_font(text), size)


def _choose_font(text: str) -> str:
    return next((name for name in _list_fonts() if all(_has(name, each) for each in text)), "")


@cache
def _list_fonts() -> tuple[str, ...]:
    installed = []
    for name in _SYSTEM_FONTS:
        with suppress(OSError):
            _load(name, 16)
            installed.append(name)
    return tuple(installed)


@cache
def _has(name: str, letter: str) -> bool:
    """Whether a font has a letter, and not just its empty box."""
    font = _load(name, 16)
    return letter.isspace() or bytes(font.getmask(letter)) != bytes(font.getmask(_NO_LETTER))


@cache
def _load(name: str, size: int) -> Font:
    return ImageFont.truetype(name, size) if name else ImageFont.load_default(size)
