"""Colours that are told apart, and letters that can be read on them. Runs in a worker."""

import colorsys
import unicodedata
from contextlib import suppress
from functools import cache

from PIL import ImageDraw, ImageFont

Colour = tuple[int, int, int]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_FIRST: tuple[Colour, ...] = (
    (230, 75, 53),
    (37, 110, 200),
    (0, 145, 110),
    (240, 170, 20),
    (140, 80, 175),
    (100, 190, 235),
    (160, 110, 60),
    (225, 100, 165),
    (110, 160, 40),
    (70, 80, 95),
)
"""Apart also for eyes that do not see red or green as others do."""
_GOLDEN = 0.618034
_BRIGHT = 150
DARK: Colour = (32, 36, 44)
QUIET: Colour = (110, 118, 130)
LIGHT: Colour = (255, 255, 255)
_WIDER = (
    *("DejaVuSans.ttf", "NotoSans-Regular.ttf", "LiberationSans-Regular.ttf", "Arial.ttf"),
    *("NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "wqy-zenhei.ttc", "msyh.ttc"),
    *("Hiragino Sans GB.ttc", "Arial Unicode.ttf"),
)
"""System fonts with more letters than Pillow's own, which has ASCII only."""
_NO_LETTER = "\uffff"
_ELLIPSIS = "…"
_LONGEST = 200


def pick_colour(index: int) -> Colour:
    """The colour of the n-th thing."""
    if index < len(_FIRST):
        return _FIRST[index]
    shade = colorsys.hsv_to_rgb(index * _GOLDEN % 1, 0.75, 0.6 + 0.35 * (index % 2))
    return (round(shade[0] * 255), round(shade[1] * 255), round(shade[2] * 255))


def pick_ink(ground: Colour) -> Colour:
    """Black or white, whichever can be read on a ground."""
    red, green, blue = ground
    return DARK if 0.299 * red + 0.587 * green + 0.114 * blue > _BRIGHT else LIGHT


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


def find_font(text: str, size: int) -> Font:
    """Pillow's own font, or one of the system where a text needs more letters."""
    return _load(_choose_font(text), size)


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
    """In letters that there are here: "Müller" as "Muller", what has no such letters as "?"."""
    font = _choose_font(text)
    return "".join(sign if has_glyph(font, sign) else _strip_accents(sign) for sign in text)


def _strip_accents(sign: str) -> str:
    plain = unicodedata.normalize("NFKD", sign.replace("ß", "ss"))
    return plain.encode("ascii", "ignore").decode() or "?"


def format_percent(score: float) -> str:
    """A score from 0 to 1 in words; small ones are never nothing."""
    share = min(max(score, 0.0), 1.0) * 100
    return f"{share:.0f} %" if share >= 1 or not share else "<1 %"


def _choose_font(text: str) -> str:
    """The system font with most of the signs; "" where Pillow's own will do."""
    if _is_plain(text):
        return ""
    return max(
        _list_fonts(), key=lambda name: sum(has_glyph(name, sign) for sign in text), default=""
    )


@cache
def has_glyph(name: str, sign: str) -> bool:
    """Whether a font has a sign, and not just its empty box."""
    font = _load(name, 16)
    return _is_plain(sign) or (
        bool(name) and bytes(font.getmask(sign)) != bytes(font.getmask(_NO_LETTER))
    )


def _is_plain(text: str) -> bool:
    return text.replace(_ELLIPSIS, "").isascii()


@cache
def _load(name: str, size: int) -> Font:
    return ImageFont.truetype(name, size) if name else ImageFont.load_default(size)


@cache
def _list_fonts() -> tuple[str, ...]:
    installed = []
    for name in _WIDER:
        with suppress(OSError):
            _load(name, 16)
            installed.append(name)
    return tuple(installed)
