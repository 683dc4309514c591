"""Where a file comes from, written into the file itself, its content untouched."""

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
_GIF_APPLICATION, _GIF_COMMENT = b"\x21\xff", b"\x21\xfe"
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
    return "; ".join(f"{name}: {value}" for name, value in facts.items() if value)


def read_metadata(data: bytes) -> Metadata:
    """The facts that were written into a file; none for an MP3."""
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
    text = f"Troupe; {format_metadata(facts)}".encode()[:_LONGEST]
    segment = struct.pack(">BBH", 0xFF, _COMMENT, len(text) + 2) + text
    return data[:place] + segment + data[place:]


def _gif(data: bytes, facts: Metadata) -> bytes:
    """A comment in front of the pictures, behind what says how often they are played."""
    flags = data[10]
    place = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    while data[place : place + 2] == _GIF_APPLICATION:
        place += 3 + data[place + 2]
        while data[place]:
            place += 1 + data[place]
        place += 1
    text = f"Troupe; {format_metadata(facts)}".encode()
    pieces = (text[at : at + 255] for at in range(0, len(text), 255))
    blocks = b"".join(bytes([len(piece)]) + piece for piece in pieces)
    return b"GIF89a" + data[6:place] + _GIF_COMMENT + blocks + b"\x00" + data[place:]


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


def _wav(data: bytes, facts: Metadata) -> bytes:
    entries = b"".join(
        name + _sized(text.encode() + b"\x00")
        for name, text in ((b"ISFT", "Troupe"), (b"ICMT", format_metadata(facts)))
    )
    whole = data + b"\x00" * (len(data) % 2) + b"LIST" + _sized(b"INFO" + entries)
    return whole[:4] + struct.pack("<I", len(whole) - 8) + whole[8:]


def _sized(body: bytes) -> bytes:
    return struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)


def _mp3(data: bytes, facts: Metadata) -> bytes:
    """A tag in front, instead of one that is there."""
    frames = b"".join(_id3_frames(facts))
    size = len(frames)
    head = b"ID3\x03\x00\x00" + bytes(size >> shift & 0x7F for shift in (21, 14, 7, 0))
    return head + frames + data[_id3_length(data) :]


def _id3_length(data: bytes) -> int:
    if data[:3] != b"ID3":
        return 0
    size = 0
    for seven_bits in data[6:10]:
        size = size << 7 | seven_bits & 0x7F
    return 10 + size


def _id3_frames(facts: Metadata) -> Iterator[bytes]:
    yield _id3_frame(b"TSSE", b"\x01" + "Troupe".encode("utf-16"))
    for name, value in facts.items():
        text = b"\x01" + name.encode("utf-16") + b"\x00\x00" + value.encode("utf-16")
        yield _id3_frame(b"TXXX", text)


def _id3_frame(name: bytes, body: bytes) -> bytes:
    return name + struct.pack(">IH", len(body), 0) + body


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
    "image/gif": _gif,
    "image/webp": _webp,
    "audio/wav": _wav,
    "audio/mpeg": _mp3,
}
