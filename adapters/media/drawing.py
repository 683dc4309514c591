"""Draws boxes, masks and labels on pictures, depth maps and tables. Runs in a worker."""

import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, zip_longest

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont, ImageOps

from adapters.media import pictures, tables
from adapters.media.bounds import Bounds, rename
from pipeline.domain import Blob, Box, Boxes, Labels, Masks
from pipeline.errors import MediaError

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
_ELLIPSIS = "..."
_LONGEST_LABEL = 200


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


def width(text: str, size: int) -> int:
    return round(find_font(text, size).getlength(text))


def shorten(text: str, size: int, room: int) -> str:
    """The text in letters that we can draw, cut with an ellipsis if it is wider than `room`."""
    shown = to_printable(" ".join(text[:_LONGEST_LABEL].split()))
    if width(shown, size) <= room:
        return shown
    while shown and width(f"{shown}{_ELLIPSIS}", size) > room:
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


_SHORTEST, _LONGEST = 640, 1600
"""Limits of the longer side, so that labels are legible and the file is small."""
_MOST_TAGS = 24
_OPACITY = 115
_STEPS = 8
"""How many lines down a tag may move if its place is taken."""

Area = tuple[int, int, int, int]


def draw_boxes(image: Blob, boxes: Boxes, bounds: Bounds) -> Blob:
    """Draw boxes with label and score; each label has its colour."""
    canvas = _open_canvas(image, bounds)
    boxes_by_score = sorted(boxes.items, key=lambda box: -box.score)
    names = dict.fromkeys(box.label for box in boxes_by_score)
    colours = {name: pick_colour(index) for index, name in enumerate(names)}
    pen = ImageDraw.Draw(canvas.picture)
    for box in reversed(boxes_by_score):
        pen.rectangle(canvas.scale_box(box), outline=colours[box.label], width=canvas.line)
    for box in boxes_by_score[:_MOST_TAGS]:
        text = f"{box.label} {format_percent(box.score)}".strip()
        canvas.tag(text, canvas.scale_box(box), colours[box.label])
    return canvas.save(image)


def draw_masks(image: Blob, masks: Masks, bounds: Bounds) -> Blob:
    """Draw each mask in its own colour, with an outline and its label."""
    canvas = _open_canvas(image, bounds)
    tags = []
    for index, mask in enumerate(masks.items):
        if isinstance(mask.image, Blob):
            shade = pick_colour(index)
            area = canvas.lay_over(pictures.load_upright(mask.image.data, bounds), shade)
            score = format_percent(mask.score) if mask.score is not None else ""
            tags += [(f"{mask.label} {score}".strip(), area, shade)] if area else []
    for text, area, shade in tags[:_MOST_TAGS]:
        canvas.tag(text, area, shade)
    return canvas.save(image)


def _open_canvas(image: Blob, bounds: Bounds) -> "_Canvas":
    picture = pictures.flatten(pictures.load_upright(image.data, bounds)).convert("RGB")
    longest = max(picture.size)
    scale = min(max(longest, _SHORTEST), _LONGEST) / longest
    return _Canvas(pictures.scale(picture, scale) if scale != 1 else picture, scale)


