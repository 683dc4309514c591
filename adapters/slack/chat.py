"""The chat port for Slack: connection, history, downloads and answers."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
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

from adapters.chat.events import ChatPorts, Dispatcher
from adapters.chat.presenter import Presenter, Rhythm
from adapters.chat.rendering import BoardRenderer
from adapters.slack.blocks import LAYOUT
from adapters.slack.client import (
    APPS,
    LOST_TOKEN,
    SlackAccess,
    SlackClient,
    SlackGone,
    SlackLimits,
    SlackRefused,
)
from adapters.slack.interactions import SlackInteractions
from adapters.slack.listener import Reactions, SlackListener
from adapters.slack.messages import (
    PLATFORM,
    SPOKEN,
    Directory,
    download_file,
    is_by_bot,
    read_message,
)
from adapters.slack.replies import Asker, Replies
from adapters.slack.surface import SlackSurface
from pipeline.domain import (
    Answered,
    Apologised,
    Blob,
    Event,
    Incoming,
    Link,
    Reply,
    RunId,
    Thread,
)
from pipeline.errors import ChatError, SettingsError
from pipeline.ports import Listener
from pipeline.words import say

EVENTS_PATH = "/slack/events"
_MOST_HISTORY = 50
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
        self.access, self.ports, self.rhythm = access, ports, rhythm or Rhythm()
        self._client = SlackClient(access, limits or SlackLimits())
        self._reactions, self._directory = Reactions(self._client), Directory(self._client)
        self._replies = Replies(self._client, ports.ledger)
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
        await self._client.check_bot_token()
        address = "" if self.access.http else await self._client.open_socket()
        self._client.token_lost.clear()
        try:
            await self._listen(listener, address)
        except* SettingsError as group:
            raise group.exceptions[0] from group
        finally:
            self._app = None

    async def _listen(self, listener: Listener, address: str) -> None:
        client, directory, ports = self._client, self._directory, self.ports
        async with asyncio.TaskGroup() as tasks:
            dispatcher = Dispatcher(tasks)
            reactions = self._reactions
            events = SlackListener(
                listener, client, directory, reactions, self._replies, ports, dispatcher
            )
            interactions = SlackInteractions(
                listener, client, directory, self._replies, ports, dispatcher
            )
            app = build_app(client)
            events.register(app)
            interactions.register(app)
            await interactions.resume()
            await events.backfill()
            tasks.create_task(self._watch_token())
            if self.access.http:
                self._app = app
            else:
                socket = SocketMode(app, client, address, events.backfill)
                tasks.create_task(socket.hold())
            log.info("listening on slack", team=client.me.team, http=self.access.http)

    async def download(self, link: Link) -> Blob:
        return await download_file(link, self._client, self.ports.fetch)

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:
        if not self._client.me.user:
            await self._client.identify()
        earlier = [
            message
            async for message in self._client.read_thread(thread)
            if str(message["ts"]) < before
            and message.get("subtype") in SPOKEN
            and not is_by_bot(message, self._client.me)
        ]
        return [
            await read_message(self._directory, thread.channel.id, message)
            for message in earlier[-_MOST_HISTORY:]
        ]

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        if message.beside and not message.addressing.direct:
            await self._reply_privately(message, run, events)
            return
        renderer = BoardRenderer(LAYOUT, message.person.locale)
        surface = SlackSurface(
            self._client,
            self.ports.ledger,
            message.thread,
            run,
            renderer.locale,
            person=message.person,
        )
        presenter = Presenter(
            run, surface, renderer, self.ports, self.rhythm, message.addressing.is_overheard
        )
        try:
            await presenter.follow(events)
        except SlackGone:
            await self._reactions.react("reactions.add", message, "warning")  # the last resort
            raise
        finally:
            await self._reactions.clear(message)

    async def _reply_privately(
        self, message: Incoming, run: RunId, events: AsyncIterator[Event]
    ) -> None:
        """Show the reply to a command in a message to its author only."""
        try:
            async for event in events:
                match event:
                    case Answered(answer):
                        text = answer.text
                    case Apologised(reason):
                        text = say(message.person.locale, reason)
                    case _:
                        continue
                # Slack shows private messages only in threads that have replies.
                root = message.thread.root if message.id != message.thread.root else ""
                thread = Thread(message.thread.channel, root)
                await self._replies.send(Asker(run, message.person, thread), Reply(text))
        finally:
            await self._reactions.withdraw(message)

    async def _watch_token(self) -> None:
        """Check the bot's token every minute, and when a token is rejected or revoked."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._client.limits.token_seconds):
                    await self._client.token_lost.wait()
            try:
                await self._client.call("auth.test", tries=1)
            except ChatError as error:
                if isinstance(error, SlackRefused) and error.code in LOST_TOKEN:
                    raise SettingsError("slack-revoked", link=APPS) from error
            self._client.token_lost.clear()

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


def build_app(client: SlackClient) -> AsyncApp:
    """A Bolt app without listeners. A request is acknowledged once its listener has returned."""
    bot = AuthorizeResult(
        enterprise_id=None,
        team_id=client.me.team,
        bot_token=client.access.bot_token,
        bot_id=client.me.bot,
        bot_user_id=client.me.user,
    )

    async def authorize(**_: object) -> AuthorizeResult:
        return bot

    logger = logging.getLogger("troupe.slack")
    logger.setLevel(logging.WARNING)  # lower levels log people's messages
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
    """Acknowledge requests without a listener; let Slack retry those whose listener failed."""
    if isinstance(error, BoltUnhandledRequestError):
        return BoltResponse(status=200)
    log.error("slack request failed", exc_info=error)
    return BoltResponse(status=500)


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
