"""A relay before a PostgreSQL server that breaks connections as servers and networks do."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random

from sqlalchemy import make_url

_LINGERS = 0.1
"""Seconds from a server's farewell until it closes the connection, if nothing is sent to it."""
_AT_START = ("57P03", "53300")
"""What a server says to whom it does not let in: it starts, or has too many already."""
_LATER = ("57P01", "57P02", "25P03")
"""What it says at the end: it shuts down, it crashed, a transaction was idle for too long."""


def write_farewell(code: str) -> bytes:
    """A server's message of a fatal error, after which it closes the connection."""
    body = f"SFATAL\0VFATAL\0C{code}\0Mgoodbye\0\0".encode()
    return b"E" + (len(body) + 4).to_bytes(4, "big") + body


@dataclass
class Relay:
    """Passes on what a program and the server at `url` say.

    `breaks`: how likely a connection breaks at each thing that is said, or at its start.
    `after`: what follows the next answer to whoever says so; None if the answer is lost. Then the
    connection breaks.
    """

    url: str
    seed: int = 0
    breaks: float = 0.0
    after: dict[bytes, bytes | None] = field(default_factory=dict)
    port: int = 0
    _clients: set[asyncio.StreamWriter] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)

    @property
    def address(self) -> str:
        """That of the database, through the relay."""
        through = make_url(self.url).set(drivername="postgresql", host="127.0.0.1", port=self.port)
        return through.render_as_string(hide_password=False)

    @asynccontextmanager
    async def serve(self) -> AsyncIterator["Relay"]:
        async with asyncio.TaskGroup() as group:

            def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                group.create_task(self._accept(reader, writer))

            async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
                self.port = server.sockets[0].getsockname()[1]
                yield self

    def say_farewell(self, code: str) -> None:
        """Say to all that their connections end, but leave them open."""
        for client in self._clients:
            client.write(write_farewell(code))

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server = make_url(self.url)
        there, back = await asyncio.open_connection(server.host, server.port or 5432)
        self._clients.add(writer)
        try:
            if self._shall_break():
                await self._end(writer, _AT_START)
                return
            following: list[bytes | None] = []
            with suppress(OSError, ExceptionGroup):
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._pass_on(reader, back, following))
                    group.create_task(self._pass_on(there, writer, following))
            await self._end(writer, _LATER)
        finally:
            self._clients.discard(writer)
            writer.close()
            back.transport.abort()

    def _shall_break(self) -> bool:
        return self._random.random() < self.breaks

    async def _pass_on(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        following: list[bytes | None],
    ) -> None:
        """Raises ConnectionError at the end, when the connection is to break."""
        while data := await source.read(1 << 16):
            if following and target in self._clients:
                if (last := following.pop()) is not None:
                    target.write(data + last)
                    await asyncio.sleep(_LINGERS)
                break
            following += [self.after.pop(said) for said in tuple(self.after) if said in data]
            if self._shall_break():
                part = self._random.choice((0, len(data) // 2, len(data)))
                target.write(data[:part])
                if 0 < part < len(data):  # no farewell can follow half a message
                    target.close()
                break
            target.write(data)
            await target.drain()
        raise ConnectionError

    async def _end(self, client: asyncio.StreamWriter, codes: Sequence[str]) -> None:
        """Close a program's connection, with or without a farewell."""
        match self._random.choice(("cut", "close", "farewell", "lingering farewell")):
            case "cut":
                client.transport.abort()
            case "farewell":
                client.write(write_farewell(self._random.choice(codes)))
            case "lingering farewell":
                client.write(write_farewell(self._random.choice(codes)))
                await asyncio.sleep(_LINGERS)
            case _:
                pass
