"""REST v10: every call is authorised, limited, read, checked, answered and kept."""

import asyncio
import json
import mimetypes
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web
from aiohttp.web_request import FileField

from tests.servers.discord import interactions, messages, places
from tests.servers.discord.faults import Trouble
from tests.servers.discord.layouts import clean_name
from tests.servers.discord.values import Refusal, Upload
from tests.servers.discord.world import Call, World

Endpoint = Callable[[World, Call], messages.Answer]
CHANNEL, MESSAGE = "/channels/{channel}", "/channels/{channel}/messages/{message}"
HOOK = "/webhooks/{application}/{token}"
COMMANDS = "/applications/{application}/commands"
ROUTES: tuple[tuple[str, str, str, Endpoint], ...] = (
    ("GET", "/gateway", "gateway", places.gateway),
    ("GET", "/gateway/bot", "gateway", places.gateway_bot),
    ("GET", "/users/@me", "me", places.me),
    ("GET", "/users/@me/guilds", "guilds", places.guilds),
    ("POST", "/users/@me/channels", "dm", places.open_dm),
    ("GET", "/users/{user}", "person", places.person),
    ("GET", "/applications/@me", "application", places.application),
    ("GET", "/oauth2/applications/@me", "application", places.application),
    ("GET", COMMANDS, "commands", places.list_commands),
    ("PUT", COMMANDS, "commands", places.put_commands),
    ("GET", "/guilds/{guild}", "guild", places.guild),
    ("GET", "/guilds/{guild}/channels", "guild channels", places.guild_channels),
    ("GET", "/guilds/{guild}/roles", "guild roles", places.guild_roles),
    ("GET", "/guilds/{guild}/threads/active", "guild threads", places.guild_threads),
    ("GET", "/guilds/{guild}/messages/search", "search", messages.search),
    ("GET", "/guilds/{guild}/members/{user}", "member", places.guild_member),
    ("GET", CHANNEL, "channel", places.channel),
    ("PATCH", CHANNEL, "channel", places.reopen),
    ("GET", CHANNEL + "/messages", "messages", messages.history),
    ("POST", CHANNEL + "/messages", "message", messages.create),
    ("GET", MESSAGE, "message", messages.get),
    ("PATCH", MESSAGE, "message", messages.edit),
    ("DELETE", MESSAGE, "message", messages.delete),
    ("POST", MESSAGE + "/threads", "thread", messages.start_thread),
    ("POST", CHANNEL + "/threads", "thread", messages.start_bare_thread),
    ("GET", CHANNEL + "/threads/archived/public", "archived threads", places.archived_threads),
    ("PUT", CHANNEL + "/thread-members/@me", "thread member", messages.join_thread),
    ("PUT", MESSAGE + "/reactions/{emoji}/@me", "reaction", messages.react),
    ("DELETE", MESSAGE + "/reactions/{emoji}/@me", "reaction", messages.unreact),
    ("POST", CHANNEL + "/typing", "typing", messages.typing),
    ("POST", "/interactions/{interaction}/{token}/callback", "callback", interactions.callback),
    ("POST", HOOK, "webhook", interactions.follow_up),
    ("GET", HOOK + "/messages/{message}", "webhook", interactions.get),
    ("PATCH", HOOK + "/messages/{message}", "webhook", interactions.edit),
    ("DELETE", HOOK + "/messages/{message}", "webhook", interactions.delete),
)
UNDONE = {
    Trouble.BROKEN: 502,
    Trouble.UNAVAILABLE: 503,
    Trouble.BLOCKED: 429,
    Trouble.BANNED: 403,
}
"""Answers of the network before Discord."""
REFUSED = {
    Trouble.UNAUTHORIZED: (401, 0, "401: Unauthorized"),
    Trouble.MODERATED: (400, 200000, "Message was blocked by automatic moderation"),
    Trouble.TOO_OLD: (400, 30046, "Maximum number of edits to old messages reached"),
    Trouble.UNKNOWN: (404, 10008, "Unknown Message"),
}
OPEN = ("callback", "webhook")
VIA = {"Via": "1.1 google"}


