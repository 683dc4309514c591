"""Limits on media files, and what all conversions share."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pipeline.domain import Blob
from pipeline.errors import MediaError, TroupeError
from pipeline.text.names import find_ending

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits for one file. Sizes in bytes, times in seconds."""

    size: int = 100 * MEGABYTE
    pixels: int = 64_000_000
    frames: int = 2_000
    unpacked: int = 300 * MEGABYTE
    members: int = 10_000
    """Files within an office document."""
    rows: int = 100_001
    cells: int = 1_000_000
    """Cells of a sheet, including its head."""
    decode_timeout: float = 30.0
    convert_timeout: float = 180.0
    duration: float = 7_200.0
    """How much of a sound or video is converted."""


@contextmanager
def translate_decoder_errors(kind: str) -> Iterator[None]:
    """Raise MediaError for any exception of a decoder: hostile files make them raise anything."""
    try:
        yield
    except (TroupeError, MemoryError):
        raise
    except Exception as broken:
        raise MediaError("media-broken", kind=kind) from broken


def to_megabytes(size: int) -> float:
    """Rounded for people, but never 0."""
    return max(round(size / MEGABYTE, 1), 0.1)


def rename(blob: Blob, data: bytes, media_type: str) -> Blob:
    """A blob with new data and its type, named like the old one but for the ending."""
    stem, dot, _ending = blob.name.rpartition(".")
    name = f"{stem if dot else blob.name or 'file'}.{find_ending(media_type)}"
    return Blob(data, media_type, name, alt=blob.alt)
