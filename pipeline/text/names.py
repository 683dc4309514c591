"""Sanitise names of files, people and models; file extensions, types and containers."""

import re
import unicodedata
from collections.abc import Collection
from mimetypes import guess_extension
from pathlib import PurePosixPath

_LONGEST = 100
_HEAD = 8192
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_ENDINGS = {
    "application/json;rows": "json",
    "image/jpeg": "jpg",
    "image/tiff": "tif",
    "image/vnd.microsoft.icon": "ico",
    "audio/mpeg": "mp3",
    "audio/mp4": "m4a",
    "audio/ogg": "ogg",
    "audio/wav": "wav",
    "audio/webm": "weba",
    "audio/x-caf": "caf",
    "audio/x-ms-wma": "wma",
    "video/quicktime": "mov",
    "video/x-matroska": "mkv",
    "video/x-msvideo": "avi",
}
"""Where Python knows no extension, or an uncommon one."""
CONTAINERS = {
    "audio/wav": "wav", "audio/mpeg": "mp3", "audio/mp4": "mov", "audio/ogg": "ogg",
    "audio/flac": "flac", "audio/aac": "aac", "audio/amr": "amr", "audio/aiff": "aiff",
    "audio/webm": "matroska", "audio/x-caf": "caf", "audio/x-ms-wma": "asf",
    "video/mp4": "mov", "video/quicktime": "mov", "video/3gpp": "mov",
    "video/webm": "matroska", "video/x-matroska": "matroska", "video/x-msvideo": "avi",
    "video/mpeg": "mpeg", "video/ogg": "ogg", "video/x-flv": "flv", "video/x-ms-wmv": "asf",
    "image/gif": "gif",
}  # fmt: skip
"""What each sound and film is read as; never guessed, as a playlist would open other files."""
_STANDARD_NAMES = {
    "audio/x-wav": "audio/wav",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
    "image/apng": "image/png",
    "image/jpx": "image/jp2",
    "image/x-icon": "image/vnd.microsoft.icon",
    "video/x-m4v": "video/mp4",
}
"""Where the library that looks at bytes says something uncommon."""
_UNKNOWN_THERE = {b"caff\0\1": "audio/x-caf"}
"""What it does not know: how files begin."""
FILE_ENDING = re.compile(
    r"\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|ico|hei[cf]|avif|wav|mp3|flac|ogg|oga|opus|m4a|aac|weba|mp4"
    r"|mov|avi|mkv|webm|pdf|docx?|xls[xbm]?|pptx?|od[tsp]|rtf|eml|ics|vcf|[ct]sv|txt|json|xml|ya?ml|md|srt|vtt|zip"
    r"|tar|gz|7z|rar|html?|exe|epub|parquet)$",
    re.IGNORECASE,
)
"""Matches a common file extension at the end of a name."""
_MOST_PARTS = 12
"""Words of a slug."""
_LONGEST_SLUG = 40
"""Characters of a slug."""
_FORBIDDEN = re.compile(r'[<>:"|?*]+')


def clean_line(text: str, most: int = _LONGEST) -> str:
    """A text in one line, without control and invisible characters."""
    return _drop_hidden(" ".join(text.split(None, most)[:most]))[:most]  # so many words are enough


def _drop_hidden(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(each for each in text if unicodedata.category(each) not in _HIDDEN)


def clean_file_name(name: str, otherwise: str = "file") -> str:
    """A file name without path and unsafe characters, shortened but with its extension."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    plain = re.sub(r"\s+", " ", _FORBIDDEN.sub("_", _drop_hidden(last))).strip(" .")
    stem, dot, ending = plain.rpartition(".")
    if not dot or len(ending) > 10:  # noqa: PLR2004 - longer than any ending
        return plain[:_LONGEST].strip() or otherwise
    return f"{stem[: _LONGEST - len(ending)].strip() or otherwise}.{ending}"


def slugify(text: str, most: int = _MOST_PARTS) -> str:
    """The longest words of the beginning of a text, in its order, for a file name: "red-bicycle".

    ASCII only, at most `_LONGEST_SLUG` characters; "" if no word can be written in ASCII.
    """
    plain = unicodedata.normalize("NFKD", text[:_LONGEST]).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.casefold())
    telling = sorted(range(len(words)), key=lambda at: -len(words[at]))[:most]
    return "-".join(words[at] for at in sorted(telling))[:_LONGEST_SLUG].rstrip("-")


def make_unique(name: str, taken: Collection[str]) -> str:
    """Add a number to a file name if it is taken; `taken` has lower-case names."""
    number, free = 1, name
    while free.casefold() in taken:
        number += 1
        path = PurePosixPath(name)
        free = str(path.with_stem(f"{path.stem}-{number}"))
    return free


def sniff(data: bytes) -> str:
    """The media type of a file by its first bytes; "" for text and unknown types."""
    from filetype import guess_mime  # noqa: PLC0415 - imports a module for each type

    more = (name for start, name in _UNKNOWN_THERE.items() if data.startswith(start))
    guess = guess_mime(data[:_HEAD]) or next(more, "")
    return _STANDARD_NAMES.get(guess, guess)


def find_ending(media_type: str) -> str:
    """The file extension for a media type, without the dot; "" if there is no usual one."""
    known = _ENDINGS.get(media_type) or (guess_extension(media_type) or "").removeprefix(".")
    subtype = media_type.partition("/")[2]
    return known or (subtype if subtype.isalnum() else "")
