"""Detects the type of a file by its bytes, and describes it in one line. Runs in a worker."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec

from adapters.media import encoding, pictures, streams
from adapters.media.bounds import Bounds, check_size, to_megabytes
from adapters.media.decoder_errors import translate_decoder_errors
from adapters.media.pages import open_pdf
from adapters.media.tables import read_objects
from adapters.media.wav import describe_wav, is_wav
from pipeline.domain import JSON_ROWS, SPREADSHEETS, Blob, FileDescription, LocalizedText, Type
from pipeline.errors import MediaError
from pipeline.text.encodings import decode, is_binary
from pipeline.text.names import CONTAINERS, clean_line, sniff
from pipeline.text.sheets import delimiter_of, rows

_PDF = "application/pdf"
_ZIP = "application/zip"
_PICTURES = frozenset(
    f"image/{name}"
    for name in (
        *("png", "jpeg", "gif", "webp", "bmp", "tiff", "avif", "jp2", "vnd.microsoft.icon"),
        *("heic", "heif", "x-portable-pixmap", "x-portable-graymap"),
    )
)
_ARCHIVES = frozenset(
    f"application/{name}"
    for name in ("gzip", "zstd", "x-tar", "x-rar-compressed", "x-bzip2", "x-7z-compressed", "x-xz")
)
_OPEN_XML = "application/vnd.openxmlformats-officedocument."
_OPEN_DOCUMENT = "application/vnd.oasis.opendocument."
_OFFICE = {
    f"{_OPEN_XML}wordprocessingml.document": "Word document",
    f"{_OPEN_XML}spreadsheetml.sheet": "spreadsheet (Excel)",
    f"{_OPEN_XML}presentationml.presentation": "presentation (PowerPoint)",
    "application/vnd.ms-excel.sheet.binary.macroenabled.12": "spreadsheet (Excel)",
    f"{_OPEN_DOCUMENT}text": "text document (OpenDocument)",
    f"{_OPEN_DOCUMENT}spreadsheet": "spreadsheet (OpenDocument)",
    f"{_OPEN_DOCUMENT}presentation": "presentation (OpenDocument)",
    "application/epub+zip": "book (EPUB)",
}
"""Documents that are zip archives inside."""
_MAIN_PARTS = {
    "word/document.xml": f"{_OPEN_XML}wordprocessingml.document",
    "xl/workbook.xml": f"{_OPEN_XML}spreadsheetml.sheet",
    "xl/workbook.bin": "application/vnd.ms-excel.sheet.binary.macroenabled.12",
    "ppt/presentation.xml": f"{_OPEN_XML}presentationml.presentation",
}
_MEDIA_ENDINGS = frozenset(
    (  # noqa: SIM905 - a list would be thirty lines
        "png jpg jpeg gif webp bmp tif tiff heic heif avif wav mp3 ogg oga opus flac m4a aac "
        "caf wma mp4 mov webm mkv avi mpg mpeg pdf docx xlsx xls pptx odt ods odp epub"
    ).split()
)
_HTML = re.compile(
    r"\s*(<!--.*?-->\s*)*(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_XML = re.compile(r"\s*<(\?xml|svg)\s", re.IGNORECASE)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_XLS = "application/vnd.ms-excel"
_HEADER = r"(?:From|To|Cc|Subject|Date|Received|Return-Path|MIME-Version|Message-ID|Delivered-To)"
_MAIL = re.compile(
    rf"(?:X-[\w-]+: [^\n]*\n|{_HEADER}: [^\n]*\n(?:[ \t][^\n]*\n)*){{3}}", re.IGNORECASE
)
_ENTRIES = re.compile(r"\ufeff?\s*BEGIN:(VCALENDAR|VCARD)\b", re.IGNORECASE)
"""Texts that are known by how they begin."""
_KINDS_OF_ENTRIES = {
    "VCALENDAR": ("text/calendar", ("calendar", "V(?:EVENT|TODO|JOURNAL)")),
    "VCARD": ("text/vcard", ("visiting cards", "VCARD")),
}
_SLIDE = re.compile(r"ppt/slides/slide\d+\.xml")
_RATIO = 1_000
"""No real office document is compressed that much."""
_HEAD = 4096
_EXCERPT = 60
"""Characters of a text that show what it is, and in which language."""
_MOST_COLUMNS = 30
"""Columns of a table that are named."""
_COLUMN_NAMES = 120
"""Characters of their names."""


def describe(blob: Blob, bounds: Bounds) -> FileDescription:
    """A file's real type, and one line on it. Raises MediaError."""
    check_size(len(blob.data), bounds)
    media_type = _sniff(blob.data)
    if media_type in _PICTURES:
        return FileDescription(media_type, pictures.describe(blob.data, bounds))
    if is_wav(blob.data):
        return describe_wav(blob.data, bounds)
    if media_type in CONTAINERS:
        return _describe_streams(replace(blob, media_type=media_type), bounds)
    if media_type == _PDF:
        return FileDescription(_PDF, _describe_pdf(blob.data))
    if media_type == _ZIP or blob.data[:8] == _OLE:
        describe_office = _describe_office if media_type == _ZIP else _describe_old_office
        return describe_office(blob.data, bounds)
    if media_type in _ARCHIVES:
        raise MediaError("media-archive")
    return _describe_text(blob)


