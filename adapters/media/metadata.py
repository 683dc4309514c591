"""Where a picture comes from, written into the file itself, its content untouched."""

import re
import struct
import zlib
from collections.abc import Mapping

Metadata = Mapping[str, str]
"""What there is to tell: "model", "revision", "licence", "task" …"""

_PNG_HEAD = 33
"""Signature and header; texts may stand right behind."""
_STAY_AHEAD = range(0xE0, 0xF0)
"""JPEG's application segments: some readers want them first."""
_COMMENT = 0xFE
_LONGEST = 60_000
_OURS = b"Troupe"
_LABEL = re.compile(rb"model: [^\x00-\x1f]{1,1000}?; task: [a-z0-9-]+")


def write_metadata(data: bytes, media_type: str, facts: Metadata) -> bytes:
    """The picture with these facts in its metadata; only a PNG and a JPEG can have them."""
    text = format_metadata(facts)
    try:
        match media_type:
            case "image/png":
                return _add_to_png(data, {"Software": "Troupe", "Comment": text})
            case "image/jpeg":
                return _add_to_jpeg(data, text.encode()[:_LONGEST])
            case _:
                return data
    except (IndexError, struct.error):
        return data


def format_metadata(facts: Metadata) -> str:
    return "; ".join(("Troupe", *(f"{name}: {value}" for name, value in facts.items() if value)))


def read_metadata(data: bytes) -> Metadata:
    """The facts that were written into a file."""
    for part in (data[:_LONGEST], data[-_LONGEST:]):
        if _OURS in part and (found := _LABEL.search(part)):
            facts = (fact.partition(": ") for fact in found[0].decode(errors="replace").split("; "))
            return {name: value for name, _, value in facts}
    return {}


def _add_to_png(data: bytes, texts: Mapping[str, str]) -> bytes:
    chunks = b""
    for name, value in texts.items():
        body = b"iTXt" + name.encode() + b"\x00\x00\x00\x00\x00" + value.encode()
        chunks += struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return data[:_PNG_HEAD] + chunks + data[_PNG_HEAD:]


def _add_to_jpeg(data: bytes, text: bytes) -> bytes:
    place = 2
    while data[place] == 0xFF and data[place + 1] in _STAY_AHEAD:  # noqa: PLR2004 - a marker
        place += 2 + struct.unpack_from(">H", data, place + 2)[0]
    segment = struct.pack(">BBH", 0xFF, _COMMENT, len(text) + 2) + text
    return data[:place] + segment + data[place:]
