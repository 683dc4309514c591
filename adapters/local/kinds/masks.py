"""Regions without names: transformers' own pipeline, but for its last step, which needs torchvision (whose wheels bring CUDA)."""

from typing import Any

from adapters.local.asked import Asked
from adapters.local.kinds.loading import Loaded
from adapters.local.kinds.media import picture, png64
from adapters.local.table import Answer, as_json

_ALIKE = 0.7


def masks(loaded: Loaded, asked: Asked) -> Answer:
    """The surest first."""
    from PIL import Image

    pipe = loaded.pipe("mask-generation")
    points = asked.whole("points_per_side", 16, 2, 64)
    thresholds = {
        "pred_iou_thresh": asked.figure("pred_iou_thresh", 0.88, 0, 1),
        "stability_score_thresh": asked.figure("stability_score_thresh", 0.95, 0, 1),
    }
    found: list[tuple[float, list[float], Any]] = []
    for inputs in pipe.preprocess(picture(asked), points_per_crop=points):
        made = pipe.forward(inputs, **thresholds)
        parts = made["iou_scores"].tolist(), made["boxes"].tolist(), made["masks"]
        found += zip(*parts, strict=True)
    return as_json(
        [
            {"label": "", "score": min(score, 1.0), "mask": png64(Image.fromarray(_white(runs)))}
            for score, _box, runs in _unlike(found)
        ]
    )


def _unlike(
    found: list[tuple[float, list[float], Any]],
) -> list[tuple[float, list[float], Any]]:
    """Of regions whose boxes are nearly the same, the surest (non-maximum suppression)."""
    kept: list[tuple[float, list[float], Any]] = []
    for one in sorted(found, key=lambda region: -region[0]):
        if all(_overlap(one[1], other[1]) <= _ALIKE for other in kept):
            kept.append(one)
    return kept


def _overlap(one: list[float], other: list[float]) -> float:
    """Intersection over union of two boxes."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    shared = max(width, 0) * max(height, 0)
    areas = ((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    whole = sum(areas) - shared
    return shared / whole if whole > 0 else 1.0


def _white(runs: Any) -> Any:
    """Run lengths, column by column, black and white in turn."""
    import numpy as np

    height, width = runs["size"]
    colours = np.arange(len(runs["counts"])) % 2 * 255
    flat = np.repeat(colours.astype(np.uint8), runs["counts"])
    return np.ascontiguousarray(flat.reshape(width, height).T)
