"""Boxes and masks drawn on a picture, with their labels. Runs in a worker."""

from dataclasses import dataclass, field

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from adapters.media import pictures
from adapters.media.bounds import Bounds
from adapters.media.lettering import (
    LIGHT,
    Colour,
    format_percent,
    measure_width,
    pick_colour,
    shorten,
    write,
)
from adapters.media.renaming import rename
from pipeline.domain import Blob, Box, Boxes, Masks

_SHORTEST = 640
"""Pixels of the longer side, at least, so that labels are legible."""
_LONGEST = 1600
"""Pixels of the longer side, at most, so that the file is small."""
_MOST_TAGS = 24
"""Labels on one picture."""
_OPACITY = 115
"""The opacity of masks, from 0 to 255."""
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
        wide, high = measure_width(text, self.letters) + 2 * margin, self.letters + 2 * margin
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
