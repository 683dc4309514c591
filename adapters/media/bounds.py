"""How much of a file is too much, and what a converted file is called."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pipeline.domain import Blob
from pipeline.errors import MediaError, TroupeError
from pipeline.text.names import find_ending

MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one file may cost. Sizes in bytes, times in seconds."""

    size: int = 100 * MEGABYTE
    pixels: int = 64_000_000
    frames: int = 2_000
    unpacked: int = 300 * MEGABYTE
    members: int = 10_000
    """Files within an office document."""
    looking: float = 30.0
    converting: float = 180.0
    playing: float = 7_200.0
    """How much of a sound or video is converted."""


@contextmanager
def translate_decoder_errors(kind: str) -> Iterator[None]:
    """Decoders raise anything on hostile bytes: it all means that the file cannot be read."""
    try:
        yield
    except (TroupeError, MemoryError):
        raise
    except Exception as broken:
        raise MediaError("media-broken", kind=kind) from broken


def to_megabytes(size: int) -> float:
    """For a sentence: rounded, but never to nothing."""
    return max(round(size / MEGABYTE, 1), 0.1)


def rename(blob: Blob, data: bytes, media_type: str) -> Blob:
    """New bytes of a new type under the old name, with the ending that fits."""
    stem, dot, _ending = blob.name.rpartition(".")
    named = f"{stem if dot else blob.name or 'file'}.{find_ending(media_type)}"
    return Blob(data, media_type, named, blob.alt)
