"""What a file is, by its bytes, and one line on it. Runs in a worker."""

import csv
import io
import json
import re
import struct
import xml.parsers.expat
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec

import filetype

from adapters.media import pictures, wav
from adapters.media.bounds import Bounds, to_megabytes, translate_decoder_errors
from pipeline.domain import Blob, LocalizedText
from pipeline.errors import MediaError
from pipeline.ports import FileDescription
from pipeline.text.sheets import as_text, delimiter_of, rows, widths

_STANDARD_NAMES = {
    "audio/x-wav": "audio/wav",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
    "image/apng": "image/png",
    "image/jpx": "image/jp2",
    "image/x-icon": "image/vnd.microsoft.icon",
    "video/x-m4v": "video/mp4",
}
_PICTURES = frozenset(
    f"image/{name}"
    for name in (
        *("png", "jpeg", "gif", "webp", "bmp", "tiff", "avif", "jp2", "heic"),
        "vnd.microsoft.icon",
    )
)
_SOUNDS = frozenset(
    f"audio/{name}" for name in ("wav", "mpeg", "mp4", "ogg", "flac", "aac", "amr", "aiff", "webm")
)
_VIDEOS = frozenset(
    f"video/{name}"
    for name in (
        *("mp4", "quicktime", "webm", "x-matroska", "x-msvideo", "mpeg", "3gpp", "ogg"),
        *("x-flv", "x-ms-wmv"),
    )
)
_OPEN_XML = "application/vnd.openxmlformats-officedocument."
_OFFICE = {
    f"{_OPEN_XML}wordprocessingml.document": "Word document",
    f"{_OPEN_XML}spreadsheetml.sheet": "spreadsheet (Excel)",
    f"{_OPEN_XML}presentationml.presentation": "presentation (PowerPoint)",
    "application/vnd.oasis.opendocument.text": "text document (OpenDocument)",
    "application/vnd.oasis.opendocument.spreadsheet": "spreadsheet (OpenDocument)",
    "application/vnd.oasis.opendocument.presentation": "presentation (OpenDocument)",
    "application/epub+zip": "book (EPUB)",
}
"""Documents that are zip archives inside."""
_ARCHIVES = frozenset(
    f"application/{name}"
    for name in (
        *("zip", "gzip", "zstd", "x-tar", "x-rar-compressed", "x-bzip2", "x-7z-compressed"),
        *("x-xz", "x-brotli", "x-lz4", "x-lzip", "x-lzop", "x-compress"),
    )
)
_FOLDERS = (
    ("word/", f"{_OPEN_XML}wordprocessingml.document"),
    ("xl/", f"{_OPEN_XML}spreadsheetml.sheet"),
    ("ppt/", f"{_OPEN_XML}presentationml.presentation"),
)
_STATED = re.compile(rb"PK\x03\x04.{26}mimetype(application/[a-z0-9.+-]{1,80}?)PK", re.DOTALL)
_VIDEO_TRACK = re.compile(rb"hdlr.{8}vide", re.DOTALL)
_VIDEO_CODEC = re.compile(rb"\x86.V_[A-Z]", re.DOTALL)
_HEAD = 1 << 20

PDF = "application/pdf"
_DECODED_BY_PILLOW = _PICTURES - {"image/heic"}
_KNOWN = _PICTURES | _SOUNDS | _VIDEOS | _OFFICE.keys() | {PDF}


def sniff(data: bytes) -> str:
    """The media type by a file's signature; "" for text and for what is not known."""
    if data[:4] == b"PK\x03\x04":
        return _in_zip(data)
    if b"%PDF-" in data[:1024]:
        return PDF
    found = filetype.guess_mime(data[: 1 << 13]) or ""
    media_type = _STANDARD_NAMES.get(found, found)
    if media_type.startswith(("video/", "audio/")):
        return _with_or_without_pictures(media_type, data)
    return media_type


def _in_zip(data: bytes) -> str:
    """Office documents are zip archives with a type at the start or parts in known folders."""
    if stated := _STATED.match(data[:200]):
        named = stated[1].decode()
        return named if named in _OFFICE else "application/zip"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error):
        return "application/zip"
    if "[Content_Types].xml" in members:
        for folder, media_type in _FOLDERS:
            if any(member.startswith(folder) for member in members):
                return media_type
    return "application/zip"


def _with_or_without_pictures(media_type: str, data: bytes) -> str:
    """Voice messages come in the same containers as films."""
    match media_type:
        case "video/webm" | "video/x-matroska":
            return media_type if _VIDEO_CODEC.search(data[:_HEAD]) else "audio/webm"
        case "video/mp4" | "audio/mp4" | "video/quicktime" | "video/3gpp":
            if not _VIDEO_TRACK.search(data):
                return "audio/mp4"
            return "video/mp4" if media_type == "audio/mp4" else media_type
        case "audio/ogg":
            return "video/ogg" if b"\x80theora" in data[:4096] else media_type
        case _:
            return media_type


