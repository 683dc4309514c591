"""The doors into the worker processes: Pillow and numpy are imported only there."""

# ruff: noqa: PLC0415 - see above

from adapters.media.bounds import Bounds
from pipeline.domain import Blob, Boxes, Labels, Masks
from pipeline.ports import FileDescription


def describe(blob: Blob, bounds: Bounds) -> FileDescription:
    from adapters.media import describing

    return describing.describe(blob, bounds)


def convert_picture(blob: Blob, media_type: str, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.convert(blob, media_type, bounds)


def fit_picture(blob: Blob, max_bytes: int, media_type: str, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.fit(blob, max_bytes, media_type, bounds)


def wav_for_recognition(blob: Blob) -> Blob:
    from adapters.media import bounds, wav

    return bounds.rename(blob, wav.resample_for_recognition(blob.data), "audio/wav")


def draw_boxes(image: Blob, boxes: Boxes, bounds: Bounds) -> Blob:
    from adapters.media import drawing

    return drawing.draw_boxes(image, boxes, bounds)


def draw_masks(image: Blob, masks: Masks, bounds: Bounds) -> Blob:
    from adapters.media import drawing

    return drawing.draw_masks(image, masks, bounds)


def chart(labels: Labels) -> Blob:
    from adapters.media import charts

    return charts.draw_chart(labels)


def depth(picture: Blob, bounds: Bounds) -> Blob:
    from adapters.media import charts

    return charts.colour_depth(picture, bounds)


def table(rows: Blob) -> Blob:
    from adapters.media import charts

    return charts.draw_table(rows)
