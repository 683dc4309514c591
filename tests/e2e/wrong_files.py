"""Files that people send by mistake or with malice."""

import io
import struct
import zlib

from PIL import Image

from pipeline.domain import Blob
from tests.adapters.media.samples import docx_bomb
from tests.fakes.jobs import picture

PAGE = (
    b"<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>"
)


def truncated_png() -> Blob:
    noisy = Image.effect_noise((200, 200), 80)
    sheet = io.BytesIO()
    noisy.save(sheet, "PNG")
    return Blob(sheet.getvalue()[: len(sheet.getvalue()) // 2], "image/png", "half.png")


def page_as_png() -> Blob:
    return Blob(PAGE, "image/png", "photo.png")


def bomb(side: int = 50_000) -> Blob:
    """A small PNG that claims to be huge."""
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 100_000, 9)
    data = b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body)
    return Blob(data + _chunk(b"IEND", b""), "image/png", "tiny.png")


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def huge_document() -> Blob:
    return Blob(docx_bomb(), "application/zip", "letter.docx")


def named(name: str) -> Blob:
    return Blob(picture().data, "image/png", name)
