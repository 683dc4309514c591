"""What goes between the server and its worker processes: a heading in JSON and a body in bytes, both with their lengths."""

import asyncio
import json
import socket
import struct
from dataclasses import asdict, dataclass

_LENGTHS = struct.Struct(">II")


@dataclass(frozen=True, slots=True)
class Order:
    """One piece of work. `what` is run, load or drop."""

    what: str
    model: str
    family: str
    kind: str = ""
    path: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of it. `held_bytes` is what the model weighs in the worker now, 0 when it is not there."""

    status: int
    held_bytes: int
    media_type: str = "application/json"
    body: bytes = b""


def packed_order(order: Order, body: bytes) -> bytes:
    return _packed(json.dumps(asdict(order)).encode(), body)


def packed_reply(reply: Reply) -> bytes:
    return _packed(
        json.dumps([reply.status, reply.held_bytes, reply.media_type]).encode(), reply.body
    )


def _packed(head: bytes, body: bytes) -> bytes:
    return b"".join((_LENGTHS.pack(len(head), len(body)), head, body))


async def read_reply(reader: asyncio.StreamReader) -> Reply:
    """The next reply. Raises IncompleteReadError when the worker is gone."""
    head, body = _LENGTHS.unpack(await reader.readexactly(_LENGTHS.size))
    status, held_bytes, media_type = json.loads(await reader.readexactly(head))
    return Reply(status, held_bytes, media_type, await reader.readexactly(body))


def next_order(line: socket.socket) -> tuple[Order, bytes] | None:
    """The next order and its body, as the worker reads it; None when the server is gone."""
    lengths = _received(line, _LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head, body = _LENGTHS.unpack(lengths)
    return Order(**json.loads(_received(line, head))), _received(line, body)


def _received(line: socket.socket, count: int) -> bytes:
    """As many bytes, fewer only at the end."""
    parts = []
    while count and (part := line.recv(min(count, 1 << 20))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
