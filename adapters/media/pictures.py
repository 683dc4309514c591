"""The decoder of pictures: opens, converts and shrinks them. Runs in a worker."""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module

from PIL import ExifTags, Image, ImageChops, ImageFilter, ImageOps, ImageSequence

from adapters.media.bounds import Bounds, to_megabytes
from adapters.media.decoder_errors import translate_decoder_errors
from adapters.media.renaming import rename
from pipeline.domain import Blob
from pipeline.errors import MediaError
from pipeline.text.names import sniff

_DECODERS: Mapping[str, str] = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/bmp": "BMP",
    "image/x-portable-pixmap": "PPM",
    "image/x-portable-graymap": "PPM",
    "image/webp": "WEBP",
    "image/tiff": "TIFF",
    "image/avif": "AVIF",
    "image/jp2": "JPEG2000",
    "image/vnd.microsoft.icon": "ICO",
    "image/heic": "HEIF",
    "image/heif": "HEIF",
}
"""Pillow's names. No format whose decoder runs another program (EPS)."""
_PLUGINS: Mapping[str, str] = {
    "WEBP": "PIL.WebPImagePlugin",
    "TIFF": "PIL.TiffImagePlugin",
    "AVIF": "PIL.AvifImagePlugin",
    "JPEG2000": "PIL.Jpeg2KImagePlugin",
    "ICO": "PIL.IcoImagePlugin",
}
"""The modules that decode what Pillow knows only when told. All of its own take 6 MB and 40 ms."""
_ENCODERS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WEBP"}
_QUARTER_TURNED = frozenset({5, 6, 7, 8})
_QUALITY_WHEN_SMALL = 75
_SMALLEST = 64
_DEPTHS = (255, 1023, 4095, 16_383, 65_535)
"""The whitest value of grey pictures with 8, 10, 12, 14 and 16 bits."""
_LIGHT = 200
"""Brightness from which a colour is lost on white."""
_DARK = 90
"""Brightness up to which a colour is lost on black."""
_MANY = 0.25
"""The share of an outline that counts."""
_MOST_ANIMATED = 300_000_000
"""Pixels of all frames together."""
_USUAL_DURATION = 100
"""Milliseconds of a frame that states none."""
_GROUNDS = {"dark": (32, 32, 32), "middle": (128, 128, 128)}
_DEPTH_COLOURS = ((13, 8, 66), (252, 255, 164), (200, 62, 76))
"""Far, near and between them: brightness rises steadily, so that it also works in grey."""
_OUTLIERS = (1, 1)
"""Percent of the darkest and of the brightest pixels of a depth map that do not count."""

Image.MAX_IMAGE_PIXELS = None  # `open_picture` checks the size itself


def describe(data: bytes, bounds: Bounds) -> str:
    """Kind and size in one line. Decodes the first frame, to detect truncated files."""
    with open_picture(data, bounds) as picture:
        frames = count_frames(picture, bounds)
        picture.load()
        width, height = picture.size
        if picture.getexif().get(ExifTags.Base.Orientation) in _QUARTER_TURNED:
            width, height = height, width
        kind = "photo" if picture.format in ("JPEG", "MPO") else "picture"
    if frames > 1 and picture.format == "TIFF":
        return f"{kind}, {width}×{height}, {frames} pages"
    if frames > 1:
        return f"animation, {width}×{height}, {frames} frames"
    return f"{kind}, {width}×{height}"


@contextmanager
def open_picture(data: bytes, bounds: Bounds) -> Iterator[Image.Image]:
    """A picture whose size is within the bounds, not yet decoded. Raises MediaError."""
    with (
        translate_decoder_errors("picture"),
        Image.open(io.BytesIO(data), formats=_load_decoders(data)) as picture,
    ):
        width, height = picture.size
        if width * height > bounds.pixels:
            limit = round(bounds.pixels / 1_000_000)
            size = f"{width}×{height}"
            raise MediaError("media-too-many-pixels", size=size, limit=limit)
        yield picture


