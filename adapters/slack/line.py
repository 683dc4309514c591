"""The line to Slack: Socket Mode with a watchdog, or requests over HTTP."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.socket_mode.aiohttp import SocketModeClient

from adapters.slack.access import Json, Self, SlackAccess
from adapters.slack.asking import Asking
from adapters.slack.calls import SlackCalls
from adapters.slack.hearing import Hearing
from adapters.slack.refusals import LOST_TOKEN, Refused
from pipeline.errors import ChatError, SettingsError

APPS = "https://api.slack.com/apps"
_ANYTHING = re.compile(".*", re.DOTALL)
_MISSES, _GIVEN_UP = 2, 6
"""Intervals without a line after which another address is asked for, and after how many more the client is given up."""
EVENTS_PATH = "/slack/events"

log = structlog.get_logger()


def bolt(
    access: SlackAccess, me: Self, calls: SlackCalls, hearing: Hearing, asking: Asking
) -> AsyncApp:
    """Everything Slack can send has a listener, so that everything is acknowledged.

    An event is acknowledged when it was taken durably; a command or a click at once, and answered by a task.
    """
    app = AsyncApp(
        name="troupe",
        logger=_logger("troupe.slack", logging.ERROR),
        client=calls.client,
        authorize=_authorized(access, me),
        signing_secret=access.signing_secret,
        process_before_response=True,
        request_verification_enabled=access.http,
    )

    async def event(body: Json) -> None:
        await hearing.event(body)

    async def command(ack: AsyncAck, payload: Json) -> None:
        await ack()
        hearing.begin(asking.command(payload))

    async def press(ack: AsyncAck, body: Json) -> None:
        await ack()
        hearing.begin(asking.press(body))

    app.event(_ANYTHING)(event)
    app.command(_ANYTHING)(command)
    app.action(_ANYTHING)(press)
    app.use(_OursOnly())
    return app


class _OursOnly(AsyncMiddleware):
    """Shortcuts, views and whatever else there may come are acknowledged, and that is all."""

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,  # noqa: ARG002 - the library's
        next: Callable[[], Awaitable[BoltResponse]],  # noqa: A002 - the library's
    ) -> BoltResponse:
        body = req.body
        if "event" in body or "command" in body or _is_click(body):
            return await next()
        return BoltResponse(status=200)


def _is_click(body: Json) -> bool:
    return body.get("type") == "block_actions" and bool(body.get("actions"))


def _logger(name: str, level: int) -> logging.Logger:
    """The vendor's own words, never so many that people's messages are among them."""
    logger = logging.getLogger(name)
    logger.setLevel(level)
    return logger


def _authorized(access: SlackAccess, me: Self) -> Callable[..., Awaitable[AuthorizeResult]]:
    async def authorize(**_: object) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=None,
            team_id=me.team,
            bot_token=access.bot_token,
            bot_id=me.bot,
            bot_user_id=me.user,
        )

    return authorize


@dataclass(slots=True)
class Socket:
    """Socket Mode. The SDK reconnects by itself, but to the same address for ever: the watchdog makes it ask for another.

    An SDK's client that does not come back even so is given up for a new one: a handshake may hang for minutes, and when
    two of its reconnections meet, it can end up with none at work.
    """

    access: SlackAccess
    calls: SlackCalls
    returned: Callable[[], Awaitable[None]]
    address: str
    """Asked for when the tokens were checked: Slack gives out only so many."""
    _misses: int = 0

    async def hold(self, app: AsyncApp) -> None:
        """Stay connected until cancelled. Raises SettingsError when the token is gone."""
        address: str | None = self.address
        while True:
            await self._hold_one(app, address)
            address = None

    async def _hold_one(self, app: AsyncApp, address: str | None) -> None:
        mode = AsyncSocketModeHandler(
            app,
            self.access.app_token,
            logger=_logger("troupe.slack.socket", logging.WARNING),
            web_client=self.calls.client,
            ping_interval=self.access.ping_interval,
        )
        mode.client.wss_uri = address
        try:
            async with asyncio.TaskGroup() as tasks:
                connecting = tasks.create_task(mode.client.connect())  # type: ignore[no-untyped-call]
                await self._watch(mode.client)
                connecting.cancel()
        finally:
            await mode.client.close()  # type: ignore[no-untyped-call]

    async def _watch(self, client: SocketModeClient) -> None:
        """Until the client has been without a line for too long."""
        while True:
            await asyncio.sleep(self.access.ping_interval)
            if await client.is_connected():
                if self._misses >= _MISSES:
                    await self.returned()
                self._misses = 0
                continue
            self._misses += 1
            if self._misses >= _MISSES:
                log.warning("slack's line is dead, asking for another", misses=self._misses)
                client.wss_uri = None
                await still_ours(self.calls)
            if self._misses % _GIVEN_UP == 0:
                return


async def still_ours(calls: SlackCalls) -> None:
    """Raises SettingsError when the bot's token works no more."""
    try:
        await calls.ask("auth.test", tries=1)
    except Refused as refused:
        if refused.code in LOST_TOKEN:
            raise SettingsError("slack-revoked", link=APPS) from refused
    except ChatError:
        return


@dataclass(slots=True)
class HttpMode:
    """Requests from Slack, signed; taken by whoever serves HTTP."""

    _app: AsyncApp | None = field(default=None)

    def routes(self) -> tuple[web.RouteDef, ...]:
        """Where events, commands and clicks come in."""
        return (web.post(EVENTS_PATH, self._request),)

    def open(self, app: AsyncApp | None) -> None:
        self._app = app

    async def _request(self, request: web.Request) -> web.StreamResponse:
        if self._app is None:
            return web.Response(status=503, text="not listening yet")
        answer = await self._app.async_dispatch(await to_bolt_request(request))
        return await to_aiohttp_response(answer)
