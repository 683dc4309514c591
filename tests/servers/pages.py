"""A web server with good and with bad manners, for the fetcher."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from tests.servers.loopback import listen


@dataclass
class Pages:
    """The port it listens on, what it was asked, and events that tests wait for."""

    port: int = 0
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Host, path and token of each request."""
    left: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client went away in the middle."""
    pouring: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the endless file has begun."""

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"


_PAGES = web.AppKey("pages", Pages)


@asynccontextmanager
async def serving() -> AsyncIterator[Pages]:
    pages = Pages()
    app = web.Application(middlewares=[_noting(pages)])
    app.add_routes(
        [
            web.get("/file.png", _file),
            web.get("/named", _named),
            web.get("/status/{status}", _status),
            web.get("/to", _redirect),
            web.get("/round", _round),
            web.get("/endless", _endless),
            web.get("/claims", _claims),
            web.get("/packed", _packed),
            web.get("/drip", _drip),
            web.get("/silent", _silent),
            web.get("/breaks", _breaks),
        ]
    )
    app[_PAGES] = pages
    async with listen(app) as address:
        pages.port = int(address.rpartition(":")[2])
        yield pages


def _noting(pages: Pages) -> Middleware:
    @web.middleware
    async def note(request: web.Request, handler: Handler) -> web.StreamResponse:
        token = request.headers.get("Authorization", "")
        pages.asked.append((request.host.partition(":")[0], request.path, token))
        return await handler(request)

    return note


async def _file(_request: web.Request) -> web.Response:
    return web.Response(body=b"picture", content_type="image/png")


async def _named(request: web.Request) -> web.Response:
    return web.Response(
        body=b"x", headers={"Content-Disposition": request.query.get("as", "attachment")}
    )


async def _status(request: web.Request) -> web.Response:
    return web.Response(status=int(request.match_info["status"]), body=b"not the file")


async def _redirect(request: web.Request) -> web.Response:
    return web.Response(status=302, headers={"Location": request.query["url"]})


async def _round(_request: web.Request) -> web.Response:
    return web.Response(status=307, headers={"Location": "/round"})


async def _endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    try:
        while True:
            await response.write(bytes(65_536))
            request.app[_PAGES].pouring.set()
    except ConnectionError:
        request.app[_PAGES].left.set()
    return response


async def _claims(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "999999999"})
    await response.prepare(request)
    return response


async def _packed(_request: web.Request) -> web.Response:
    return web.Response(body=b"whatever", headers={"Content-Encoding": "gzip"})


async def _drip(request: web.Request) -> web.StreamResponse:
    """A byte now and then, for ever."""
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b".")
        await asyncio.sleep(0.02)


async def _silent(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    await asyncio.Event().wait()
    return response


async def _breaks(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "100"})
    await response.prepare(request)
    await response.write(b"only this")
    assert request.transport
    request.transport.close()
    return response
