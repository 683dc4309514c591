"""What can go wrong with an expert on the wire."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum

from aiohttp import web

TWO_GIGABYTES = 2 * 1024**3
_CHUNK = b"\0" * 65536
_DRIP = 0.02


class Fault(StrEnum):
    """One way of going wrong."""

    LOADING = "503 with estimated_time"
    TOO_MANY = "429 with Retry-After"
    BROKEN = "500"
    KEY = "401"
    CREDIT = "402"
    GATED = "403"
    GONE = "404"
    UNFIT = "422"
    GARBAGE = "garbage as JSON with 200"
    OTHER_JSON = "JSON of another shape with 200"
    DEEP = "JSON nested a hundred thousand deep with 200"
    NO_NUMBER = "JSON whose score is not a number with 200"
    HALF_SIGNS = "JSON with half a character with 200"
    PAGE = "an HTML page with 200"
    DROPPED = "the connection dropped in the middle of the body"
    HANG = "no answer at all"
    DRIP = "one byte now and then, without end"
    HUGE = "a body of 2 GB"
    HUGE_UNTOLD = "a body of 2 GB of which the length is not told"
    ELSEWHERE = "a redirect"


def _json(status: int, document: object, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.json_response(document, status=status, headers=headers)


async def _dropped(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "100000"})
    response.content_type = "application/json"
    await response.prepare(request)
    await response.write(b'[{"label": "POSI')
    assert request.transport is not None
    request.transport.close()
    return response


async def _hang(_request: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


async def _drip(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    response.content_type = "application/json"
    await response.prepare(request)
    with contextlib.suppress(ConnectionError):
        while True:
            await response.write(b" ")
            await asyncio.sleep(_DRIP)
    return response


def _huge(*, told: bool) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def send(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        response.content_type = "image/png"
        if told:
            response.content_length = TWO_GIGABYTES
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            for _ in range(TWO_GIGABYTES // len(_CHUNK)):
                await response.write(_CHUNK)
        return response

    return send


_PLAIN: Mapping[Fault, Callable[[], web.Response]] = {
    Fault.LOADING: lambda: _json(
        503, {"error": "Model is currently loading", "estimated_time": 0.01}
    ),
    Fault.TOO_MANY: lambda: _json(429, {"error": "Rate limited"}, {"Retry-After": "1"}),
    Fault.BROKEN: lambda: _json(500, {"error": "CUDA error: an illegal memory access"}),
    Fault.KEY: lambda: _json(401, {"error": "Invalid credentials"}),
    Fault.CREDIT: lambda: _json(402, {"error": "You have exceeded your monthly credits"}),
    Fault.GATED: lambda: _json(403, {"error": "Access to this model is restricted"}),
    Fault.GONE: lambda: _json(404, {"error": "Not Found"}),
    Fault.UNFIT: lambda: _json(422, {"error": ["Error in `parameters`"]}),
    Fault.GARBAGE: lambda: web.Response(body=b'{"lab\xff', content_type="application/json"),
    Fault.OTHER_JSON: lambda: _json(200, {"hello": ["world"]}),
    Fault.DEEP: lambda: web.Response(body=b"[" * 100_000, content_type="application/json"),
    Fault.NO_NUMBER: lambda: web.Response(
        body=b'[{"label": "cat", "score": NaN}]', content_type="application/json"
    ),
    Fault.HALF_SIGNS: lambda: web.Response(
        body=rb'[{"id": "a/\ud83d", "label": "\ud83d", "score": 1}]',
        content_type="application/json",
    ),
    Fault.PAGE: lambda: web.Response(text="<!doctype html><h1>Hi</h1>", content_type="text/html"),
    Fault.ELSEWHERE: lambda: web.Response(status=302, headers={"Location": "http://10.0.0.1/"}),
}
_STREAMED: Mapping[Fault, Callable[[web.Request], Awaitable[web.StreamResponse]]] = {
    Fault.DROPPED: _dropped,
    Fault.HANG: _hang,
    Fault.DRIP: _drip,
    Fault.HUGE: _huge(told=True),
    Fault.HUGE_UNTOLD: _huge(told=False),
}


async def played(fault: Fault, request: web.Request) -> web.StreamResponse:
    if fault in _PLAIN:
        return _PLAIN[fault]()
    return await _STREAMED[fault](request)
