"""The chat port for Slack: the connection, over which the requests of workspaces come."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog
from aiohttp import web
from slack_bolt.adapter.aiohttp import to_aiohttp_response, to_bolt_request
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.socket_mode.aiohttp import SocketModeClient

from adapters.chat.events import ChatPorts
from adapters.chat.presenter import Rhythm
from adapters.slack.client import APPS, SlackAccess, SlackClient, SlackLimits
from adapters.slack.messages import PLATFORM
from adapters.slack.workspace import SlackWorkspace
from pipeline.domain import Blob, Event, Incoming, Link, RunId, Thread
from pipeline.errors import SettingsError
from pipeline.ports import Listener

EVENTS_PATH = "/slack/events"
_MOST_MISSES = 3
"""Failed connection checks in a row until a client is replaced."""

log = structlog.get_logger()


class SlackChat:
    """One workspace."""

    def __init__(
        self,
        access: SlackAccess,
        ports: ChatPorts,
        rhythm: Rhythm | None = None,
        limits: SlackLimits | None = None,
    ) -> None:
        self.access = access
        rhythm, limits = rhythm or Rhythm(), limits or SlackLimits()
        self._workspace = SlackWorkspace(access, ports, rhythm, limits)
        self._app: AsyncApp | None = None

    @property
    def platform(self) -> str:
        return PLATFORM

    def routes(self) -> tuple[web.RouteDef, ...]:
        """HTTP mode's route for events, commands and clicks, which the web server adds."""
        return (web.post(EVENTS_PATH, self._handle),)

    async def listen(self, listener: Listener) -> None:
        """Raises SettingsError if Slack rejects a token, at the start or later."""
        if self.access.http and not self.access.signing_secret:
            raise SettingsError("slack-signing-secret-missing", link=APPS)
        client = self._workspace.client
        await client.check_bot_token()
        address = "" if self.access.http else await client.open_socket()
        client.token_lost.clear()
        try:
            await self._listen(listener, address)
        except* SettingsError as group:
            raise group.exceptions[0] from group
        finally:
            self._app = None

    async def _listen(self, listener: Listener, address: str) -> None:
        workspace = self._workspace
        async with asyncio.TaskGroup() as tasks:
            app = workspace.open(listener, tasks)
            await workspace.catch_up()
            tasks.create_task(workspace.watch_token())
            if self.access.http:
                self._app = app
            else:
                socket = SocketMode(app, workspace.client, address, workspace.backfill)
                tasks.create_task(socket.hold())

    async def download(self, link: Link) -> Blob:
        return await self._workspace.download(link)

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:
        return await self._workspace.history(thread, before=before)

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        await self._workspace.follow(message, run, events)

    async def _handle(self, request: web.Request) -> web.Response:
        """Handle a signed request from Slack."""
        if self._app is None:
            return web.Response(status=503, text="not listening yet")
        try:
            bolt_request = await to_bolt_request(request)
        except (AttributeError, TypeError, ValueError):  # parsed before its signature is checked
            return web.Response(status=400, text="not a request of Slack's")
        return await to_aiohttp_response(await self._app.async_dispatch(bolt_request))


# --- the connection ---


@dataclass(slots=True)
class SocketMode:
    """A Socket Mode connection that replaces its client when the client cannot reconnect.

    The SDK reconnects by itself, but always to the same address; its handshake may also hang for
    minutes, and two concurrent reconnects may leave no connection.
    """

    app: AsyncApp
    client: SlackClient
    address: str | None
    """Got when the app token was checked, and used once: Slack limits how many it gives out."""
    on_reconnect: Callable[[], Awaitable[None]]
    """Called when the connection is back after an outage."""
    _was_offline: bool = False

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
            log.warning("slack connection lost")
            self.client.token_lost.set()  # a lost token may be the reason
            self._was_offline = True

    async def _watch(self, socket: SocketModeClient) -> None:
        """Return once the client has been disconnected for too long."""
        misses = 0
        while misses < _MOST_MISSES:
            await asyncio.sleep(self.client.access.ping_interval)
            misses = 0 if await socket.is_connected() else misses + 1
            if not misses and self._was_offline:
                self._was_offline = False
                await self.on_reconnect()
