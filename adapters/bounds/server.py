"""Opens an HTTP server whose connections are bounded."""

import asyncio
import logging
import resource
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.http import HttpProcessingError

from adapters.bounds.connections import READ_AHEAD, Connections, find_connection

_MOST_CONNECTIONS = 1000
_BACKLOG = 256
"""Connections that wait to be taken, and that are taken in one turn of the event loop. Where more
come at once, a caller tries again after a second."""
_FILES_PER_CONNECTION = 4
"""A connection may need files: its body, a file that is sent. The program needs some, too."""
_LINGER_SECONDS = 3.0
"""How long the rest of a body is awaited, so that its sender can read why it was refused."""


@asynccontextmanager
async def serve(
    app: web.Application,
    host: str,
    port: int,
    *,
    idle_seconds: float = 15.0,
    shutdown_seconds: float = 2.0,
    cancel_left: bool = False,
) -> AsyncIterator[tuple[str, int]]:
    """Serve an application until the context exits. Yields its host and port. Raises OSError.

    A connection without a complete request is closed after `idle_seconds`, before the first
    request and between two. `cancel_left`: cancel a request when its caller disconnects.
    """
    logging.getLogger("aiohttp.server").addFilter(_is_ours)
    app.on_response_prepare.append(_close_to_strangers)
    runner = web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        handler_cancellation=cancel_left,
        shutdown_timeout=shutdown_seconds,
        keepalive_timeout=idle_seconds,
        lingering_time=_LINGER_SECONDS,
        read_bufsize=READ_AHEAD,
        auto_decompress=False,
    )
    await runner.setup()
    assert runner.server is not None
    try:
        connections = Connections(runner.server, _count_connections())
        loop = asyncio.get_running_loop()
        server = await loop.create_server(connections, host, port, backlog=_BACKLOG)
        try:
            yield server.sockets[0].getsockname()[:2]
        finally:
            server.close()
            connections.end()
    finally:
        await runner.cleanup()


async def _close_to_strangers(request: web.Request, response: web.StreamResponse) -> None:
    """Close the connection after a response to a stranger, or before the whole body came.

    So strangers have one request each; what they sent ahead is not even parsed.
    """
    connection = find_connection(request)
    is_stranger = connection is not None and connection.is_stranger
    if is_stranger or not request.content.is_eof():
        response.headers["Connection"] = "close"
        response.force_close()
        if connection is not None:
            connection.discard()


def _count_connections() -> int:
    """How many connections there may be, by the files that the process may open.

    The process is allowed as many as the system lets it have: by default they are few.
    """
    wanted = _MOST_CONNECTIONS * _FILES_PER_CONNECTION
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, hard = (wanted if limit == resource.RLIM_INFINITY else limit for limit in limits)
    if soft < wanted:
        soft = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, limits[1]))
    return min(wanted, soft) // _FILES_PER_CONNECTION


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether a logged error is a bug: neither a request that is no HTTP nor a caller who left."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError | TimeoutError | ConnectionResetError)
