"""Limits on media files."""

from dataclasses import dataclass

from pipeline.errors import MediaError

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


def to_megabytes(size: int) -> float:
    """Rounded for people, but never 0."""
    return max(round(size / MEGABYTE, 1), 0.1)


def check_size(size: int, bounds: Bounds) -> None:
    """Raises MediaError for an empty file and for one that is too large."""
    if not size:
        raise MediaError("media-empty")
    if size > bounds.size:
        limit = to_megabytes(bounds.size)
        raise MediaError("media-too-large", size=to_megabytes(size), limit=limit)