def _load_decoders(data: bytes) -> tuple[str, ...]:
    """The formats that a picture may have by its first bytes, once Pillow can decode them."""
    named = _DECODERS.get(sniff(data))
    formats = (named,) if named else tuple(dict.fromkeys(_DECODERS.values()))
    for plugin in filter(None, map(_PLUGINS.get, formats)):
        import_module(plugin)
    if "HEIF" in formats:
        from pillow_heif import register_heif_opener

        register_heif_opener()
    return formats


def count_frames(picture: Image.Image, bounds: Bounds) -> int:
    """The frames of an animation, or the pages of a TIFF. Raises MediaError for too many."""
    if picture.format not in ("GIF", "PNG", "WEBP", "AVIF", "TIFF"):
        return 1
    frames = int(getattr(picture, "n_frames", 1))
    if frames > bounds.frames:
        raise MediaError("media-too-many-frames", frames=frames, limit=bounds.frames)
    return frames


def load_upright(data: bytes, bounds: Bounds, side: int = 0) -> Image.Image:
    """The first frame, turned upright by its EXIF data, without metadata: RGB, RGBA or L.

    With `side`, a JPEG is decoded at a lower resolution, but not below that many pixels.
    """
    with open_picture(data, bounds) as picture:
        if side:
            picture.draft(None, (side, side))
        picture.load()
        turned = ImageOps.exif_transpose(picture)
        profile = turned.info.get("icc_profile") if turned.mode in ("RGB", "RGBA", "L") else None
        plain = _eight_bits(turned)
    plain.info = {"icc_profile": profile} if profile else {}
    return plain


def _eight_bits(picture: Image.Image) -> Image.Image:
    match picture.mode:
        case "RGB" | "RGBA" | "L":
            return picture.copy()
        case "I;16" | "I;16B" | "I;16L" | "I;16N" | "I" | "F":
            return _to_grey(picture)
        case _:
            return picture.convert("RGBA" if picture.has_transparency_data else "RGB")


def _to_grey(picture: Image.Image) -> Image.Image:
    """A picture with more than 8 bits, from black at 0 to white at its depth's highest value."""
    values = picture.convert("F")
    low, high = values.getextrema()
    assert isinstance(low, float)
    assert isinstance(high, float)
    black = 0.0 if low >= 0 else low
    white = next((depth for depth in _DEPTHS if high <= depth), high)
    if picture.mode == "F" and (low < 0 or high <= 1):
        white = max(high, 1.0)
    scale = 255 / (white - black)
    return values.point(lambda value: value * scale - black * scale).convert("L")


def flatten(picture: Image.Image) -> Image.Image:
    """The picture without transparency: on white, unless its outline can't be seen there."""
    if picture.mode != "RGBA":
        return picture
    ground = Image.new("RGB", picture.size, _choose_ground(picture))
    ground.paste(picture, mask=picture.getchannel("A"))
    ground.info = dict(picture.info)
    return ground


def to_animation(data: bytes, bounds: Bounds) -> bytes:
    """All frames of an animation as animated PNG, which ffmpeg reads. Raises MediaError."""
    with open_picture(data, bounds) as picture:
        count = count_frames(picture, bounds)
        if count * picture.width * picture.height > _MOST_ANIMATED:
            limit = round(_MOST_ANIMATED / 1_000_000)
            size = f"{count} × {picture.width}×{picture.height}"
            raise MediaError("media-too-many-pixels", size=size, limit=limit)
        frames, durations = [], []
        for frame in ImageSequence.Iterator(picture):
            frames.append(frame.convert("RGBA"))
            durations.append(frame.info.get("duration") or _USUAL_DURATION)
    file = io.BytesIO()
    rest = {"save_all": True, "append_images": frames[1:], "duration": durations, "loop": 0}
    frames[0].save(file, "PNG", **rest)
    return file.getvalue()


