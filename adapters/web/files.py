"""Files as browsers get them: shown where that is harmless, else offered for saving."""

import asyncio
import codecs
import re
from pathlib import Path
from urllib.parse import quote

import filetype
from aiohttp import web

from adapters.web.errors import problem
from adapters.web.options import STATE
from adapters.web.sessions import HOLDS_TOKEN, person_of
from pipeline.domain import FileHash
from pipeline.text.names import clean_file_name

_HASH = re.compile(r"[0-9a-f]{64}")
_HEAD = 8192
_FAMILIES = frozenset({"image", "audio", "video"})
_STANDARD_NAMES = {"audio/x-wav": "audio/wav", "audio/x-flac": "audio/flac"}
_DOWNLOAD = "application/octet-stream"
_FOREVER = "private, max-age=31536000, immutable"
_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"
_SANDBOX = f"{_POLICY}; sandbox"


async def serve_file(request: web.Request) -> web.StreamResponse:
    """GET /files/{hash}/{name}: a file of the caller's conversations, or the range asked for."""
    file = FileHash(request.match_info["hash"])
    path = await _find_path(request, file)
    if path is None:
        raise problem(request, 404, "web-unknown-file")
    media_type = await asyncio.to_thread(_sniff_path, path)
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": _disposition(media_type, request.match_info["name"]),
        "Content-Security-Policy": _POLICY if media_type == "application/pdf" else _SANDBOX,
        "Cache-Control": _FOREVER,
    }
    return web.FileResponse(path, headers=headers)


async def _find_path(request: web.Request, file: FileHash) -> Path | None:
    """Where the file lies, if it exists and the caller may have it."""
    state = request.app[STATE]
    if not _HASH.fullmatch(file):
        return None
    if not request.get(HOLDS_TOKEN):
        person = person_of(request).id
        recent = state.runs.refers_to(person, file)
        if not recent and not await state.ports.is_shown_file(person, file):
            return None
    path = state.ports.file_path(file)
    return path if await asyncio.to_thread(path.is_file) else None


def _sniff_path(path: Path) -> str:
    with path.open("rb") as opened:
        return sniff_media_type(opened.read(_HEAD))


def sniff_media_type(head: bytes) -> str:
    """The type under which a file is sent, by its first bytes alone.

    What could run in a browser is sent as bytes to be saved.
    """
    guess = filetype.guess_mime(head)
    if guess:
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
