"""Bodies that are sent while they are made: server-sent events, archives and long pages."""

import asyncio
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
    """Count a stream among those of its person. Raises Refused if there are too many.

    Those whose reader has left are ended, which they would notice only when they write.
    """
    state, person = request.app[STATE], sessions.find_person(request).id
    streams, task = state.streams[person], asyncio.current_task()
    assert task is not None
    left = [each for each, answered in streams.items() if _has_left(answered)]
    for each in left:
        each.cancel()
    if len(streams) - len(left) >= _MOST_STREAMS:
        raise Refused(429, "web-too-many-streams")
    streams[task] = request
    try:
        yield
    finally:
        del streams[task]
        if not streams:
            state.streams.pop(person, None)


def _has_left(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()