def _choose_ground(picture: Image.Image) -> tuple[int, int, int]:
    """Choose a background on which the outline can be seen: white letters need a dark one."""
    solid = picture.getchannel("A").point([0] * 128 + [255] * 128)
    outline = ImageChops.subtract(solid, solid.filter(ImageFilter.MinFilter(3)))
    counts = picture.convert("RGB").convert("L").histogram(mask=outline)
    total, light, dark = sum(counts) or 1, sum(counts[_LIGHT:]), sum(counts[:_DARK])
    if light < _MANY * total:
        return (255, 255, 255)
    return _GROUNDS["middle" if dark >= _MANY * total else "dark"]


def encode(picture: Image.Image, media_type: str, *, quality: int = 90) -> bytes:
    """Encode a picture with its colour profile, but no other metadata."""
    encoder = _ENCODERS[media_type]
    file = io.BytesIO()
    shown = flatten(picture) if encoder == "JPEG" else picture
    profile = {"icc_profile": shown.info["icc_profile"]} if "icc_profile" in shown.info else {}
    try:
        shown.save(file, encoder, **profile, quality=quality)
    except (OSError, ValueError, RuntimeError) as unfit:
        raise MediaError("media-no-conversion", source="picture", target=encoder) from unfit
    return file.getvalue()


def convert(blob: Blob, media_type: str, bounds: Bounds) -> Blob:
    """The first frame as another type, upright, without metadata such as its location."""
    if media_type not in _ENCODERS:
        raise MediaError("media-no-conversion", source=blob.media_type, target=media_type)
    return rename(blob, encode(load_upright(blob.data, bounds), media_type), media_type)


def fit(blob: Blob, max_bytes: int, bounds: Bounds) -> Blob:
    """Compress and scale until it fits, in the type that suits it best."""
    picture = load_upright(blob.data, bounds)
    if blob.media_type != "image/jpeg":
        lossless = encode(picture, "image/png")
        if len(lossless) <= max_bytes:
            return rename(blob, lossless, "image/png")
    target = "image/webp" if picture.mode == "RGBA" else "image/jpeg"
    while min(picture.size) >= _SMALLEST:
        data = encode(picture, target, quality=_QUALITY_WHEN_SMALL)
        if len(data) <= max_bytes:
            return rename(blob, data, target)
        picture = scale(picture, min(max((max_bytes / len(data)) ** 0.5, 0.3), 0.85))
    raise MediaError("media-cannot-shrink", limit=to_megabytes(max_bytes))


def preview(blob: Blob, side: int, bounds: Bounds) -> Blob:
    """The first frame as JPEG, without transparency, no side longer than `side` pixels."""
    picture = flatten(load_upright(blob.data, bounds, side))
    picture.thumbnail((side, side), Image.Resampling.LANCZOS)
    data = encode(picture, "image/jpeg", quality=_QUALITY_WHEN_SMALL)
    return rename(blob, data, "image/jpeg")


def find_cut_out(blob: Blob, bounds: Bounds) -> Blob | None:
    """The alpha channel of a picture as a mask, as models for backgrounds send cut-outs."""
    picture = load_upright(blob.data, bounds)
    if picture.mode != "RGBA":
        return None
    return Blob(encode(picture.getchannel("A"), "image/png"), "image/png")


def colour_depth(depth: Blob, bounds: Bounds) -> Blob:
    """A grey depth map in colours: dark is far, bright is near."""
    grey = load_upright(depth.data, bounds).convert("L")
    coloured = ImageOps.colorize(ImageOps.autocontrast(grey, _OUTLIERS), *_DEPTH_COLOURS)
    return rename(depth, encode(coloured, "image/png"), "image/png")


def scale(picture: Image.Image, factor: float) -> Image.Image:
    """The picture with both sides multiplied by a factor."""
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    return picture.resize(size, Image.Resampling.LANCZOS)
