"""Passes Discord's events to the conversation, each once and in order."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import discord

from adapters.chat.backfill import Backfill
from adapters.chat.dispatcher import Args, Dispatcher
from adapters.chat.erasure import find_erasing
from adapters.chat.failures import contain
from adapters.chat.manners import is_expected
from adapters.chat.ports import ChatPorts
from adapters.chat.retrying import make_retrying
from adapters.discord.acting.confirmation import ask_before_erasing
from adapters.discord.acting.interactions import DiscordInteractions
from adapters.discord.reading.messages import SPOKEN, is_readable
from adapters.discord.reading.missed import find_time, make_id, name_place, read_rooms
from adapters.discord.reading.reader import MessageReader
from adapters.discord.reading.threads import find_thread
from adapters.discord.showing.markdown import escape
from adapters.discord.showing.signs import show_taken
from adapters.discord.showing.targets import Targets
from adapters.discord.web_api.calls import make_nonce, retry_call
from adapters.discord.web_api.library import Json, guard_events
from adapters.discord.web_api.rooms import PLATFORM
from adapters.discord.web_api.servers import Servers
from pipeline.domain import Incoming, LocalizedText
from pipeline.errors import ChatError, ChatGone, is_passing
from pipeline.outage import Tell
from pipeline.ports import Listener
from pipeline.words import say

_FIRST_WAIT = 1.0
"""Seconds before an event is handled again that Discord's being down interrupted."""
_SIDE_BY_SIDE = 16
"""Servers that are caught up with at the same time: enough for Discord's limit of calls."""
_DIRECT_SHARD = 0
"""The shard that gets the direct messages."""


