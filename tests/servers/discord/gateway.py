"""The gateway: sessions, heartbeats, compression, RESUME and every way a socket can go."""

import asyncio
import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from tests.servers.discord import hearing, payloads
from tests.servers.discord.values import Channel, Guild, Json
from tests.servers.discord.world import World

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT = 0, 1, 2, 3, 4, 6, 7
MEMBERS, INVALID, HELLO, ACK = 8, 9, 10, 11
UNKNOWN_OP, NOT_AUTHENTICATED, BAD_TOKEN, BAD_SEQ, LIMITED = 4001, 4003, 4004, 4007, 4008
DISALLOWED_INTENTS = 4014
PRIVILEGED = {1 << 1: 1 << 14, 1 << 8: 1 << 12, 1 << 15: 1 << 18}


@dataclass(slots=True)
class Session:
    """What one shard of the bot has been told, whether or not it is connected."""

    id: str
    intents: int
    shard: tuple[int, int]
    sent: list[Json] = field(default_factory=list)
    socket: "Socket | None" = None
    valid: bool = True

    def tell(self, event: str, payload: Json) -> None:
        packet = {"op": DISPATCH, "t": event, "s": len(self.sent) + 1, "d": payload}
        self.sent.append(packet)
        if self.socket is not None:
            self.socket.outbox.put_nowait(packet)


@dataclass(slots=True)
class Socket:
    """One connection, with the one compression stream it speaks through."""

    ws: web.WebSocketResponse
    request: web.Request
    compressed: bool
    outbox: asyncio.Queue[Json] = field(default_factory=asyncio.Queue)
    deflate: "zlib._Compress" = field(default_factory=zlib.compressobj)
    silent: bool = False
    heartbeats: int = 0
    session: Session | None = None

    async def write(self) -> None:
        while True:
            packet = await self.outbox.get()
            if self.silent or self.ws.closed:
                continue
            text = json.dumps(packet).encode()
            if self.compressed:
                data = self.deflate.compress(text) + self.deflate.flush(zlib.Z_SYNC_FLUSH)
                await self.ws.send_bytes(data)
            else:
                await self.ws.send_str(text.decode())