def _sniff(data: bytes) -> str:
    """The media type by the file's signature; "" for text and unknown types."""
    if data[:4] == b"PK\x03\x04":
        return _ZIP
    if b"%PDF-" in data[:1024]:
        return _PDF
    return sniff(data)


def _describe_streams(blob: Blob, bounds: Bounds) -> FileDescription:
    if not streams.is_installed():
        noun = "video" if blob.type is Type.VIDEO else "sound"
        return FileDescription(blob.media_type, noun)
    return encoding.describe_probed(blob.media_type, streams.probe(blob, bounds))


def _describe_pdf(data: bytes) -> str:
    if find_spec("pypdf") is None:
        return "PDF"
    _, count = open_pdf(data)
    if not count:
        raise MediaError("media-broken", kind="PDF")
    return f"PDF, {_count(count, 'page')}"


def _describe_office(data: bytes, bounds: Bounds) -> FileDescription:
    """An office document, which states its type or is known by its main part."""
    with translate_decoder_errors("zip"), zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = set(archive.namelist())
        media_type = next((_MAIN_PARTS[name] for name in _MAIN_PARTS if name in names), "")
        if "mimetype" in names:
            with archive.open("mimetype") as file:
                media_type = file.read(100).decode("ascii", "replace").strip()
        if media_type not in _OFFICE:
            raise MediaError("media-archive")
        _refuse_bombs(archive.infolist(), len(data), bounds)
    size = f", {_describe_sheet(data, bounds)}" if media_type in SPREADSHEETS else ""
    if slides := sum(bool(_SLIDE.fullmatch(name)) for name in names):
        size = f", {_count(slides, 'slide')}"
    return FileDescription(media_type, f"{_OFFICE[media_type]}{size}")


def _describe_old_office(data: bytes, bounds: Bounds) -> FileDescription:
    """A workbook as Excel wrote it until 2003; its neighbours are named as not supported."""
    if not any(name.encode("utf-16-le") in data for name in ("Workbook", "Book")):
        raise MediaError("media-old-office")
    return FileDescription(_XLS, f"spreadsheet (Excel), {_describe_sheet(data, bounds)}")


def _describe_sheet(data: bytes, bounds: Bounds) -> str:
    from adapters.media.spreadsheets import read_sheet

    sheet = read_sheet(data, bounds)
    which = (
        f"sheet “{sheet.name}”" if sheet.of == 1 else f"first sheet “{sheet.name}” of {sheet.of}"
    )
    return f"{which}: {_count(len(sheet.rows) - 1, 'row')} × {_name_columns(sheet.rows[0])}"


def _refuse_bombs(members: list[zipfile.ZipInfo], size: int, bounds: Bounds) -> None:
    unpacked = sum(member.file_size for member in members)
    limit = min(bounds.unpacked, _RATIO * size)
    if unpacked > limit or len(members) > bounds.members:
        raise MediaError("media-bomb", size=to_megabytes(unpacked))
    if any(member.flag_bits & 1 for member in members):
        raise MediaError("media-encrypted")


