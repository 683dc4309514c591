"""What our HTTP servers take of strangers, over real sockets."""

import asyncio
import gzip
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from adapters.bounds import bound_request, read_body, serve, trust
from adapters.bounds.connections import Connection, Connections

LIMIT = 100_000


@dataclass
class Server:
    """A server whose only handler keeps what it was given."""

    port: int = 0
    taken: list[bytes] = field(default_factory=list)
    knows_everybody: bool = False
    transports: list[asyncio.Transport] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        assert request.transport is not None
        self.transports.append(request.transport)
        if self.knows_everybody:
            trust(request)
        self.taken.append(await read_body(request, LIMIT, seconds=5 * self.knows_everybody))
        return web.Response(text="taken")

    async def ask(self, *pieces: bytes) -> bytes:
        """Send something and return the head of the response."""
        return await self._ask(pieces, lambda reader: reader.readuntil(b"\r\n\r\n"))

    async def ask_until_closed(self, *pieces: bytes) -> bytes:
        """Send something and return everything that comes until the connection is closed."""
        return await self._ask(pieces, lambda reader: reader.read())

    async def _ask(
        self, pieces: Sequence[bytes], read: Callable[[asyncio.StreamReader], Awaitable[bytes]]
    ) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0)
        try:
            async with asyncio.timeout(10):
                return await read(reader)
        finally:
            writer.transport.abort()


@asynccontextmanager
async def at_work(seconds: float = 5.0, *, knows_everybody: bool = False) -> AsyncIterator[Server]:
    server = Server(knows_everybody=knows_everybody)
    app = web.Application(middlewares=[bound_request(LIMIT, seconds)])
    app.router.add_route("*", "/{path:.*}", server.take)
    async with serve(app, "127.0.0.1", 0, shutdown_seconds=0.1) as (_, server.port):
        yield server


def head(*lines: str, method: str = "POST") -> bytes:
    return "\r\n".join((f"{method} / HTTP/1.1", "Host: localhost", *lines, "", "")).encode()


async def test_a_body_comes_as_it_was_sent() -> None:
    body = bytes(range(256)) * 390
    async with at_work() as server:
        answer = await server.ask(
            head(f"Content-Length: {len(body)}"), body[:70_000], body[70_000:]
        )

    assert b" 200 " in answer
    assert server.taken == [body]


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "GZip", "identity, gzip"])
async def test_an_encoded_body_is_refused_before_anybody_looks_at_it(coding: str) -> None:
    bomb = gzip.compress(b"x" * 1_000_000)
    async with at_work() as server:
        length = f"Content-Length: {len(bomb)}"
        answer = await server.ask(head(length, f"Content-Encoding: {coding}") + bomb)

    assert b" 415 " in answer
    assert server.taken == []


async def test_why_a_large_body_is_refused_can_be_read_while_it_is_sent() -> None:
    async with at_work() as server:
        answer = await server.ask(head("Content-Length: 5000000"), *[b"x" * 50_000] * 100)

    assert b" 413 " in answer
    assert server.taken == []


@pytest.mark.parametrize("sent", [b"", b"x" * 50_000])
async def test_a_body_that_does_not_come_in_time_ends_the_connection(sent: bytes) -> None:
    async with at_work(seconds=0.05) as server:
        answer = await server.ask(head("Content-Length: 90000") + sent)

    assert b" 408 " in answer
    assert server.taken == []


