"""The decoder of documents: the text of a file, and what of it was not read. Runs in a worker."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from adapters.media.unused import name_unused
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.encodings import decode

MOST_CHARACTERS = 200_000
_MOST_HTML = 5_000_000
_BLOCKS = ("p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "title", "section")
Recognize = Callable[[Any], tuple[str, float]]
"""Reads the text in a picture (rows of blue, green, red), with a score from 0 to 1."""


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document, notes on it, and the OCR score of a picture."""

    text: str
    notes: tuple[LocalizedText, ...] = ()
    legibility: float | None = None
    unused: tuple[LocalizedText, ...] = ()
    """What of the file was not read; becomes one note."""


def read(blob: Blob, recognize: Recognize) -> DocumentText:
    """The text of a file, by its bytes. Raises BadInput, ExpertRefused, MediaError."""
    if not blob.data.strip():
        raise BadInput("embedded-document-empty")
    document = _read_file(blob, recognize)
    lines = [line.rstrip() for line in document.text.splitlines()]
    kept = [line for before, line in itertools.pairwise(["", *lines]) if line or before]
    text = "\n".join(kept).strip()
    if not text:
        raise ExpertRefused("embedded-no-text")
    notes = (*document.notes, *name_unused(document.unused))
    if len(text) <= MOST_CHARACTERS:
        return replace(document, text=text, notes=notes)
    cut = LocalizedText("embedded-document-cut", {"characters": str(MOST_CHARACTERS)})
    return replace(document, text=text[:MOST_CHARACTERS], notes=(*notes, cut))


def _read_file(blob: Blob, recognize: Recognize) -> DocumentText:
    if b"%PDF-" in blob.data[:1024]:
        from adapters.media.pdf import read_pdf

        return read_pdf(blob.data, recognize)
    if blob.data.startswith(b"PK\x03\x04"):
        from adapters.media.office import read_office

        return read_office(blob.data)
    if blob.type in (Type.IMAGE, Type.AUDIO, Type.VIDEO):
        raise ExpertRefused("embedded-document-unknown")
    if blob.media_type in ("message/rfc822", "text/calendar", "text/vcard"):
        from adapters.media.mail import READERS

        return READERS[blob.media_type](blob.data)
    text = decode(blob.data)
    if text is None:
        raise ExpertRefused("embedded-document-unknown")
    begin = text[:1000].lstrip().casefold()
    if blob.media_type == "text/html" or begin.startswith(("<!doctype html", "<html")):
        return DocumentText(read_html(text))
    return DocumentText(text)


def read_html(text: str, *, with_head: bool = True) -> str:
    """The text of a web page, in lines; its title as well with its head."""
    from lxml import html

    parser = html.HTMLParser(encoding="utf-8")
    root = html.document_fromstring(text[:_MOST_HTML].encode() or b"<p>", parser=parser)
    for element in list(root.iter("script", "style", *(() if with_head else ("head",)))):
        element.drop_tree()
    for element in root.iter(*_BLOCKS):
        element.tail = f"\n{element.tail or ''}"
    return "\n".join(" ".join(line.split()) for line in root.text_content().splitlines())
