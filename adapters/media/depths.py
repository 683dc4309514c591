"""How far away things are, as colours. Runs in a worker."""

import numpy as np
from PIL import Image

from adapters.media import pictures
from adapters.media.bounds import Bounds
from adapters.media.names import renamed
from pipeline.domain import Blob

_COLOURS = np.array(
    [(13, 8, 66), (84, 15, 109), (158, 42, 99), (221, 81, 58), (252, 165, 10), (252, 255, 164)],
    np.float32,
)
"""Dark is far, bright is near; brightness rises all the way, so that it reads without colours too."""
_OUTLIERS = (1, 99)


def coloured(depth: Blob, bounds: Bounds) -> Blob:
    """A grey picture of depths in colours, from its nearest to its farthest place."""
    grey = np.asarray(pictures.upright(depth.data, bounds).convert("L"), np.float32)
    low, high = np.percentile(grey, _OUTLIERS)
    share = np.clip((grey - low) / max(float(high - low), 1.0), 0, 1) * (len(_COLOURS) - 1)
    steps = np.arange(len(_COLOURS))
    channels = [np.interp(share, steps, _COLOURS[:, channel]) for channel in range(3)]
    picture = Image.fromarray(np.stack(channels, axis=-1).round().astype(np.uint8))
    return renamed(depth, pictures.encoded(picture, "image/png"), "image/png")
