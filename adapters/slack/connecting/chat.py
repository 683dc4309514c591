"""The chat port for Slack: passes what comes over the connection to the workspace it is for."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from functools import partial

from aiohttp import web

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.interactions import InteractionQueue
from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Rhythm
from adapters.slack.acting.payloads import find_id, find_person
from adapters.slack.connecting.endpoint import EventsEndpoint
from adapters.slack.connecting.installations import SlackInstallations, SlackOAuth
from adapters.slack.connecting.manifest import EVENTS_PATH
from adapters.slack.connecting.oauth import make_pages
from adapters.slack.connecting.socket import SocketMode
from adapters.slack.connecting.workspace import SlackWorkspace
from adapters.slack.connecting.workspaces import InstalledWorkspaces, OneWorkspace, find_place
from adapters.slack.reading.files import download_file
from adapters.slack.web_api.client import PLATFORM, Json, SlackAccess, SlackClient
from adapters.slack.web_api.limits import SlackLimits
from adapters.slack.web_api.pauses import LimitPauses
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
from pipeline.ports import Listener, Topic


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
        self._endpoint = EventsEndpoint(access.signing_secret)
        self._socket: SocketMode | None = None
        self._pages: tuple[web.RouteDef, ...] = ()
        self._workspaces: OneWorkspace | InstalledWorkspaces
        make = partial(SlackWorkspace, ports=ports, rhythm=rhythm or Rhythm())
        limits = limits or SlackLimits(shared=ports.rate_limits).for_token(access.bot_token)
        client = SlackClient(access, limits, LimitPauses(ports.notifications))
        if oauth is None:
            self._workspaces = OneWorkspace(make(client))
        else:
            store = SlackInstallations(oauth)
            store.tell = partial(ports.notifications.publish, Topic.INSTALLATIONS)
            self._workspaces = InstalledWorkspaces(make, client, store)
            self._pages = make_pages(oauth, store, client, ports)

    def routes(self) -> tuple[web.RouteDef, ...]:
        """The routes that the web server adds: for requests in HTTP mode, and for OAuth."""
        requests = (web.post(EVENTS_PATH, self._endpoint.handle),) if self.access.http else ()
        return (*requests, *self._pages)

    async def listen(self, listener: Listener) -> None:
        """Raises SettingsError if Slack rejects a token, at the start or later."""
        workspaces, client = self._workspaces, self._workspaces.client
        hears = self._ports.notifications.subscribe
        async with client.keep_connections():
            await workspaces.check()
            address = "" if self.access.http else await client.open_socket()
            try:
                with (
                    hears(Topic.INSTALLATIONS, lambda _: workspaces.update()),
                    hears(Topic.PAUSES, client.pauses.hear),
                ):
                    await self._pass_events(listener, address)
            except* SettingsError as group:
                raise (cause(group) or group) from group
            finally:
                self._endpoint.app = self._socket = None
                workspaces.close()

    async def _pass_events(self, listener: Listener, address: str) -> None:
        workspaces = self._workspaces
        async with asyncio.TaskGroup() as tasks:
            app = await workspaces.open(listener, self._make_queue(tasks), tasks)
            tasks.create_task(self._watch_tokens())
            if self.access.http:
                self._endpoint.app = app
            else:
                self._socket = SocketMode(app, workspaces, address)
                tasks.create_task(self._socket.hold())

    async def is_connected(self) -> bool:
        if self._socket is not None:
            return await self._socket.is_connected()
        return self._endpoint.app is not None  # whether Slack reaches us over HTTP, nothing tells

    async def _watch_tokens(self) -> None:
        """Check the bots' tokens every minute, and when a token is rejected or revoked."""
        client = self._workspaces.client
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(client.limits.token_seconds):
                    await client.token_lost.wait()
            await self._workspaces.check_tokens()
            client.token_lost.clear()

    def _make_queue(self, tasks: asyncio.TaskGroup) -> InteractionQueue:
        return InteractionQueue(
            platform=PLATFORM,
            interactions=self._ports.interactions,
            leases=self._ports.leases,
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