@dataclass(slots=True)
class Gateway:
    """All sessions, and the switches for what goes wrong with their sockets."""

    world: World
    interval: float = 41.25
    sessions: dict[str, Session] = field(default_factory=dict)
    sockets: list[Socket] = field(default_factory=list)
    identified: int = 0
    resumed: int = 0
    refuse: int = 0
    resume_address: str | None = None
    identify_seconds: float = 0.0
    """Within which each group of shards may identify once; 0: as often as it likes."""
    turns: dict[int, float] = field(default_factory=dict)
    """When each group of shards identified last."""

    def hear(self, event: str, payload: Json, place: Channel | Guild | None) -> None:
        if event != "INTERACTION_CREATE" and not hearing.sees(place, self.world.bot):
            return
        for session in self.sessions.values():
            if not session.valid or not hearing.reaches(
                session.intents, session.shard, event, place
            ):
                continue
            shown = hearing.shown(session.intents, event, payload, place, self.world.bot)
            for _ in range(self.world.faults.deliver if event in hearing.REPEATED else 1):
                session.tell(event, shown)

    async def connect(self, request: web.Request) -> web.StreamResponse:
        if self.refuse:
            self.refuse -= 1
            return web.Response(status=503)
        if request.query.get("v") != "10" or request.query.get("encoding") != "json":
            self.world.blame("gateway", f"asked for {request.query_string}")
        ws = web.WebSocketResponse(max_msg_size=4096 * 4, autoping=True)
        await ws.prepare(request)
        socket = Socket(ws, request, request.query.get("compress") == "zlib-stream")
        self.sockets.append(socket)
        socket.outbox.put_nowait({"op": HELLO, "d": {"heartbeat_interval": self.interval * 1000}})
        try:
            async with asyncio.TaskGroup() as group:
                writer = group.create_task(socket.write())
                try:
                    await self._read(socket)
                except (TimeoutError, ConnectionError):
                    await ws.close(code=4000)
                finally:
                    writer.cancel()
        finally:
            self._gone(socket)
        return ws

    def _gone(self, socket: Socket) -> None:
        self.sockets.remove(socket)
        if socket.session is not None and socket.session.socket is socket:
            socket.session.socket = None
        self.world.ring()

    async def _read(self, socket: Socket) -> None:
        """Everything the client says, until it goes or has been silent too long."""
        received = 0
        while not socket.ws.closed:
            message = await socket.ws.receive(timeout=max(2.0, self.interval * 3))
            if message.type is not WSMsgType.TEXT:
                if socket.session is not None and message.data in (1000, 1001):
                    socket.session.valid = False
                return
            received += 1
            if received > 120 + socket.heartbeats:
                await socket.ws.close(code=LIMITED)
                return
            code = self._obey(socket, message)
            if code is not None:
                await socket.ws.close(code=code)
                return

    def _obey(self, socket: Socket, message: WSMessage) -> int | None:
        packet: Json = json.loads(message.data)
        operation: int = packet["op"]
        body: Any = packet.get("d")
        if operation == HEARTBEAT:
            return self._heartbeat(socket, body)
        if operation == IDENTIFY:
            return self._identify(socket, body)
        if operation == RESUME:
            return self._resume(socket, body)
        if socket.session is None:
            return NOT_AUTHENTICATED
        if operation in (PRESENCE, VOICE, MEMBERS):
            return None
        self.world.blame("gateway", f"unknown operation {operation}")
        return UNKNOWN_OP

    def _heartbeat(self, socket: Socket, sequence: int | None) -> int | None:
        socket.heartbeats += 1
        known = len(socket.session.sent) if socket.session else 0
        if sequence is not None and socket.session and sequence > known:
            self.world.blame("gateway", f"heartbeat with {sequence}, never sent")
        socket.outbox.put_nowait({"op": ACK, "d": None})
        self.world.ring()
        return None

    def _identify(self, socket: Socket, body: Json) -> int | None:
        if body["token"] != self.world.token or self.world.faults.token_revoked:
            return BAD_TOKEN
        intents: int = body.get("intents", 0)
        for intent, flags in PRIVILEGED.items():
            if intents & intent and not self.world.application_flags & (flags | flags << 1):
                return DISALLOWED_INTENTS
        shard = tuple(body.get("shard") or (0, 1))
        if not self._is_turn_of(shard[0]):
            socket.outbox.put_nowait({"op": INVALID, "d": False})
            return None
        self.identified += 1
        name = f"session-{self.identified}"
        session = Session(name, intents, (shard[0], shard[1]), socket=socket)
        socket.session = self.sessions[name] = session
        self._welcome(session)
        return None

    def _is_turn_of(self, shard: int) -> bool:
        """Whether a session may begin: Discord limits how many do."""
        group, now = shard % self.world.max_concurrency, self.world.now()
        is_early = now < self.turns.get(group, -self.identify_seconds) + self.identify_seconds
        self.turns[group] = now
        if is_early or self.world.sessions_left <= 0:
            self.world.blame("gateway", f"shard {shard} identified too soon")
            return False
        self.world.sessions_left -= 1
        return True

    def _welcome(self, session: Session) -> None:
        guilds = [
            g
            for g in self.world.guilds.values()
            if hearing.sees(g, self.world.bot) and hearing.on_shard(g.id, session.shard)
        ]
        ready = {
            "v": 10,
            "user": payloads.user(self.world.bot),
            "guilds": [{"id": str(g.id), "unavailable": True} for g in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.resume_address or self.address,
            "shard": list(session.shard),
            "application": {"id": str(self.world.bot.id), "flags": self.world.application_flags},
        }
        session.tell("READY", ready)
        for guild in guilds:
            session.tell("GUILD_CREATE", payloads.guild(guild, self.world.bot))
        self.world.ring()

    @property
    def address(self) -> str:
        return self.world.address.replace("http", "ws", 1) + "/gateway"

    def _resume(self, socket: Socket, body: Json) -> int | None:
        if body["token"] != self.world.token or self.world.faults.token_revoked:
            return BAD_TOKEN
        session = self.sessions.get(str(body["session_id"]))
        if session is None or not session.valid:
            socket.outbox.put_nowait({"op": INVALID, "d": False})
            return None
        if body["seq"] is None or body["seq"] > len(session.sent):
            return BAD_SEQ
        session.socket, socket.session = socket, session
        for packet in session.sent[body["seq"] :]:
            socket.outbox.put_nowait(packet)
        self.resumed += 1
        session.tell("RESUMED", {})
        self.world.ring()
        return None

    async def close(self, code: int = WSCloseCode.INTERNAL_ERROR) -> None:
        for socket in tuple(self.sockets):
            await socket.ws.close(code=code)

    def reset(self) -> None:
        """Cut every connection without a word."""
        for socket in tuple(self.sockets):
            if socket.request.transport is not None:
                socket.request.transport.abort()

    def silence(self) -> None:
        """Keep connections open and say nothing more on them."""
        for socket in self.sockets:
            socket.silent = True

    def ask_to_reconnect(self) -> None:
        for socket in self.sockets:
            socket.outbox.put_nowait({"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        for socket in self.sockets:
            if socket.session is not None:
                socket.session.valid = resumable
            socket.outbox.put_nowait({"op": INVALID, "d": resumable})
