"""An OpenAI-compatible endpoint and the connection to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache

import httpx2
from openai import AsyncOpenAI

_CONNECT_SECONDS = 5.0
_LIMITS = httpx2.Limits(max_connections=200, max_keepalive_connections=16, keepalive_expiry=60.0)
"""Experts may work for a minute between the plan and the answer of a request.

Few connections are kept alive, because the client looks at each of them for every call.
"""
_load_certificates = cache(httpx2.create_ssl_context)
"""Reading them takes a tenth of a second."""
_MAX_BYTES = 64 << 20
_MAX_LINE = 1 << 20


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a language model is reached.

    An empty `base_url` means OpenAI's own. `context` is in tokens; 0 asks the endpoint. `seconds`
    is the deadline of one call including its retries, `backoff` the first wait between them.
    """

    model: str
    base_url: str = ""
    key: str = field(default="", repr=False)
    seconds: float = 60.0
    context: int = 0
    sees_images: bool = True
    tries: int = 4
    backoff: float = 0.5


class ResponseTooLarge(ValueError):
    """A response, or one line of a stream, exceeds what any model sends."""


@asynccontextmanager
async def open_client(endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
    """One client for all calls to an endpoint. It does not retry; its callers do."""
    timeout = httpx2.Timeout(endpoint.seconds, connect=min(_CONNECT_SECONDS, endpoint.seconds))
    transport = _BoundedTransport(verify=_load_certificates(), limits=_LIMITS)
    async with httpx2.AsyncClient(timeout=timeout, transport=transport) as http:
        yield AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url or None,
            max_retries=0,
            timeout=timeout,
            http_client=http,
        )


class _BoundedTransport(httpx2.AsyncHTTPTransport):
    """Bounds responses: the SDK reads a body, and a line of a stream, of any length."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        streamed = response.headers.get("Content-Type", "").startswith("text/event-stream")
        response.stream = _BoundedStream(response.stream, _MAX_LINE if streamed else _MAX_BYTES)
        return response


class _BoundedStream(httpx2.AsyncByteStream):
    """The bytes of a response. Raises ResponseTooLarge."""

    def __init__(self, stream: httpx2.AsyncByteStream, max_line: int) -> None:
        self._stream = stream
        self._max_line = max_line

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = line = 0
        async for chunk in self._stream:
            total += len(chunk)
            newline = chunk.rfind(b"\n")
            line = line + len(chunk) if newline < 0 else len(chunk) - newline - 1
            if total > _MAX_BYTES or line > self._max_line:
                raise ResponseTooLarge("a response without end")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
