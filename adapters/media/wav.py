"""WAV: how long it is, and a label in it.

Most speech is WAV, so this is done in the program itself: in one pass over at most so many chunks,
whatever the file claims.
"""

import struct
from collections.abc import Mapping

from adapters.media.bounds import Bounds, check_size
from adapters.media.decoder_errors import translate_decoder_errors
from pipeline.domain import FileDescription
from pipeline.errors import MediaError

_RIFF_HEAD = 12
_CHUNK_HEAD = 8
_MOST_CHUNKS = 1_000
"""Real files have some ten; what follows is not looked at."""


def is_wav(data: bytes) -> bool:
    return data[:4] == b"RIFF" and data[8:12] == b"WAVE"


def describe_wav(data: bytes, bounds: Bounds) -> FileDescription:
    """One line on it, with its length. Raises MediaError."""
    check_size(len(data), bounds)
    with translate_decoder_errors("WAV"):
        chunks = _find_chunks(data)
        _, _, rate, _, frame = struct.unpack_from("<HHIIH", chunks[b"fmt "])
        seconds: float = len(chunks[b"data"]) / (frame * rate)
    if not seconds:
        raise MediaError("media-broken", kind="WAV")
    return FileDescription("audio/wav", f"sound, {seconds:.1f} s", seconds)


def add_to_wav(data: bytes, texts: Mapping[bytes, bytes]) -> bytes:
    """The file with these texts as a LIST chunk at its end, unless it has such a chunk."""
    chunks = _find_chunks(data)
    if b"fmt " not in chunks or b"LIST" in chunks:
        return data
    body = b"INFO" + b"".join(name + _prefix_size(text) for name, text in texts.items())
    listed = b"\x00" * (len(data) % 2) + b"LIST" + _prefix_size(body)
    size = struct.pack("<I", len(data) + len(listed) - _CHUNK_HEAD)
    return b"".join((b"RIFF", size, memoryview(data)[_CHUNK_HEAD:], listed))


def _find_chunks(data: bytes) -> Mapping[bytes, memoryview]:
    """The first chunks of a RIFF file by their names; the last one may be cut off."""
    view, offset = memoryview(data), _RIFF_HEAD
    chunks: dict[bytes, memoryview] = {}
    for _ in range(_MOST_CHUNKS):
        if offset + _CHUNK_HEAD > len(data):
            break
        (size,) = struct.unpack_from("<I", data, offset + 4)
        start = offset + _CHUNK_HEAD
        chunks[data[offset : offset + 4]] = view[start : start + size]
        offset = start + size + size % 2
    return chunks


def _prefix_size(body: bytes) -> bytes:
    return struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)
