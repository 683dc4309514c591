"""The page's files from memory: compressed once, and known by a tag of their content."""

import asyncio
import gzip
import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from aiohttp import web

from adapters.web.compression import accepts_gzip

_MEDIA_TYPES = {
    ".css": "text/css",
    ".ftl": "text/plain",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Of the page's files; no other is served."""
_MOST_FILES = 512
"""Versions of files in memory."""


@dataclass(frozen=True, slots=True)
class _Content:
    """The content of a file, plain and compressed."""

    plain: bytes = field(repr=False)
    compressed: bytes = field(repr=False)
    tag: str


async def serve_page_file(request: web.Request, path: Path) -> web.Response:
    """A file of the page, or that it is as the browser knows it. Raises HTTPNotFound."""
    media_type = _MEDIA_TYPES.get(path.suffix)
    if media_type is None:
        raise web.HTTPNotFound
    try:
        content = await asyncio.to_thread(_load, path)
    except OSError as error:
        raise web.HTTPNotFound from error
    # A file has one tag, however it is encoded: so a weak one.
    headers = {"ETag": f'W/"{content.tag}"', "Vary": "Accept-Encoding"}
    known = request.if_none_match or ()
    if any(each.value in (content.tag, "*") for each in known):
        return web.Response(status=304, headers=headers)
    body = content.plain
    if accepts_gzip(request) and len(content.compressed) < len(body):
        body = content.compressed
        headers["Content-Encoding"] = "gzip"
    charset = None if media_type == "image/svg+xml" else "utf-8"
    return web.Response(body=body, content_type=media_type, charset=charset, headers=headers)


def _load(path: Path) -> _Content:
    """The content of a file as it is now. Raises OSError."""
    known = path.stat()
    return _read(path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=_MOST_FILES)
def _read(path: Path, _changed_at: int, _size: int) -> _Content:
    plain = path.read_bytes()
    tag = hashlib.sha256(plain).hexdigest()[:32]
    return _Content(plain, gzip.compress(plain, mtime=0), tag)
