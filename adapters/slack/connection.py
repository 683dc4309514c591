"""The connection to Slack, through Bolt: its app, and Socket Mode with a watchdog."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.error import BoltUnhandledRequestError
from slack_bolt.response import BoltResponse
from slack_sdk.socket_mode.aiohttp import SocketModeClient

from adapters.slack.client import BotIdentity, SlackClient

_MOST_MISSES = 3
"""Checks without a connection until a client is replaced."""

log = structlog.get_logger()


def build_app(client: SlackClient, me: BotIdentity) -> AsyncApp:
    """A Bolt app without listeners. A request is acknowledged when its listener has returned."""
    bot = AuthorizeResult(
        enterprise_id=None,
        team_id=me.team,
        bot_token=client.access.bot_token,
        bot_id=me.bot,
        bot_user_id=me.user,
    )

    async def authorize(**_: object) -> AuthorizeResult:
        return bot

    logger = logging.getLogger("troupe.slack")
    logger.setLevel(logging.WARNING)  # below it are people's messages
    app = AsyncApp(
        logger=logger,
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

    A client that does not come back is therefore replaced by one with a new address: also because
    a handshake may hang for minutes, and two reconnections that meet can leave none at work.
    """

    app: AsyncApp
    client: SlackClient
    address: str | None
    """Asked for when the tokens were checked: Slack gives out only so many."""
    on_return: Callable[[], Awaitable[None]]
    """Called when the connection is back after an outage."""
    _was_away: bool = False

    async def hold(self) -> None:
        """Stay connected until cancelled."""
        token, seconds = self.client.access.app_token, self.client.access.ping_interval
        while True:
            socket = AsyncSocketModeHandler(self.app, token, ping_interval=seconds).client
            socket.wss_uri, self.address = self.address, None
            try:
                async with asyncio.TaskGroup() as tasks:
                    connecting = tasks.create_task(socket.connect())  # type: ignore[no-untyped-call]
                    await self._watch(socket)
                    connecting.cancel()
            finally:
                await socket.close()  # type: ignore[no-untyped-call]
            log.warning("slack's connection is dead")
            self.client.token_lost.set()  # it may be the reason
            self._was_away = True

    async def _watch(self, socket: SocketModeClient) -> None:
        """Until the client has been without a connection for too long."""
        misses = 0
        while misses < _MOST_MISSES:
            await asyncio.sleep(self.client.access.ping_interval)
            misses = 0 if await socket.is_connected() else misses + 1
            if not misses and self._was_away:
                self._was_away = False
                await self.on_return()