@dataclass
class _Canvas:
    """A picture to draw on, its scale to the original, and the areas of its tags."""

    picture: Image.Image
    scale: float
    taken: list[Area] = field(default_factory=list)

    @property
    def letters(self) -> int:
        return max(16, round(max(self.picture.size) / 42))

    @property
    def line(self) -> int:
        return max(3, round(max(self.picture.size) / 320))

    def scale_box(self, box: Box) -> Area:
        """The edges on the canvas, in order and within it."""
        width, height = self.picture.size
        xs = sorted(min(max(round(x * self.scale), 0), width - 1) for x in (box.xmin, box.xmax))
        ys = sorted(min(max(round(y * self.scale), 0), height - 1) for y in (box.ymin, box.ymax))
        return xs[0], ys[0], xs[1], ys[1]

    def tag(self, text: str, area: Area, shade: Colour) -> None:
        """Write a tag above an area, within the picture and, if there is room, clear of others."""
        if not text:
            return
        margin = max(3, self.letters // 4)
        text = shorten(text, self.letters, self.picture.width - 2 * margin)
        wide, high = width(text, self.letters) + 2 * margin, self.letters + 2 * margin
        left, top, _, _ = area
        places = [self._place(left, top + step * high, wide, high) for step in range(-1, _STEPS)]
        place = next((place for place in places if self._is_free(place)), places[0])
        self.taken.append(place)
        pen = ImageDraw.Draw(self.picture)
        pen.rectangle(place, fill=shade)
        middle = (place[0] + margin, (place[1] + place[3]) / 2)
        write(pen, middle, text, self.letters, ink=LIGHT)

    def _place(self, x: int, y: int, wide: int, high: int) -> Area:
        """A rectangle with this top left corner, moved into the picture."""
        x = max(0, min(x, self.picture.width - 1 - wide))
        y = max(0, min(y, self.picture.height - 1 - high))
        return x, y, x + wide, y + high

    def _is_free(self, place: Area) -> bool:
        left, top, right, bottom = place
        return not any(
            left < r and x < right and top < b and y < bottom for x, y, r, b in self.taken
        )

    def lay_over(self, mask: Image.Image, shade: Colour) -> Area | None:
        """Colour and outline the white region of a mask; return its bounding box."""
        scaled = mask.convert("L").resize(self.picture.size, Image.Resampling.BILINEAR)
        region = scaled.point(lambda value: 255 if value > 127 else 0)  # noqa: PLR2004 - half white
        self.picture.paste(shade, mask=region.point(lambda value: _OPACITY if value else 0))
        thin = region.filter(ImageFilter.MinFilter(self.line // 2 * 2 + 1))
        self.picture.paste(shade, mask=ImageChops.subtract(region, thin))
        return region.getbbox()

    def save(self, image: Blob) -> Blob:
        """JPEG stays JPEG; everything else becomes PNG."""
        media_type = "image/jpeg" if image.media_type == "image/jpeg" else "image/png"
        return rename(image, pictures.encode(self.picture, media_type), media_type)


_WIDTH, _MARGIN, _ROW, _BAR = 720, 20, 40, 22
_SIZE = 20
_NAMES = 240
_MOST = 10
_TRACK = (232, 236, 242)


def draw_chart(labels: Labels) -> Blob:
    """A bar chart of the first ten labels, from 0 to 100 %."""
    shown = labels.items[:_MOST]
    names = [shorten(item.label, _SIZE, _NAMES) for item in shown]
    scores = [format_percent(item.score) for item in shown]
    start = 2 * _MARGIN + max((width(name, _SIZE) for name in names), default=0)
    end = _WIDTH - 2 * _MARGIN - width("100 %", _SIZE)
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
    rows = tables.read(table, Bounds()).rows
    if not rows:
        raise MediaError("media-broken", kind="table")
    left_out = {"rows": len(rows) - _ROWS - 1, "columns": max(map(len, rows)) - _COLUMNS}
    more = "   ".join(f"+ {count} {what}" for what, count in left_out.items() if count > 0)
    shown = [
        [shorten(cell, _LETTERS, _WIDEST) for cell in row[:_COLUMNS]] for row in rows[: _ROWS + 1]
    ]
    picture = _draw_rows([*shown, [more]] if more else shown)
    return rename(table, pictures.encode(picture, "image/png"), "image/png")


def _draw_rows(rows: Sequence[Sequence[str]]) -> Image.Image:
    columns = zip_longest(*rows, fillvalue="")
    widths = [max(width(cell, _LETTERS) for cell in column) for column in columns]
    starts = list(accumulate((wide + 2 * _GAP for wide in widths), initial=_GAP))
    picture = Image.new("RGB", (starts[-1] - _GAP, _LINE * len(rows)), LIGHT)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, picture.width, _LINE), fill=_HEAD)
    for number, row in enumerate(rows):
        bottom = _LINE * (number + 1)
        for x, cell in zip(starts, row, strict=False):
            write(pen, (x, bottom - _LINE // 2), cell, _LETTERS)
        pen.line((0, bottom, picture.width, bottom), fill=_RULE)
    return picture
