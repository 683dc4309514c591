"""The text of PDFs by PDFium: pages, scans by OCR, and what was typed into forms. In a worker."""

import itertools
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from adapters.media.columns import Box, order_columns
from adapters.media.document_text import (
    LEGIBLE,
    MOST_CHARACTERS,
    READ_BADLY,
    DocumentText,
    Recognize,
)
from pipeline.domain import LocalizedText
from pipeline.errors import BadInput

_MOST_PAGES = 100
"""Pages that are read."""
_MOST_SCANNED = 8
"""Pages that are read by OCR."""
_MOST_SECONDS = 20
_MOST_IMAGES = 300_000_000
"""Bytes of pictures after decompression."""
_MOST_CONTENT = 50_000_000
"""Bytes of everything else after decompression."""
_MOST_PIXELS = 60_000_000
_MOST_FIELDS = 2_000
"""Fields of a page."""
_MOST_RECTANGLES = 5_000
"""Pieces of text of a page that are looked at for columns, and beside which fields are put."""
_SCALE = 2.0  # 144 dots per inch
_FEW = 12  # characters: a page with fewer was scanned
_COMMENTS = frozenset(
    {"/Text", "/Highlight", "/Underline", "/Squiggly", "/StrikeOut", "/Caret", "/Stamp"}
)
_NEAR = 30.0
"""Points between a field and the label above it."""
_CHECKED = "☑"
_UNCHECKED = "☐"
_PUSHED = 1 << 16
"""The flag of a button to press."""
_CHOICE = 1 << 15
"""The flag of buttons of which one is chosen."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A value typed or ticked in a form, its position, and the name of the field."""

    value: str
    box: Box
    name: str
    is_comment: bool = False
    """Whether somebody wrote it about the page: `name` is who."""

    @property
    def is_mark(self) -> bool:
        """Whether it was ticked or left empty, or chosen among others."""
        return self.value[:1] in (_CHECKED, _UNCHECKED)


def read_pdf(data: bytes, recognize: Recognize) -> DocumentText:
    """The text of the pages, including values in form fields. Raises BadInput."""
    import pypdfium2 as pdfium

    _check_inflated_size(data)
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        locked = "password" in str(error).lower()
        raise BadInput("embedded-pdf-locked" if locked else "embedded-pdf-broken") from error
    with pdf:
        fields = _read_fields(data)
        texts, scores, left, is_mixed = _read_pages(pdf, fields, recognize)
        pages, files = len(pdf), pdf.count_attachments()
    read, scanned = len(texts), len(scores)
    facts = (
        (read < pages, LocalizedText("embedded-pages-cut", {"pages": pages, "read": read})),
        (scanned, LocalizedText("embedded-pages-scanned", {"pages": scanned})),
        (min(scores, default=1.0) < LEGIBLE, READ_BADLY),
        (left, LocalizedText("embedded-scans-left", {"pages": left})),
        (is_mixed, LocalizedText("embedded-columns-mixed")),
    )
    notes = tuple(note for holds, note in facts if holds)
    unused = (LocalizedText("unused-attachments", {"count": files}),) if files else ()
    return DocumentText("\n\n".join(filter(None, texts)), notes, unused=unused)


def _check_inflated_size(data: bytes) -> None:
    """Raises BadInput for a PDF whose streams would grow beyond all use."""
    left = {True: _MOST_IMAGES, False: _MOST_CONTENT}
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


def _read_fields(data: bytes) -> dict[int, list[_Field]]:
    """What the fields of a form hold, free words on the page and comments, by page number."""
    if b"/Annot" not in data and b"/ObjStm" not in data:
        return {}
    import io

    from pypdf import PdfReader

    fields: dict[int, list[_Field]] = {}
    try:
        pages = itertools.islice(PdfReader(io.BytesIO(data)).pages, _MOST_PAGES)
        for number, page in enumerate(pages):
            annotations = (each.get_object() for each in page.annotations or ())
            found = filter(None, map(_read_field, annotations))
            fields[number] = [*itertools.islice(found, _MOST_FIELDS)]
    except Exception:  # noqa: BLE001 - of a library that reads hostile files: the pages are read anyway
        return fields
    return fields


