"""Whatever a decoder raises becomes an error of ours."""

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.errors import MediaError, TroupeError


@contextmanager
def translate_decoder_errors(kind: str) -> Iterator[None]:
    """Raise MediaError for any exception of a decoder: hostile files make them raise anything."""
    try:
        yield
    except (TroupeError, MemoryError):
        raise
    except Exception as broken:
        raise MediaError("media-broken", kind=kind) from broken
