"""What a fetched file is called."""

import re
import unicodedata
from email.message import Message
from urllib.parse import unquote

_UNFIT = re.compile(r'[\x00-\x1f\x7f<>:"|?*\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]')
_LONGEST = 120
_LONGEST_ENDING = 10


def file_name(disposition: str, path: str) -> str:
    """The name that a server gives, else the end of the URL's path, cleaned."""
    header = Message()
    header["Content-Disposition"] = disposition.replace("\r", " ").replace("\n", " ")
    return _fit(header.get_filename() or "") or _fit(unquote(path.rpartition("/")[2])) or "file"


def _fit(name: str) -> str:
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    clean = " ".join(_UNFIT.sub("", last).split()).strip(". ")
    if len(clean) <= _LONGEST:
        return clean
    stem, dot, ending = clean.rpartition(".")
    if not stem or len(ending) > _LONGEST_ENDING:
        return clean[:_LONGEST]
    return f"{stem[: _LONGEST - len(ending) - 1]}{dot}{ending}"
