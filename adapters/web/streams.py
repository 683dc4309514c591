"""Bodies that are sent while they are made: server-sent events, archives and long pages."""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from adapters.web import sessions
from adapters.web.options import STATE, Refused

STREAM_HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
}
_MOST_STREAMS = 200
"""Open streams of events of one person; all programs together are one."""


async def send_body(
    request: web.Request, headers: Mapping[str, str], pieces: AsyncIterator[bytes]
) -> web.StreamResponse:
    """A response whose body is sent piece by piece."""
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    async for piece in pieces:
        await response.write(piece)
    await response.write_eof()
    return response


async def send_event(response: web.StreamResponse, name: str, data: Mapping[str, Any]) -> None:
    """Send one server-sent event."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    await response.write(f"event: {name}\ndata: {text}\n\n".encode())


@contextmanager
def count_stream(request: web.Request) -> Iterator[None]:
    """Count a stream among those of its person. Raises Refused if there are too many."""
    streams, person = request.app[STATE].streams, sessions.find_person(request).id
    if streams[person] >= _MOST_STREAMS:
        raise Refused(429, "web-too-many-streams")
    streams[person] += 1
    try:
        yield
    finally:
        streams[person] -= 1
        if not streams[person]:
            del streams[person]
