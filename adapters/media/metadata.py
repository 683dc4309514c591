"""Where a picture or a WAV file comes from, written into the file itself, its content untouched."""

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from xml.sax.saxutils import escape

Metadata = Mapping[str, str]
"""What there is to tell: "model", "revision", "licence", "task" …"""

_PNG_HEAD = 33
"""Signature and header; texts may stand right behind."""
_STAY_AHEAD = range(0xE0, 0xF0)
"""JPEG's application segments: some readers want them first."""
_COMMENT = 0xFE
_RIFF_HEAD = 12
_HAS_XMP = 4
_LONGEST = 60_000
_OURS = b"Troupe"
_LABEL = re.compile(rb"model: [^\x00-\x1f]{1,1000}?; task: [a-z0-9-]+")


def write_metadata(data: bytes, media_type: str, facts: Metadata) -> bytes:
    """The file with these facts in its metadata; unchanged where its type has no place for them."""
    write = _WRITERS.get(media_type)
    if write is None or not facts:
        return data
    try:
        return write(data, facts)
    except (IndexError, ValueError, struct.error):
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


def _png(data: bytes, facts: Metadata) -> bytes:
    texts = {"Software": "Troupe", "Comment": format_metadata(facts)}
    chunks = b"".join(_png_text(name, value) for name, value in texts.items())
    return data[:_PNG_HEAD] + chunks + data[_PNG_HEAD:]


def _png_text(name: str, value: str) -> bytes:
    body = b"iTXt" + name.encode() + b"\x00\x00\x00\x00\x00" + value.encode()
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))


def _jpeg(data: bytes, facts: Metadata) -> bytes:
    place = 2
    while data[place] == 0xFF and data[place + 1] in _STAY_AHEAD:  # noqa: PLR2004 - a marker
        place += 2 + struct.unpack_from(">H", data, place + 2)[0]
    text = format_metadata(facts).encode()[:_LONGEST]
    segment = struct.pack(">BBH", 0xFF, _COMMENT, len(text) + 2) + text
    return data[:place] + segment + data[place:]


def _wav(data: bytes, facts: Metadata) -> bytes:
    """A list of texts at the end."""
    chunks = dict(read_chunks(data))
    if b"fmt " not in chunks or b"LIST" in chunks:
        return data
    texts = {b"ISFT": b"Troupe\0", b"ICMT": format_metadata(facts).encode() + b"\0"}
    body = b"INFO" + b"".join(name + _sized(text) for name, text in texts.items())
    whole = data[8:] + b"\x00" * (len(data) % 2) + b"LIST" + _sized(body)
    return b"RIFF" + struct.pack("<I", len(whole)) + whole


def read_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a RIFF file by their names; the last one is what is there of it."""
    place = _RIFF_HEAD
    while place + 8 <= len(data):
        size = _size(data, place + 4)
        yield data[place : place + 4], data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


def _webp(data: bytes, facts: Metadata) -> bytes:
    """XMP at the end, for which plain files get the longer header. One that exists stays."""
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) != 8 + _size(data, 4):
        raise ValueError
    head, rest = data[12:30], data[30:]
    if head[:4] != b"VP8X":
        head, rest = _webp_head(data), data[12:]
    if head[8] & _HAS_XMP:
        return data
    head = head[:8] + bytes([head[8] | _HAS_XMP]) + head[9:]
    packet = _XMP.format(escape(format_metadata(facts))).encode()
    whole = b"WEBP" + head + rest + b"XMP " + _sized(packet)
    return b"RIFF" + struct.pack("<I", len(whole)) + whole


def _webp_head(data: bytes) -> bytes:
    """The longer header of a file that has none: its size, and whether it may be see-through."""
    match data[12:16]:
        case b"VP8L" if data[20] == 0x2F:  # noqa: PLR2004 - its signature
            (bits,) = struct.unpack_from("<I", data, 21)
            wide, high, clear = bits & 0x3FFF, bits >> 14 & 0x3FFF, bits >> 28 & 1
        case b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            wide, high = (side & 0x3FFF for side in struct.unpack_from("<HH", data, 26))
            wide, high, clear = wide - 1, high - 1, 0
        case _:
            raise ValueError
    sides = wide.to_bytes(3, "little") + high.to_bytes(3, "little")
    return b"VP8X" + _sized(bytes([clear << 4, 0, 0, 0]) + sides)


def _size(data: bytes, at: int) -> int:
    return int(struct.unpack_from("<I", data, at)[0])


def _sized(body: bytes) -> bytes:
    return struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)


_XMP = (
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    '<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:CreatorTool="Troupe">'
    '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:description>'
    "</rdf:Description></rdf:RDF></x:xmpmeta>"
)
_WRITERS: Mapping[str, Callable[[bytes, Metadata], bytes]] = {
    "image/png": _png,
    "image/jpeg": _jpeg,
    "image/webp": _webp,
    "audio/wav": _wav,
}
