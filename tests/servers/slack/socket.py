"""Socket Mode: addresses that hold for one connection, envelopes and their acknowledgements."""

import asyncio
import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from tests.servers.slack.faults import Faults
from tests.servers.slack.workspace import APP, Json

ACK_SECONDS = 3.0


@dataclass
class Line:
    """One open connection."""

    socket: web.WebSocketResponse
    request: web.Request
    waiting: dict[str, asyncio.Future[Json]] = field(default_factory=dict)
    silent: bool = False
    leaves: bool = False
    """It was asked to reconnect, and gets nothing any more."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)


_HUNG, _LONG = "hung-", 6000
"""What addresses begin with at which no handshake is answered, and for how many hundredths of a
second it is not.
"""


@dataclass
class SocketMode:
    """Gives out addresses, keeps the lines, sends envelopes."""

    faults: Faults
    violations: list[str]
    noticed: Callable[[], None]
    base: str = ""
    lines: list[Line] = field(default_factory=list)
    tickets: set[str] = field(default_factory=set)
    opened: int = 0
    most: int = 10
    """Connections that an app may have; each event goes to one of them."""
    refused: int = 0
    turn: int = 0
    ack_seconds: float = ACK_SECONDS
    ack_times: list[float] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    @property
    def ready(self) -> list[Line]:
        """The lines that may get an event."""
        return [line for line in self.lines if not (line.leaves or line.socket.closed)]

    def address(self, _: Json) -> Json:
        ticket = f"ticket-{next(self._numbers)}"
        if self.faults.dead_addresses > 0:
            self.faults.dead_addresses -= 1
            return {"url": f"ws{self.base.removeprefix('http')}/link/dead-{ticket}"}
        if self.faults.hung_addresses > 0:
            self.faults.hung_addresses -= 1
            return {"url": f"ws{self.base.removeprefix('http')}/link/{_HUNG}{ticket}"}
        self.tickets.add(ticket)
        return {"url": f"ws{self.base.removeprefix('http')}/link/{ticket}"}

    async def connect(self, request: web.Request) -> web.StreamResponse:
        ticket = request.match_info["ticket"]
        for _ in range(_LONG if ticket.startswith(_HUNG) else 0):
            if request.transport is None:
                break
            await asyncio.sleep(0.01)
        if ticket not in self.tickets:
            return web.Response(status=408, text="no such link")
        self.tickets.discard(ticket)
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        line = Line(socket, request)
        if len(self.lines) >= self.most:
            self.refused += 1
            reason = {"reason": "too_many_websockets", "debug_info": {"host": "applink-1"}}
            await socket.send_json({"type": "disconnect", **reason})
            await socket.close()
            return socket
        hello = {
            "type": "hello",
            "num_connections": len(self.lines) + 1,
            "debug_info": {"host": "applink-1", "approximate_connection_time": 18060},
            "connection_info": {"app_id": APP},
        }
        await socket.send_json(hello)
        self.lines.append(line)
        self.opened += 1
        self.noticed()
        try:
            with suppress(ConnectionError):  # it went away while a ping was answered
                await self._listen(line)
        finally:
            self._forget(line)
        return socket

    async def send(self, kind: str, payload: Json, attempt: int, reason: str) -> Json | None:
        """The acknowledgement, or None when the line broke or nobody answered in time."""
        lines = self.ready or self.lines
        self.turn += 1
        line = lines[self.turn % len(lines)]
        envelope = f"envelope-{next(self._numbers)}"
        frame = {
            "envelope_id": envelope,
            "type": kind,
            "payload": payload,
            "accepts_response_payload": kind != "events_api",
        }
        if kind == "events_api":
            frame |= {"retry_attempt": attempt, "retry_reason": reason}
        self.sent.add(envelope)
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        line.waiting[envelope] = answer
        began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout(self.ack_seconds):
                await line.socket.send_json(frame)
                reply = await answer
        except ConnectionError:
            self._forget(line)
            return None
        except TimeoutError:
            if not line.silent and line in self.lines:
                self.violations.append(f"{kind}: not acknowledged in {self.ack_seconds:g} s")
            return None
        self.ack_times.append(asyncio.get_running_loop().time() - began)
        return reply

    async def ask_to_reconnect(self, reason: str = "refresh_requested") -> None:
        for line in list(self.lines):
            line.leaves = True
            await line.socket.send_json({"type": "disconnect", "reason": reason, "debug_info": {}})

    async def close(self) -> None:
        for line in list(self.lines):
            line.leaves = True
        for line in list(self.lines):
            await line.socket.close()

    def reset(self) -> None:
        for line in list(self.lines):
            if line.request.transport is not None:
                line.request.transport.abort()

    def go_silent(self) -> None:
        """The lines stay open, but nothing is answered any more, pings neither."""
        for line in self.lines:
            line.silent = True
        self.lines.clear()

    async def _listen(self, line: Line) -> None:
        async for message in line.socket:
            if line.silent:
                continue
            if message.type == WSMsgType.PING:
                await line.socket.pong(message.data)
            elif message.type == WSMsgType.TEXT:
                self._acknowledged(line, json.loads(message.data))

    def _acknowledged(self, line: Line, frame: Json) -> None:
        if set(frame) - {"envelope_id", "payload"}:
            self.violations.append(f"acknowledgement with {sorted(frame)}")
        envelope = str(frame.get("envelope_id"))
        if envelope not in self.sent:
            self.violations.append("acknowledgement of an envelope that was never sent")
        for each in (line, *self.lines):
            answer = each.waiting.pop(envelope, None)
            if answer is not None and not answer.done():
                answer.set_result(frame)

    def _forget(self, line: Line) -> None:
        if line in self.lines:
            self.lines.remove(line)
        line.gone.set()
        for answer in line.waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionError("the line is gone"))
        self.noticed()
