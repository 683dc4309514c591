"""Sends a stored file, or the range of it that was asked for, as it comes from the store."""

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from pipeline.domain import FileHash
from pipeline.ports import Files


@dataclass(frozen=True, slots=True)
class Ranged:
    """A file of the store and its size in bytes."""

    files: Files
    hash: FileHash
    size: int

    @property
    def tag(self) -> str:
        """Its ETag: what has another hash is another file."""
        return f'"{self.hash}"'


async def send_range(
    request: web.Request, headers: Mapping[str, str], file: Ranged
) -> web.StreamResponse:
    """Answer a request for a file: with all of it, a range, 304 if it is known, or 416."""
    shared = {**headers, "ETag": file.tag, "Accept-Ranges": "bytes"}
    if any(each.value in (file.hash, "*") for each in request.if_none_match or ()):
        return web.Response(status=304, headers=shared)
    try:
        start, end = _find_range(request, file)
    except ValueError:
        return web.Response(status=416, headers={**shared, "Content-Range": f"bytes */{file.size}"})
    is_part = (start, end) != (0, file.size)
    response = web.StreamResponse(status=206 if is_part else 200, headers=shared)
    response.content_length = end - start
    if is_part:
        response.headers["Content-Range"] = f"bytes {start}-{end - 1}/{file.size}"
    await response.prepare(request)
    if request.method != "HEAD":
        async for piece in file.files.stream(file.hash, start, end - start):
            await response.write(piece)
    await response.write_eof()
    return response


def _find_range(request: web.Request, file: Ranged) -> tuple[int, int]:
    """The first byte and the one after the last. Raises ValueError if there is no such range."""
    if request.headers.get("If-Range", file.tag) != file.tag:
        return 0, file.size
    wanted = request.http_range
    start = 0 if wanted.start is None else wanted.start
    if start < 0:  # the last bytes
        return max(0, file.size + start), file.size
    end = file.size if wanted.stop is None else min(wanted.stop, file.size)
    if wanted.start is not None and start >= end:
        raise ValueError(wanted)
    return start, end
