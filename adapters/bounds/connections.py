"""The connections of a server: how many there are, and how much each may send unasked.

aiohttp bounds each header and closes silent connections. What it leaves open is bounded here, below
it: the number of connections, the headers of a request together, requests sent ahead of their
turn, and responses that nobody takes.
"""

import asyncio
import socket
from collections.abc import Callable

from aiohttp import StreamReader, web

_PIECE = 1 << 14
"""Bytes that are received at once; asyncio would take 256 KiB of each connection."""
_FIRST_PIECE = 1 << 11
"""The same before a request is known, and of a body in chunks: what is parsed at once keeps the
event loop from all others."""
_MOST_UNASKED = 1 << 16
"""Bytes besides the body under way: the headers of a request, and what is sent ahead of its turn.

That is 32 KiB of headers, and of a body what comes before its request is begun: see `READ_AHEAD`.
"""
_FRAMING = 1 << 15
"""Bytes that a body in chunks may take at first, more than it holds."""
_MOST_FRAMED = 1.25
"""Bytes that it may then take for each that it holds: tiny chunks take long to parse."""
READ_AHEAD = 1 << 12
"""aiohttp stops reading a body when twice as many bytes of it, or a sixteenth as many chunks, wait
to be taken. What it parses at once keeps the event loop from others."""
_UNTAKEN_SECONDS = 15
"""A connection ends when its peer has taken nothing for so long of what was sent."""


class Connections:
    """The connections of one server. Called by asyncio for each new one.

    A new one is always let in. If there are `most`, another is closed for it: the oldest of those
    on which nobody has shown who they are, else the oldest.
    """

    def __init__(self, make_protocol: Callable[[], asyncio.Protocol], most: int) -> None:
        self.buffer = memoryview(bytearray(_PIECE))
        self._make_protocol, self._most = make_protocol, most
        self._strangers: dict[Connection, None] = {}
        self._known: dict[Connection, None] = {}

    def __call__(self) -> "Connection":
        return Connection(self, self._make_protocol())

    def add(self, connection: "Connection") -> None:
        if len(self._strangers) + len(self._known) >= self._most:
            oldest = next(iter(self._strangers or self._known))
            self.remove(oldest)
            oldest.abort()
        self._strangers[connection] = None

    def trust(self, connection: "Connection") -> None:
        if connection in self._strangers:
            del self._strangers[connection]
            self._known[connection] = None

    def is_stranger(self, connection: "Connection") -> bool:
        return connection not in self._known

    def end(self) -> None:
        """Close the connections that are only open so that a refusal can be read."""
        for connection in (*self._strangers, *self._known):
            if connection.is_discarded:
                connection.abort()

    def remove(self, connection: "Connection") -> None:
        self._strangers.pop(connection, None)
        self._known.pop(connection, None)


class Connection(asyncio.BufferedProtocol):
    """One connection, in front of aiohttp's protocol. `body` is that of the latest request."""

    def __init__(self, connections: Connections, protocol: asyncio.Protocol) -> None:
        self._connections, self._protocol = connections, protocol
        self._transport: asyncio.Transport | None = None
        self._body: StreamReader | None = None
        self._unasked = self._received = 0
        self._piece = _FIRST_PIECE
        self.is_discarded = False
        """Whether what comes is thrown away until the connection is closed."""

    def begin_request(self, request: web.BaseRequest) -> None:
        """A request is answered now; what comes next belongs to its body until that is complete."""
        self._body = request.content
        self._unasked = self._received = 0
        self._piece = _FIRST_PIECE if request.content_length is None else _PIECE

    def discard(self) -> None:
        """Nothing more is wanted here."""
        self.is_discarded, self._piece = True, _PIECE

    def trust(self) -> None:
        self._connections.trust(self)

    @property
    def is_stranger(self) -> bool:
        """Whether nobody has shown yet on this connection who they are."""
        return self._connections.is_stranger(self)

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        own: socket.socket = transport.get_extra_info("socket")
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNTAKEN_SECONDS * 1000)
        self._connections.add(self)
        self._protocol.connection_made(transport)

    def get_buffer(self, _sizehint: int) -> memoryview:
        """One buffer for all: what is received is passed on at once."""
        return self._connections.buffer[: self._piece]

    def buffer_updated(self, nbytes: int) -> None:
        if self.is_discarded:
            return
        if self._body is None or self._body.is_eof():
            self._unasked += nbytes
            is_too_much = self._unasked > _MOST_UNASKED
        else:
            self._received += nbytes
            is_too_much = self._received > _FRAMING + _MOST_FRAMED * self._body.total_bytes
        if is_too_much:
            self.abort()
        else:
            self._protocol.data_received(bytes(self._connections.buffer[:nbytes]))

    def eof_received(self) -> bool | None:
        return self._protocol.eof_received()

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self)
        self._protocol.connection_lost(exc)


def find_connection(request: web.BaseRequest) -> Connection | None:
    """The connection of a request; None once it is closed, or if `serve` did not open it."""
    protocol = request.transport and request.transport.get_protocol()
    return protocol if isinstance(protocol, Connection) else None


def trust(request: web.BaseRequest) -> None:
    """The caller has shown who they are: strangers' connections are closed before theirs."""
    if connection := find_connection(request):
        connection.trust()
