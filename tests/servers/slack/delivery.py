"""How events, commands and clicks reach the bot, and how often Slack tries."""

import hashlib
import hmac
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode

import aiohttp

from tests.servers.slack.calls import SIGNING_SECRET
from tests.servers.slack.socket import ACK_SECONDS, SocketMode
from tests.servers.slack.workspace import APP, Json, Workspace

RETRIES = 3


@dataclass
class Delivery:
    """Sends over Socket Mode, or signed over HTTP where `target` is set."""

    space: Workspace
    socket: SocketMode
    violations: list[str]
    until: Callable[[Callable[[], object]], Awaitable[None]]
    target: str = ""
    secret: str = SIGNING_SECRET
    attempts: list[tuple[str, int]] = field(default_factory=list)
    given_up: list[Json] = field(default_factory=list)
    subscribed: set[str] | None = None

    async def event(self, event: Json, *, event_id: str = "", shared: bool = False) -> None:
        """Deliver an event, and again until it is acknowledged."""
        if self.subscribed is not None and event["type"] not in self.subscribed:
            return
        event_id = event_id or self.space.next_id("Ev")
        payload: Json = {
            "token": "verification",
            "team_id": self.space.team,
            "enterprise_id": self.space.enterprise or None,
            "api_app_id": APP,
            "type": "event_callback",
            "event_id": event_id,
            "event_time": int(float(event.get("event_ts", "0"))),
            "event": event,
            "is_ext_shared_channel": shared,
            "authorizations": [
                {
                    "enterprise_id": self.space.enterprise or None,
                    "team_id": None if self.space.org_wide else self.space.team,
                    "user_id": self.space.bot_user,
                    "is_bot": True,
                    "is_enterprise_install": self.space.org_wide,
                }
            ],
        }
        for attempt in range(RETRIES + 1):
            self.attempts.append((event_id, attempt))
            reason = "timeout" if attempt else ""
            if await self._send("events_api", payload, attempt, reason) is not None:
                return
        self.given_up.append(payload)
        self.violations.append(f"the event {event['type']} was never acknowledged")

    async def interaction(self, payload: Json) -> Json:
        return await self._once("interactive", payload)

    async def command(self, payload: Json) -> Json:
        return await self._once("slash_commands", payload)

    async def _once(self, kind: str, payload: Json) -> Json:
        answer = await self._send(kind, payload, 0, "")
        return answer or {}

    async def _send(self, kind: str, payload: Json, attempt: int, reason: str) -> Json | None:
        await self.until(lambda: self.target or self.socket.ready)
        if self.target:
            return await self._posted(kind, payload, attempt, reason)
        return await self.socket.send(kind, payload, attempt, reason)

    async def _posted(self, kind: str, payload: Json, attempt: int, reason: str) -> Json | None:
        body, content_type = _form(kind, payload)
        headers = {**signed(body, self.secret), "Content-Type": content_type}
        if attempt:
            headers |= {"X-Slack-Retry-Num": str(attempt), "X-Slack-Retry-Reason": reason}
        timeout = aiohttp.ClientTimeout(total=ACK_SECONDS)
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(self.target, data=body, headers=headers) as response,
            ):
                text = await response.text()
                return _read(text) if response.status == 200 else None
        except (aiohttp.ClientError, TimeoutError):
            return None


def signed(body: str, secret: str, *, now: int = 0) -> dict[str, str]:
    """Slack's signature over the time and the body."""
    stamp = str(now or int(time.time()))
    digest = hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256)
    return {"X-Slack-Request-Timestamp": stamp, "X-Slack-Signature": f"v0={digest.hexdigest()}"}


def _form(kind: str, payload: Json) -> tuple[str, str]:
    form = "application/x-www-form-urlencoded"
    match kind:
        case "events_api":
            return json.dumps(payload), "application/json"
        case "interactive":
            return urlencode({"payload": json.dumps(payload)}), form
        case _:
            return urlencode(payload), form


def _read(text: str) -> Json:
    try:
        answer = json.loads(text or "{}")
    except ValueError:
        answer = {"text": text}
    return {"payload": answer}