def _read_field(annotation: Any) -> _Field | None:
    x1, y1, x2, y2 = map(float, annotation.get("/Rect", (0,) * 4))
    box = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))  # corners in any order
    kind, said = annotation.get("/Subtype"), str(annotation.get("/Contents", "")).strip()
    if kind == "/FreeText":
        return _Field(said, box, "")
    if kind in _COMMENTS and said:
        return _Field(said, box, str(annotation.get("/T", "")).strip(), is_comment=True)
    if kind != "/Widget":
        return None
    value, kind = _inherit(annotation, "/V"), _inherit(annotation, "/FT")
    name = str(annotation.get("/TU") or _inherit(annotation, "/T") or "")
    if kind == "/Btn":
        mark = _read_button(annotation, value)
        return _Field(mark, box, name) if mark else None
    words = ", ".join(map(str, value)) if isinstance(value, list) else str(value or "")
    return _Field(words.strip(), box, name) if words.strip() else None


def _read_button(annotation: Any, value: Any) -> str:
    """A mark, and of a choice among several what was chosen; "" for all others."""
    flags, state = int(_inherit(annotation, "/Ff") or 0), annotation.get("/AS", value)
    is_off = state in (None, "/Off")
    if flags & _PUSHED or (flags & _CHOICE and is_off):
        return ""
    if not flags & _CHOICE:
        return _UNCHECKED if is_off else _CHECKED
    own, names = str(state).removeprefix("/"), _inherit(annotation, "/Opt")
    if isinstance(names, list) and own.isdecimal() and int(own) < len(names):
        own = str(names[int(own)])
    return f"{_CHECKED} {own}"


def _inherit(annotation: Any, key: str) -> Any:
    """A value of a field or of the fields that it is part of."""
    for _ in range(10):
        if (value := annotation.get(key)) is not None:
            return value.get_object()
        if (parent := annotation.get("/Parent")) is None:
            return None
        annotation = parent.get_object()
    return None


def _read_pages(
    pdf: Any, fields: dict[int, list[_Field]], recognize: Recognize
) -> tuple[list[str], list[float], int, bool]:
    """The text of each page, and the OCR score of scanned ones.

    Besides, how many scans were left out, and whether columns may be mixed.
    """
    texts: list[str] = []
    scores: list[float] = []
    scans, is_mixed, end = 0, False, time.monotonic() + _MOST_SECONDS
    for place in range(min(len(pdf), _MOST_PAGES)):
        page = pdf[place]
        words = page.get_textpage()
        text = words.get_text_range(0, min(words.count_chars(), MOST_CHARACTERS)).strip()
        if len(text) < _FEW and _is_scan(page):
            scans += 1
            if len(scores) < _MOST_SCANNED:
                read, score = recognize(_render(page))
                text = read or text
                scores.append(score if read else 1.0)
        boxes = [words.get_rect(n) for n in range(min(words.count_rects(), _MOST_RECTANGLES))]
        text, may_mix = order_columns(text, boxes, partial(_read_box, words))
        is_mixed |= may_mix
        if here := fields.get(place):
            pieces = ((_read_box(words, box), box) for box in boxes)
            text = _insert_fields(text, here, [piece for piece in pieces if piece[0]])
        texts.append(text)
        if sum(map(len, texts)) > MOST_CHARACTERS or time.monotonic() > end:
            break
    return texts, scores, scans - len(scores), is_mixed


def _read_box(words: Any, box: Box) -> str:
    return str(words.get_text_bounded(*box)).strip()


def _insert_fields(text: str, fields: Sequence[_Field], pieces: Sequence[tuple[str, Box]]) -> str:
    """Insert each value after its label: the text left of the field, or above it, or its name."""
    apart = []
    for field in sorted(fields, key=lambda each: (-each.box[3], each.box[0])):
        label = "" if field.is_comment else _find_label(field, pieces)
        if field.value in text and not field.is_mark:
            continue  # drawn on the page as well
        at = text.find(label) if label else -1
        if at < 0:
            apart.append(f"{field.name}: {field.value}" if field.name else field.value)
            continue
        end = at + len(label)
        mark, _, chosen = field.value.partition(" ")
        value = mark if field.is_mark and chosen == label else field.value
        text = f"{text[:end]} {value}{text[end:]}"
    return "\n".join([text, *apart])


def _find_label(field: _Field, pieces: Sequence[tuple[str, Box]]) -> str:
    left, bottom, right, top = field.box
    beside, above = [], []
    for text, (x1, y1, x2, y2) in pieces:
        overlap = min(top, y2) - max(bottom, y1)
        if overlap > (y2 - y1) / 2 and x2 <= left + 2:
            beside.append((left - x2, text))
        elif field.is_mark and overlap > (y2 - y1) / 2 and x1 >= right - 2:
            beside.append((x1 - right, text))
        elif 0 <= y1 - top < _NEAR and min(right, x2) > max(left, x1):
            above.append((y1 - top, text))
    return min(beside or above, default=(0.0, ""))[1]


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
