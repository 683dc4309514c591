"""Boxes and masks drawn into a picture, with a legend. Runs in a worker."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from adapters.media import palette, pictures
from adapters.media.bounds import Bounds, rename
from adapters.media.palette import Colour
from pipeline.domain import Blob, Box, Boxes, Mask, Masks

_MOST = 40


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A colour and what it stands for."""

    text: str
    colour: Colour


def with_legend(picture: Image.Image, entries: Sequence[LegendEntry], size: int) -> Image.Image:
    """The picture with the legend below, if there are entries."""
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
                font=palette.find_font(entry.text, size),
                anchor="lm",
            )
            x += _width(entry, size)
    return whole


def _bounded(entries: Sequence[LegendEntry]) -> Sequence[LegendEntry]:
    left = len(entries) - _MOST
    return entries if left <= 0 else (*entries[:_MOST], LegendEntry(f"+ {left}", palette.QUIET))


def _rows(entries: Sequence[LegendEntry], width: int, size: int) -> list[list[LegendEntry]]:
    rows: list[list[LegendEntry]] = [[]]
    used = size
    for entry in entries:
        text = palette.shorten(entry.text, size, width - 4 * size)
        shown = LegendEntry(text, entry.colour)
        wide = _width(shown, size)
        if rows[-1] and used + wide > width:
            rows.append([])
            used = size
        rows[-1].append(shown)
        used += wide
    return rows


def _width(entry: LegendEntry, size: int) -> int:
    return round(size * 2.5) + palette.width(entry.text, size)


_SHORTEST, _LONGEST = 640, 1600
"""Longer edge of what is drawn, so that letters can be read and the file stays light."""
_NARROWEST = 360
_TAGGED = 24
_STRENGTH = 115
_STEPS = 8
"""How far down a name goes where others have taken its corners, in lines."""

Area = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Canvas:
    """A picture to draw on, and how much larger than the original it is."""

    picture: Image.Image
    scale: float

    @property
    def letters(self) -> int:
        return max(16, round(max(self.picture.size) / 42))

    @property
    def line(self) -> int:
        return max(3, round(max(self.picture.size) / 320))


def draw_boxes(image: Blob, boxes: Boxes, bounds: Bounds) -> Blob:
    """Frames with name and score; the legend counts the things of each name."""
    canvas = _canvas(image, bounds)
    found = sorted(boxes.items, key=lambda box: -box.score)
    colours = _colours([box.label for box in found])
    areas = [_scaled(box, canvas) for box in found]
    pen = ImageDraw.Draw(canvas.picture)
    for box, area in reversed(list(zip(found, areas, strict=True))):
        pen.rectangle(area, outline=colours[box.label], width=canvas.line)
    tags = _Tags(canvas)
    for box, area in list(zip(found, areas, strict=True))[:_TAGGED]:
        text = f"{box.label} {palette.format_percent(box.score)}".strip()
        tags.put(text, area, colours[box.label])
    counts = {name: sum(box.label == name for box in found) for name in colours}
    entries = [
        LegendEntry(f"{name} ({counts[name]})" if counts[name] > 1 else name, shade)
        for name, shade in colours.items()
        if name
    ]
    return _blob(image, with_legend(canvas.picture, entries, canvas.letters))


def draw_masks(image: Blob, masks: Masks, bounds: Bounds) -> Blob:
    """Each region in a colour of its own, with an outline; the legend names them."""
    canvas = _canvas(image, bounds)
    entries = []
    for index, mask in enumerate(masks.items):
        if isinstance(mask.image, Blob):
            shade = palette.pick_colour(index)
            _lay_over(canvas, _region(mask.image, canvas, bounds), shade)
            entries.append(LegendEntry(_named(mask), shade))
    shown = [entry for entry in entries if entry.text]
    return _blob(image, with_legend(canvas.picture, shown, canvas.letters))


def _canvas(image: Blob, bounds: Bounds) -> _Canvas:
    picture = pictures.flatten(pictures.load_upright(image.data, bounds)).convert("RGB")
    longest = max(picture.size)
    scale = min(max(longest, _SHORTEST), _LONGEST) / longest
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    resized = picture.resize(size, Image.Resampling.LANCZOS) if scale != 1 else picture
    return _Canvas(_widened(resized), scale)


