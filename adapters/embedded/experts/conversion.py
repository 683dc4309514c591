"""Files resized, cropped, turned, cut and converted: pictures by Pillow, sound and film by ffmpeg."""

import io
from collections.abc import Callable, Mapping
from typing import Any

from adapters.embedded.experts import cutting
from adapters.embedded.experts.finding import Args, Finding, file, some_words
from adapters.embedded.experts.pictures import opened
from adapters.embedded.experts.wishes import Op, Wish, wishes
from pipeline.domain import Blob, Sentence, Type
from pipeline.errors import ExpertRefused

_PICTURE_TYPES = {"png", "jpeg", "webp", "gif", "bmp", "tiff"}
_LARGEST = 8000
_USUAL: Mapping[str, str] = {f"image/{ending}": ending for ending in _PICTURE_TYPES}


def convert(args: Args, _language: str) -> Finding:
    """The file after all that was asked for, and what was done. Raises BadInput, ExpertRefused."""
    blob = file(args, "file", Type.IMAGE, Type.AUDIO, Type.VIDEO)
    asked = wishes(some_words(args, "text"))
    if not asked:
        raise ExpertRefused("embedded-no-conversion")
    ending = next((wish.ending for wish in asked if wish.op is Op.TYPE), "")
    if blob.type is Type.IMAGE and (ending in _PICTURE_TYPES or not ending):
        made = _picture(blob, asked)
    else:
        made = cutting.made(blob, asked)
    return Finding({"file": made}, tuple(map(said_of, asked)))


def said_of(wish: Wish) -> Sentence:
    """What was done, with its figures as they are read."""
    first, *more = [f"{figure:g}" for figure in wish.figures] or [""]
    match wish.op:
        case Op.RESIZE | Op.CROP:
            first = " × ".join(f"{figure:g}" for figure in wish.figures if figure)
        case Op.ASPECT:
            first = ":".join((first, *more))
        case _:
            pass
    factor = round(100 * wish.figures[0]) if wish.figures else 100
    facts = {"one": first, "two": "".join(more), "percent": str(factor)}
    ending = wish.ending.upper().replace("JPG", "JPEG")
    return Sentence("embedded-converted", {"op": wish.op.name.lower(), "ending": ending, **facts})


def _picture(blob: Blob, asked: list[Wish]) -> Blob:
    image = opened(blob, side=_LARGEST)
    quality = 92
    for wish in asked:
        if wish.op in _ON_PICTURES:
            image = _ON_PICTURES[wish.op](image, *wish.figures)
        elif wish.op is Op.SMALLER:
            quality = 60
        elif wish.op is not Op.TYPE:
            raise ExpertRefused("embedded-not-for-pictures", what=str(wish.op))
    return _saved(image, _ending(blob, asked, quality), quality, blob)


def _ending(blob: Blob, asked: list[Wish], quality: int) -> str:
    named = next((wish.ending for wish in asked if wish.op is Op.TYPE), "")
    if named:
        return named
    return _USUAL.get(blob.media_type, "png") if quality > 60 else "jpeg"  # noqa: PLR2004


def _saved(image: Any, ending: str, quality: int, blob: Blob) -> Blob:  # noqa: ANN401
    sheet = io.BytesIO()
    options = {"quality": quality} if ending in ("jpeg", "webp") else {}
    image.save(sheet, ending.upper(), **options)
    return Blob(sheet.getvalue(), f"image/{ending}", cutting.renamed(blob, ending), blob.alt)


def _resized(image: Any, width: float, height: float) -> Any:  # noqa: ANN401
    """As large as fits, its shape kept; a side of 0 is free."""
    across = width / image.width if width else float("inf")
    down = height / image.height if height else float("inf")
    return _scaled(image, min(across, down))


def _scaled(image: Any, factor: float) -> Any:  # noqa: ANN401
    from PIL import Image

    size = (max(round(image.width * factor), 1), max(round(image.height * factor), 1))
    if max(size) > _LARGEST:
        raise ExpertRefused("embedded-picture-too-large")
    return image.resize(size, Image.Resampling.LANCZOS)


def _cropped(image: Any, width: float, height: float) -> Any:  # noqa: ANN401
    """The middle."""
    wide, high = min(round(width), image.width), min(round(height), image.height)
    left, top = (image.width - wide) // 2, (image.height - high) // 2
    return image.crop((left, top, left + wide, top + high))


def _shaped(image: Any, across: float, down: float) -> Any:  # noqa: ANN401
    wide = min(image.width, image.height * across / max(down, 1))
    return _cropped(image, wide, wide * down / max(across, 1))


def _rotated(image: Any, degrees: float) -> Any:  # noqa: ANN401
    return image.rotate(-degrees, expand=True, fillcolor="white")


def _flipped(image: Any, upright: float) -> Any:  # noqa: ANN401
    from PIL import ImageOps

    return ImageOps.flip(image) if upright else ImageOps.mirror(image)


_ON_PICTURES: Mapping[Op, Callable[..., Any]] = {
    Op.RESIZE: _resized,
    Op.SCALE: _scaled,
    Op.CROP: _cropped,
    Op.ASPECT: _shaped,
    Op.ROTATE: _rotated,
    Op.FLIP: _flipped,
}
