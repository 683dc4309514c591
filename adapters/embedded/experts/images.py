"""Pictures in a worker: opened in bounds, filtered, turned into control images; faces (OpenCV)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from adapters.embedded.experts.orders import list_measures, list_unknown
from adapters.embedded.experts.task_io import (
    ExpertInput,
    WorkerResult,
    get_file,
    get_text,
    get_texts,
)
from adapters.embedded.lexicon import phrases, split_words
from adapters.media.bounds import Bounds
from pipeline.domain import Blob, Box, Boxes, LocalizedText, Type
from pipeline.errors import ExpertRefused
from pipeline.words import say

_SIDE = 2400
"""Pixels of a picture's longer side, for filters."""
_CONTROL_SIDE = 1024
"""The same for control images: what diffusion models take."""
_FACES_SIDE = 1600
"""The same for faces: a larger picture takes seconds and shows no more."""
_MOST_UPSCALED = 1600
"""Pixels of a side of a picture that is still made twice as large."""
_LEAST_WEIGHT = 2.5
"""The cascade's weight of a face."""


def read_image(blob: Blob, *, side: int = _SIDE) -> Any:
    """Upright, in RGB without transparency, no side longer than `side`. Raises MediaError."""
    from adapters.media.pictures import flatten, load_upright

    image = flatten(load_upright(blob.data, Bounds(), side)).convert("RGB")
    image.thumbnail((side, side))
    return image


def note_frames(blob: Blob) -> tuple[LocalizedText, ...]:
    """Says of an animation, and of a picture with several pages, that the first was used."""
    from adapters.media.pictures import count_frames, open_picture

    with open_picture(blob.data, Bounds()) as picture:
        frames = count_frames(picture, Bounds())
    return (LocalizedText("embedded-first-frame", {"frames": frames}),) if frames > 1 else ()


def read_pixels(blob: Blob) -> Any:
    """The picture as OpenCV has it: rows of blue, green, red. Raises MediaError."""
    import numpy as np

    return np.ascontiguousarray(np.asarray(read_image(blob))[:, :, ::-1])


def _write(args: ExpertInput, pixels: Any, alt: str, *, keeps_type: bool = False) -> WorkerResult:
    """A picture made of the argument "image"; as PNG, or JPEG if that is JPEG and `keeps_type`."""
    import cv2

    source = get_file(args, "image", Type.IMAGE)
    jpeg = keeps_type and source.media_type == "image/jpeg"
    data = cv2.imencode(".jpg" if jpeg else ".png", pixels)[1].tobytes()
    blob = Blob(data, "image/jpeg" if jpeg else "image/png", "", alt=alt)
    return WorkerResult(slots={"image": blob}, notes=note_frames(source))


def apply_filters(args: ExpertInput, language: str) -> WorkerResult:
    """A picture after one filter or several, in the order in which they were asked for.

    Raises BadInput, and ExpertRefused when no filter was named, or one for a part of the picture.
    """
    import cv2

    blob, instruction = get_file(args, "image", Type.IMAGE), get_text(args, "text")
    names = find_filters(instruction)
    if not names:
        raise ExpertRefused("embedded-no-filter", filters=_name_filters(FILTERS, language))
    if "part.named" in phrases("filters", "part").concepts(instruction):
        raise ExpertRefused("embedded-whole-picture")
    if unused := _find_unused_measures(instruction, names):
        can = LocalizedText("embedded-no-filter", {"filters": _name_filters(FILTERS, language)})
        raise ExpertRefused("embedded-order-unclear", words=", ".join(unused), can=can)
    pixels = read_pixels(blob)
    for name in names:
        pixels = FILTERS[name](cv2, pixels)
    note = LocalizedText("embedded-filtered", {"filters": _name_filters(names, language)})
    result = _write(args, pixels, ", ".join(names), keeps_type=True)
    return replace(result, notes=(note, *result.notes))


def _name_filters(names: Iterable[str], language: str) -> str:
    texts = (LocalizedText("embedded-filter", {"name": name.replace(" ", "-")}) for name in names)
    return ", ".join(say(language, text) for text in texts)


