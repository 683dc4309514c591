"""The chat port for Discord: everything that the bot does there, on one connection."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import discord
import structlog

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Presenter
from adapters.chat.rendering import BoardRenderer
from adapters.discord.acting.listener import DiscordListener
from adapters.discord.connecting.client import (
    FEWEST_INTENTS,
    INTENTS,
    DiscordClient,
    has_message_content,
)
from adapters.discord.connecting.registration import register_commands
from adapters.discord.connecting.times import DiscordTimes
from adapters.discord.reading.files import download_file
from adapters.discord.reading.reader import MessageReader
from adapters.discord.showing.markdown import LAYOUT, escape
from adapters.discord.showing.surface import DiscordSurface
from adapters.discord.showing.targets import Targets
from adapters.discord.showing.webhook import find_webhook
from adapters.discord.web_api.calls import make_nonce, retry_call
from adapters.discord.web_api.errors import PORTAL
from adapters.discord.web_api.library import Addresses, point_library_at
from adapters.discord.web_api.rooms import PLATFORM, find_channel, find_room
from adapters.discord.web_api.servers import Servers
from adapters.network.proxies import DIRECT, Network
from pipeline.background import run_beside
from pipeline.domain import (
    Apologised,
    Blob,
    Command,
    Event,
    Incoming,
    Link,
    LocalizedText,
    RunId,
    Thread,
)
from pipeline.errors import ChatError, ChatRefused, cause
from pipeline.ports import Listener
from pipeline.words import say

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Session:
    """One connection, from login to logout, and what lasts as long."""

    client: DiscordClient
    reader: MessageReader
    targets: Targets
    servers: Servers


@dataclass(slots=True, kw_only=True)
class DiscordChat:
    """All servers that the bot was invited to."""

    token: str = field(repr=False)
    ports: ChatPorts
    addresses: Addresses
    times: DiscordTimes = field(default_factory=DiscordTimes)
    max_download: int = 100 << 20
    network: Network = DIRECT
    _session: _Session | None = None
    _online: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while answers can be posted."""

    @property
    def platform(self) -> str:
        return PLATFORM

    async def listen(self, listener: Listener) -> None:
        """Raises SettingsError if Discord rejects the token, at the start or later."""
        point_library_at(self.addresses)
        client = await retry_call(self._log_in)
        try:
            await self._register(client, listener.commands)
            await self._pass_events(client, listener)
        except ExceptionGroup as group:
            raise (cause(group) or group) from group
        finally:
            self._online.clear()
            await client.close()

    async def _pass_events(self, client: DiscordClient, listener: Listener) -> None:
        reader, targets = MessageReader(client, self.download), Targets(client, self.times.opening)
        servers = Servers(client, client.shards_held.is_heard)
        client.shards_held.online = self._online
        self._session = _Session(client, reader, targets, servers)
        async with asyncio.TaskGroup() as tasks:
            dispatcher = Dispatcher(tasks, self.ports.outage)
            events = DiscordListener(
                client=client,
                listener=listener,
                ports=self.ports,
                dispatcher=dispatcher,
                reader=reader,
                targets=targets,
                servers=servers,
                pause=self.times.backfill,
                online=self._online,
            )
            events.attach()
            try:
                async with run_beside(events.watch()):
                    await client.stay_connected()
            finally:
                dispatcher.tasks = None

    async def is_connected(self) -> bool:
        return self._session is not None and self._session.client.shards_held.is_connected

    async def download(self, link: Link) -> Blob:
        client = self._session.client if self._session else None
        hosts, limit = frozenset(self.addresses.cdn_hosts), self.max_download
        return await download_file(link, self.ports.fetch, hosts, limit, client)

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:
        session = await self._wait_until_online()
        await session.servers.meet(thread)
        return await session.reader.read_earlier(thread, before=before, most=most)

    async def reread(self, message: Incoming) -> Incoming | None:
        session = await self._wait_until_online()
        await session.servers.meet(message.thread, message.id)
        return await session.reader.reread(message)

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        """Follow a run; words that Discord refuses are replaced with a sentence that says so."""
        session = await self._wait_until_online()
        await session.servers.meet(message.thread, message.id)
        surface = DiscordSurface(
            client=session.client,
            calls=session.client.calls,
            targets=session.targets,
            ledger=self.ports.ledger,
            message=message,
            run=run,
            webhook=await find_webhook(session.client, self.ports.cache, message),
        )
        presenter = Presenter(
            run=run,
            surface=surface,
            renderer=BoardRenderer(LAYOUT, message.person.locale),
            ports=self.ports,
            rhythm=self.times.rhythm,
            may_be_silent=message.addressing.is_overheard,
        )
        try:
            await presenter.follow(events)
        except ChatRefused as refused:
            await presenter.follow(_end_with(Apologised(refused.sentence, run[:8])))

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:
        if self._session is None:
            return
        client, thread = self._session.client, message.thread
        words, nonce = escape(say(message.asker.locale, sentence)), make_nonce(f"{run}:wait")
        try:
            await self._session.servers.meet(thread, message.id)
            room = find_room(client, thread.root) or await find_channel(client, thread)
            if room is not None:
                await retry_call(lambda: room.send(words, nonce=nonce))
        except ChatError as error:
            log.info("not notified", error=str(error))

    async def _register(self, client: DiscordClient, commands: Sequence[Command]) -> None:
        try:
            async with asyncio.timeout(self.times.registering):
                await register_commands(client, commands)
        except TimeoutError:
            log.warning("discord lets the commands wait: they stay as they were")

    async def _log_in(self) -> DiscordClient:
        """Log in; without the intent for all messages if the application has not got it."""
        client = await self._try_to_log_in(INTENTS)
        if has_message_content(client):
            return client
        log.warning("discord hides messages without a mention", link=PORTAL)
        await client.close()
        return await self._try_to_log_in(FEWEST_INTENTS)

    async def _try_to_log_in(self, intents: discord.Intents) -> DiscordClient:
        client = DiscordClient(self.times, self.network, intents, self.ports)
        try:
            await client.login(self.token)
        except BaseException:
            await client.close()
            raise
        return client

    async def _wait_until_online(self) -> _Session:
        await self._online.wait()
        if self._session is None:
            raise ChatError("discord-unreachable")
        return self._session


async def _end_with(event: Event) -> AsyncIterator[Event]:
    yield event
