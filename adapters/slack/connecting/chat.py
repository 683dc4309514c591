"""The chat port for Slack: the connection, over which the requests of workspaces come."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from http import HTTPStatus

import structlog
from aiohttp import web
from aiolimiter import AsyncLimiter
from slack_bolt.adapter.aiohttp import to_aiohttp_response
from slack_bolt.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackClientError
from slack_sdk.signature import SignatureVerifier

from adapters.bounds import Memory, receive_whole, trust
from adapters.chat.dispatcher import Dispatcher
from adapters.chat.interactions import InteractionQueue
from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Rhythm
from adapters.slack.acting.payloads import find_id, find_person
from adapters.slack.connecting.installations import SlackInstallations, SlackOAuth
from adapters.slack.connecting.manifest import EVENTS_PATH, INSTALL_PATH, REDIRECT_PATH
from adapters.slack.connecting.oauth import build_flow
from adapters.slack.connecting.socket import SocketMode
from adapters.slack.connecting.workspace import SlackWorkspace
from adapters.slack.connecting.workspaces import InstalledWorkspaces, OneWorkspace, find_place
from adapters.slack.reading.files import download_file
from adapters.slack.web_api.client import PLATFORM, Json, SlackAccess, SlackClient
from adapters.slack.web_api.errors import NO_ANSWER
from adapters.slack.web_api.limits import SlackLimits, take_if_free
from pipeline.domain import Blob, Event, Incoming, Link, LocalizedText, Reply, RunId, Thread
from pipeline.errors import (
    ChatError,
    FetchError,
    FetchUnavailable,
    RequestError,
    SettingsError,
    cause,
    is_passing,
)
from pipeline.ports import Listener

_MAX_REQUEST = 1 << 20
"""Bytes; a click brings its whole message, encoded twice."""
_REQUESTS_IN_MEMORY = 8 << 20
"""Bytes of long ones together."""
_MAX_ADDRESS_CHECK = 4096
"""Bytes of a request that needs no signature."""
_SMALL = 1 << 16
"""Bytes whose signature is checked sooner than a thread is called."""
_COMPLAIN_SECONDS = 60
"""How often the log says that requests are not signed; anybody may send them."""
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")

log = structlog.get_logger()


class SlackChat:
    """The workspace of a bot token, or all workspaces in which the app is installed by OAuth."""

    platform = PLATFORM

    def __init__(
        self,
        access: SlackAccess,
        ports: ChatPorts,
        rhythm: Rhythm | None = None,
        limits: SlackLimits | None = None,
        oauth: SlackOAuth | None = None,
    ) -> None:
        """Raises SettingsError if OAuth's secret key is malformed."""
        self.access, self._ports = access, ports
        self._memory = Memory(_REQUESTS_IN_MEMORY)
        self._complaints = AsyncLimiter(1, _COMPLAIN_SECONDS)
        self._app: AsyncApp | None = None
        self._socket: SocketMode | None = None
        self._flow: AsyncOAuthFlow | None = None
        self._workspaces: OneWorkspace | InstalledWorkspaces
        make = partial(SlackWorkspace, ports=ports, rhythm=rhythm or Rhythm())
        client = SlackClient(access, limits or SlackLimits())
        if oauth is None:
            self._workspaces = OneWorkspace(make(client))
        else:
            store = SlackInstallations(oauth)
            self._workspaces = InstalledWorkspaces(make, client, store)
            self._flow = build_flow(oauth, store, client.web)

    def routes(self) -> tuple[web.RouteDef, ...]:
        """The routes that the web server adds: for requests in HTTP mode, and for OAuth."""
        requests = (web.post(EVENTS_PATH, self._handle),) if self.access.http else ()
        if self._flow is None:
            return requests
        begin, finish = self._flow.handle_installation, self._flow.handle_callback
        return (
            *requests,
            web.get(INSTALL_PATH, partial(self._show, begin)),
            web.get(REDIRECT_PATH, partial(self._show, finish)),
        )

    async def listen(self, listener: Listener) -> None:
        """Raises SettingsError if Slack rejects a token, at the start or later."""
        workspaces, client = self._workspaces, self._workspaces.client
        async with client.keep_connections():
            await workspaces.check()
            address = "" if self.access.http else await client.open_socket()
            try:
                async with asyncio.TaskGroup() as tasks:
                    app = await workspaces.open(listener, self._make_queue(tasks), tasks)
                    tasks.create_task(self._watch_tokens())
                    if self.access.http:
                        self._app = app
                    else:
                        self._socket = SocketMode(app, workspaces, address)
                        tasks.create_task(self._socket.hold())
            except* SettingsError as group:
                raise (cause(group) or group) from group
            finally:
                self._app = self._socket = None
                workspaces.close()

    async def is_connected(self) -> bool:
        if self._socket is not None:
            return await self._socket.is_connected()
        return self._app is not None  # whether Slack reaches us over HTTP, nothing tells

    async def _watch_tokens(self) -> None:
        """Check the bots' tokens every minute, and when a token is rejected or revoked."""
        client = self._workspaces.client
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(client.limits.token_seconds):
                    await client.token_lost.wait()
            await self._workspaces.check_tokens()
            client.token_lost.clear()

    # --- commands and clicks, of whichever workspace ---

    def _make_queue(self, tasks: asyncio.TaskGroup) -> InteractionQueue:
        return InteractionQueue(
            platform=PLATFORM,
            interactions=self._ports.interactions,
            dispatcher=Dispatcher(tasks, self._ports.outage),
            find_id=find_id,
            find_person=find_person,
            execute=self._execute,
            send=self._send,
            notify=self._notify,
            first_wait=self._workspaces.client.limits.retry_seconds,
        )

    async def _execute(self, payload: Json) -> Reply:
        workspace = await self._workspaces.find(*find_place(payload))
        return await workspace.interactions.execute(payload)

    async def _send(self, payload: Json, reply: Reply) -> None:
        workspace = await self._workspaces.find(*find_place(payload))
        await workspace.interactions.send(payload, reply)

    async def _notify(self, payload: Json, sentence: LocalizedText) -> None:
        with suppress(RequestError):
            workspace = await self._workspaces.find(*find_place(payload))
            await workspace.interactions.notify(payload, sentence)

    # --- messages ---

    async def download(self, link: Link) -> Blob:
        try:
            workspace = await self._workspaces.find(link.workspace)
        except ChatError as error:
            if is_passing(error):
                raise FetchUnavailable("slack-unreachable", method="files") from error
            raise FetchError("slack-file-gone", name=link.name) from error
        return await download_file(link, workspace.client, self._ports.fetch)

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:
        workspace = await self._workspaces.find(thread.channel.workspace)
        return await workspace.history(thread, before=before, most=most)

    async def reread(self, message: Incoming) -> Incoming | None:
        workspace = await self._workspaces.find(message.thread.channel.workspace)
        return await workspace.reread(message)

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        workspace = await self._workspaces.find(message.thread.channel.workspace)
        await workspace.follow(message, run, events)

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:
        with suppress(RequestError):
            workspace = await self._workspaces.find(message.thread.channel.workspace)
            await workspace.notify(message, run, sentence)

    async def _handle(self, request: web.Request) -> web.Response:
        """Handle a request from Slack. Nothing of it is parsed before its signature is checked."""
        if self._app is None:
            return web.Response(status=503, text="not listening yet")
        is_signed = _SIGNATURE.fullmatch(request.headers.get("X-Slack-Signature", ""))
        whole = receive_whole(request, _MAX_REQUEST if is_signed else _MAX_ADDRESS_CHECK)
        async with whole as content, self._memory.hold(content) as body:
            return await self._answer(self._app, request, body)

    async def _answer(self, app: AsyncApp, request: web.Request, body: bytes) -> web.Response:
        if _is_address_check(body):
            return web.Response()
        verifier = SignatureVerifier(self.access.signing_secret)
        verify = partial(verifier.is_valid_request, body, dict(request.headers))
        try:
            if not (verify() if len(body) < _SMALL else await asyncio.to_thread(verify)):
                if await take_if_free(self._complaints):
                    log.warning("request not signed by slack: wrong SLACK_SIGNING_SECRET or clock?")
                return web.Response(status=HTTPStatus.UNAUTHORIZED)
            bolt_request = _to_bolt(request, body.decode())
        except (AttributeError, RecursionError, TypeError, ValueError):
            return web.Response(status=400, text="not a request of Slack's")
        trust(request)
        return await to_aiohttp_response(await app.async_dispatch(bolt_request))

    async def _show(
        self, page: Callable[[AsyncBoltRequest], Awaitable[BoltResponse]], request: web.Request
    ) -> web.Response:
        """A page of Bolt's OAuth flow, which calls Slack over our connections."""
        try:
            if self._workspaces.client.is_connected:
                return await to_aiohttp_response(await page(_to_bolt(request)))
            log.warning("slack app not installed: not listening yet")
        except (SlackClientError, RequestError, *NO_ANSWER):
            log.exception("slack app not installed")
        return web.Response(status=HTTPStatus.BAD_GATEWAY, text="Please try again in a minute.")


def _to_bolt(request: web.Request, body: str = "") -> AsyncBoltRequest:
    """Parse a request. Raises ValueError, RecursionError and others."""
    headers: dict[str, str | Sequence[str]] = dict(request.headers)
    return AsyncBoltRequest(body=body, query=request.query_string, headers=headers)


def _is_address_check(body: bytes) -> bool:
    """Whether Slack only checks the certificate of the address of a command."""
    return len(body) <= _MAX_ADDRESS_CHECK and b"ssl_check=1" in body.split(b"&")
