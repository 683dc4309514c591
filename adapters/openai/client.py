"""An OpenAI-compatible endpoint and the connection to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, partial

import httpx2
from openai import AsyncOpenAI

from adapters.openai.errors import NO_CREDIT, parse_retry_after

_CONNECT_SECONDS = 5.0
_load_certificates = cache(httpx2.create_ssl_context)
"""Reading them takes a tenth of a second."""
_MAX_BYTES = 64 << 20
_MAX_LINE = 1 << 20


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a language model is reached.

    An empty `base_url` means OpenAI's own. `context` is in tokens; 0 asks the endpoint. `seconds`
    is the deadline of one call including its retries.
    """

    model: str
    base_url: str = ""
    key: str = field(default="", repr=False)
    seconds: float = 60.0
    context: int = 0
    sees_images: bool = True


@asynccontextmanager
async def open_client(endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
    """One client for all calls to an endpoint."""
    timeout = httpx2.Timeout(endpoint.seconds, connect=min(_CONNECT_SECONDS, endpoint.seconds))
    async with httpx2.AsyncClient(
        timeout=timeout,
        verify=_load_certificates(),
        event_hooks={"response": [partial(_check, endpoint.seconds)]},
    ) as http:
        yield AsyncOpenAI(
            api_key=endpoint.key or "none",
            base_url=endpoint.base_url or None,
            timeout=timeout,
            http_client=http,
        )


async def _check(seconds: float, response: httpx2.Response) -> None:
    """Bound the body, which the SDK does not, and stop retries that cannot help."""
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    streamed = response.headers.get("Content-Type", "").startswith("text/event-stream")
    response.stream = _BoundedStream(response.stream, _MAX_LINE if streamed else _MAX_BYTES)
    if response.status_code == httpx2.codes.TOO_MANY_REQUESTS:
        is_too_long = (parse_retry_after(response.headers) or 0) >= seconds
        if is_too_long or NO_CREDIT.encode() in await response.aread():
            response.headers["x-should-retry"] = "false"


class _BoundedStream(httpx2.AsyncByteStream):
    """The bytes of a response. Raises ValueError for more than any model sends."""

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
                raise ValueError("a response without end")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
