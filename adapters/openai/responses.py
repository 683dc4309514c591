"""What is done to each response of a server: its body is bounded, useless retries are stopped."""

from collections.abc import AsyncIterator

import httpx2

from adapters.openai.errors import NO_CREDIT, parse_retry_after

_MAX_BYTES = 64 << 20
"""Of one response, after decompression."""
END = b"[DONE]"
"""The last line of most servers' streams."""


async def check_response(seconds: float, response: httpx2.Response) -> None:
    """Bound the body, which the SDK does not, and stop retries that cannot help.

    `seconds`: the deadline of the call. A server that wants to be asked again later than that, or
    an account without credit, is not asked again.
    """
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = BoundedStream(response.stream, response.headers)
    response.headers.pop("Content-Encoding", None)
    if response.is_error:
        is_too_long = (parse_retry_after(response.headers) or 0) >= seconds
        if is_too_long or NO_CREDIT.encode() in await response.aread():
            response.headers["x-should-retry"] = "false"


class BoundedStream(httpx2.AsyncByteStream):
    """The decoded bytes of a response. Raises ValueError for more than any model sends.

    `tail` has its last bytes, which tell whether a stream was sent to its end.
    """

    def __init__(self, stream: httpx2.AsyncByteStream, headers: httpx2.Headers) -> None:
        self._encoded = httpx2.Response(200, headers=headers, stream=stream)
        self.tail = b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = _MAX_BYTES
        async for chunk in self._encoded.aiter_bytes():
            left -= len(chunk)
            if left < 0:
                raise ValueError("a response without end")
            self.tail = (self.tail + chunk)[-2 * len(END) :]
            yield chunk

    async def aclose(self) -> None:
        await self._encoded.aclose()
