"""Compresses the JSON of the API."""

import asyncio
import gzip

from aiohttp import web

from adapters.web.problems import PROBLEM

_SMALL = 1 << 10
"""Bytes; less is not worth it."""
_AT_ONCE = 1 << 14
"""Bytes; less is compressed sooner than a thread is called."""
_LEVEL = 5
_JSON = frozenset({"application/json", PROBLEM})


def accepts_gzip(request: web.Request) -> bool:
    """Whether a caller reads gzip."""
    for encoding in request.headers.get("Accept-Encoding", "").split(","):
        name, _, weight = encoding.replace(" ", "").lower().partition(";")
        if name == "gzip":
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


async def compress(request: web.Request, response: web.StreamResponse) -> None:
    """Compress a response of JSON, if it is long and the caller reads that.

    No secret of ours stands beside what a stranger could have written, so its length tells nothing.
    """
    if not isinstance(response, web.Response) or response.prepared:
        return
    body = response.body
    if response.content_type not in _JSON or not isinstance(body, bytes) or len(body) < _SMALL:
        return
    response.headers["Vary"] = "Accept-Encoding"
    if not accepts_gzip(request):
        return
    if len(body) < _AT_ONCE:
        response.body = gzip.compress(body, _LEVEL, mtime=0)
    else:
        response.body = await asyncio.to_thread(gzip.compress, body, _LEVEL, mtime=0)
    response.headers["Content-Encoding"] = "gzip"
