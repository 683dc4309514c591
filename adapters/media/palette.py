"""Colours that are told apart, and letters that can be read on them. Runs in a worker."""

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
_WIDER = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf", "Arial.ttf"),
    *("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "wqy-zenhei.ttc", "msyh.ttc"),
    *("Hiragino Sans GB.ttc", "Arial Unicode.ttf"),
)
"""System fonts with more letters than Pillow's own, which has ASCII only."""
_NO_LETTER = "\uffff"
_ELLIPSIS = "..."
_LONGEST = 200


def pick_colour(index: int) -> Colour:
    """The colour of the n-th thing."""
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
    """Draw letters that `shorten` let through."""
    pen.text(place, text, fill=ink, font=find_font(text, size), anchor=anchor)


def width(text: str, size: int) -> int:
    return round(find_font(text, size).getlength(text))


def shorten(text: str, size: int, room: int) -> str:
    """The text as it can be spelt, cut with an ellipsis where there is no room for all of it."""
    shown = to_printable(" ".join(text[:_LONGEST].split()))
    if width(shown, size) <= room:
        return shown
    while shown and width(f"{shown}{_ELLIPSIS}", size) > room:
        shown = shown[:-1]
    return f"{shown.rstrip()}{_ELLIPSIS}"


def to_printable(text: str) -> str:
    """In letters that there are here: else "Müller" as "Muller", and "?" for other letters."""
    if text.isascii() or _choose_font(text):
        return text
    signs = unicodedata.normalize("NFKD", text)
    plain = (sign if sign.isascii() else "?" for sign in signs if not unicodedata.combining(sign))
    return "".join(plain)


def format_percent(score: float) -> str:
    """A score from 0 to 1 in words; small ones are never nothing."""
    share = min(max(score, 0.0), 1.0) * 100
    return f"{share:.0f} %" if share >= 1 or not share else "<1 %"


def find_font(text: str, size: int) -> Font:
    """Pillow's own font, or the first of the system with all letters of a text."""
    return _load("" if text.isascii() else _choose_font(text), size)


def _choose_font(text: str) -> str:
    return next((name for name in _list_fonts() if all(_has(name, each) for each in text)), "")


@cache
def _list_fonts() -> tuple[str, ...]:
    installed = []
    for name in _WIDER:
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