async def test_a_caller_who_leaves_before_the_body_came_is_no_error_of_ours(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with at_work() as server:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(head("Content-Length: 10") + b"ab")
        await server.ask(head("Content-Length: 0"))
        writer.transport.abort()
        await server.ask(head("Content-Length: 0"))

    assert [transport.is_closing() for transport in server.transports] == [True] * 3
    assert caplog.records == []


async def test_a_known_caller_may_take_longer_as_long_as_something_comes() -> None:
    async with at_work(seconds=0.5, knows_everybody=True) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(head("Content-Length: 3") + b"x")
        while not server.transports:  # noqa: ASYNC110 - the server tells nobody that it has begun
            await asyncio.sleep(0)
        loop = asyncio.get_running_loop()
        late = loop.create_future()
        loop.call_later(0.6, late.set_result, None)
        await late
        writer.write(b"yz")
        answer = await reader.readline()
        writer.close()

    assert b" 200 " in answer
    assert server.taken == [b"xyz"]


async def test_a_stranger_says_how_much_will_come() -> None:
    chunked = head("Transfer-Encoding: chunked") + b"1\r\nx\r\n0\r\n\r\n"
    async with at_work() as server:
        assert b" 411 " in await server.ask(chunked)
    assert server.taken == []

    async with at_work(knows_everybody=True) as server:
        last = chunked.replace(b"Host: localhost", b"Host: localhost\r\nConnection: close")
        assert b" 200 " in await server.ask(last)
    assert server.taken == [b"x"]


async def test_a_body_in_chunks_is_counted_while_it_comes() -> None:
    chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
    async with at_work(knows_everybody=True) as server:
        assert b" 413 " in await server.ask(head("Transfer-Encoding: chunked"), *[chunk] * 10)
    assert server.taken == []


async def test_headers_without_end_are_cut_off() -> None:
    lines = [f"X-{number}: {'x' * 8000}" for number in range(20)]
    async with at_work() as server:
        with pytest.raises(ConnectionResetError):
            await server.ask_until_closed(head(*lines)[:-2])


async def test_a_stranger_has_one_request_for_a_connection() -> None:
    async with at_work() as server:
        answer = await server.ask_until_closed(head(method="GET") * 50)
        assert answer.count(b"HTTP/1.1 ") == 1
        assert b"Connection: close" in answer
    assert len(server.taken) == 1

    async with at_work(knows_everybody=True) as server:
        last = head("Connection: close", method="GET")
        answer = await server.ask_until_closed(head(method="GET") * 2 + last)
        assert answer.count(b"HTTP/1.1 ") == 3
        assert b"Connection: close" in answer


async def test_what_is_sent_ahead_of_its_turn_is_limited() -> None:
    begun, over = asyncio.Event(), asyncio.Event()

    async def wait(request: web.Request) -> web.Response:
        trust(request)
        begun.set()
        await over.wait()
        return web.Response()

    app = web.Application(middlewares=[bound_request(LIMIT)])
    app.router.add_get("/", wait)
    async with serve(app, "127.0.0.1", 0, shutdown_seconds=0.1) as (host, port):
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(head(method="GET"))
        await begun.wait()
        writer.write(head(*[f"X-{number}: {'x' * 8000}" for number in range(20)])[:-2])
        async with asyncio.timeout(10):
            with pytest.raises(ConnectionResetError):
                await reader.read(1)
        over.set()
        writer.close()


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="only Linux has it")
async def test_the_kernel_ends_connections_whose_peer_takes_nothing() -> None:
    set_to: list[int] = []

    async def look(request: web.Request) -> web.Response:
        assert request.transport is not None
        own = request.transport.get_extra_info("socket")
        set_to.append(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))
        return web.Response()

    app = web.Application(middlewares=[bound_request(LIMIT)])
    app.router.add_get("/", look)
    async with serve(app, "127.0.0.1", 0, shutdown_seconds=0.1) as (host, port):
        _, writer = await asyncio.open_connection(host, port)
        writer.write(head(method="GET"))
        while not set_to:  # noqa: ASYNC110 - the handler tells nobody
            await asyncio.sleep(0)
        writer.close()

    assert 0 < set_to[0] <= 20_000


# --- how many connections there are ---


class Quiet(asyncio.Protocol):
    """Says nothing and never closes."""


@asynccontextmanager
async def crowded(
    most: int,
) -> AsyncIterator[tuple[list[Connection], Callable[[], Awaitable[asyncio.StreamReader]]]]:
    opened: list[Connection] = []
    writers: list[asyncio.StreamWriter] = []
    connections = Connections(Quiet, most)

    def make() -> Connection:
        opened.append(connections())
        return opened[-1]

    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    async def connect() -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        before = len(opened)
        while len(opened) < len(writers) or before == len(writers) - 1:
            before = len(opened)
            await asyncio.sleep(0)
        return reader

    yield opened, connect
    server.close()
    for writer in writers:
        writer.transport.abort()


async def is_closed(reader: asyncio.StreamReader) -> bool:
    try:
        async with asyncio.timeout(10):
            return await reader.read(1) == b""
    except ConnectionError:
        return True


async def test_a_new_connection_takes_the_place_of_the_oldest_strangers() -> None:
    async with crowded(most=2) as (opened, connect):
        first = await connect()
        second = await connect()
        opened[0].trust()
        third = await connect()

        assert await is_closed(second)
        assert not first.at_eof()
        assert not third.at_eof()


async def test_a_new_connection_is_let_in_when_all_are_known() -> None:
    async with crowded(most=2) as (opened, connect):
        first = await connect()
        second = await connect()
        for connection in opened:
            connection.trust()
        third = await connect()

        assert await is_closed(first)
        assert not second.at_eof()
        assert not third.at_eof()
