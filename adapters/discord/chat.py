"""The chat port for Discord: connection, history, downloads and answers."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import discord
import structlog

from adapters.chat.ports import ChatPorts
from adapters.chat.presenter import Presenter
from adapters.chat.rendering import BoardRenderer
from adapters.discord.client import (
    FEWEST_INTENTS,
    INTENTS,
    DiscordClient,
    DiscordTimes,
    has_message_content,
)
from adapters.discord.connecting.registration import register_commands
from adapters.discord.reading.downloads import download_file
from adapters.discord.reading.messages import SPOKEN, is_readable
from adapters.discord.reading.threads import find_thread
from adapters.discord.showing.markdown import LAYOUT, escape
from adapters.discord.showing.webhook import find_webhook
from adapters.discord.surface import DiscordSurface
from adapters.discord.web_api.addresses import PORTAL, Addresses, point_library_at
from adapters.discord.web_api.calls import make_nonce, retry_call
from adapters.discord.web_api.errors import UNKNOWN, find_code
from adapters.discord.web_api.rooms import PLATFORM, find_channel, find_room, parse_id, read_history
from adapters.network.rule import DIRECT, Network
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
from pipeline.errors import ChatError, ChatGone, ChatRefused, FetchError, cause
from pipeline.ports import Listener
from pipeline.words import say

log = structlog.get_logger()


@dataclass(slots=True)
class DiscordChat:
    """All servers that the bot was invited to."""

    token: str = field(repr=False)
    ports: ChatPorts
    addresses: Addresses
    times: DiscordTimes = field(default_factory=DiscordTimes)
    max_download: int = 100 << 20
    network: Network = DIRECT
    _client: DiscordClient | None = None
    _online: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def platform(self) -> str:
        return PLATFORM

    async def listen(self, listener: Listener) -> None:
        """Raises SettingsError if Discord rejects the token, at the start or later."""
        point_library_at(self.addresses)
        client = await retry_call(self._log_in)
        try:
            await self._register(client, listener.commands)
            self._client = client
            await client.listen(listener, self.ports, self.download)
        except ExceptionGroup as group:
            raise (cause(group) or group) from group
        finally:
            self._online.clear()
            await client.close()

    async def is_connected(self) -> bool:
        shards = self._client.shards.values() if self._client else ()
        return bool(shards) and not any(shard.is_closed() for shard in shards)

    async def download(self, link: Link) -> Blob:
        hosts, limit = frozenset(self.addresses.cdn_hosts), self.max_download
        return await download_file(link, self.ports.fetch, hosts, limit, self._client)

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:
        client = await self._wait_until_online()
        room = find_room(client, thread.root or thread.channel.id)
        if room is None or (
            thread.root and not isinstance(room, discord.Thread | discord.DMChannel)
        ):
            return ()
        until = discord.Object(int(before)) if before.isdigit() else None
        try:
            messages = await read_history(room, limit=most, before=until)
        except ChatGone:
            return ()
        written = map(_find_written, reversed(messages))
        by_others = (each for each in written if each is not None and each.author != client.user)
        async with asyncio.TaskGroup() as tasks:
            reading = [tasks.create_task(_read(each, thread, client)) for each in by_others]
        return [task.result() for task in reading]

    async def reread(self, message: Incoming) -> Incoming | None:
        client, thread, id_ = await self._wait_until_online(), message.thread, parse_id(message.id)
        if id_ is None:  # it stands for a command
            return message
        # A root stands in the channel, or begins a post in a forum; others stand in the thread or
        # in the channel's chain of replies.
        guild, places = parse_id(thread.channel.workspace), (thread.root, thread.channel.id)
        for place in dict.fromkeys(places[::-1] if message.id == thread.root else places):
            unknown = client.get_partial_messageable(int(place), guild_id=guild)
            room = find_room(client, place) or unknown
            try:
                found = await retry_call(partial(room.fetch_message, id_))
                return await client.read_whole(found, thread)
            except FetchError:
                return message
            except ChatGone as gone:
                if find_code(gone) not in UNKNOWN:
                    return message
        return None

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        """Follow a run; words that Discord refuses are replaced with a sentence that says so."""
        client = await self._wait_until_online()
        webhook = await find_webhook(client, self.ports.cache, message)
        surface = DiscordSurface(client, self.ports.ledger, message, run, webhook=webhook)
        renderer = BoardRenderer(LAYOUT, message.person.locale)
        presenter = Presenter(
            run, surface, renderer, self.ports, self.times.rhythm, message.addressing.is_overheard
        )
        try:
            await presenter.follow(events)
        except ChatRefused as refused:
            await presenter.follow(_end_with(Apologised(refused.sentence, run[:8])))

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:
        client, thread = self._client, message.thread
        words, nonce = escape(say(message.asker.locale, sentence)), make_nonce(f"{run}:wait")
        if client is None:
            return
        try:
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
        client = DiscordClient(self.times, self._online, self.network, intents)
        try:
            await client.login(self.token)
        except BaseException:
            await client.close()
            raise
        return client

    async def _wait_until_online(self) -> DiscordClient:
        await self._online.wait()
        if self._client is None:
            raise ChatError("discord-unreachable")
        return self._client


async def _end_with(event: Event) -> AsyncIterator[Event]:
    yield event


async def _read(message: discord.Message, thread: Thread, client: DiscordClient) -> Incoming:
    """An earlier message of a thread; of a channel, if the thread has no root.

    One that begins a thread is read without its files, which belong to it.
    """
    if thread.root:
        return await client.try_to_read_whole(message, thread)
    own = find_thread(message.channel, message.id)
    incoming = await client.try_to_read_whole(message, own)
    return replace(incoming, files=()) if message.flags.has_thread else incoming


def _find_written(message: discord.Message) -> discord.Message | None:
    """The message, if somebody wrote it; for the notice that begins a thread, the thread's root."""
    if message.type is discord.MessageType.thread_starter_message and message.reference:
        root = message.reference.resolved
        return root if isinstance(root, discord.Message) else None
    return message if message.type in SPOKEN and is_readable(message) else None
