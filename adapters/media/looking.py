"""What a file is and what can be said of it in one line. Runs in a worker."""

import io
import re
import zipfile
from importlib.util import find_spec

from adapters.media import pictures, sounds, texts
from adapters.media.bounds import Bounds, megabytes, reading
from adapters.media.sniffing import ARCHIVES, KNOWN, OFFICE, PDF, PLAYED_BY_PILLOW, sniff
from pipeline.domain import Blob, Sentence
from pipeline.errors import MediaError
from pipeline.ports import Described
from pipeline.text.sheets import as_text

_SHOWN_OR_PLAYED = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "webp",
        "bmp",
        "tif",
        "tiff",
        "heic",
        "heif",
        "avif",
        "wav",
        "mp3",
        "ogg",
        "oga",
        "opus",
        "flac",
        "m4a",
        "aac",
        "mp4",
        "mov",
        "webm",
        "mkv",
        "avi",
        "mpg",
        "mpeg",
        "pdf",
        "docx",
        "xlsx",
        "pptx",
    ]
)
_WORDS = re.compile(rb"<w:t(?: [^>]*)?>([^<]*)")
_SLIDE = re.compile(r"ppt/slides/slide\d+\.xml")
_RATIO = 1_000
"""No honest office document shrinks a thousandfold."""


def describe(blob: Blob, bounds: Bounds) -> Described:
    """A file's real type, and one line on it. Sounds and videos are only named here; ffmpeg looks into them."""
    if not blob.data:
        raise MediaError("media-empty")
    if len(blob.data) > bounds.size:
        raise MediaError(
            "media-too-large", size=megabytes(len(blob.data)), limit=megabytes(bounds.size)
        )
    media_type = sniff(blob.data)
    if media_type in KNOWN:
        return Described(media_type, _line(media_type, blob.data, bounds))
    if media_type in ARCHIVES:
        raise MediaError("media-archive")
    return _text(blob)


def _line(media_type: str, data: bytes, bounds: Bounds) -> str:
    match media_type.partition("/")[0]:
        case "image" if media_type in PLAYED_BY_PILLOW:
            return pictures.describe(data, bounds)
        case "image":
            raise MediaError("media-unsupported", kind="HEIC")
        case "audio":
            return sounds.describe(data) if media_type == "audio/wav" else "sound"
        case "video":
            return "video"
        case _:
            return _pdf(data) if media_type == PDF else _office(media_type, data, bounds)


def _text(blob: Blob) -> Described:
    text = as_text(blob.data)
    ending = blob.name.rpartition(".")[2].lower()
    if text is None:
        raise MediaError("media-unknown")
    if not text.strip():
        raise MediaError("media-blank")
    written = texts.look(text, ending)
    if ending in _SHOWN_OR_PLAYED:
        found = "media-is-page" if written.media_type == "text/html" else "media-is-text"
        raise MediaError("media-mislabelled", ending=f".{ending}", found=Sentence(found))
    return Described(written.media_type, written.description)


def _pdf(data: bytes) -> str:
    if find_spec("pypdf") is None:
        return "PDF"
    from pypdf import PdfReader  # noqa: PLC0415 - belongs to an extra

    with reading("PDF"):
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise MediaError("media-encrypted")
        count = len(reader.pages)
    if not count:
        raise MediaError("media-broken", kind="PDF")
    return "PDF, 1 page" if count == 1 else f"PDF, {count} pages"


def _office(media_type: str, data: bytes, bounds: Bounds) -> str:
    named = OFFICE[media_type]
    with reading(named), zipfile.ZipFile(io.BytesIO(data)) as archive:
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
        raise MediaError("media-bomb", size=megabytes(unpacked))
    if any(member.flag_bits & 1 for member in members):
        raise MediaError("media-encrypted")