@dataclass(slots=True, kw_only=True)
class DiscordListener:
    """Handles the events of a client. Its methods are named as discord.py names the events."""

    client: discord.AutoShardedClient
    listener: Listener
    ports: ChatPorts
    dispatcher: Dispatcher
    reader: MessageReader
    targets: Targets
    servers: Servers
    pause: float
    """Seconds before catching up is tried again."""
    online: asyncio.Event
    """Set once the servers are known, or a message shows that they are."""
    _interactions: DiscordInteractions = field(init=False)
    _backfill: Backfill = field(init=False)

    def __post_init__(self) -> None:
        self._interactions = DiscordInteractions(
            client=self.client,
            listener=self.listener,
            ports=self.ports,
            dispatcher=self.dispatcher,
            servers=self.servers,
        )
        self._backfill = Backfill(
            platform=PLATFORM,
            ports=self.ports,
            find_time=find_time,
            make_id=make_id,
            read_rooms=partial(read_rooms, self.client, self._take_missed),
            skip=lambda _, message: self.dispatcher.known.update({f"m{message}": True}),
            delete=self.listener.on_delete,
            pause=self.pause,
            side_by_side=_SIDE_BY_SIDE,
            noted=False,
        )

    def attach(self) -> None:
        """Make the client pass its events here."""
        guard_events(self.client, self._take_interaction)
        for handle in (
            self.on_message,
            self.on_raw_message_edit,
            self.on_raw_message_delete,
            self.on_raw_bulk_message_delete,
            self.on_guild_available,
            self.on_guild_join,
            self.on_shard_ready,
            self.on_shard_connect,
            self.on_shard_given_up,
        ):
            self.client.event(handle)

    async def watch(self) -> None:
        """Answer interactions that were interrupted, here or in a replica, until cancelled."""
        await self.online.wait()
        await self._interactions.watch()

    async def on_message(self, message: discord.Message) -> None:
        """Take a message, after those of its server that were written while we were away.

        While too many wait in memory, its place is read up later.
        """
        if not self._is_heard(message):
            return
        self.online.set()
        tell = partial(self._tell, message)
        if self.dispatcher.is_full:
            self._backfill.read_later(name_place(message.guild), self.dispatcher)
            self.dispatcher.start(tell, self.dispatcher.outage.notice)
        elif self._backfill.is_behind(name_place(message.guild)):
            self.dispatcher.start(self._take_in_order, message, tell)
        else:
            self._start(self._take_new, message, channel=message.channel.id, tell=tell)

    async def _take_in_order(self, message: discord.Message, tell: Tell) -> None:
        await self._backfill.wait_until_read(name_place(message.guild))
        self._start(self._take_new, message, channel=message.channel.id, tell=tell)

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        self._start(self._change_new, event.message, channel=event.channel_id)

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self._start(self._delete, event, {event.message_id}, channel=event.channel_id)

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        self._start(self._delete, event, event.message_ids, channel=event.channel_id)

    def _take_interaction(self, payload: Json) -> None:
        """Handle an interaction, given its JSON."""
        user = (payload.get("member") or payload)["user"]
        self.reader.learn_locale(int(user["id"]), str(payload.get("locale") or "en-US"))
        self.dispatcher.start(self._interactions.on_interaction, payload)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A new session knows a server, or its outage is over: messages were missed there."""
        self._backfill.suspend(name_place(guild))
        self.dispatcher.start(self._backfill.read, name_place(guild))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.on_guild_available(guild)

    async def on_shard_ready(self, shard_id: int) -> None:
        """The shard's servers are known. With that of the direct messages, some were missed."""
        self.online.set()
        if shard_id == _DIRECT_SHARD:
            self.dispatcher.start(self._backfill.read, name_place(None))

    async def on_shard_connect(self, shard_id: int) -> None:
        """A shard had no connection: the marks of its places wait until they are read up."""
        for guild in self.client.guilds:
            if guild.shard_id == shard_id:
                self._backfill.suspend(name_place(guild))
        if shard_id == _DIRECT_SHARD:
            self._backfill.suspend(name_place(None))

    async def on_shard_given_up(self, shard_id: int, guilds: Sequence[discord.Guild]) -> None:
        """Another replica has the shard, and reads up what is missed."""
        for guild in guilds:
            self._backfill.leave(name_place(guild))
        if shard_id == _DIRECT_SHARD:
            self._backfill.leave(name_place(None))

    def _start(
        self,
        handle: Callable[[*Args], Awaitable[object]],
        *args: *Args,
        channel: int,
        tell: Tell | None = None,
    ) -> None:
        """Handle an event, which Discord sends only once; while Discord is down, try again."""
        retry = make_retrying(_FIRST_WAIT, is_passing)
        self.dispatcher.start(retry, handle, *args, channel=channel, tell=tell)

    def _is_heard(self, message: discord.Message) -> bool:
        """Whether somebody else wrote a message; what bots write is context and never answered.

        One of a server that is not announced yet would count as a direct message; it is read when
        the server is.
        """
        is_by_other = message.author != self.client.user and message.type in SPOKEN
        is_placed = message.guild is not None or isinstance(message.channel, discord.DMChannel)
        return is_by_other and is_placed and is_readable(message)

    async def _take_new(self, message: discord.Message) -> None:
        """Take a message once, whether Discord sends it or it is read."""
        key = f"m{message.id}"
        if key not in self.dispatcher.known:
            await self._take(message)
            self.dispatcher.known[key] = True

    async def _take(self, message: discord.Message) -> None:
        incoming = await self.reader.read_new(message)
        if words := find_erasing(incoming, self.listener.commands):
            await ask_before_erasing(message, incoming, words, self.ports.ledger)
            return
        run = await contain(self.listener.on_message(incoming))
        if isinstance(run, LocalizedText):
            await _tell_author(message, incoming, run, "no")
        elif run is not None:
            self.dispatcher.start(self._show_taken, message, incoming)
        await self._backfill.advance(name_place(message.guild), str(message.id))

    async def _show_taken(self, message: discord.Message, incoming: Incoming) -> None:
        if await is_expected(incoming, self.ports.chat_log):
            await show_taken(self.client, self.targets, message, incoming)

    async def _change_new(self, message: discord.Message) -> None:
        """Take an edit once; one that mentions the bot perhaps only now is a message, too."""
        key = f"e{message.id}:{message.edited_at}"
        is_edit = message.edited_at is not None and self._is_heard(message)
        if not is_edit or key in self.dispatcher.known:
            return
        edited = await self.reader.read_new(message)
        if edited.addressing.mentioned:  # a message is accepted once
            await self._take(message)
        await self.listener.on_edit(edited)
        self.dispatcher.known[key] = True

    async def _take_missed(self, message: discord.Message) -> None:
        """Take a message, and its edit if it was taken before that."""
        if not self._is_heard(message):
            return
        async with self.dispatcher.lock(message.channel.id):
            if f"m{message.id}" not in self.dispatcher.known:
                await self._find_rights(message)
            await contain(self._take_new(message))
            await contain(self._change_new(message))

    async def _find_rights(self, message: discord.Message) -> None:
        """Look up who wrote a message that was read: Discord tells no roles with it.

        Only where they count: for what is said to the bot, and for commands.
        """
        guild, author = message.guild, message.author
        if guild is None or isinstance(author, discord.Member) or message.webhook_id:
            return
        incoming = self.reader.read(message, find_thread(message.channel, message.id))
        words = incoming.bare_text.lower().partition(" ")[0]
        is_command = any(command.name == words for command in self.listener.commands)
        if is_command or not incoming.addressing.is_overheard:
            with suppress(ChatGone):
                message.author = await retry_call(partial(guild.fetch_member, author.id))

    async def _delete(
        self,
        event: discord.RawMessageDeleteEvent | discord.RawBulkMessageDeleteEvent,
        messages: set[int],
    ) -> None:
        channel, guild = event.channel_id, event.guild_id
        known = self.client.get_channel(channel)
        room = known or self.client.get_partial_messageable(channel, guild_id=guild)
        for id_ in sorted(messages):
            if run := await self.ports.ledger.find_run(f"{channel}/{id_}"):
                await self.listener.on_retract(run)
            else:
                await self.listener.on_delete(find_thread(room, id_), str(id_))

    async def _tell(self, message: discord.Message, sentence: LocalizedText) -> None:
        """Tell the author of a message something that concerns it, if it is meant for the bot."""
        incoming = self.reader.read(message, find_thread(message.channel, message.id))
        with suppress(ChatError):
            await _tell_author(message, incoming, sentence, "wait")


async def _tell_author(
    message: discord.Message, incoming: Incoming, sentence: LocalizedText, part: str
) -> None:
    """Say something about a message that is meant for the bot; the nonce prevents repeats.

    Raises ChatError.
    """
    if not incoming.addressing.is_overheard and not incoming.person.is_bot:
        words = escape(say(incoming.person.locale, sentence))
        nonce, about = make_nonce(f"{message.id}:{part}"), message.to_reference()
        await retry_call(lambda: message.channel.send(words, nonce=nonce, reference=about))
