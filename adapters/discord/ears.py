"""What is heard in Discord, handed to the conversation as the project's own values."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import aiohttp
import discord
import structlog
from cachetools import LRUCache

from adapters.discord.allowed import allowed
from adapters.discord.client import Client
from adapters.discord.errors import persistently
from adapters.discord.hearing import (
    DIRECT,
    PLATFORM,
    answered_message,
    heard_of,
    is_talk,
    links_of,
    person_of,
    text_of,
    thread_in,
)
from adapters.discord.interactions import Desk
from adapters.discord.markup import escaped
from adapters.discord.posting import nonce_of
from adapters.discord.threads import Threads, thread_of, to_open
from adapters.discord.turns import Rank, Turns
from pipeline.domain import Incoming, Sentence, Thread
from pipeline.errors import ChatError, TroupeError
from pipeline.links import Sign, unsigned
from pipeline.ports import Fetch, Files, Ledger, Listener, MediaTools, Store
from pipeline.words import say

log = structlog.get_logger()

_EYES = "👀"
_MISSED, _REMEMBERED = 100, 10_000
_FEW, _MANY = 1, 5
"""Messages taken within a second up to which there is typing, and eyes beside a thread: in a rush one sign has to do."""


@dataclass(frozen=True, slots=True)
class DiscordPorts:
    """What the adapter needs of the rest of the program."""

    fetch: Fetch
    files: Files
    media: MediaTools
    ledger: Ledger
    store: Store
    sign: Sign = unsigned


@dataclass(slots=True)
class Ears:
    """Told by the library's client of everything it hears. `client` is set before anything is."""

    listener: Listener
    ports: DiscordPorts
    online: asyncio.Event
    absence: timedelta
    turns: Turns
    threads: Threads
    client: Client = field(init=False)
    _locales: LRUCache[int, str] = field(default_factory=lambda: LRUCache(_REMEMBERED))
    _lately: deque[float] = field(default_factory=lambda: deque(maxlen=_MANY))

    async def back(self) -> None:
        """Connected, perhaps after an absence: what was said meanwhile in conversations that go on is read up."""
        self.online.set()
        client = self.client
        since = datetime.now(UTC) - self.absence
        active = await self.ports.store.active_threads(PLATFORM, since=since)
        last: dict[tuple[str, str], int] = {}
        for thread, message in active:
            if not message.isdigit():
                continue
            for place in {thread.root, thread.channel.id}:
                key = (thread.channel.workspace, place)
                last[key] = max(last.get(key, 0), int(message))
        for (workspace, place), message_id in last.items():
            await self._read_up(client, workspace, place, message_id)

    async def _read_up(self, client: discord.Client, workspace: str, place: str, last: int) -> None:
        room = client.get_channel(int(place)) if place.isdigit() else None
        try:
            if room is None and workspace == DIRECT:
                room = await persistently(lambda: client.fetch_channel(int(place)))
            if not isinstance(room, discord.TextChannel | discord.Thread | discord.DMChannel):
                return
            await self.turns.take(Rank.MEANWHILE)
            missed = room.history(limit=_MISSED, after=discord.Object(last), oldest_first=True)
            for message in [said async for said in missed]:
                await self.heard(message)
        except (ChatError, discord.HTTPException) as error:
            log.info("could not read up", place=place, problem=str(error))

    async def heard(self, message: discord.Message) -> None:
        if not is_talk(message):
            return
        self.online.set()
        thread = await thread_of(message)
        incoming = await self.incoming(message, thread)
        try:
            taken = await self.listener.said(incoming)
        except TroupeError as error:
            await _refused(message, incoming, error.sentence)
        except Exception:  # the boundary of a message: whoever spoke to the bot is told
            reference = uuid4().hex[:8]
            log.exception("a message broke", reference=reference)
            await _refused(message, incoming, Sentence("apology-bug", {"reference": reference}))
        else:
            if taken is not None:
                self._acknowledge(message, incoming)

    async def changed(self, message: discord.Message) -> None:
        if not is_talk(message):
            return
        thread = await thread_of(message)
        await self.listener.edited(await self.incoming(message, thread))

    async def gone(self, place: int, guild: int | None, messages: set[int]) -> None:
        client = self.client
        room = client.get_channel(place) or client.get_partial_messageable(place, guild_id=guild)
        for number in sorted(messages):
            await self.listener.deleted(thread_in(room, number), str(number))

    async def used(self, interaction: discord.Interaction) -> None:
        self._locales[interaction.user.id] = str(interaction.locale)
        await Desk(self.listener, self.ports.files, self.turns).use(interaction)

    async def incoming(self, message: discord.Message, thread: Thread) -> Incoming:
        me = self.client.user
        if me is None:
            raise ChatError("discord-unreachable")
        above = answered_message(message)
        return Incoming(
            id=str(message.id),
            thread=thread,
            person=person_of(message.author, self._locale(message)),
            text=text_of(message, me.id),
            files=links_of(message),
            at=message.created_at,
            heard=heard_of(message, me),
            earlier=links_of(above) if above is not None else (),
        )

    def _acknowledge(self, message: discord.Message, incoming: Incoming) -> None:
        """Seen: its thread is opened; nothing that is heard waits for that."""
        channel = to_open(self.client, incoming)
        if channel is not None:
            self.client.begin(lambda: self._open(channel, incoming))
        self.client.begin(lambda: self._signal(message, alone=channel is None))

    async def _open(self, channel: discord.TextChannel, incoming: Incoming) -> None:
        await self.threads.on(channel, incoming)

    async def _signal(self, message: discord.Message, *, alone: bool) -> None:
        """Eyes on the message, and typing; in a rush only where there is no other sign."""
        may = allowed(message.channel)
        inside = isinstance(message.channel, discord.Thread)
        lately = self._taken_lately()
        if (alone or lately < _MANY) and may.add_reactions and may.read_message_history:
            await self._attempted(lambda: message.add_reaction(_EYES))
        may_write = may.send_messages_in_threads if inside else may.send_messages
        if lately < _FEW and may_write:
            await self._attempted(lambda: _type(message.channel))

    async def _attempted(self, call: Callable[[], Awaitable[None]]) -> None:
        """A courtesy: nobody misses much when it fails, or when there is no room for it."""
        if not self.turns.taken(Rank.COURTESY):
            return
        try:
            await call()
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("not acknowledged", problem=type(error).__name__)

    def _taken_lately(self) -> int:
        """How many messages were taken within the last second, before this one."""
        now = time.monotonic()
        count = sum(at > now - 1 for at in self._lately)
        self._lately.append(now)
        return count

    def _locale(self, message: discord.Message) -> str:
        """Messages carry no locale: the person's when they used a command before, else the server's."""
        known = self._locales.get(message.author.id)
        if known is not None:
            return known
        return str(message.guild.preferred_locale) if message.guild else "en"


async def _refused(message: discord.Message, incoming: Incoming, why: Sentence) -> None:
    """Why a message was not taken, where it was meant for the bot; once, however often it comes."""
    heard = incoming.heard
    if heard.mentioned or heard.direct or heard.replied_to_bot:
        words = escaped(say(incoming.person.locale, why))
        nonce = nonce_of(f"{message.id}:refused")
        await persistently(lambda: message.channel.send(words, nonce=nonce))


async def _type(place: discord.abc.Messageable) -> None:
    await place.typing()