def find_filters(instruction: str) -> list[str]:
    """The filters that an instruction names, in its order; words beside each other are one."""
    names: list[str] = []
    end = -1
    for match in phrases("filters").find(split_words(instruction)):
        if match.concept and match.start > end:
            names.append(match.concept.removeprefix("filters.").replace("_", " "))
        end = match.end if match.concept else end
    return list(dict.fromkeys(names))


def _find_unused_measures(instruction: str, names: Sequence[str]) -> list[str]:
    """The figures that no filter uses: none can be set, and a picture is made twice as large."""
    doubles = "upscale" in names
    measures = list_measures(instruction, "filters")
    return [words for words in measures if not (doubles and words.startswith("2 "))]


def find_unknown(instruction: str, file: Type) -> list[str] | None:
    """The words of an order for filters that are not understood; None if it names no filter."""
    names = find_filters(instruction)
    is_order = file is Type.IMAGE and names
    words = split_words(instruction)
    matches = phrases("filters", "pages", "order", "join").find(words)
    known = {name.replace(" ", "_") for name in FILTERS} | {"images", "file", "and"}
    unused = _find_unused_measures(instruction, names)
    return [*list_unknown(words, matches, known), *unused] if is_order else None


def _sketch(cv2: Any, pixels: Any) -> Any:
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    blur = cv2.GaussianBlur(255 - grey, (0, 0), max(pixels.shape[:2]) / 90)
    return cv2.cvtColor(cv2.divide(grey, 255 - blur, scale=250), cv2.COLOR_GRAY2BGR)


