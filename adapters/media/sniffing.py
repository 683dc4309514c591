"""What a file is, by its first bytes. Nothing is decoded here."""

import io
import re
import struct
import zipfile

import filetype

_SAME = {
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
OFFICE = {
    f"{_OPEN_XML}wordprocessingml.document": "Word document",
    f"{_OPEN_XML}spreadsheetml.sheet": "spreadsheet (Excel)",
    f"{_OPEN_XML}presentationml.presentation": "presentation (PowerPoint)",
    "application/vnd.oasis.opendocument.text": "text document (OpenDocument)",
    "application/vnd.oasis.opendocument.spreadsheet": "spreadsheet (OpenDocument)",
    "application/vnd.oasis.opendocument.presentation": "presentation (OpenDocument)",
    "application/epub+zip": "book (EPUB)",
}
"""Documents that are zip archives inside."""
ARCHIVES = frozenset(
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
PLAYED_BY_PILLOW = _PICTURES - {"image/heic"}
KNOWN = _PICTURES | _SOUNDS | _VIDEOS | OFFICE.keys() | {PDF}


def sniff(data: bytes) -> str:
    """The media type of a file that is marked as what it is; "" for text and for what is not known."""
    if data[:4] == b"PK\x03\x04":
        return _in_zip(data)
    if b"%PDF-" in data[:1024]:
        return PDF
    found = filetype.guess_mime(data[: 1 << 13]) or ""
    media_type = _SAME.get(found, found)
    if media_type.startswith(("video/", "audio/")):
        return _with_or_without_pictures(media_type, data)
    return media_type


def _in_zip(data: bytes) -> str:
    """Office documents are zip archives that state their type first, or keep their parts in a folder of that name."""
    if stated := _STATED.match(data[:200]):
        named = stated[1].decode()
        return named if named in OFFICE else "application/zip"
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
