"""The doors into the worker processes: Pillow and numpy are imported only there."""

# ruff: noqa: PLC0415 - see above

from adapters.media.bounds import Bounds
from pipeline.domain import Blob
from pipeline.ports import Described


def describe(blob: Blob, bounds: Bounds) -> Described:
    from adapters.media import looking

    return looking.describe(blob, bounds)


def convert_picture(blob: Blob, media_type: str, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.convert(blob, media_type, bounds)


def fit_picture(blob: Blob, max_bytes: int, media_type: str, bounds: Bounds) -> Blob:
    from adapters.media import pictures

    return pictures.fit(blob, max_bytes, media_type, bounds)


def wav_for_recognition(blob: Blob) -> Blob:
    from adapters.media import names, sounds

    return names.renamed(blob, sounds.for_recognition(blob.data), "audio/wav")
