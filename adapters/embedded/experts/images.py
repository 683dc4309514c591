"""Pictures in a worker: opened in bounds, filtered, turned into control images; faces (OpenCV)."""

import io
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from adapters.embedded.experts.lexicon import phrases, split_words
from adapters.embedded.experts.task_io import (
    ExpertInput,
    WorkerResult,
    get_file,
    get_text,
    get_texts,
)
from pipeline.domain import Blob, Box, Boxes, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused

_MOST_PIXELS = 60_000_000
_SIDE, _CONTROL_SIDE, _FACES_SIDE, _MOST_UPSCALED = 2400, 1024, 1600, 1600
_FORMATS = ("PNG", "JPEG", "MPO", "GIF", "WEBP", "AVIF", "BMP", "TIFF", "PPM", "ICO")
"""What people send; Pillow's rarer readers run programs or are little tested."""
_FACE_WEIGHT, _SIDE_FACE_WEIGHT, _OVERLAP = 2.5, 4.0, 0.2
"""The least weights of Haar's cascades for a face, and the overlap from which on two are one."""
_Edges = tuple[int, int, int, int]


def read_image(blob: Blob, *, side: int = _SIDE) -> Any:
    """Upright, in RGB on white, no side longer than `side`. Raises BadInput."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        Image.init()
        known = [name for name in _FORMATS if name in Image.OPEN]
        with warnings.catch_warnings(), Image.open(io.BytesIO(blob.data), formats=known) as image:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            if image.width * image.height > _MOST_PIXELS:
                raise BadInput("embedded-picture-too-large")
            image.draft("RGB", (side, side))
            upright = ImageOps.exif_transpose(image).convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise BadInput("embedded-picture-unreadable") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise BadInput("embedded-picture-too-large") from error
    upright.thumbnail((side, side))
    ground = Image.new("RGBA", upright.size, "white")
    return Image.alpha_composite(ground, upright).convert("RGB")


def read_pixels(blob: Blob, *, side: int = _SIDE) -> Any:
    """The picture as OpenCV has it: rows of blue, green, red. Raises BadInput."""
    import numpy as np

    return np.ascontiguousarray(np.asarray(read_image(blob, side=side))[:, :, ::-1])


def _write(pixels: Any, alt: str, media_type: str = "image/png") -> WorkerResult:
    """JPEG stays JPEG, all else becomes PNG."""
    import cv2

    jpeg = media_type == "image/jpeg"
    options = (cv2.IMWRITE_JPEG_QUALITY, 92) if jpeg else ()
    data = cv2.imencode(".jpg" if jpeg else ".png", pixels, options)[1].tobytes()
    return WorkerResult(slots={"image": Blob(data, media_type if jpeg else "image/png", "", alt)})


def apply_filters(args: ExpertInput, _language: str) -> WorkerResult:
    """A picture after one filter or several, in the order in which they were asked for.

    Raises BadInput, and ExpertRefused when no filter was named.
    """
    import cv2

    blob = get_file(args, "image", Type.IMAGE)
    names = find_filters(get_text(args, "text"))
    if not names:
        raise ExpertRefused("embedded-no-filter", filters=", ".join(_FILTERS))
    pixels = read_pixels(blob)
    for name in names:
        colour = cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR) if len(pixels.shape) == 2 else pixels  # noqa: PLR2004
        pixels = _FILTERS[name](cv2, colour)
    applied = ", ".join(names)
    note = LocalizedText("embedded-filtered", {"filters": applied})
    result = _write(pixels, applied, blob.media_type)
    return WorkerResult(slots=result.slots, notes=(note,))


def find_filters(instruction: str) -> list[str]:
    """The filters that an instruction names, in its order; words beside each other are one."""
    words = split_words(instruction)
    names: list[str] = []
    end = 0
    for match in phrases("filters").find(words):
        if match.concept and (not names or match.start > end):
            names.append(match.concept.removeprefix("filters.").replace("_", " "))
        end = match.end if match.concept else end
    return list(dict.fromkeys(names))


def filter_names() -> list[str]:
    return list(_FILTERS)


def _sketch(cv2: Any, pixels: Any) -> Any:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    blur = cv2.GaussianBlur(255 - grey, (0, 0), max(pixels.shape[:2]) / 90)
    return cv2.divide(grey, 255 - blur, scale=250)


def _draw_cartoon(cv2: Any, pixels: Any) -> Any:
    smooth = cv2.edgePreservingFilter(pixels, flags=1, sigma_s=40, sigma_r=0.35)
    grey = cv2.medianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), 5)
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 6)
    return cv2.bitwise_and(smooth // 32 * 32 + 16, cv2.cvtColor(ink, cv2.COLOR_GRAY2BGR))


def _tone_sepia(cv2: Any, pixels: Any) -> Any:
    import numpy as np

    tones = np.array([[0.131, 0.534, 0.272], [0.168, 0.686, 0.349], [0.189, 0.769, 0.393]])
    return np.clip(cv2.transform(pixels, tones), 0, 255).astype(np.uint8)


def _upscale(cv2: Any, pixels: Any) -> Any:
    """Twice the size; a large picture is refused, since no detail would be won."""
    height, width = pixels.shape[:2]
    if max(height, width) > _MOST_UPSCALED:
        raise ExpertRefused("embedded-large-already", side=str(_MOST_UPSCALED))
    return cv2.resize(pixels, (2 * width, 2 * height), interpolation=cv2.INTER_LANCZOS4)


def _raise_contrast(cv2: Any, pixels: Any) -> Any:
    light, *colour = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB))
    light = cv2.createCLAHE(clipLimit=2.5, tileGridSize=(8, 8)).apply(light)
    return cv2.cvtColor(cv2.merge([light, *colour]), cv2.COLOR_LAB2BGR)


_FILTERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "colour pencil sketch": lambda cv2, p: cv2.pencilSketch(p, None, None, 60, 0.07, 0.05)[1],
    "pencil sketch": _sketch,
    "cartoon": _draw_cartoon,
    "painting": lambda cv2, p: cv2.stylization(p, sigma_s=60, sigma_r=0.45),
    "black and white": lambda cv2, p: cv2.cvtColor(p, cv2.COLOR_BGR2GRAY),
    "sepia": _tone_sepia,
    "denoise": lambda cv2, p: cv2.fastNlMeansDenoisingColored(p, None, 6, 6, 7, 15),
    "blur": lambda cv2, p: cv2.GaussianBlur(p, (0, 0), max(p.shape[:2]) / 120),
    "sharpen": lambda cv2, p: cv2.addWeighted(p, 1.8, cv2.GaussianBlur(p, (0, 0), 2), -0.8, 0),
    "negative": lambda _cv2, p: 255 - p,
    "upscale": _upscale,
    "smooth": lambda cv2, p: cv2.edgePreservingFilter(p, flags=1, sigma_s=60, sigma_r=0.4),
    "brighter": lambda cv2, p: cv2.convertScaleAbs(p, alpha=1.1, beta=28),
    "darker": lambda cv2, p: cv2.convertScaleAbs(p, alpha=0.75, beta=0),
    "more contrast": _raise_contrast,
}
"""From rows of blue, green, red to the same or to greys; the first argument is OpenCV."""


def draw_canny(args: ExpertInput, _language: str) -> WorkerResult:
    """Edges, their thresholds about the median brightness."""
    import cv2
    import numpy as np

    grey = _read_grey(args)
    middle = float(np.median(grey))
    edges = cv2.Canny(grey, max(20, 0.66 * middle), min(240, max(60, 1.33 * middle)))
    return _write(edges, "edges")


def draw_lines(args: ExpertInput, _language: str) -> WorkerResult:
    """Straight lines by LSD, in place of the M-LSD network."""
    import cv2
    import numpy as np

    grey = _read_grey(args)
    sheet = np.zeros_like(grey)
    lines = cv2.createLineSegmentDetector().detect(grey)[0]
    shortest = max(grey.shape) / 60
    for x1, y1, x2, y2 in lines.reshape(-1, 4).round().astype(int) if lines is not None else ():
        if np.hypot(x2 - x1, y2 - y1) >= shortest:
            cv2.line(sheet, (int(x1), int(y1)), (int(x2), int(y2)), 255, 1, cv2.LINE_AA)
    return _write(sheet, "straight lines")


def draw_soft_edges(args: ExpertInput, _language: str) -> WorkerResult:
    """Gradients at three scales, in place of the HED network."""
    return _write(_measure_gradients(_read_grey(args)), "soft edges")


def draw_scribble(args: ExpertInput, _language: str) -> WorkerResult:
    """Only the strongest edges, thick, as if drawn by hand."""
    import cv2
    import numpy as np

    strength = _measure_gradients(_read_grey(args))
    strong = np.where(strength > max(60, np.percentile(strength, 92)), 255, 0).astype(np.uint8)
    return _write(cv2.dilate(cv2.medianBlur(strong, 5), np.ones((3, 3), np.uint8)), "scribble")


def _measure_gradients(grey: Any) -> Any:
    import cv2
    import numpy as np

    total = np.zeros(grey.shape, np.float32)
    for blur in (1, 2, 4):
        smooth = cv2.GaussianBlur(grey, (0, 0), blur)
        across, down = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
        total += cv2.magnitude(across, down)
    total *= 255 / max(float(np.percentile(total, 99.5)), 1.0)
    return np.clip(total, 0, 255).astype(np.uint8)


def _read_grey(args: ExpertInput) -> Any:
    import cv2

    pixels = read_pixels(get_file(args, "image", Type.IMAGE), side=_CONTROL_SIDE)
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)


def find_faces(args: ExpertInput, _language: str) -> WorkerResult:
    """Boxes around faces, in pixels of the picture. Raises ExpertRefused for other things."""
    import cv2

    labels = [label.strip() for label in get_texts(args, "labels") if label.strip()]
    others = [label for label in labels if not phrases("faces").concepts(label)]
    if others:
        raise ExpertRefused("embedded-faces-only", wanted=", ".join(others))
    pixels = read_pixels(get_file(args, "image", Type.IMAGE), side=10_000)
    scale = max(max(pixels.shape[:2]) / _FACES_SIDE, 1.0)
    small = cv2.resize(pixels, None, fx=1 / scale, fy=1 / scale, interpolation=cv2.INTER_AREA)
    grey = cv2.equalizeHist(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY))
    front = _detect("frontalface_default", grey, _FACE_WEIGHT)
    left = _detect("profileface", grey, _SIDE_FACE_WEIGHT)
    flipped = _detect("profileface", cv2.flip(grey, 1), _SIDE_FACE_WEIGHT)
    right = [((grey.shape[1] - x - w, y, w, h), score) for (x, y, w, h), score in flipped]
    faces = [*front, *left, *right]
    edges, weights = [edges for edges, _ in faces], [weight for _, weight in faces]
    kept = cv2.dnn.NMSBoxes(edges, weights, _FACE_WEIGHT, _OVERLAP) if faces else ()
    boxes = Boxes(tuple(_to_box(*faces[place], scale) for place in kept))
    note = LocalizedText("embedded-faces", {"count": len(boxes.items)})
    return WorkerResult(slots={"boxes": boxes}, notes=(note,))


def _detect(name: str, grey: Any, least: float) -> list[tuple[_Edges, float]]:
    """Left, top, width, height and the weight of each face that a cascade finds."""
    smallest = max(24, min(grey.shape[:2]) // 25)
    boxes, _, weights = _cascade(name).detectMultiScale3(
        grey,
        scaleFactor=1.1,
        minNeighbors=6,
        minSize=(smallest, smallest),
        outputRejectLevels=True,
    )
    pairs = [
        ((int(x), int(y), int(w), int(h)), float(v))
        for (x, y, w, h), v in zip(boxes, weights, strict=True)
    ]
    return [(edges, weight) for edges, weight in pairs if weight > least]


def _to_box(edges: _Edges, weight: float, scale: float) -> Box:
    """The cascade's weight is no probability; it is put between 0 and 1 so that it ranks."""
    left, top, width, height = edges
    corners = (round(edge * scale) for edge in (left, top, left + width, top + height))
    return Box("face", round(weight / (weight + 2.0), 2), *corners)


@cache
def _cascade(name: str) -> Any:
    from cv2 import CascadeClassifier
    from cv2.data import haarcascades

    return CascadeClassifier(f"{haarcascades}haarcascade_{name}.xml")
