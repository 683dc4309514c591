"""Control images that guide ControlNet models: edges, straight lines, soft edges, scribbles (OpenCV)."""

from typing import Any

from adapters.embedded.experts.finding import Args, Finding, file
from adapters.embedded.experts.pictures import array, from_array
from pipeline.domain import Blob, Sentence, Type

_SIDE = 1024
_PNG = Blob(b"", "image/png")


def canny(args: Args, _language: str) -> Finding:
    """Edges, their thresholds about the median brightness."""
    import cv2
    import numpy as np

    grey = _grey(args)
    middle = float(np.median(grey))
    edges = cv2.Canny(grey, max(20, 0.66 * middle), min(240, max(60, 1.33 * middle)))
    return _finding(edges, "edges")


def lines(args: Args, _language: str) -> Finding:
    """Straight lines (LSD, not the network that gave the kind its name)."""
    import cv2
    import numpy as np

    grey = _grey(args)
    sheet = np.zeros_like(grey)
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    shortest = max(grey.shape) / 60
    for x1, y1, x2, y2 in found.reshape(-1, 4) if found is not None else ():
        if np.hypot(x2 - x1, y2 - y1) >= shortest:
            ends = (round(float(x1)), round(float(y1))), (round(float(x2)), round(float(y2)))
            cv2.line(sheet, *ends, 255, 1, cv2.LINE_AA)
    return _finding(sheet, "straight lines", Sentence("embedded-control-lines"))


def soft_edges(args: Args, _language: str) -> Finding:
    """The strength of change at three scales (not the network that gave the kind its name)."""
    return _finding(_strength(_grey(args)), "soft edges", Sentence("embedded-control-soft"))


def scribble(args: Args, _language: str) -> Finding:
    """Only the strongest edges, thick, as if drawn by hand."""
    import cv2
    import numpy as np

    strength = _strength(_grey(args))
    drawn = np.where(strength > max(60, np.percentile(strength, 92)), 255, 0).astype(np.uint8)
    thick = cv2.dilate(cv2.medianBlur(drawn, 5), np.ones((3, 3), np.uint8))
    return _finding(thick, "scribble", Sentence("embedded-control-soft"))


def _strength(grey: Any) -> Any:  # noqa: ANN401 - numpy arrays
    import cv2
    import numpy as np

    total = np.zeros(grey.shape, np.float32)
    for blur in (1, 2, 4):
        smooth = cv2.GaussianBlur(grey, (0, 0), blur)
        across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0)
        down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
        total += cv2.magnitude(across, down)
    total *= 255 / max(float(np.percentile(total, 99.5)), 1.0)
    return np.clip(total, 0, 255).astype(np.uint8)


def _grey(args: Args) -> Any:  # noqa: ANN401
    import cv2

    return cv2.cvtColor(array(file(args, "image", Type.IMAGE), side=_SIDE), cv2.COLOR_BGR2GRAY)


def _finding(pixels: Any, what: str, *notes: Sentence) -> Finding:  # noqa: ANN401
    return Finding({"image": from_array(pixels, _PNG, what)}, notes)
