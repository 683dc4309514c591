"""The page's files from memory: compressed once, and known by a tag of their content.

A browser keeps what the page itself loads: its addresses begin with the tag of all files, so a
newer page has other ones.
"""

import asyncio
import gzip
import hashlib
import re
import time
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
_LOADED = re.compile(rb'"/page/(?=[^"]+\.(?:js|css)")')
"""Where an address of the page's own code begins in its HTML."""
_FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class _Content:
    """The content of a file, plain and compressed."""

    plain: bytes = field(repr=False)
    compressed: bytes = field(repr=False)
    tag: str


async def serve_page_file(request: web.Request, path: Path, *, keep: bool = False) -> web.Response:
    """A file of the page, or that it is as the browser knows it. Raises HTTPNotFound.

    `keep`: its address changes with it, so the browser need not ask again.
    """
    media_type = _MEDIA_TYPES.get(path.suffix)
    if media_type is None:
        raise web.HTTPNotFound
    try:
        content = await asyncio.to_thread(_load, path)
    except OSError as error:
        raise web.HTTPNotFound from error
    response = _respond(request, content, media_type)
    if keep:
        response.headers["Cache-Control"] = _FOREVER
    return response


async def serve_index(request: web.Request, path: Path, tag: str) -> web.Response:
    """The page's HTML, which loads the files under their tag."""
    html = await asyncio.to_thread(_load, path)
    content = await asyncio.to_thread(_address, html, tag)
    return _respond(request, content, "text/html")


async def find_tag(*folders: Path) -> str:
    """The tag of all files in these folders, as they were within the last second."""
    return await asyncio.to_thread(_find_tag, folders, int(time.monotonic()))


def _respond(request: web.Request, content: _Content, media_type: str) -> web.Response:
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


@lru_cache(maxsize=1)
def _find_tag(folders: tuple[Path, ...], _second: int) -> str:
    paths = sorted(path for folder in folders for path in folder.rglob("*"))
    contents = [_load(path).tag for path in paths if path.suffix in _MEDIA_TYPES]
    return hashlib.sha256(" ".join(contents).encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def _address(html: _Content, tag: str) -> _Content:
    return _pack(_LOADED.sub(f'"/page/{tag}/'.encode(), html.plain))


def _load(path: Path) -> _Content:
    """The content of a file as it is now. Raises OSError."""
    known = path.stat()
    return _read(path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=_MOST_FILES)
def _read(path: Path, _changed_at: int, _size: int) -> _Content:
    return _pack(path.read_bytes())


def _pack(plain: bytes) -> _Content:
    tag = hashlib.sha256(plain).hexdigest()[:32]
    return _Content(plain, gzip.compress(plain, mtime=0), tag)