def _draw_cartoon(cv2: Any, pixels: Any) -> Any:
    smooth = cv2.edgePreservingFilter(pixels, flags=1, sigma_s=40, sigma_r=0.35)
    grey = cv2.medianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), 5)
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 6)
    return cv2.bitwise_and(smooth // 32 * 32 + 16, cv2.cvtColor(ink, cv2.COLOR_GRAY2BGR))


def _tone_sepia(cv2: Any, pixels: Any) -> Any:
    import numpy as np

    tones = np.array([[0.131, 0.534, 0.272], [0.168, 0.686, 0.349], [0.189, 0.769, 0.393]])
    return cv2.transform(pixels, tones)


def _upscale(cv2: Any, pixels: Any) -> Any:
    """Twice the size; a large picture is refused, since no detail would be won."""
    if max(pixels.shape) > _MOST_UPSCALED:
        raise ExpertRefused("embedded-large-already", side=str(_MOST_UPSCALED))
    return cv2.resize(pixels, None, fx=2, fy=2, interpolation=cv2.INTER_LANCZOS4)


FILTERS: Mapping[str, Callable[[Any, Any], Any]] = {
    "colour pencil sketch": lambda cv2, p: cv2.pencilSketch(p, None, None, 60, 0.07, 0.05)[1],
    "pencil sketch": _sketch,
    "cartoon": _draw_cartoon,
    "painting": lambda cv2, p: cv2.stylization(p, sigma_s=60, sigma_r=0.45),
    "black and white": lambda cv2, p: cv2.cvtColor(cv2.cvtColor(p, 6), 8),  # to grey and back
    "sepia": _tone_sepia,
    "denoise": lambda cv2, p: cv2.fastNlMeansDenoisingColored(p, None, 6, 6, 7, 15),
    "blur": lambda cv2, p: cv2.GaussianBlur(p, (0, 0), max(p.shape[:2]) / 120),
    "sharpen": lambda cv2, p: cv2.addWeighted(p, 1.8, cv2.GaussianBlur(p, (0, 0), 2), -0.8, 0),
    "negative": lambda _cv2, p: 255 - p,
    "upscale": _upscale,
    "smooth": lambda cv2, p: cv2.edgePreservingFilter(p, flags=1, sigma_s=60, sigma_r=0.4),
    "brighter": lambda cv2, p: cv2.convertScaleAbs(p, alpha=1.1, beta=28),
    "darker": lambda cv2, p: cv2.convertScaleAbs(p, alpha=0.75, beta=0),
    "more contrast": lambda cv2, p: cv2.convertScaleAbs(p, alpha=1.35, beta=-40),
}
"""From rows of blue, green, red to the same; the first argument is OpenCV."""


def draw_canny(args: ExpertInput, _language: str) -> WorkerResult:
    """Edges, their thresholds about the median brightness."""
    import cv2
    import numpy as np

    grey = _read_grey(args)
    middle = float(np.median(grey))
    edges = cv2.Canny(grey, max(20, 0.66 * middle), min(240, max(60, 1.33 * middle)))
    return _write(args, edges, "edges")


def draw_lines(args: ExpertInput, _language: str) -> WorkerResult:
    """Straight lines by LSD, in place of the M-LSD network."""
    import cv2

    grey = _read_grey(args)
    detector, sheet = cv2.createLineSegmentDetector(), grey * 0
    lines = detector.detect(grey)[0]
    if lines is not None:
        lengths = ((lines[:, 0, :2] - lines[:, 0, 2:]) ** 2).sum(axis=1) ** 0.5
        long = lines[lengths >= max(grey.shape) / 60]
        sheet = detector.drawSegments(sheet, long).max(axis=2)
    return _write(args, sheet, "straight lines")


def draw_soft_edges(args: ExpertInput, _language: str) -> WorkerResult:
    """Gradients at three scales, in place of the HED network."""
    import cv2
    import numpy as np

    grey = _read_grey(args).astype(np.float32)
    smooth = [cv2.GaussianBlur(grey, (0, 0), blur) for blur in (1, 2, 4)]
    total = sum(np.hypot(*(cv2.Sobel(one, -1, 1 - way, way) for way in (0, 1))) for one in smooth)
    return _write(
        args,
        cv2.convertScaleAbs(total, alpha=255 / max(np.percentile(total, 99.5), 1)),
        "soft edges",
    )


def draw_scribble(args: ExpertInput, _language: str) -> WorkerResult:
    """The edges of the blurred picture as thick strokes, as if drawn by hand."""
    import cv2
    import numpy as np

    strokes = cv2.Canny(cv2.GaussianBlur(_read_grey(args), (0, 0), 2), 15, 40)
    return _write(args, cv2.dilate(strokes, np.ones((5, 5), np.uint8)), "scribble")


def _read_grey(args: ExpertInput) -> Any:
    import numpy as np

    image = read_image(get_file(args, "image", Type.IMAGE), side=_CONTROL_SIDE)
    return np.array(image.convert("L"))


def find_faces(args: ExpertInput, _language: str) -> WorkerResult:
    """Boxes around faces, in pixels of the picture. Raises ExpertRefused for other things."""
    import cv2
    import numpy as np

    labels = [label.strip() for label in get_texts(args, "labels") if label.strip()]
    others = [label for label in labels if not phrases("faces").concepts(label)]
    if others:
        raise ExpertRefused("embedded-faces-only", wanted=", ".join(others))
    blob = get_file(args, "image", Type.IMAGE)
    image = read_image(blob, side=10_000)
    scale = max(max(image.size) / _FACES_SIDE, 1.0)
    small = image.convert("L").resize([round(side / scale) for side in image.size])
    edges, _, weights = _cascade().detectMultiScale3(
        cv2.equalizeHist(np.asarray(small)),
        scaleFactor=1.1,
        minNeighbors=6,
        minSize=(max(24, min(small.size) // 25),) * 2,
        outputRejectLevels=True,
    )
    boxes = [
        _to_box([float(edge) * scale for edge in face], float(weight))
        for face, weight in zip(edges, weights, strict=True)
        if weight > _LEAST_WEIGHT
    ]
    note = LocalizedText("embedded-faces", {"count": len(boxes)})
    return WorkerResult(slots={"boxes": Boxes(tuple(boxes))}, notes=(note, *note_frames(blob)))


def _to_box(edges: Sequence[float], weight: float) -> Box:
    """The cascade's weight is no probability; it is put between 0 and 1 so that it ranks."""
    left, top, width, height = edges
    return Box(
        "face",
        round(weight / (weight + 2.0), 2),
        xmin=round(left),
        ymin=round(top),
        xmax=round(left + width),
        ymax=round(top + height),
    )


@cache
def _cascade() -> Any:
    from cv2 import CascadeClassifier
    from cv2.data import haarcascades

    return CascadeClassifier(f"{haarcascades}haarcascade_frontalface_default.xml")