@dataclass(frozen=True, slots=True)
class Rest:
    """The routes of the API over one world."""

    world: World

    def add_to(self, app: web.Application) -> None:
        for method, path, name, endpoint in ROUTES:
            answer = self._answering(f"{method} {name}", endpoint)
            app.router.add_route(method, "/api/v10" + path, answer)
        app.router.add_route("*", "/api/{rest:.*}", self._unknown)

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        self.world.blame(request.method, f"no such route: {request.path}")
        return _json({"message": "404: Not Found", "code": 0}, status=404)

    def _answering(
        self, name: str, endpoint: Endpoint
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def answer(request: web.Request) -> web.StreamResponse:
            return await self._answer(request, name, endpoint)

        return answer

    async def _answer(self, request: web.Request, name: str, endpoint: Endpoint) -> web.Response:
        world = self.world
        refused = self._unauthorised(request, name)
        if refused is not None:
            return refused
        if world.latency:
            await asyncio.sleep(world.latency)
        trouble = world.faults.meet(name)
        major = request.match_info.get("channel") or request.match_info.get("token") or ""
        headers, wait = world.limits.check(name, major, world.now())
        if wait is not None or trouble is Trouble.LIMITED:
            return _limited(wait or world.faults.wait, headers)
        if trouble in UNDONE:
            return web.Response(status=UNDONE[trouble], text="upstream")
        if trouble in REFUSED:
            status, code, message = REFUSED[trouble]
            return _json({"message": message, "code": code}, status=status)
        response = await self._spent_or_performed(request, name, endpoint)
        response.headers.update(headers | VIA)
        if trouble is Trouble.LOST and request.transport is not None:
            request.transport.abort()
        if trouble is Trouble.LOST_502:
            return web.Response(status=502, text="upstream")
        return response

    async def _spent_or_performed(
        self, request: web.Request, name: str, endpoint: Endpoint
    ) -> web.Response:
        """Performed and answered, or performed and never answered, or nothing at all any more."""
        if self.world.faults.spent:
            return await _never()
        response = await self._perform(request, name, endpoint)
        if self.world.faults.spend():
            return response
        self.world.ring()
        return await _never()

    def _unauthorised(self, request: web.Request, name: str) -> web.Response | None:
        if name.split(" ", 1)[1] in OPEN:
            return None
        world = self.world
        if not request.headers.get("User-Agent", "").startswith("DiscordBot ("):
            world.blame(name, "a User-Agent that Discord blocks")
        right = request.headers.get("Authorization") == f"Bot {world.token}"
        if right and not world.faults.token_revoked:
            return None
        world.refusals.append(f"{name}: 401")
        return _json({"message": "401: Unauthorized", "code": 0}, status=401)

    async def _perform(self, request: web.Request, name: str, endpoint: Endpoint) -> web.Response:
        world = self.world
        call = Call(name, dict(request.match_info), dict(request.query), None)
        call.at = world.now()
        world.calls.append(call)
        try:
            await _read(call, request)
            status, body = endpoint(world, call)
        except Refusal as refusal:
            call.status = refusal.status
            world.refusals.append(f"{name}: {refusal.code} {refusal.message}")
            if refusal.fault:
                world.blame(name, f"{refusal.code} {refusal.message}")
            payload = {"code": refusal.code, "message": refusal.message}
            errors = {"errors": refusal.errors} if refusal.errors else {}
            return _json(payload | errors, status=refusal.status)
        finally:
            world.ring()
        call.status = status
        return web.Response(status=204) if body is None else _json(body, status=status)


async def _never() -> web.Response:
    """Wait until the caller is gone."""
    await asyncio.Event().wait()
    raise AssertionError("unreachable")


def _json(body: object, *, status: int, headers: dict[str, str] | None = None) -> web.Response:
    """JSON whose type is bare, as Discord sends it: discord.py reads no other."""
    bare = (headers or {}) | {"Content-Type": "application/json"}
    return web.Response(body=json.dumps(body).encode(), status=status, headers=bare)


def _limited(wait: float, headers: dict[str, str]) -> web.Response:
    body = {"message": "You are being rate limited.", "retry_after": wait, "global": False}
    extra = {"Retry-After": f"{wait:.3f}", "X-RateLimit-Scope": "user"}
    return _json(body, status=429, headers=headers | VIA | extra)


async def _read(call: Call, request: web.Request) -> None:
    if request.content_type == "multipart/form-data":
        await _read_multipart(call, request)
    elif request.can_read_body:
        try:
            call.body = await request.json()
        except ValueError:
            raise Refusal(
                400, 50109, "The request body contains invalid JSON.", fault=True
            ) from None
    elif request.method in ("POST", "PATCH", "PUT"):
        call.body = {}


async def _read_multipart(call: Call, request: web.Request) -> None:
    form = await request.post()
    inner = form.get("payload_json", "{}")
    call.body = json.loads(str(inner))
    for name, part in form.items():
        if name == "payload_json":
            continue
        if not (isinstance(part, FileField) and name.startswith("files[") and name.endswith("]")):
            raise Refusal(400, 50035, f"Invalid Form Body: unknown part {name}", fault=True)
        number = int(name[6:-1])
        media_type = mimetypes.guess_type(part.filename)[0] or "application/octet-stream"
        with part.file as body:
            kept = clean_name(part.filename)
            call.files[number] = Upload(number, kept, body.read(), media_type)