def _widened(picture: Image.Image) -> Image.Image:
    """A narrow picture gets a margin at its right, so that names have room."""
    if picture.width >= _NARROWEST:
        return picture
    ground = Image.new("RGB", (_NARROWEST, picture.height), palette.LIGHT)
    ground.paste(picture)
    return ground


def _blob(image: Blob, picture: Image.Image) -> Blob:
    """Photographs stay JPEG, the rest PNG."""
    media_type = "image/jpeg" if image.media_type == "image/jpeg" else "image/png"
    return rename(image, pictures.encode(picture, media_type), media_type)


def _colours(names: Sequence[str]) -> dict[str, Colour]:
    return {name: palette.pick_colour(index) for index, name in enumerate(dict.fromkeys(names))}


def _scaled(box: Box, canvas: _Canvas) -> Area:
    """The edges on the canvas, in order and within it."""
    width, height = canvas.picture.size
    xs = sorted(min(max(round(x * canvas.scale), 0), width - 1) for x in (box.xmin, box.xmax))
    ys = sorted(min(max(round(y * canvas.scale), 0), height - 1) for y in (box.ymin, box.ymax))
    return xs[0], ys[0], xs[1], ys[1]


class _Tags:
    """Names at the frames, within the picture and, if there is room, apart from each other."""

    def __init__(self, canvas: _Canvas) -> None:
        self._size = canvas.picture.size
        self._pen = ImageDraw.Draw(canvas.picture)
        self._letters = canvas.letters
        self._margin = max(3, canvas.letters // 4)
        self._height = canvas.letters + 2 * self._margin
        self._taken: list[Area] = []

    def put(self, text: str, area: Area, shade: Colour) -> None:
        if not text:
            return
        text = palette.shorten(text, self._letters, self._size[0] - 2 * self._margin)
        place = self._place(palette.width(text, self._letters) + 2 * self._margin, area)
        self._taken.append(place)
        self._pen.rectangle(place, fill=shade)
        middle = (place[0] + self._margin, (place[1] + place[3]) / 2)
        self._pen.text(
            middle,
            text,
            fill=palette.pick_ink(shade),
            font=palette.find_font(text, self._letters),
            anchor="lm",
        )

    def _place(self, width: int, area: Area) -> Area:
        left, top, right, bottom = area
        corners = (
            *((left, top - self._height), (left, top), (right - width, top - self._height)),
            *((left, bottom - self._height), (left, bottom), (right - width, bottom)),
        )
        below = ((left, top + step * self._height) for step in range(1, _STEPS))
        places = [self._within(x, y, width) for x, y in (*corners, *below)]
        return next((place for place in places if self._is_free(place)), places[0])

    def _within(self, x: int, y: int, width: int) -> Area:
        x = max(0, min(x, self._size[0] - 1 - width))
        y = max(0, min(y, self._size[1] - 1 - self._height))
        return x, y, x + width, y + self._height

    def _is_free(self, place: Area) -> bool:
        return not any(
            place[0] < other[2]
            and other[0] < place[2]
            and place[1] < other[3]
            and other[1] < place[3]
            for other in self._taken
        )


def _region(image: Blob, canvas: _Canvas, bounds: Bounds) -> Image.Image:
    """Where the region is, white on black, as large as the canvas."""
    mask = pictures.load_upright(image.data, bounds).convert("L")
    grown = mask.resize(canvas.picture.size, Image.Resampling.BILINEAR)
    return grown.point(lambda value: 255 if value > 127 else 0)  # noqa: PLR2004 - half of white


def _lay_over(canvas: _Canvas, region: Image.Image, shade: Colour) -> None:
    canvas.picture.paste(shade, mask=region.point(lambda value: _STRENGTH if value else 0))
    thin = region.filter(
        ImageFilter.MinFilter(2 * (canvas.line // 2) + 1 if canvas.line > 1 else 3)
    )
    canvas.picture.paste(shade, mask=ImageChops.subtract(region, thin))


def _named(mask: Mask) -> str:
    score = palette.format_percent(mask.score) if mask.score is not None else ""
    return f"{mask.label} {score}".strip() if mask.label else ""
