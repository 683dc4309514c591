"""Faces in pictures: OpenCV's Haar cascades, frontal and from the side."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from adapters.embedded.experts.finding import Args, Finding, file, several
from adapters.embedded.experts.pictures import array
from pipeline.domain import Box, Boxes, Sentence, Type
from pipeline.errors import ExpertRefused

_FACE_WORDS = frozenset(
    re.findall(
        r"\S+",
        "face faces people person persons human humans head heads gesicht gesichter leute visage visages cara caras rostro rostros"
        " 人 人脸 脸 顔",
    )
)
_SIDE = 1600
_SURE_ENOUGH = 2.5
_Edges = tuple[int, int, int, int]


def find(args: Args, _language: str) -> Finding:
    """Boxes around faces, in pixels of the picture as it was sent. Raises ExpertRefused when other things are asked for."""
    wanted = [label.strip() for label in several(args, "labels") if label.strip()]
    others = [label for label in wanted if label.casefold() not in _FACE_WORDS]
    if others:
        raise ExpertRefused("embedded-faces-only", wanted=", ".join(others))
    blob = file(args, "image", Type.IMAGE)
    scale, pixels = _working(blob)
    found = _faces(pixels)
    boxes = Boxes(tuple(_box(edges, score, scale) for edges, score in found))
    return Finding({"boxes": boxes}, (Sentence("embedded-faces", {"count": len(found)}),))


def _working(blob: Any) -> tuple[float, Any]:  # noqa: ANN401
    """The picture at working size, and by how much it was made smaller."""
    whole = array(blob, side=10_000)
    height, width = whole.shape[:2]
    scale = max(max(height, width) / _SIDE, 1.0)
    if scale == 1.0:
        return 1.0, whole
    import cv2

    size = (round(width / scale), round(height / scale))
    return scale, cv2.resize(whole, size, interpolation=cv2.INTER_AREA)


def _faces(pixels: Any) -> list[tuple[_Edges, float]]:  # noqa: ANN401
    """Edges and a score for each face, the surest first; looked for from the front, and from both sides."""
    import cv2

    grey = cv2.equalizeHist(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    width = grey.shape[1]
    flipped = [
        ((width - x - w, y, w, h), score)
        for (x, y, w, h), score in _seen(_cascade("profileface"), cv2.flip(grey, 1))
    ]
    front = _seen(_cascade("frontalface_default"), grey)
    sides = [
        one
        for one in (*_seen(_cascade("profileface"), grey), *flipped)
        if one[1] > 1.6 * _SURE_ENOUGH
    ]
    kept: list[tuple[_Edges, float]] = []
    for edges, score in sorted([*front, *sides], key=lambda one: -one[1]):
        if all(_overlap(edges, other) < 0.3 for other, _ in kept):  # noqa: PLR2004
            kept.append((edges, score))
    return kept


def _seen(cascade: Any, grey: Any) -> list[tuple[_Edges, float]]:  # noqa: ANN401
    smallest = max(24, min(grey.shape[:2]) // 25)
    found, _, weights = cascade.detectMultiScale3(
        grey,
        scaleFactor=1.1,
        minNeighbors=6,
        minSize=(smallest, smallest),
        outputRejectLevels=True,
    )
    pairs = zip(found, weights, strict=True)
    edges = [(tuple(int(edge) for edge in box), float(weight)) for box, weight in pairs]
    return [((x, y, w, h), score) for (x, y, w, h), score in edges if score > _SURE_ENOUGH]


def _overlap(one: _Edges, other: _Edges) -> float:
    """The share of the smaller box that both have in common."""
    width = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    height = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    smaller = min(one[2] * one[3], other[2] * other[3])
    return max(width, 0) * max(height, 0) / smaller


def _box(edges: Sequence[int], weight: float, scale: float) -> Box:
    """The cascade's weight is no probability; it is put between 0 and 1 so that surer stands for more."""
    left, top, width, height = edges
    score = round(weight / (weight + 2.0), 2)
    right, bottom = left + width, top + height
    return Box("face", score, *(round(edge * scale) for edge in (left, top, right, bottom)))


@cache
def _cascade(name: str) -> Any:  # noqa: ANN401
    from cv2 import CascadeClassifier
    from cv2.data import haarcascades

    return CascadeClassifier(f"{haarcascades}haarcascade_{name}.xml")
