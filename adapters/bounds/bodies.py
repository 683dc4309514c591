"""Bodies: of requests to our servers, bounded before anybody is known; of responses to us."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from os import SEEK_END
from tempfile import TemporaryFile
from typing import IO

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from adapters.bounds.connections import find_connection
from pipeline.errors import StoreUnavailable

STRANGER_SECONDS = 12.0
"""In which a body must be complete, unless `receive` lets it take longer."""
_STALL_SECONDS = 10.0
"""How long no byte of a long body may come."""
_LEAST_RATE = 1024
"""Bytes a second that a long body must come with, on average."""
_PIECE = 1 << 14
"""Bytes of a body that are waited for; twice as many may wait to be taken."""
_IN_MEMORY = 1 << 16
"""Bytes of a body that are held in memory while it comes; more are written to disk."""
_READ_AT_ONCE = 1 << 18
"""Bytes of a piece that is read back from disk."""

_DEADLINE = web.RequestKey("deadline", asyncio.Timeout)
"""Until when the body must be complete."""


def bound_request(max_body: int, seconds: float = STRANGER_SECONDS) -> Middleware:
    """The first middleware of every server: it bounds each body before anything looks at it.

    Whoever asks, and for whatever: a body is refused that is encoded (415), announced as longer
    than `max_body` (413), or not complete in `seconds` (408). Handlers take bodies with `receive`,
    `receive_whole` and `read_body`, which count the bytes; aiohttp's own ways take what the
    application says (`client_max_size`).
    """

    @web.middleware
    async def bound(request: web.Request, handler: Handler) -> web.StreamResponse:
        if connection := find_connection(request):
            connection.begin_request(request)
        if request.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise web.HTTPUnsupportedMediaType
        if (request.content_length or 0) > max_body:
            raise web.HTTPRequestEntityTooLarge(max_body, request.content_length or 0)
        if request.content.is_eof():
            return await handler(request)
        async with _limit_seconds(request, seconds):
            return await handler(request)

    return bound


@asynccontextmanager
async def _limit_seconds(request: web.Request, seconds: float) -> AsyncIterator[None]:
    """Cancel the handler when the body is not complete in time. Raises HTTPRequestTimeout."""
    deadline = asyncio.timeout(seconds)
    request[_DEADLINE] = deadline
    request.content.on_eof(partial(_move, deadline, None))
    try:
        async with deadline:
            yield
    except TimeoutError as late:
        if not deadline.expired():
            raise
        if request.writer.output_size:  # the response has begun
            raise ConnectionResetError from late
        raise web.HTTPRequestTimeout from late


def _move(deadline: asyncio.Timeout, when: float | None) -> None:
    with suppress(RuntimeError):  # the request is over
        deadline.reschedule(when)


async def receive(
    request: web.Request, max_bytes: int, *, seconds: float = 0.0
) -> AsyncIterator[bytes]:
    """The pieces of a body as they come. Raises HTTPRequestEntityTooLarge, HTTPLengthRequired.

    `seconds`: a caller who is known may take so long, as long as something comes, and need not say
    how much will come.
    """
    if not seconds and request.content_length is None and request.body_exists:
        raise web.HTTPLengthRequired  # it takes long to parse very many chunks
    request.content.set_read_chunk_size(_PIECE)
    deadline, size = request.get(_DEADLINE), 0
    now = asyncio.get_running_loop().time
    begun = now()
    async for piece in request.content.iter_any():
        size += len(piece)
        if size > max_bytes:
            raise web.HTTPRequestEntityTooLarge(max_bytes, size)
        if deadline is not None and seconds and not request.content.is_eof():
            slowest = begun + _STALL_SECONDS + size / _LEAST_RATE
            _move(deadline, min(now() + _STALL_SECONDS, slowest, begun + seconds))
        yield piece


@asynccontextmanager
async def receive_whole(
    request: web.Request, max_bytes: int, *, seconds: float = 0.0
) -> AsyncIterator["Spool"]:
    """The whole body, on disk if it is long, until the context exits. Raises as `receive` does."""
    with spool() as content:
        async for piece in receive(request, max_bytes, seconds=seconds):
            await content.write(piece)
        yield content


async def read_body(request: web.Request, max_bytes: int, *, seconds: float = 0.0) -> bytes:
    """The whole body, which is in memory only once it is complete. Raises as `receive` does."""
    async with receive_whole(request, max_bytes, seconds=seconds) as content:
        return await content.read()


class Spool:
    """Bytes that come in pieces: on disk if they are many. Raises StoreUnavailable."""

    def __init__(self) -> None:
        self.size = 0
        self._latest = bytearray()
        """What is not on disk."""
        self._file: IO[bytes] | None = None

    def add(self, piece: bytes) -> None:
        """Add bytes; blocks while they are written to disk."""
        self.size += len(piece)
        self._latest += piece
        if len(self._latest) > _IN_MEMORY:
            self._flush()

    async def write(self, piece: bytes) -> None:
        """Add bytes without blocking."""
        if len(self._latest) + len(piece) > _IN_MEMORY:
            await asyncio.to_thread(self.add, piece)
        else:
            self.add(piece)

    async def read(self) -> bytes:
        """Everything that was added."""
        return bytes(self._latest) if self._file is None else await asyncio.to_thread(self._read)

    async def pieces(self) -> AsyncIterator[bytes]:
        """Everything that was added, piece by piece; nothing may be added meanwhile."""
        if self._file is None:
            yield bytes(self._latest)
            return
        offset = 0
        while piece := await asyncio.to_thread(self._read_at, offset):
            yield piece
            offset += len(piece)

    def close(self) -> None:
        self._latest.clear()
        if self._file is not None:
            self._file.close()

    def _flush(self) -> IO[bytes]:
        try:
            file = self._file = self._file or TemporaryFile()  # noqa: SIM115 - `close` closes it
            file.seek(0, SEEK_END)
            file.write(self._latest)
            file.flush()
        except OSError as error:
            raise StoreUnavailable("store-full") from error
        self._latest.clear()
        return file

    def _read(self) -> bytes:
        file = self._flush()
        file.seek(0)
        return file.read()

    def _read_at(self, offset: int) -> bytes:
        file = self._flush()
        file.seek(offset)
        return file.read(_READ_AT_ONCE)


@contextmanager
def spool() -> Iterator[Spool]:
    """A place for bytes, gone when the context exits."""
    with closing(Spool()) as spooled:
        yield spooled


class Memory:
    """How many bytes of complete bodies may be in memory together; others wait on disk, in turn."""

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._turn, self._changed = asyncio.Lock(), asyncio.Event()

    @asynccontextmanager
    async def hold(self, content: Spool) -> AsyncIterator[bytes]:
        """The bytes of a spool, as soon as there is room; one larger than all has it alone."""
        if content.size <= _IN_MEMORY:
            yield await content.read()
            return
        async with self._turn:
            while self._held and self._held + content.size > self._most:
                self._changed.clear()
                await self._changed.wait()
            self._held += content.size
        try:
            yield await content.read()
        finally:
            self._held -= content.size
            self._changed.set()


async def read_bounded(response: aiohttp.ClientResponse, max_bytes: int) -> bytes:
    """The body of a response; of a longer one, a beginning of more than `max_bytes`."""
    with spool() as body:
        async for piece in response.content.iter_any():
            await body.write(piece)
            if body.size > max_bytes:
                break
        return await body.read()
