"""The text of documents: PDF, Word, web pages, plain text, and pictures by OCR (RapidOCR)."""

import io
import itertools
import os
import time
import zipfile
import zlib
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from adapters.embedded.experts.images import read_pixels
from adapters.embedded.experts.task_io import ExpertInput, WorkerResult, get_file
from pipeline.domain import Blob, ExpertValue, LocalizedText, Text, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.encodings import decode

_MOST_PAGES, _MOST_SCANNED, _MOST_CHARACTERS = 100, 8, 200_000
_MOST_SECONDS = 20
_MOST_PDF_IMAGES, _MOST_PDF_CONTENT = 300_000_000, 50_000_000
_MOST_XML, _MOST_ZIP, _MOST_HTML = 25_000_000, 200_000_000, 5_000_000
"""Bytes after decompression."""
_MOST_PIXELS = 60_000_000
_SCALE = 2.0  # 144 dots per inch
_FEW = 12  # characters: a page with fewer was scanned
_BADLY = LocalizedText("embedded-read-badly")
_LEGIBLE = 0.85
"""A page whose lines score less on average is called hard to read."""
_OCR = {
    "Global.log_level": "critical",
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # several wait by spinning
    "Det.limit_type": "max",  # "min" would enlarge strips without end
    "Det.limit_side_len": 2000,
}
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_WORD_MARKS = {"tab": "\t", "br": "\n", "cr": "\n"}
_BLOCKS = ("p", "div", "br", "li", "tr", "h1", "h2", "h3")


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document, notes on it, and the OCR score of a picture."""

    text: str
    notes: tuple[LocalizedText, ...] = ()
    legibility: float | None = None


def read_text_in_image(args: ExpertInput, _language: str) -> WorkerResult:
    """The text in a picture, line by line. Raises ExpertRefused when there is none."""
    document = read_piece(get_file(args, "image", Type.IMAGE))
    text = Text(document.text, document.legibility)
    return WorkerResult(slots={"text": text}, notes=document.notes)


def extract_text(args: ExpertInput, _language: str) -> WorkerResult:
    """The text of a document. Raises BadInput, ExpertRefused."""
    document = read_document(get_file(args, "document"))
    return WorkerResult(slots={"text": Text(document.text)}, notes=document.notes)


def read_piece(piece: ExpertValue) -> DocumentText:
    """The text of words, of a picture or of a document. Raises BadInput, ExpertRefused."""
    match piece:
        case Text(text):
            return DocumentText(text)
        case Blob() if piece.type is Type.IMAGE:
            text, score = recognize_text(read_pixels(piece))
            if not text:
                raise ExpertRefused("embedded-no-text")
            return DocumentText(text, (_BADLY,) if score < _LEGIBLE else (), score)
        case Blob():
            return read_document(piece)
        case _:
            raise ExpertRefused("embedded-file-type", slot="document")


def read_document(blob: Blob) -> DocumentText:
    """The text of a file, by its bytes. Raises BadInput, ExpertRefused."""
    if not blob.data.strip():
        raise BadInput("embedded-document-empty")
    document = _read_file(blob)
    lines = [line.rstrip() for line in document.text.splitlines()]
    kept = [line for before, line in itertools.pairwise(["", *lines]) if line or before]
    text = "\n".join(kept).strip()
    if not text:
        raise ExpertRefused("embedded-no-text")
    if len(text) <= _MOST_CHARACTERS:
        return replace(document, text=text)
    cut = LocalizedText("embedded-document-cut", {"characters": str(_MOST_CHARACTERS)})
    return replace(document, text=text[:_MOST_CHARACTERS], notes=(*document.notes, cut))


def _read_file(blob: Blob) -> DocumentText:
    if b"%PDF-" in blob.data[:1024]:
        return _read_pdf(blob.data)
    if blob.data.startswith(b"PK\x03\x04"):
        return _read_word(blob.data)
    text = decode(blob.data)
    if text is None or blob.type in (Type.IMAGE, Type.AUDIO, Type.VIDEO):
        raise ExpertRefused("embedded-document-unknown")
    begin = text[:1000].lstrip().casefold()
    if blob.media_type == "text/html" or begin.startswith(("<!doctype html", "<html")):
        return DocumentText(_read_html(text[:_MOST_HTML]))
    return DocumentText(text)


def _read_pdf(data: bytes) -> DocumentText:
    import pypdfium2 as pdfium

    _check_inflated_size(data)
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise BadInput("embedded-pdf-locked" if locked else "embedded-pdf-broken") from error
    with pdf:
        texts, scores, left = _read_pages(pdf)
        pages = len(pdf)
    read, scanned = len(texts), len(scores)
    facts = (
        (read < pages, LocalizedText("embedded-pages-cut", {"pages": pages, "read": read})),
        (scanned, LocalizedText("embedded-pages-scanned", {"pages": scanned})),
        (min(scores, default=1.0) < _LEGIBLE, _BADLY),
        (left, LocalizedText("embedded-scans-left", {"pages": left})),
    )
    notes = tuple(note for holds, note in facts if holds)
    return DocumentText("\n\n".join(filter(None, texts)), notes)


def _check_inflated_size(data: bytes) -> None:
    """Raises BadInput for a PDF whose streams would grow beyond all use."""
    left = {True: _MOST_PDF_IMAGES, False: _MOST_PDF_CONTENT}
    at = data.find(b"stream")
    while at >= 0:
        start = at + 8 if data[at + 6 : at + 8] == b"\r\n" else at + 7
        end = data.find(b"endstream", start)
        if end < 0:
            return
        image = b"/Image" in data[max(at - 500, 0) : at]
        try:
            size = len(zlib.decompressobj().decompress(data[start:end], left[image] + 1))
        except zlib.error:
            size = end - start  # not deflated
        left[image] -= size
        if left[image] <= 0:
            raise BadInput("embedded-document-too-large")
        at = data.find(b"stream", end + 9)


def _read_pages(pdf: Any) -> tuple[list[str], list[float], int]:
    """The text of each page, the OCR score of scanned ones, and how many scans were left out."""
    texts: list[str] = []
    scores: list[float] = []
    scans, end = 0, time.monotonic() + _MOST_SECONDS
    for place in range(min(len(pdf), _MOST_PAGES)):
        page = pdf[place]
        words = page.get_textpage()
        text = words.get_text_range(0, min(words.count_chars(), _MOST_CHARACTERS)).strip()
        if len(text) < _FEW and _is_scan(page):
            scans += 1
            if len(scores) < _MOST_SCANNED:
                read, score = recognize_text(_render(page))
                text = read or text
                scores.append(score if read else 1.0)
        texts.append(text)
        if sum(map(len, texts)) > _MOST_CHARACTERS or time.monotonic() > end:
            break
    return texts, scores, scans - len(scores)


def _is_scan(page: Any) -> bool:
    """Whether a page shows pictures; none that are too large to be drawn."""
    from pypdfium2 import raw

    pictures = page.get_objects(filter=(raw.FPDF_PAGEOBJ_IMAGE,), max_depth=3)
    sizes = [picture.get_px_size() for picture in itertools.islice(pictures, 100)]
    return bool(sizes) and sum(width * height for width, height in sizes) <= _MOST_PIXELS


def _render(page: Any) -> Any:
    width, height = page.get_size()
    scale = min(_SCALE, 2400 / max(width, height, 1))
    return page.render(scale=scale, rev_byteorder=False).to_numpy()[:, :, :3].copy()


def _read_word(data: bytes) -> DocumentText:
    import docx

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            sizes = {part.filename: part.file_size for part in parts.infolist()}
        if "word/document.xml" not in sizes:
            raise ExpertRefused("embedded-document-unknown")
        xml = sum(size for name, size in sizes.items() if name.endswith((".xml", ".rels")))
        if xml > _MOST_XML or sum(sizes.values()) > _MOST_ZIP:
            raise BadInput("embedded-document-too-large")
        body = docx.Document(io.BytesIO(data)).element.body
    except (zipfile.BadZipFile, KeyError, ValueError, SyntaxError) as error:
        raise BadInput("embedded-document-broken") from error
    return DocumentText("".join(_read_word_marks(body)).strip())


def _read_word_marks(body: Any) -> list[str]:
    """The text in the order of the file: cells end in tabs, paragraphs and rows in new lines."""
    from lxml.etree import iterwalk

    texts: list[str] = []
    for event, element in iterwalk(body, events=("start", "end")):
        name = element.tag.removeprefix(_WORD) if isinstance(element.tag, str) else ""
        if event == "start":
            texts.append((element.text or "") if name == "t" else _WORD_MARKS.get(name, ""))
        elif name == "p":
            texts.append("\t" if element.getparent().tag == f"{_WORD}tc" else "\n")
        elif name == "tr":
            texts.append("\n")
    return texts


def _read_html(text: str) -> str:
    from lxml import html

    root = html.document_fromstring(text.encode(), parser=html.HTMLParser(encoding="utf-8"))
    for element in list(root.iter("script", "style")):
        element.drop_tree()
    for element in root.iter(*_BLOCKS):
        element.tail = f"\n{element.tail or ''}"
    return "\n".join(" ".join(line.split()) for line in root.text_content().splitlines())


def recognize_text(pixels: Any) -> tuple[str, float]:
    """The text in a picture, columns apart, and its mean score; "" when there is none."""
    result = _ocr()(pixels)
    if result.boxes is None or not result.txts:
        return "", 0.0
    return result.to_markdown(), round(sum(result.scores) / len(result.scores), 3)


@cache
def _ocr() -> Any:
    # Also outside of workers: its library reports to its maker unless told so before it is loaded.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    from rapidocr import RapidOCR

    return RapidOCR(params=_OCR)
