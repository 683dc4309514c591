"""Files as browsers may have them: shown when that can do no harm, else to be saved."""

import re
from urllib.parse import quote

import filetype
from aiohttp import web

from adapters.web.refusals import refused
from adapters.web.state import STATE
from pipeline.domain import FileHash
from pipeline.text.names import harmless

_HASH = re.compile(r"[0-9a-f]{64}")
_HEAD = 8192
_FAMILIES = frozenset({"image", "audio", "video"})
_NAMED = {"audio/x-wav": "audio/wav", "audio/x-flac": "audio/flac", "audio/mpeg": "audio/mpeg"}
_FOREVER = "private, max-age=31536000, immutable"
_POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"
_SANDBOX = f"{_POLICY}; sandbox"


async def file(request: web.Request) -> web.Response:
    """GET /files/{hash}/{name}: the file, or the part of it that is asked for."""
    wanted = request.match_info["hash"]
    if not _HASH.fullmatch(wanted):
        raise refused(request, 404, "web-unknown-file")
    try:
        data = await request.app[STATE].ports.files.get(FileHash(wanted))
    except KeyError:
        raise refused(request, 404, "web-unknown-file") from None
    if request.headers.get("If-None-Match") == f'"{wanted}"':
        return web.Response(status=304, headers={"ETag": f'"{wanted}"'})
    media_type = shown_type(data)
    headers = {
        "Content-Type": media_type,
        "Content-Disposition": _disposition(media_type, request.match_info["name"]),
        "Content-Security-Policy": _POLICY if media_type == "application/pdf" else _SANDBOX,
        "Cache-Control": _FOREVER,
        "Accept-Ranges": "bytes",
        "ETag": f'"{wanted}"',
    }
    return _part(request, data, headers)


def shown_type(data: bytes) -> str:
    """The media type under which a file is sent, by its bytes alone; what could run in a browser has none of its own."""
    guessed = filetype.guess_mime(data[:_HEAD])
    if guessed:
        known = _NAMED.get(guessed, guessed)
        shown = known.partition("/")[0] in _FAMILIES or known == "application/pdf"
        return known if shown else "application/octet-stream"
    return "text/plain; charset=utf-8" if _is_plain(data) else "application/octet-stream"


def _is_plain(data: bytes) -> bool:
    """Readable text that is no markup."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return "\0" not in text and not text.lstrip("\ufeff \t\r\n").startswith("<")


def _disposition(media_type: str, name: str) -> str:
    inline = media_type != "application/octet-stream"
    plain = harmless(name)
    ascii_name = re.sub(r"[^A-Za-z0-9 ._-]", "_", plain)
    way = "inline" if inline else "attachment"
    return f"{way}; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(plain, safe='')}"


def _part(request: web.Request, data: bytes, headers: dict[str, str]) -> web.Response:
    """The whole file, or one range of it, as players ask for it."""
    if "Range" not in request.headers or "," in request.headers["Range"]:
        return web.Response(body=data, headers=headers)
    try:
        wanted = request.http_range
    except ValueError:
        return web.Response(body=data, headers=headers)
    start, stop, _ = wanted.indices(len(data))
    if start >= stop:
        error = refused(request, 416, "web-bad-range")
        error.headers["Content-Range"] = f"bytes */{len(data)}"
        raise error
    headers["Content-Range"] = f"bytes {start}-{stop - 1}/{len(data)}"
    return web.Response(status=206, body=data[start:stop], headers=headers)
