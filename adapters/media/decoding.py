"""What the program asks of decoders: each is loaded in the worker that the call runs in."""

from adapters.media.bounds import Bounds
from pipeline.domain import Blob, Boxes, FileDescription, Labels, Masks


def describe(blob: Blob, bounds: Bounds) -> FileDescription:
    from adapters.media import describing

    return describing.describe(blob, bounds)


def preview(image: Blob, side: int, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.preview(image, side, bounds)


def find_cut_out(picture: Blob, bounds: Bounds) -> Blob | None:
    from adapters.media import pictures

    return pictures.find_cut_out(picture, bounds)


def convert_picture(blob: Blob, media_type: str, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.convert(blob, media_type, bounds)


def shrink_picture(blob: Blob, max_bytes: int, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.fit(blob, max_bytes, bounds)


def colour_depth(depth: Blob, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.colour_depth(depth, bounds)


def convert_table(blob: Blob, bounds: Bounds) -> Blob:
    from adapters.media import tables

    return tables.convert(blob, bounds)


def draw_boxes(image: Blob, boxes: Boxes, bounds: Bounds) -> Blob:
    from adapters.media import overlays

    return overlays.draw_boxes(image, boxes, bounds)


def draw_masks(image: Blob, masks: Masks, bounds: Bounds) -> Blob:
    from adapters.media import overlays

    return overlays.draw_masks(image, masks, bounds)


def draw_chart(labels: Labels) -> Blob:
    from adapters.media import label_chart

    return label_chart.draw_chart(labels)


def draw_table(table: Blob) -> Blob:
    from adapters.media import table_picture

    return table_picture.draw_table(table)
