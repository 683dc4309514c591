"""What can go wrong with a language model on the wire."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum

from aiohttp import web


class Fault(StrEnum):
    """One way of going wrong."""

    BUSY = "429 with Retry-After"
    BUSY_LONG = "429 with a Retry-After beyond any deadline"
    LOADING_LONG = "503 with a Retry-After beyond the deadline"
    QUOTA = "429 because the credit is used up"
    BROKEN = "500"
    LOADING = "503"
    KEY = "401"
    CREDIT = "402"
    FORBIDDEN = "403"
    GONE = "404"
    CONFLICT = "409"
    TOO_LONG = "400, the context is too small"
    UNFIT = "422"
    ELSEWHERE = "a redirect"
    PAGE = "an HTML page with 200"
    NONSENSE = "a stream that is no JSON"
    ODD_CHOICES = "a stream whose answers are no list"
    ODD_CHOICE = "a stream whose answer is a number"
    ODD_PART = "a stream whose piece is a text"
    ENDLESS = "a stream without end"
    BOMB = "a small body that is large when it is unpacked"
    NO_NEWLINE = "a stream whose line has no end"
    HANGS_LATE = "a stream that stops in the middle of the answer and stays open"
    NESTED = "a stream that is nested without end"
    SILENT = "a stream without a word"
    FILTERED = "a stream that a filter ends"
    FILTERED_LATE = "a stream that a filter ends in the middle"
    QUOTA_INSIDE = "a stream that begins with the error that the credit is used up"
    BUSY_INSIDE = "a stream that begins with the error that there are too many requests"
    ERROR_INSIDE = "a stream that begins with an error"
    DROPS = "the connection drops before the answer"
    DROPS_LATE = "the connection drops in the middle of the answer"
    ENDS_EARLY = "a stream that ends in the middle of the answer as if it were whole"
    NO_HTTP = "an answer in another protocol"
    LINGERS = "a stream that stays open after its end"
    UNSTREAMED = "the whole answer at once, without a reason for its end"
    HANGS = "no answer at all"


def _error(status: int, message: str, code: str = "", **headers: str) -> web.Response:
    error = {"message": message, "type": "error", "code": code or None, "param": None}
    return web.json_response({"error": error}, status=status, headers=headers)


_HELLO = b'data: {"choices": [{"delta": {"content": "Hello!"}}]}\n\ndata: [DONE]\n\n'
_PLAIN: Mapping[Fault, Callable[[], web.Response]] = {
    Fault.BUSY: lambda: _error(429, "Slow down", "rate_limit_exceeded", **{"Retry-After": "0.01"}),
    Fault.BUSY_LONG: lambda: _error(429, "Slow down", **{"Retry-After": "3600"}),
    Fault.QUOTA: lambda: _error(429, "You exceeded your current quota", "insufficient_quota"),
    Fault.BROKEN: lambda: _error(500, "Internal error"),
    Fault.LOADING: lambda: _error(503, "Loading model"),
    Fault.LOADING_LONG: lambda: _error(503, "Loading model", **{"Retry-After": "100"}),
    Fault.KEY: lambda: _error(401, "Incorrect API key", "invalid_api_key"),
    Fault.CREDIT: lambda: _error(402, "Payment required"),
    Fault.FORBIDDEN: lambda: _error(403, "Not allowed"),
    Fault.GONE: lambda: _error(404, "The model does not exist", "model_not_found"),
    Fault.CONFLICT: lambda: _error(409, "Conflict"),
    Fault.TOO_LONG: lambda: _error(
        400, "This model's maximum context length is 4000 tokens", "context_length_exceeded"
    ),
    Fault.UNFIT: lambda: _error(422, "Cannot do that"),
    Fault.BOMB: lambda: web.Response(
        body=gzip.compress(b":" + b"x" * (65 << 20) + b"\n\n" + _HELLO, compresslevel=1),
        headers={"Content-Type": "text/event-stream", "Content-Encoding": "gzip"},
    ),
    Fault.ELSEWHERE: lambda: web.Response(status=307, headers={"Location": "/v1/elsewhere"}),
    Fault.UNSTREAMED: lambda: web.json_response({"choices": [{"message": {"content": "Hello!"}}]}),
    Fault.PAGE: lambda: web.Response(text="<!doctype html><h1>Hi</h1>", content_type="text/html"),
}


_FILTERED = '{"choices": [{"delta": {"content": ""}, "finish_reason": "content_filter"}]}'
_STREAMS: Mapping[Fault, tuple[str, ...]] = {
    Fault.NONSENSE: ("data: {not json\n\n",),
    Fault.ODD_CHOICES: ('data: {"choices": 7}\n\n',),
    Fault.ODD_CHOICE: ('data: {"choices": [7]}\n\n',),
    Fault.ODD_PART: ('data: {"choices": [{"delta": "Hello!"}]}\n\n',),
    Fault.ENDLESS: (
        *[f'data: {{"choices": [{{"delta": {{"content": "{"x" * 10_000}"}}}}]}}\n\n'] * 110,
        "data: [DONE]\n\n",
    ),
    Fault.NO_NEWLINE: ("data: ", *["x" * 100_000] * 40),
    Fault.HANGS_LATE: ('data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n',),
    Fault.NESTED: (f"data: {'[' * 100_000}\n\n",),
    Fault.SILENT: ("data: [DONE]\n\n",),
    Fault.FILTERED: (f"data: {_FILTERED}\n\n", "data: [DONE]\n\n"),
    Fault.FILTERED_LATE: (
        'data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n',
        'data: {"choices": [{"finish_reason": "content_filter"}]}\n\n',
        "data: [DONE]\n\n",
    ),
    Fault.ERROR_INSIDE: ('data: {"error": {"message": "overloaded", "code": 503}}\n\n',),
    Fault.QUOTA_INSIDE: (
        'data: {"error": {"message": "none left", "code": "insufficient_quota"}}\n\n',
    ),
    Fault.BUSY_INSIDE: ('data: {"error": {"message": "slow down", "code": 429}}\n\n',),
    Fault.DROPS_LATE: ('data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n',),
    Fault.ENDS_EARLY: ('data: {"choices": [{"delta": {"content": "Hel"}}]}\n\n',),
    Fault.LINGERS: (
        'data: {"choices": [{"delta": {"content": "Hello!"}}]}\n\n',
        "data: [DONE]\n\n",
    ),
}


async def _streamed(fault: Fault, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(request)
    for piece in _STREAMS[fault]:
        await response.write(piece.encode())
    if fault is Fault.DROPS_LATE:
        _cut(request)
    if fault in (Fault.LINGERS, Fault.HANGS_LATE):
        await asyncio.Event().wait()
    return response


async def _dropped(_fault: Fault, request: web.Request) -> web.StreamResponse:
    _cut(request)
    return web.Response()


async def _speak_otherwise(_fault: Fault, request: web.Request) -> web.StreamResponse:
    assert isinstance(request.transport, asyncio.WriteTransport)
    request.transport.write(b"SSH-2.0-played\r\n\r\n")
    request.transport.close()
    return web.Response()


async def _hang(_fault: Fault, _request: web.Request) -> web.StreamResponse:
    await asyncio.Event().wait()
    raise AssertionError


def _cut(request: web.Request) -> None:
    assert request.transport is not None
    request.transport.abort()


_PLAYED: Mapping[Fault, Callable[[Fault, web.Request], Awaitable[web.StreamResponse]]] = {
    **dict.fromkeys(_STREAMS, _streamed),
    Fault.DROPS: _dropped,
    Fault.NO_HTTP: _speak_otherwise,
    Fault.HANGS: _hang,
}


async def played(fault: Fault, request: web.Request) -> web.StreamResponse:
    if fault in _PLAIN:
        return _PLAIN[fault]()
    return await _PLAYED[fault](fault, request)
