"""Files for the embedded experts, made in the test: invoices, pages, PDFs, Word documents."""

import io
import zlib
from collections.abc import Sequence
from functools import cache

import docx
from PIL import Image, ImageDraw, ImageFont

from pipeline.domain import Blob

INVOICE = (
    ("ACME Consulting Ltd", ""),
    ("Invoice No. 2026-0117", ""),
    ("Date: 14 November 2026", ""),
    ("Due date: 14 December 2026", ""),
    ("Bill to: Ada Lovelace", ""),
    ("Item", "Price"),
    ("Consulting, 3 days", "$ 2,400.00"),
    ("Travel", "$ 180.50"),
    ("Subtotal", "$ 2,580.50"),
    ("VAT 19 %", "$ 490.30"),
    ("Total", "$ 3,070.80"),
    ("Page 1 of 1", ""),
)


@cache
def invoice(rows: tuple[tuple[str, str], ...] = INVOICE) -> Blob:
    return png(_drawn(rows))


def page(*lines: str) -> Blob:
    return png(_drawn(tuple((line, "") for line in lines)))


def _drawn(rows: Sequence[tuple[str, str]]) -> Image.Image:
    image = Image.new("RGB", (900, 80 + 44 * len(rows)), "white")
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(26)
    for place, (left, right) in enumerate(rows):
        pen.text((60, 40 + 44 * place), left, fill="black", font=font)
        pen.text((640, 40 + 44 * place), right, fill="black", font=font)
    return image


def png(image: Image.Image) -> Blob:
    sheet = io.BytesIO()
    image.save(sheet, "PNG")
    return Blob(sheet.getvalue(), "image/png", "drawn.png")


def pdf(*pages: Sequence[str]) -> Blob:
    """A PDF of lines of text, written by hand."""
    return _pdf([_text_page(lines) for lines in pages])


def scanned_pdf(*pages: Sequence[str]) -> Blob:
    """A PDF of pictures of text."""
    sheet = io.BytesIO()
    first, *rest = [_drawn([(line, "") for line in lines]) for lines in pages]
    first.save(sheet, "PDF", save_all=True, append_images=rest)
    return Blob(sheet.getvalue(), "application/pdf", "scan.pdf")


def _text_page(lines: Sequence[str]) -> bytes:
    shown = [f"({line.replace('(', '[').replace(')', ']')}) Tj 0 -18 Td" for line in lines]
    return zlib.compress(f"BT /F 12 Tf 60 760 Td {' '.join(shown)} ET".encode("latin-1"))


def _pdf(streams: Sequence[bytes]) -> Blob:
    count = len(streams)
    kids = " ".join(f"{4 + 2 * place} 0 R" for place in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for place, stream in enumerate(streams):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * place} 0 R"
            " /Resources << /Font << /F 3 0 R >> >> >>".encode()
        )
        head = f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + stream + b"\nendstream")
    return Blob(_numbered(objects), "application/pdf", "written.pdf")


def _numbered(objects: Sequence[bytes]) -> bytes:
    sheet, places = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, 1):
        places.append(len(sheet))
        sheet += f"{number} 0 obj\n".encode() + one + b"\nendobj\n"
    table = len(sheet)
    sheet += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    sheet += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    trailer = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    return bytes(sheet + trailer.encode())


def word(*paragraphs: str, table: Sequence[Sequence[str]] = ()) -> Blob:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    if table:
        cells = document.add_table(len(table), len(table[0])).rows
        for row, texts in zip(cells, table, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
    sheet = io.BytesIO()
    document.save(sheet)
    media_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    return Blob(sheet.getvalue(), media_type, "letter.docx")


def head() -> Blob:
    """A cartoon of a face on a plain ground; no photograph of anybody."""
    image = Image.new("RGB", (320, 240), (120, 130, 140))
    pen = ImageDraw.Draw(image)
    pen.rectangle((20, 20, 140, 220), fill=(40, 60, 90), outline="white", width=3)
    pen.ellipse((180, 60, 290, 190), fill=(220, 190, 160))
    return png(image)
