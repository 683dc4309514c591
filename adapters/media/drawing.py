"""Boxes and masks drawn into a picture, with a legend. Runs in a worker."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from adapters.media import palette, pictures
from adapters.media.bounds import Bounds, rename
from adapters.media.palette import Colour
from pipeline.domain import Blob, Box, Boxes, Masks

_MOST = 40
_SHORTEST, _LONGEST = 640, 1600
"""Longer edge of what is drawn, so that letters can be read and the file stays light."""
_NARROWEST = 360
_TAGGED = 24
_STRENGTH = 115
_STEPS = 8
"""How far down a name goes where others have taken its place, in lines."""

Area = tuple[int, int, int, int]


def draw_boxes(image: Blob, boxes: Boxes, bounds: Bounds) -> Blob:
    """Frames with name and score; the legend counts the things of each name."""
    canvas = _open_canvas(image, bounds)
    found = sorted(boxes.items, key=lambda box: -box.score)
    counts = Counter(box.label for box in found)
    colours = {name: palette.pick_colour(index) for index, name in enumerate(counts)}
    pen = ImageDraw.Draw(canvas.picture)
    for box in reversed(found):
        pen.rectangle(canvas.scale_box(box), outline=colours[box.label], width=canvas.line)
    for box in found[:_TAGGED]:
        text = f"{box.label} {palette.format_percent(box.score)}".strip()
        canvas.tag(text, canvas.scale_box(box), colours[box.label])
    legend = [
        (f"{name} ({count})" if count > 1 else name, colours[name])
        for name, count in counts.items()
        if name
    ]
    return canvas.save(image, legend)


def draw_masks(image: Blob, masks: Masks, bounds: Bounds) -> Blob:
    """Each region in a colour of its own, with an outline; the legend names them."""
    canvas = _open_canvas(image, bounds)
    legend = []
    for index, mask in enumerate(masks.items):
        if isinstance(mask.image, Blob):
            shade = palette.pick_colour(index)
            canvas.lay_over(pictures.load_upright(mask.image.data, bounds), shade)
            score = palette.format_percent(mask.score) if mask.score is not None else ""
            legend += [(f"{mask.label} {score}".strip(), shade)] if mask.label else []
    return canvas.save(image, legend)


def _open_canvas(image: Blob, bounds: Bounds) -> "_Canvas":
    picture = pictures.flatten(pictures.load_upright(image.data, bounds)).convert("RGB")
    longest = max(picture.size)
    scale = min(max(longest, _SHORTEST), _LONGEST) / longest
    resized = pictures.scale(picture, scale) if scale != 1 else picture
    if resized.width < _NARROWEST:  # a margin at the right, so that names have room
        narrow, resized = resized, Image.new("RGB", (_NARROWEST, resized.height), palette.LIGHT)
        resized.paste(narrow)
    return _Canvas(resized, scale)


@dataclass
class _Canvas:
    """A picture to draw on, how much larger than the original it is, and where names stand."""

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
        """A name at a frame, within the picture and, if there is room, apart from others."""
        if not text:
            return
        margin = max(3, self.letters // 4)
        text = palette.shorten(text, self.letters, self.picture.width - 2 * margin)
        wide, high = palette.width(text, self.letters) + 2 * margin, self.letters + 2 * margin
        left, top, right, bottom = area
        corners = [(x, y) for y in (top, bottom) for x in (left, right - wide)]
        wanted = [(x, y - over) for x, y in corners for over in (high, 0)]
        wanted += [(left, top + step * high) for step in range(1, _STEPS)]
        places = [self._move_within(x, y, wide, high) for x, y in wanted]
        place = next((place for place in places if self._is_free(place)), places[0])
        self.taken.append(place)
        pen = ImageDraw.Draw(self.picture)
        pen.rectangle(place, fill=shade)
        middle = (place[0] + margin, (place[1] + place[3]) / 2)
        palette.write(pen, middle, text, self.letters, ink=palette.pick_ink(shade))

    def _move_within(self, x: int, y: int, wide: int, high: int) -> Area:
        x = max(0, min(x, self.picture.width - 1 - wide))
        y = max(0, min(y, self.picture.height - 1 - high))
        return x, y, x + wide, y + high

    def _is_free(self, place: Area) -> bool:
        left, top, right, bottom = place
        return not any(
            left < r and x < right and top < b and y < bottom for x, y, r, b in self.taken
        )

    def lay_over(self, mask: Image.Image, shade: Colour) -> None:
        """A colour over a region, given as white on black, and a line around it."""
        grown = mask.convert("L").resize(self.picture.size, Image.Resampling.BILINEAR)
        region = grown.point(lambda value: 255 if value > 127 else 0)  # noqa: PLR2004 - half white
        self.picture.paste(shade, mask=region.point(lambda value: _STRENGTH if value else 0))
        thin = region.filter(ImageFilter.MinFilter(self.line // 2 * 2 + 1))
        self.picture.paste(shade, mask=ImageChops.subtract(region, thin))

    def save(self, image: Blob, legend: Sequence[tuple[str, Colour]]) -> Blob:
        """With the legend below. Photographs stay JPEG, the rest PNG."""
        media_type = "image/jpeg" if image.media_type == "image/jpeg" else "image/png"
        whole = _add_legend(self.picture, legend, self.letters)
        return rename(image, pictures.encode(whole, media_type), media_type)


def _add_legend(
    picture: Image.Image, entries: Sequence[tuple[str, Colour]], size: int
) -> Image.Image:
    """The picture with colours and what they stand for below, if there are entries."""
    if not entries:
        return picture
    if len(entries) > _MOST:
        entries = [*entries[:_MOST], (f"+ {len(entries) - _MOST}", palette.QUIET)]
    placed: list[tuple[int, int, str, Colour]] = []
    x, row, high = size, 0, round(size * 1.7)
    for text, shade in entries:
        short = palette.shorten(text, size, picture.width - 4 * size)
        wide = round(size * 2.5) + palette.width(short, size)
        if x > size and x + wide > picture.width:
            x, row = size, row + 1
        placed.append((x, picture.height + size // 2 + high * row + high // 2, short, shade))
        x += wide
    tall = picture.height + high * (row + 1) + size
    whole = Image.new("RGB", (picture.width, tall), palette.LIGHT)
    whole.paste(picture)
    pen = ImageDraw.Draw(whole)
    for left, y, text, shade in placed:
        pen.rectangle((left, y - size // 2, left + size, y + size // 2), fill=shade)
        palette.write(pen, (left + round(size * 1.5), y), text, size)
    return whole
