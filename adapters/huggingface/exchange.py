"""One exchange with an expert over HTTP: bounded, no redirects, every refusal one of our errors."""

import io
from collections.abc import Mapping

import aiohttp
from yarl import URL

from adapters.huggingface.body import Body
from adapters.huggingface.refusals import refusal
from pipeline.errors import ExpertGarbled, ExpertUnavailable

_MAX_ERROR = 64 * 1024
_LARGE = 1 << 20
_OK = range(200, 300)


async def exchanged(  # noqa: PLR0913 - what a request is made of
    session: aiohttp.ClientSession,
    method: str,
    url: URL,
    *,
    model: str,
    most: int,
    headers: Mapping[str, str] | None = None,
    sent: bytes | None = None,
) -> Body:
    """The body that came back, of at most `most` bytes. Raises ExpertError; the deadline is the caller's."""
    try:
        async with session.request(
            method, url, data=_in_pieces(sent), headers=headers, allow_redirects=False
        ) as response:
            if response.status not in _OK:
                body = await response.content.read(_MAX_ERROR)
                raise refusal(model, response.status, response.headers, body)
            return Body(await _read(response, model, most), response.content_type)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise ExpertUnavailable("expert-unreachable", model=model) from error


def _in_pieces(sent: bytes | None) -> bytes | io.BytesIO | None:
    """What is large is not written at once, which would stall the loop (and aiohttp warns of it)."""
    return io.BytesIO(sent) if sent and len(sent) > _LARGE else sent


async def _read(response: aiohttp.ClientResponse, model: str, most: int) -> bytes:
    body = bytearray()
    too_large = (response.content_length or 0) > most
    async for chunk in response.content.iter_any():
        body += chunk
        if too_large or len(body) > most:
            raise ExpertGarbled("expert-answer-too-large", model=model, megabytes=most >> 20)
    return bytes(body)
