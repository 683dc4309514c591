"""Pages of PDFs and pictures: joined, taken out, turned, drawn. Runs in a worker."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from adapters.media.bounds import Bounds
from adapters.media.decoder_errors import translate_decoder_errors
from pipeline.domain import Blob, Type
from pipeline.errors import MediaError

MOST_PAGES = 2_000
_DOTS_PER_INCH = 150
"""The resolution of a page that is drawn."""
_POINTS_PER_INCH = 72
"""The unit of PDF."""
_LONGEST_SIDE = 3_000
"""Pixels of a page that is drawn."""
_QUALITY = 60
"""The JPEG quality of pictures in a compressed PDF."""


def open_pages(blob: Blob) -> Any:
    """A PDF or a picture as a reader of PDF pages. Raises MediaError."""
    data = _picture_to_pdf(blob) if blob.type is Type.IMAGE else blob.data
    if b"%PDF-" not in data[:1024]:
        raise MediaError("media-no-pages", file=blob.name)
    reader, count = open_pdf(data)
    if not count or count > MOST_PAGES:
        raise MediaError("media-too-many-pages", pages=count, limit=MOST_PAGES)
    return reader


def open_pdf(data: bytes) -> tuple[Any, int]:
    """A reader of the pages of a PDF, and how many there are. Raises MediaError."""
    from pypdf import PdfReader

    with translate_decoder_errors("PDF"):
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise MediaError("media-encrypted")
        return reader, len(reader.pages)


def _picture_to_pdf(blob: Blob) -> bytes:
    from adapters.media.pictures import flatten, load_upright

    file = io.BytesIO()
    picture = flatten(load_upright(blob.data, Bounds()))
    picture.save(file, "PDF", resolution=_DOTS_PER_INCH, quality=90)
    return file.getvalue()


def join(readers: Iterable[Any]) -> bytes:
    """All pages of several readers, with their bookmarks."""
    from pypdf import PdfWriter

    with translate_decoder_errors("PDF"):
        writer = PdfWriter()
        for reader in readers:
            writer.append(reader)
        return _write(writer)


def take(reader: Any, pages: Sequence[int], turned: Sequence[int] = (), angle: int = 0) -> bytes:
    """Some pages in this order, those in `turned` rotated clockwise by `angle`."""
    from pypdf import PdfWriter

    with translate_decoder_errors("PDF"):
        writer = PdfWriter()
        for page in pages:
            copy = writer.add_page(reader.pages[page])
            if page in turned:
                copy.rotate(angle)
        return _write(writer)


def has_pictures(reader: Any) -> bool:
    """Whether a page holds a picture. Raises MediaError."""
    with translate_decoder_errors("PDF"):
        return any(len(page.images) for page in reader.pages)


def compress(reader: Any) -> bytes:
    """All pages, their pictures as JPEG of lower quality, equal objects once."""
    from pypdf import PdfWriter

    with translate_decoder_errors("PDF"):
        writer = PdfWriter()
        writer.append(reader)
        for page in writer.pages:
            for picture in page.images:
                if picture.image and picture.image.mode in ("RGB", "L"):
                    picture.replace(picture.image, quality=_QUALITY)
            page.compress_content_streams()
        writer.compress_identical_objects()
        return _write(writer)


def _write(writer: Any) -> bytes:
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def draw(data: bytes, pages: Sequence[int], encoder: str) -> list[bytes]:
    """Pages of a PDF as pictures, with 150 dots per inch at most. `encoder`: png, jpeg or webp."""
    import pypdfium2 as pdfium

    drawn = []
    with translate_decoder_errors("PDF"), pdfium.PdfDocument(data) as pdf:
        for number in pages:
            page = pdf[number]
            longest = max(*page.get_size(), 1)
            scale = min(_DOTS_PER_INCH / _POINTS_PER_INCH, _LONGEST_SIDE / longest)
            file = io.BytesIO()
            page.render(scale=scale).to_pil().convert("RGB").save(file, encoder, quality=90)
            drawn.append(file.getvalue())
    return drawn


def take_pictures(reader: Any, pages: Sequence[int], most: int) -> list[Blob]:
    """Extract the pictures on some pages, each once, as they are stored."""
    pictures: dict[bytes, Blob] = {}
    with translate_decoder_errors("PDF"):
        for page in pages:
            for picture in reader.pages[page].images:
                ending = picture.name.rpartition(".")[2].casefold()
                media_type = f"image/{'jpeg' if ending == 'jpg' else ending}"
                pictures.setdefault(picture.data, Blob(picture.data, media_type))
                if len(pictures) > most:
                    return [*pictures.values()]
    return [*pictures.values()]
