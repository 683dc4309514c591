"""Calls of Slack's Web API: which there are, what they need, and when they may be repeated."""

import asyncio
import itertools
from collections.abc import Mapping
from typing import Any

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.access import Json, SlackAccess
from adapters.slack.pace import Pace
from adapters.slack.refusals import Limited, Refused, Unsure, translated

METHODS: Mapping[str, tuple[str, ...]] = {
    "auth.test": (),
    "apps.connections.open": (),
    "assistant.threads.setStatus": ("chat:write",),
    "chat.delete": ("chat:write",),
    "chat.postEphemeral": ("chat:write",),
    "chat.postMessage": ("chat:write",),
    "chat.update": ("chat:write",),
    "conversations.history": (
        "channels:history",
        "groups:history",
        "im:history",
        "mpim:history",
    ),
    "conversations.info": ("channels:read", "groups:read", "im:read", "mpim:read"),
    "conversations.open": ("im:write",),
    "conversations.replies": (
        "channels:history",
        "groups:history",
        "im:history",
        "mpim:history",
    ),
    "files.completeUploadExternal": ("files:write",),
    "files.getUploadURLExternal": ("files:write",),
    "files.info": ("files:read",),
    "reactions.add": ("reactions:write",),
    "reactions.remove": ("reactions:write",),
    "users.conversations": ("channels:read", "groups:read", "im:read", "mpim:read"),
    "users.info": ("users:read",),
}
"""Every method that is called, and the scopes it needs."""

_TRIES, _LONGEST_WAIT = 6, 3.0
_PATIENCE = 30

log = structlog.get_logger()


class SlackCalls:
    """Calls with the bot's token. Nothing is repeated that may have taken effect, but for what does no harm twice."""

    def __init__(self, access: SlackAccess, pace: Pace) -> None:
        self.access = access
        self.pace = pace
        self.client = AsyncWebClient(
            access.bot_token, base_url=access.api_url, timeout=_PATIENCE, retry_handlers=[]
        )

    async def ask(self, method: str, *, tries: int = _TRIES, **args: Any) -> Json:  # noqa: ANN401 - Slack's own
        """A call that does no harm twice. Raises ChatError when it cannot be done."""
        for attempt in itertools.count(1):
            try:
                return await self.once(method, **args)
            except Unsure:
                if attempt >= tries:
                    raise
                wait = self.pace.again_seconds * 2 ** (attempt - 1)
                await asyncio.sleep(min(_LONGEST_WAIT, wait))
        raise AssertionError

    async def once(self, method: str, **args: Any) -> Json:  # noqa: ANN401 - Slack's own
        """A call that is made once; waits where Slack tells us to. Raises Unsure when its answer was lost."""
        while True:
            await asyncio.sleep(self.pace.held(_limited_by(method, args)))
            try:
                return await self._made(method, args)
            except Limited as limited:
                log.info("slack limits us", method=method, seconds=limited.seconds)

    async def try_once(self, method: str, **args: Any) -> Json | None:  # noqa: ANN401 - Slack's own
        """A call that is nice to have: None where it did not work at once."""
        if self.pace.held(_limited_by(method, args)):
            return None
        try:
            return await self._made(method, args)
        except (Refused, Unsure, Limited) as error:
            log.info("slack did not do it", method=method, error=str(error))
            return None

    async def edit(self, channel: str, ts: str, **content: Any) -> None:  # noqa: ANN401 - Slack's own
        """Change a message of ours, in time with the others."""
        await self.pace.edit()
        await self.ask("chat.update", channel=channel, ts=ts, **content)

    async def _made(self, method: str, args: Json) -> Json:
        call = getattr(self.client, method.replace(".", "_"))
        try:
            response = await call(**{k: v for k, v in args.items() if v is not None})
        except Exception as error:
            problem = translated(method, error)
            if isinstance(problem, Limited):
                self.pace.hold(_limited_by(method, args), problem.seconds)
            raise problem from error
        return dict(response.data)


def _limited_by(method: str, args: Json) -> str:
    """Posts are limited by channel, everything else by method."""
    return f"{method} {args['channel']}" if method == "chat.postMessage" else method
