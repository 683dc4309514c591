"""A server of the S3 protocol, moto's, and what may stand between it and us.

It runs in a thread of the process that asks first, on loopback. `python -m tests.servers.s3` runs
it as a program, which prints its address.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from itertools import count

import aiohttp
from aiohttp import web

from tests.servers.loopback import HOST, listen, run, tell

_BROKEN = 500
_MOST = 1 << 30
"""Bytes of a request that are handed on."""


@cache
def start_s3() -> str:
    """The address of the server of this process, which is started now unless it runs."""
    from moto.moto_server.threaded_moto_server import ThreadedMotoServer  # noqa: PLC0415 - slow

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(HOST, 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    return f"http://{host}:{port}"


async def create_bucket(server: str) -> str:
    """Make a bucket; returns its name."""
    name = f"troupe-{secrets.token_hex(8)}"
    async with aiohttp.ClientSession() as session, session.put(f"{server}/{name}") as response:
        assert response.status == 200
    return name


@dataclass
class BetweenS3:
    """Stands before the server, hands on what comes, and breaks what it is told to."""

    server: str
    address: str = ""
    refuses: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Status and code by method; "" stands for every method."""
    is_away: bool = False
    """Whether it closes connections without an answer."""
    cuts_after: int = 0
    """Bytes of a response after which it closes the connection, once."""
    forgets_conditions: bool = False
    """Whether it writes over objects, as older servers do."""
    calls: list[tuple[str, str]] = field(default_factory=list)
    """Methods and paths that were handed on."""
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    """By method: what a call waits for before it is handed on."""
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a call waits so."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        if self.is_away:
            assert request.transport is not None
            request.transport.abort()
            raise ConnectionResetError
        if fault := self.refuses.get(request.method) or self.refuses.get(""):
            return _refuse(*fault)
        if gate := self.held.get(request.method):
            self.waiting.set()
            await gate.wait()
        self.calls.append((request.method, request.path))
        left_out = {"Host", "Content-Length", "Transfer-Encoding"}
        left_out |= {"If-None-Match"} if self.forgets_conditions else set()
        headers = {name: value for name, value in request.headers.items() if name not in left_out}
        url = f"{self.server}{request.path_qs}"
        async with (
            aiohttp.ClientSession(auto_decompress=False) as session,
            session.request(request.method, url, data=BytesIO(body), headers=headers) as found,
        ):
            if found.status == _BROKEN and "uploadId" in request.query:
                return _refuse(404, "NoSuchUpload")  # moto breaks where others say so
            response = web.StreamResponse(status=found.status, headers=found.headers)
            await response.prepare(request)
            return await self._send(request, response, await found.read())

    async def _send(
        self, request: web.Request, response: web.StreamResponse, data: bytes
    ) -> web.StreamResponse:
        if 0 < self.cuts_after < len(data):
            await response.write(data[: self.cuts_after])
            self.cuts_after = 0
            assert request.transport is not None
            request.transport.close()
            raise ConnectionResetError
        if request.method != "HEAD":
            await response.write(data)
        await response.write_eof()
        return response


def _refuse(status: int, code: str) -> web.Response:
    text = f"<Error><Code>{code}</Code><Message>{code}</Message></Error>"
    return web.Response(status=status, text=text, content_type="application/xml")


@asynccontextmanager
async def stand_between(server: str = "") -> AsyncIterator[BetweenS3]:
    between = BetweenS3(server or await asyncio.to_thread(start_s3))
    app = web.Application(client_max_size=_MOST)
    app.router.add_route("*", "/{path:.*}", between.answer)
    async with listen(app) as address:
        between.address = address
        yield between


async def _serve() -> None:
    tell(address=await asyncio.to_thread(start_s3))
    for _ in count():
        await asyncio.sleep(3600)


if __name__ == "__main__":
    run(_serve())
