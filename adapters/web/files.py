"""Files as browsers get them: shown where that is harmless, else offered for saving."""

import asyncio
import codecs
import re
from pathlib import Path
from urllib.parse import quote

import filetype
from aiohttp import web

from adapters.web.options import STATE, Refused
from adapters.web.sessions import HOLDS_TOKEN, PLATFORM, person_of
from pipeline.domain import FileHash
from pipeline.text.names import clean_file_name

_HEAD = 8192
_FAMILIES = frozenset({"image", "audio", "video"})
_STANDARD_NAMES = {"audio/x-wav": "audio/wav", "audio/x-flac": "audio/flac"}
_DOWNLOAD = "application/octet-stream"
_FOREVER = "private, max-age=31536000, immutable"
_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"
_SANDBOX = f"{_POLICY}; sandbox"


async def serve_file(request: web.Request) -> web.StreamResponse:
    """GET /files/{hash}/{name}: a file of the caller's conversations, or the range asked for."""
    ports, file = request.app[STATE].ports, FileHash(request.match_info["hash"])
    person = f"{PLATFORM}:{person_of(request).id}"
    may_have = request.get(HOLDS_TOKEN) or await ports.store.is_shown_file(person, file)
    path = ports.file_path(file)
    if not may_have or not await asyncio.to_thread(path.is_file):
        raise Refused(404, "web-unknown-file")
    media_type = await asyncio.to_thread(_sniff_path, path)
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": _disposition(media_type, request.match_info["name"]),
        "Content-Security-Policy": _POLICY if media_type == "application/pdf" else _SANDBOX,
        "Cache-Control": _FOREVER,
    }
    return web.FileResponse(path, headers=headers)


def _sniff_path(path: Path) -> str:
    with path.open("rb") as opened:
        return sniff_media_type(opened.read(_HEAD))


def sniff_media_type(head: bytes) -> str:
    """The type under which a file is sent, by its first bytes alone.

    What could run in a browser is sent as bytes to be saved.
    """
    if guess := filetype.guess_mime(head):
        media_type = _STANDARD_NAMES.get(guess, guess)
        is_shown = media_type.partition("/")[0] in _FAMILIES or media_type == "application/pdf"
        return media_type if is_shown else _DOWNLOAD
    return "text/plain; charset=utf-8" if _is_plain_text(head) else _DOWNLOAD


def _is_plain_text(head: bytes) -> bool:
    """Readable text that is no markup."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(head, final=len(head) < _HEAD)
    except UnicodeDecodeError:
        return False
    return "\0" not in text and not text.lstrip("\ufeff \t\r\n").startswith("<")


def _disposition(media_type: str, name: str) -> str:
    kind = "attachment" if media_type == _DOWNLOAD else "inline"
    safe = clean_file_name(name)
    ascii_name = re.sub(r"[^A-Za-z0-9 ._-]", "_", safe)
    return f"{kind}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(safe, safe='')}"
