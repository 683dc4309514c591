"""Depth maps in colours. Runs in a worker."""

from PIL import ImageOps

from adapters.media import pictures
from adapters.media.bounds import Bounds, rename
from pipeline.domain import Blob

_FAR = (13, 8, 66)
_MIDDLE = (200, 62, 76)
_NEAR = (252, 255, 164)
"""Brightness rises steadily from far to near, so that the picture also works in grey."""
_OUTLIERS = (1, 1)
"""Percent of the darkest and of the brightest pixels that do not count."""


def draw_depth(depth: Blob, bounds: Bounds) -> Blob:
    """Colour a grey depth map: dark is far, bright is near."""
    grey = pictures.load_upright(depth.data, bounds).convert("L")
    spread = ImageOps.autocontrast(grey, cutoff=_OUTLIERS)
    coloured = ImageOps.colorize(spread, _FAR, _NEAR, _MIDDLE)
    return rename(depth, pictures.encode(coloured, "image/png"), "image/png")
