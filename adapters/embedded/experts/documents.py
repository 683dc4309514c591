"""Documents as text: PDF (scanned pages are read as pictures), Word, tables, plain text; in bounds, and saying what was left out."""

import csv
import io
import re
import zipfile
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any

from adapters.embedded.experts.finding import Args, Finding, file
from adapters.embedded.experts.reading import read_how, said_of_reading, text_in, text_of
from pipeline.domain import Blob, Raw, Sentence, Sureness, Text, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.sheets import as_text, cells

MOST_PAGES, MOST_SCANNED, MOST_CHARACTERS = 100, 8, 200_000
_UNZIPPED = 200 * 1024 * 1024
_SCALE = 2.0  # 144 dots per inch
_FEW = 12  # characters: a page with fewer was scanned


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a document, and what there is to say about it."""

    text: str
    notes: tuple[Sentence, ...] = ()
    read: float = 1.0
    """How surely the worst page was read, where it was a picture."""


def extract(args: Args, _language: str) -> Finding:
    """The text of a document. Raises BadInput, ExpertRefused."""
    document = opened(file(args, "document"))
    return Finding({"text": Text(document.text)}, document.notes)


def of(piece: Raw) -> Document:
    """The text of whatever can be asked about: words, a picture, a document."""
    match piece:
        case Text(text):
            return Document(text)
        case Blob() if piece.type is Type.IMAGE:
            text, score = text_of(piece)
            if not text:
                raise ExpertRefused("embedded-no-text")
            return Document(text, said_of_reading(score), score)
        case Blob():
            return opened(piece)
        case _:
            raise ExpertRefused("embedded-file-type", slot="document")


def opened(blob: Blob) -> Document:
    """The text of a document, believed by its bytes."""
    if not blob.data.strip():
        raise BadInput("embedded-document-empty")
    document = _of_its_kind(blob)
    text = re.sub(
        r"\n{3,}", "\n\n", document.text.replace("\r\n", "\n").replace("\r", "\n")
    ).strip()
    if not text:
        raise ExpertRefused("embedded-no-text")
    if len(text) <= MOST_CHARACTERS:
        return replace(document, text=text)
    cut = Sentence("embedded-document-cut", {"characters": str(MOST_CHARACTERS)})
    return replace(document, text=text[:MOST_CHARACTERS], notes=(*document.notes, cut))


def _of_its_kind(blob: Blob) -> Document:
    if b"%PDF-" in blob.data[:1024]:
        return _pdf(blob.data)
    if blob.data.startswith(b"PK\x03\x04"):
        return _word(blob.data)
    if blob.type in (Type.IMAGE, Type.AUDIO, Type.VIDEO):
        raise ExpertRefused("embedded-file-type", slot="document")
    text = decoded(blob.data)
    if blob.media_type == "text/html" or re.match(
        r"\s*<(?:!doctype html|html)", text, re.IGNORECASE
    ):
        return Document(_without_tags(text))
    return Document(text)


def _pdf(data: bytes) -> Document:
    import pypdfium2 as pdfium

    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise BadInput("embedded-pdf-locked" if locked else "embedded-pdf-broken") from error
    with pdf:
        pages = len(pdf)
        texts, scans = _pages(pdf, min(pages, MOST_PAGES))
    scanned, worst = len(scans), min(scans, default=1.0)
    notes = []
    if pages > MOST_PAGES:
        notes.append(Sentence("embedded-pages-cut", {"pages": str(pages), "read": str(MOST_PAGES)}))
    if scanned:
        notes.append(Sentence("embedded-pages-scanned", {"pages": str(min(scanned, MOST_SCANNED))}))
    if read_how(worst) is Sureness.NOT:
        notes += said_of_reading(worst)[1:]
    if scanned > MOST_SCANNED:
        notes.append(Sentence("embedded-scans-left", {"pages": str(scanned - MOST_SCANNED)}))
    return Document("\n\n".join(text for text in texts if text), tuple(notes), worst)


def _pages(pdf: Any, count: int) -> tuple[list[str], list[float]]:  # noqa: ANN401 - a document of pdfium
    """The text of each page, and how surely those were read that are pictures."""
    texts: list[str] = []
    scans: list[float] = []
    for place in range(count):
        page = pdf[place]
        text = page.get_textpage().get_text_bounded().strip()
        if len(text) < _FEW and _has_pictures(page):
            read, score = text_in(_rendered(page)) if len(scans) < MOST_SCANNED else ("", 0.0)
            scans.append(score if read else 1.0)
            text = read or text
        texts.append(text)
        if sum(map(len, texts)) > MOST_CHARACTERS:
            break
    return texts, scans


def _has_pictures(page: Any) -> bool:  # noqa: ANN401
    from pypdfium2 import raw

    pictures = page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)
    return next(iter(pictures), None) is not None


def _rendered(page: Any) -> Any:  # noqa: ANN401
    width, height = page.get_size()
    scale = min(_SCALE, 2400 / max(width, height, 1))
    return page.render(scale=scale, rev_byteorder=False).to_numpy()[:, :, :3].copy()


def _word(data: bytes) -> Document:
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > _UNZIPPED:
                raise BadInput("embedded-document-too-large")
            if "word/document.xml" not in parts.namelist():
                raise ExpertRefused("embedded-document-unknown")
        document = docx.Document(io.BytesIO(data))
    except (zipfile.BadZipFile, KeyError, ValueError, SyntaxError) as error:
        raise BadInput("embedded-document-broken") from error
    return Document("\n".join(_block(block) for block in document.iter_inner_content()))


def _block(block: Any) -> str:  # noqa: ANN401 - a paragraph or a table of python-docx
    if hasattr(block, "rows"):
        return "\n".join("\t".join(cell.text.strip() for cell in row.cells) for row in block.rows)
    return str(block.text)


def decoded(data: bytes) -> str:
    """Bytes as text. Raises ExpertRefused for those that are none."""
    text = as_text(data)
    if text is None:
        raise ExpertRefused("embedded-document-unknown")
    return text


def grid(blob: Blob) -> list[list[str]]:
    """The rows of a table in text, whatever parts its columns; all of one length. Raises BadInput."""
    try:
        table = cells(decoded(blob.data), blob.media_type)
    except csv.Error as error:
        raise BadInput("embedded-table-broken") from error
    if len(table) < 2:  # noqa: PLR2004 - a heading and a row
        raise BadInput("embedded-table-empty")
    width = len(table[0])
    return [[cell.strip() for cell in [*row, *[""] * width][:width]] for row in table]


class _Words(HTMLParser):
    """The words of a web page."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden += tag in ("script", "style")
        if tag in ("p", "div", "br", "li", "tr", "h1", "h2", "h3"):
            self.words.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style") and self._hidden > 0

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words.append(data)


def _without_tags(text: str) -> str:
    parser = _Words()
    parser.feed(text)
    return re.sub(r"[ \t]+", " ", "".join(parser.words))