def _describe_text(blob: Blob) -> FileDescription:
    if blob.data.startswith(b"{\\rtf"):
        raise MediaError("media-rich-text")
    text = decode(blob.data)
    ending = blob.name.rpartition(".")[2].lower()
    if text is None:
        raise MediaError("media-unknown" if is_binary(blob.data) else "media-encoding-unknown")
    if not text.strip():
        raise MediaError("media-blank")
    described = _classify_text(text, ending)
    if ending in _MEDIA_ENDINGS:
        actual = "media-is-page" if described.media_type == "text/html" else "media-is-text"
        raise MediaError("media-mislabelled", ending=f".{ending}", found=LocalizedText(actual))
    return described


def _classify_text(text: str, ending: str) -> FileDescription:
    """The type of a text. The file's ending is only used to tell text types apart."""
    start = text[:_HEAD]
    words, length = _count(len(text.split()), "word"), f"{len(text)} characters"
    if message := _describe_message(text, start):
        return message
    if _HTML.match(start):
        return FileDescription("text/html", f"web page (HTML), {words}")
    if _XML.match(start):
        return FileDescription("application/xml", f"XML, {length}")
    if start.lstrip().startswith(("{", "[")) and (document := _describe_json(text)):
        return document
    # The rows of a table are equally long; two are enough if the ending says that it is one.
    fewest = 2 if ending in ("csv", "tsv", "tab") else 3
    if delimiter := delimiter_of(text, fewest=fewest):
        subtype = "tab-separated-values" if delimiter == "\t" else "csv"
        rows_ = _count(_count_rows(text, delimiter), "row")
        columns = _name_columns(next(rows(text, delimiter)))
        return FileDescription(f"text/{subtype}", f"table, {rows_} × {columns}")
    subtype = "markdown" if ending in ("md", "markdown") else "plain"
    return FileDescription(f"text/{subtype}", f"text, {words}: “{clean_line(start, _EXCERPT)}”")


def _name_columns(header: Sequence[object]) -> str:
    """How many columns a table has, and the first of their names."""
    names = ", ".join(str(name or "") for name in header[:_MOST_COLUMNS])
    return f"{len(header)} columns: “{clean_line(names, _COLUMN_NAMES)}”"


def _count_rows(text: str, delimiter: str) -> int:
    """How many rows follow the header, up to the first that cannot be parsed."""
    count = -1
    with suppress(csv.Error):
        for row in rows(text, delimiter):
            count += bool(row)
    return count


def _describe_json(text: str) -> FileDescription | None:
    """JSON; a list of objects is a table."""
    try:
        is_list = isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return None
    with suppress(MediaError):
        head, *objects = read_objects(text, Bounds()) if is_list else [[]]
        if head:
            rows_ = _count(len(objects), "row")
            return FileDescription(JSON_ROWS, f"table (JSON), {rows_} × {_name_columns(head)}")
    return FileDescription("application/json", f"JSON, {len(text)} characters")


def _describe_message(text: str, start: str) -> FileDescription | None:
    """An e-mail, a calendar or visiting cards."""
    if _MAIL.match(start):
        return FileDescription("message/rfc822", f"e-mail: “{_find_subject(start)}”")
    if entries := _ENTRIES.match(start):
        media_type, noun = _KINDS_OF_ENTRIES[entries[1].upper()]
        count = len(re.findall(rf"^BEGIN:{noun[1]}", text, re.IGNORECASE | re.MULTILINE))
        return FileDescription(media_type, f"{noun[0]}, {_count(count, 'entry', 'entries')}")
    return None


def _find_subject(head: str) -> str:
    """The subject of an e-mail, decoded, else its first line."""
    from email import message_from_string, policy

    subject = message_from_string(head, policy=policy.default).get("Subject", "")
    return clean_line(str(subject) or head, _EXCERPT)


def _count(count: int, noun: str, nouns: str = "") -> str:
    return f"{count} {noun if count == 1 else nouns or f'{noun}s'}"
