"""The connection to Slack, through Bolt: Socket Mode with a watchdog, or requests over HTTP."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.response import BoltResponse
from slack_sdk.socket_mode.aiohttp import SocketModeClient

from adapters.slack.client import APPS, LOST_TOKEN, BotIdentity, SlackClient, SlackRefused
from pipeline.errors import ChatError, SettingsError

EVENTS_PATH = "/slack/events"
_NEW_ADDRESS, _NEW_CLIENT = 2, 6
"""Checks without a connection until another address is asked for, and until a new client."""

log = structlog.get_logger()


def build_app(client: SlackClient, me: BotIdentity) -> AsyncApp:
    """A Bolt app without listeners. A request is acknowledged when its listener has returned."""

    async def authorize(**_: object) -> AuthorizeResult:
        return AuthorizeResult(
            enterprise_id=None,
            team_id=me.team,
            bot_token=client.access.bot_token,
            bot_id=me.bot,
            bot_user_id=me.user,
        )

    app = AsyncApp(
        logger=_find_logger(),
        client=client.web,
        authorize=authorize,
        signing_secret=client.access.signing_secret,
        request_verification_enabled=client.access.http,
        process_before_response=True,
        raise_error_for_unhandled_request=True,
    )
    app.error(_on_error)
    return app


async def _on_error(error: Exception) -> BoltResponse:
    """Acknowledge what nobody listens to. Slack sends anew what broke."""
    if isinstance(error, BoltUnhandledRequestError):
        return BoltResponse(status=200)
    log.error("a request from slack broke", exc_info=error)
    return BoltResponse(status=500)


@dataclass(slots=True)
class SocketMode:
    """Socket Mode. The SDK reconnects by itself, but for ever to the same address.

    The watchdog makes it ask for another. A client that does not come back even so is replaced:
    a handshake may hang for minutes, and two reconnections that meet can leave none at work.
    """

    app: AsyncApp
    client: SlackClient
    address: str
    """Asked for when the tokens were checked: Slack gives out only so many."""
    on_return: Callable[[], Awaitable[None]]
    """Called when the connection is back after an outage."""
    _misses: int = 0

    async def hold(self) -> None:
        """Stay connected until cancelled. Raises SettingsError when the token is gone."""
        address: str | None = self.address
        while True:
            await self._hold_client(address)
            address = None

    async def _hold_client(self, address: str | None) -> None:
        socket = AsyncSocketModeHandler(
            self.app,
            self.client.access.app_token,
            logger=_find_logger(),
            web_client=self.client.web,
            ping_interval=self.client.access.ping_interval,
        ).client
        socket.wss_uri = address
        try:
            async with asyncio.TaskGroup() as tasks:
                connecting = tasks.create_task(socket.connect())  # type: ignore[no-untyped-call]
                await self._watch(socket)
                connecting.cancel()
        finally:
            await socket.close()  # type: ignore[no-untyped-call]

    async def _watch(self, socket: SocketModeClient) -> None:
        """Until the client has been without a connection for too long."""
        while True:
            await asyncio.sleep(self.client.access.ping_interval)
            if await socket.is_connected():
                if self._misses >= _NEW_ADDRESS:
                    await self.on_return()
                self._misses = 0
                continue
            self._misses += 1
            if self._misses >= _NEW_ADDRESS:
                log.warning("slack's connection is dead", misses=self._misses)
                socket.wss_uri = None
                await check_token(self.client)
            if self._misses % _NEW_CLIENT == 0:
                return


def _find_logger() -> logging.Logger:
    """For the SDK's own words, never so many that people's messages are among them."""
    logger = logging.getLogger("troupe.slack")
    logger.setLevel(logging.WARNING)
    return logger


async def check_token(client: SlackClient) -> None:
    """Raises SettingsError when the bot's token works no more."""
    try:
        await client.call("auth.test", tries=1)
    except SlackRefused as refused:
        if refused.code in LOST_TOKEN:
            raise SettingsError("slack-revoked", link=APPS) from refused
    except ChatError:
        return


@dataclass(slots=True)
class HttpMode:
    """Signed requests from Slack, on the routes of whoever serves HTTP."""

    app: AsyncApp | None = None

    def routes(self) -> tuple[web.RouteDef, ...]:
        """Where events, commands and clicks come in."""
        return (web.post(EVENTS_PATH, self._handle),)

    async def _handle(self, request: web.Request) -> web.Response:
        if self.app is None:
            return web.Response(status=503, text="not listening yet")
        try:
            bolt_request = await to_bolt_request(request)
        except (AttributeError, TypeError, ValueError):  # read before the signature is checked
            return web.Response(status=400, text="not a request of Slack's")
        return await to_aiohttp_response(await self.app.async_dispatch(bolt_request))
