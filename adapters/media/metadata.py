"""Reads and writes the origin of a file in its metadata, without encoding it again."""

import re
import struct
import zlib
from collections.abc import Mapping

from adapters.media.wav import add_to_wav

Metadata = Mapping[str, str]
"""Facts about how a file was made: "model", "revision", "licence", "task" …"""

_PNG_HEAD = 33
"""Length of signature and header; text chunks may follow directly."""
_APP_SEGMENTS = range(0xE0, 0xF0)
"""The markers of JPEG's application segments, which some readers expect first."""
_COMMENT = 0xFE
_MOST_SEGMENTS = 1_000
"""Segments of a JPEG that are passed over; real files have some ten."""
_LONGEST = 60_000
_OURS = b"Troupe"
_LABEL = re.compile(rb"model: [^\x00-\x1f]{1,1000}?; task: [a-z0-9-]+")


def write_metadata(data: bytes, media_type: str, facts: Metadata) -> bytes:
    """Add facts to the metadata of a PNG, JPEG or WAV; other files are returned unchanged."""
    text = format_metadata(facts)
    try:
        match media_type:
            case "image/png":
                return _add_to_png(data, {"Software": "Troupe", "Comment": text})
            case "image/jpeg":
                return _add_to_jpeg(data, text.encode()[:_LONGEST])
            case "audio/wav":
                return add_to_wav(data, {b"ISFT": b"Troupe\0", b"ICMT": text.encode() + b"\0"})
            case _:
                return data
    except (IndexError, struct.error):
        return data


def format_metadata(facts: Metadata) -> str:
    return "; ".join(("Troupe", *(f"{name}: {value}" for name, value in facts.items() if value)))


def read_metadata(data: bytes) -> Metadata:
    """The facts that we wrote into a file; empty if there are none."""
    for part in (data[:_LONGEST], data[-_LONGEST:]):
        if _OURS in part and (label := _LABEL.search(part)):
            facts = (fact.partition(": ") for fact in label[0].decode(errors="replace").split("; "))
            return {name: value for name, _, value in facts}
    return {}


def _add_to_png(data: bytes, texts: Mapping[str, str]) -> bytes:
    chunks = b""
    for name, value in texts.items():
        body = b"iTXt" + name.encode() + b"\x00\x00\x00\x00\x00" + value.encode()
        chunks += struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return data[:_PNG_HEAD] + chunks + data[_PNG_HEAD:]


def _add_to_jpeg(data: bytes, text: bytes) -> bytes:
    offset = 2
    for _ in range(_MOST_SEGMENTS):
        if data[offset] != 0xFF or data[offset + 1] not in _APP_SEGMENTS:  # noqa: PLR2004 - a marker
            break
        offset += 2 + struct.unpack_from(">H", data, offset + 2)[0]
    segment = struct.pack(">BBH", 0xFF, _COMMENT, len(text) + 2) + text
    return data[:offset] + segment + data[offset:]
