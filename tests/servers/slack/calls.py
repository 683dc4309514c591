"""One call of the Web API: checked, perhaps hit by a fault, answered."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.servers.slack.faults import Broken, Cut, Fault, Faults, Limited, Lost, Refused
from tests.servers.slack.limits import RateLimits
from tests.servers.slack.rules import RULES, Rule, complaints, parsed
from tests.servers.slack.workspace import Json, Workspace

APP_TOKEN, SIGNING_SECRET = "xapp-1-A0TROUPE1-1-t", "signing-secret"
SCOPES = frozenset(
    (
        "app_mentions:read",
        "assistant:write",
        "channels:history",
        "channels:join",
        "channels:read",
        "chat:write",
        "commands",
        "emoji:read",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "im:history",
        "im:read",
        "im:write",
        "mpim:history",
        "mpim:read",
        "reactions:read",
        "reactions:write",
        "team:read",
        "users:read",
    )
)
PREFIXES = {"channel": "channels", "group": "groups", "im": "im", "mpim": "mpim"}

Method = Callable[[Json], Json]


class SlackRefusal(Exception):
    """`ok` is false, with Slack's word for why."""

    def __init__(self, error: str, **more: Any) -> None:
        super().__init__(error)
        self.answer = {"ok": False, "error": error, **more}


@dataclass
class Calls:
    """Judges and answers the calls of the Web API."""

    space: Workspace
    faults: Faults
    limits: RateLimits
    violations: list[str]
    methods: dict[str, Method] = field(default_factory=dict)
    granted: set[str] = field(default_factory=lambda: set(SCOPES))
    made: list[tuple[str, Json]] = field(default_factory=list)
    connections: set[int] = field(default_factory=set)
    """The ports of the callers."""
    noticed: Callable[[], None] = lambda: None
    held: dict[str, asyncio.Event] = field(default_factory=dict)
    """By method, what its calls wait for."""
    interrupt: Callable[[int], Fault | None] = lambda _: None
    """Told the number of each call, just before it is answered; may give a fault of its own."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        rule = RULES.get(method)
        if rule is None or method not in self.methods:
            self.violations.append(f"{method}: no such method")
            return web.json_response({"ok": False, "error": "unknown_method"})
        if request.transport is not None:
            self.connections.add(request.transport.get_extra_info("peername")[1])
        args = parsed(rule, await self._arguments(request, method, rule))
        self.made.append((method, args))
        if method in self.held:
            self.noticed()
            await self.held[method].wait()
        seconds = self.limits.wait_for(method, args)
        fault = self.interrupt(len(self.made))
        fault = Limited(seconds) if seconds else fault or self.faults.next(method)
        try:
            return self._struck(request, method, args, fault)
        finally:
            self.noticed()

    def _struck(
        self, request: web.Request, method: str, args: Json, fault: Fault | None
    ) -> web.StreamResponse:
        match fault:
            case Limited(seconds):
                body = {"ok": False, "error": "ratelimited"}
                return web.json_response(body, status=429, headers={"Retry-After": str(seconds)})
            case Broken(status):
                return web.Response(status=status, text="<html>upstream</html>")
            case Cut():
                return cut(request)
            case Refused(error):
                return web.json_response({"ok": False, "error": error})
            case Lost() | None:
                return self._effected(request, method, args, fault)

    def _effected(
        self, request: web.Request, method: str, args: Json, fault: Fault | None
    ) -> web.Response:
        answer = self._perform(request, method, args)
        return cut(request) if isinstance(fault, Lost) else self._told(answer)

    def _told(self, answer: Json) -> web.Response:
        return web.json_response(answer, headers={"X-OAuth-Scopes": ",".join(sorted(self.granted))})

    def _perform(self, request: web.Request, method: str, args: Json) -> Json:
        rule = RULES[method]
        try:
            self._authorised(request, args, rule)
            self._scoped(method, args, rule)
            self._well_formed(method, args, rule)
            return {"ok": True, **self.methods[method](args)}
        except SlackRefusal as refusal:
            return refusal.answer

    def _well_formed(self, method: str, args: Json, rule: Rule) -> None:
        problems = list(complaints(method, rule, args))
        self.violations.extend(f"{method}: {problem}" for problem in problems)
        if problems:
            raise SlackRefusal("invalid_arguments")

    async def _arguments(self, request: web.Request, method: str, rule: Rule) -> Json:
        args: Json = dict(request.query)
        if request.content_type == "application/json":
            if not rule.takes_json:
                self.violations.append(f"{method}: does not take JSON")
            try:
                args.update(json.loads(await request.text() or "{}"))
            except ValueError:
                self.violations.append(f"{method}: the body is not JSON")
        else:
            args.update({name: str(value) for name, value in (await request.post()).items()})
        return args

    def _authorised(self, request: web.Request, args: Json, rule: Rule) -> None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        token = token or str(args.pop("token", ""))
        if not token:
            raise SlackRefusal("not_authed")
        if token not in {self.space.bot_token, APP_TOKEN}:
            raise SlackRefusal("invalid_auth")
        if self.faults.revoked:
            raise SlackRefusal("token_revoked")
        if (token == APP_TOKEN) != rule.app_token:
            raise SlackRefusal("not_allowed_token_type")

    def _scoped(self, method: str, args: Json, rule: Rule) -> None:
        scope = rule.scope
        if scope.startswith("*"):
            channel = self.space.channels.get(str(args.get("channel", "")))
            scope = PREFIXES[channel.kind if channel else "channel"] + scope[1:]
        if not scope or scope in self.granted - self.faults.withheld_scopes:
            return
        if scope not in self.faults.withheld_scopes:
            self.violations.append(f"{method}: the scope {scope} was never asked for")
        provided = ",".join(sorted(self.granted - self.faults.withheld_scopes))
        raise SlackRefusal("missing_scope", needed=scope, provided=provided)

    def count(self, method: str) -> int:
        return sum(name == method for name, _ in self.made)


def cut(request: web.Request) -> web.Response:
    """Hang up without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


def own_channel(space: Workspace, channel: str, *, member: bool = True) -> None:
    """Refuse a channel that is unknown, archived, or that the bot is not in."""
    found = space.channels.get(channel)
    if found is None:
        raise SlackRefusal("channel_not_found")
    if found.archived:
        raise SlackRefusal("is_archived")
    if member and space.bot_user not in found.members:
        raise SlackRefusal("not_in_channel")
