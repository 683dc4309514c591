"""Files that people send by mistake or in malice, and a PDF made of words."""

import io
import struct
import zipfile
import zlib

from PIL import Image

from pipeline.domain import Blob
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


def pdf(*pages: str) -> Blob:
    """A PDF with a line of words on each page."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    kids = []
    for words in pages:
        lines = b" ".join(b"(%s) Tj T*" % line.encode() for line in words.split("\n"))
        stream = b"BT /F1 14 Tf 18 TL 60 760 Td %s ET" % lines
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), listed)
    return Blob(_assembled(objects), "application/pdf", "paper.pdf")


def _assembled(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return bytes(out) + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (size, table, size, len(out))
    )


def docx_bomb() -> Blob:
    sheet = io.BytesIO()
    with zipfile.ZipFile(sheet, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", b"<w:t>" + b" " * 40_000_000)
    return Blob(sheet.getvalue(), "application/zip", "letter.docx")


def named(name: str) -> Blob:
    return Blob(picture().data, "image/png", name)
