"""The text of a document of any format: finds the reader for it. Runs in a worker."""

import itertools
from dataclasses import replace

from adapters.media.document_text import MOST_CHARACTERS, DocumentText, Recognize
from adapters.media.unread import name_unread, refusals_keep
from adapters.media.web_page import read_html
from pipeline.domain import Blob, LocalizedText, Type
from pipeline.errors import BadInput, ExpertRefused
from pipeline.text.encodings import decode


def read(blob: Blob, recognize: Recognize) -> DocumentText:
    """The text of a file, with notes on what of it was not read.

    The bytes tell the format; where they do not, the media type does. `recognize` reads pages of
    a PDF that are only pictures. Raises BadInput for a broken, empty, locked or oversized file,
    and ExpertRefused for one that is no document or has no text.
    """
    if not blob.data.strip():
        raise BadInput("embedded-document-empty")
    document = _read_file(blob, recognize)
    lines = [line.rstrip() for line in document.text.splitlines()]
    kept = [line for before, line in itertools.pairwise(["", *lines]) if line or before]
    text = "\n".join(kept).strip()
    notes = (*document.notes, *name_unread(document.unused))
    if not text:
        with refusals_keep(notes):
            raise ExpertRefused("embedded-no-text")
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
        from adapters.media.mail import read_cards, read_mail

        is_mail = blob.media_type == "message/rfc822"
        return read_mail(blob.data) if is_mail else read_cards(blob.data)
    text = decode(blob.data)
    if text is None:
        raise ExpertRefused("embedded-document-unknown")
    begin = text[:1000].lstrip().casefold()
    if blob.media_type == "text/html" or begin.startswith(("<!doctype html", "<html")):
        return DocumentText(read_html(text))
    return DocumentText(text)
