"""Pictures in a worker: opened in bounds, as arrays for OpenCV, and back to bytes."""

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pipeline.domain import Blob
from pipeline.errors import BadInput

MOST_PIXELS = 60_000_000
WORKING_SIDE = 2400
_FORMATS = ("PNG", "JPEG", "MPO", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "PPM", "ICO")
"""What people send; Pillow's rarer readers run programs or are little tested."""


def opened(blob: Blob, *, side: int = WORKING_SIDE) -> Any:  # noqa: ANN401 - a picture of Pillow
    """Upright, in RGB, no side longer than `side`. Raises BadInput."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        Image.init()
        known = [one for one in _FORMATS if one in Image.OPEN]
        with _strictly(), Image.open(io.BytesIO(blob.data), formats=known) as image:
            if image.width * image.height > MOST_PIXELS:
                raise BadInput("embedded-picture-too-large")
            image.draft("RGB", (side, side))
            upright = _flat(ImageOps.exif_transpose(image))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise BadInput("embedded-picture-unreadable") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise BadInput("embedded-picture-too-large") from error
    upright.thumbnail((side, side))
    return upright


@contextmanager
def _strictly() -> Iterator[None]:
    """What Pillow only warns of is too large for us."""
    from PIL import Image

    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        yield


def _flat(image: Any) -> Any:  # noqa: ANN401
    """On white, where it is transparent."""
    from PIL import Image

    if image.mode not in ("RGBA", "LA", "PA") and "transparency" not in image.info:
        return image.convert("RGB")
    drawn = image.convert("RGBA")
    ground = Image.new("RGBA", drawn.size, "white")
    return Image.alpha_composite(ground, drawn).convert("RGB")


def array(blob: Blob, *, side: int = WORKING_SIDE) -> Any:  # noqa: ANN401 - a numpy array
    """The picture as OpenCV has it: rows of blue, green, red."""
    import numpy as np

    return np.ascontiguousarray(np.asarray(opened(blob, side=side))[:, :, ::-1])


def from_array(pixels: Any, like: Blob, alt: str) -> Blob:  # noqa: ANN401
    """A picture of the same type as the one it was made from (JPEG stays JPEG, all else becomes PNG)."""
    from PIL import Image

    rgb = pixels[:, :, ::-1] if pixels.ndim == 3 else pixels  # noqa: PLR2004 - colour
    return from_image(Image.fromarray(rgb), like, alt)


def from_image(image: Any, like: Blob, alt: str) -> Blob:  # noqa: ANN401
    sheet = io.BytesIO()
    if like.media_type == "image/jpeg":
        image.convert("RGB").save(sheet, "JPEG", quality=92)
        return Blob(sheet.getvalue(), "image/jpeg", "", alt)
    image.save(sheet, "PNG")
    return Blob(sheet.getvalue(), "image/png", "", alt)