_HTML = re.compile(
    r"\s*(<!--.*?-->\s*)*(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_SVG = re.compile(r"<svg[\s>]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TextDescription:
    """A text file: its media type and one line on it."""

    media_type: str
    description: str


def describe_text(text: str, ending: str) -> TextDescription:
    """What kind of text it is. The name's ending only decides between kinds of text."""
    start = text[:4096]
    if _HTML.match(start):
        return TextDescription("text/html", f"web page (HTML), {_words(text)}")
    if start.lstrip().startswith("<") and _is_xml(text):
        if _SVG.search(start):
            return TextDescription("application/xml", "drawing (SVG), as text")
        return TextDescription("application/xml", f"XML, {_length(text)}")
    if start.lstrip()[:1] in ("{", "[") and _is_json(text):
        return TextDescription("application/json", f"JSON, {_length(text)}")
    return _table(text, ending) or TextDescription(
        "text/markdown" if ending in ("md", "markdown") else "text/plain", f"text, {_words(text)}"
    )


def _table(text: str, ending: str) -> TextDescription | None:
    """A table has equally long rows; two are enough where the name says that it is one."""
    delimiter = delimiter_of(text, fewest=2 if ending in ("csv", "tsv", "tab") else 3)
    if not delimiter:
        return None
    rows, columns = _count(text, delimiter), widths(text, delimiter)[0]
    tab = "tab-separated-values" if delimiter == "\t" else "csv"
    many = "row" if rows == 1 else "rows"
    return TextDescription(f"text/{tab}", f"table, {rows} {many} × {columns} columns")


def _count(text: str, delimiter: str) -> int:
    """The rows below the head; where a later one cannot be read, those before it."""
    count = -1
    with suppress(csv.Error):
        for row in rows(text, delimiter):
            count += bool(row)
    return count


def _is_xml(text: str) -> bool:
    """Well formed as far as its first element; entities are not expanded."""
    parser = xml.parsers.expat.ParserCreate()
    try:
        parser.Parse(text[:4096], False)  # noqa: FBT003 - not the last piece
    except xml.parsers.expat.ExpatError:
        return False
    return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _words(text: str) -> str:
    count = len(text.split())
    return "1 word" if count == 1 else f"{count} words"


def _length(text: str) -> str:
    return f"{len(text)} characters"


_MEDIA_ENDINGS = frozenset(
    (  # noqa: SIM905 - a list would be thirty lines
        "png jpg jpeg gif webp bmp tif tiff heic heif avif wav mp3 ogg oga opus flac m4a aac "
        "mp4 mov webm mkv avi mpg mpeg pdf docx xlsx pptx"
    ).split()
)
_WORDS = re.compile(rb"<w:t(?: [^>]*)?>([^<]*)")
_SLIDE = re.compile(r"ppt/slides/slide\d+\.xml")
_RATIO = 1_000
"""No honest office document shrinks a thousandfold."""


def describe(blob: Blob, bounds: Bounds) -> FileDescription:
    """A file's real type, and one line on it. Sounds and videos are left to ffmpeg."""
    if not blob.data:
        raise MediaError("media-empty")
    if len(blob.data) > bounds.size:
        raise MediaError(
            "media-too-large", size=to_megabytes(len(blob.data)), limit=to_megabytes(bounds.size)
        )
    media_type = sniff(blob.data)
    if media_type in _KNOWN:
        return FileDescription(media_type, _line(media_type, blob.data, bounds))
    if media_type in _ARCHIVES:
        raise MediaError("media-archive")
    return _text(blob)


def _line(media_type: str, data: bytes, bounds: Bounds) -> str:
    match media_type.partition("/")[0]:
        case "image" if media_type in _DECODED_BY_PILLOW:
            return pictures.describe(data, bounds)
        case "image":
            raise MediaError("media-unsupported", kind="HEIC")
        case "audio":
            return wav.describe(data) if media_type == "audio/wav" else "sound"
        case "video":
            return "video"
        case _:
            return _pdf(data) if media_type == PDF else _office(media_type, data, bounds)


def _text(blob: Blob) -> FileDescription:
    text = as_text(blob.data)
    ending = blob.name.rpartition(".")[2].lower()
    if text is None:
        raise MediaError("media-unknown")
    if not text.strip():
        raise MediaError("media-blank")
    written = describe_text(text, ending)
    if ending in _MEDIA_ENDINGS:
        found = "media-is-page" if written.media_type == "text/html" else "media-is-text"
        raise MediaError("media-mislabelled", ending=f".{ending}", found=LocalizedText(found))
    return FileDescription(written.media_type, written.description)


def _pdf(data: bytes) -> str:
    if find_spec("pypdf") is None:
        return "PDF"
    from pypdf import PdfReader  # noqa: PLC0415 - belongs to an extra

    with translate_decoder_errors("PDF"):
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise MediaError("media-encrypted")
        count = len(reader.pages)
    if not count:
        raise MediaError("media-broken", kind="PDF")
    return "PDF, 1 page" if count == 1 else f"PDF, {count} pages"


def _office(media_type: str, data: bytes, bounds: Bounds) -> str:
    named = _OFFICE[media_type]
    with translate_decoder_errors(named), zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        _refuse_bombs(members, len(data), bounds)
        if media_type.endswith("wordprocessingml.document"):
            runs = _WORDS.findall(archive.read("word/document.xml"))
            return f"{named}, {len(b' '.join(runs).split())} words"
        slides = sum(1 for member in members if _SLIDE.fullmatch(member.filename))
        return f"{named}, {slides} slides" if slides else named


def _refuse_bombs(members: list[zipfile.ZipInfo], size: int, bounds: Bounds) -> None:
    unpacked = sum(member.file_size for member in members)
    if (
        unpacked > bounds.unpacked
        or unpacked > _RATIO * max(size, 1)
        or len(members) > bounds.members
    ):
        raise MediaError("media-bomb", size=to_megabytes(unpacked))
    if any(member.flag_bits & 1 for member in members):
        raise MediaError("media-encrypted")
