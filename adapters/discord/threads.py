"""Which conversation a message belongs to, and where its answer goes."""

import asyncio
from dataclasses import dataclass, field
from typing import Final, TypeGuard
from weakref import WeakValueDictionary

import discord
import structlog
from cachetools import TTLCache

from adapters.discord.allowed import allowed
from adapters.discord.errors import THREAD_EXISTS, code_of, persistently
from adapters.discord.hearing import DIRECT, answered_message, thread_in
from adapters.discord.posting import Room, Spot
from adapters.discord.turns import Rank, Turns
from pipeline.domain import Incoming, Sentence, Thread
from pipeline.errors import ChatError, ChatGone
from pipeline.text import shortened
from pipeline.words import say

log = structlog.get_logger()

_NAME, _CHAIN = 80, 25
_REMEMBERED, _SECONDS = 10_000, 60
_KEPT_OPEN: Final = 1440
"""Minutes."""
_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)
_ROOMS = (
    discord.TextChannel,
    discord.Thread,
    discord.VoiceChannel,
    discord.StageChannel,
    discord.DMChannel,
)


@dataclass(slots=True)
class Threads:
    """Opens threads on asking messages: each once, by whoever comes first, the sign that a message was heard or its answer."""

    turns: Turns
    _opened: TTLCache[int, discord.Thread] = field(
        default_factory=lambda: TTLCache(_REMEMBERED, _SECONDS)
    )
    _opening: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def on(self, channel: Room | None, message: Incoming) -> discord.Thread | None:
        """The thread on the asking message, which has its id; None where it may not be."""
        root = _number(message.thread.root)
        if root is None or not _may_open(channel):
            return None
        async with self._opening.setdefault(root, asyncio.Lock()):
            known = self._opened.get(root)
            if known is None:
                await self.turns.take(Rank.NEEDED)
                known = await _open(channel, root, message)
            if known is not None:
                self._opened[root] = known
            return known


async def thread_of(message: discord.Message) -> Thread:
    """The conversation a message belongs to; an answer to the bot's answer goes on with that one."""
    return thread_in(message.channel, await root_of(message))


async def root_of(message: discord.Message) -> int:
    """Where no thread could be opened, replies make the conversation: up the chain to its first message."""
    if message.guild is None or isinstance(message.channel, discord.Thread):
        return message.channel.id
    root = message
    for _ in range(_CHAIN):
        above = await _above(root)
        if above is None:
            break
        mine = above.author == message.guild.me
        if root is message and not mine:
            return message.id
        root = above
    return root.id


async def _above(message: discord.Message) -> discord.Message | None:
    known = answered_message(message)
    reference = message.reference
    if known is not None or reference is None or reference.message_id is None:
        return known
    if message.type is not discord.MessageType.reply:
        return None
    number = reference.message_id
    try:
        return await persistently(lambda: message.channel.fetch_message(number))
    except ChatError:
        return None


async def spots(client: discord.Client, message: Incoming, threads: Threads) -> list[Spot]:
    """Where the answer may go, the best first: the thread; if that may not be, a reply."""
    thread = message.thread
    number = _number(message.id)
    after = number or _number(thread.root) or 0
    inside = _room(client, thread.root)
    channel = _room(client, thread.channel.id) or await _direct(client, message)
    if inside is not None:
        return [
            spot
            for spot in (Spot(inside, after, _replied_to(inside, number)),)
            if _may_write(inside)
        ]
    if channel is None:
        return []
    found: list[Spot] = []
    new = await threads.on(channel, message)
    found += [Spot(new, after)] if new else []
    if _may_write(channel):
        found.append(Spot(channel, after, _replied_to(channel, number or _number(thread.root))))
    return found


async def aside(client: discord.Client, message: Incoming) -> Spot | None:
    """The person's own conversation with the bot, for when it may not speak where it was asked."""
    number = _number(message.person.id)
    if number is None or message.thread.channel.workspace == DIRECT:
        return None
    try:
        person = await persistently(lambda: client.fetch_user(number))
        direct = await persistently(person.create_dm)
    except ChatError:
        return None
    return Spot(direct, _number(message.id) or 0)


async def _direct(client: discord.Client, message: Incoming) -> Room | None:
    """A direct conversation is not told of at the start, so it is asked for."""
    if message.thread.channel.workspace != DIRECT:
        return None
    number = int(message.thread.channel.id)
    try:
        found = await persistently(lambda: client.fetch_channel(number))
    except ChatGone:
        return None
    return found if isinstance(found, discord.DMChannel) else None


def _room(client: discord.Client, number: str) -> Room | None:
    known = client.get_channel(int(number)) if number.isdigit() else None
    return known if isinstance(known, _ROOMS) else None


def _number(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def _replied_to(room: Room, number: int | None) -> int | None:
    """Discord lets nobody reply who may not read what was said."""
    return number if allowed(room).read_message_history else None


def to_open(client: discord.Client, message: Incoming) -> discord.TextChannel | None:
    """Where a thread is to be opened on a message that was just heard."""
    if _room(client, message.thread.root) is not None:
        return None
    channel = _room(client, message.thread.channel.id)
    return channel if _may_open(channel) else None


def _may_open(channel: Room | None) -> TypeGuard[discord.TextChannel]:
    if not isinstance(channel, discord.TextChannel):
        return False
    may = allowed(channel)
    right = may.create_public_threads and may.send_messages_in_threads
    return right and channel.type in _WITH_THREADS


def _may_write(room: Room) -> bool:
    may = allowed(room)
    inside = isinstance(room, discord.Thread)
    return may.send_messages_in_threads if inside else may.send_messages


async def _open(
    channel: discord.TextChannel, root: int, message: Incoming
) -> discord.Thread | None:
    name = shortened(message.text, _NAME) or say(
        message.person.locale, Sentence("discord-thread", {"name": message.person.name})
    )
    asked = channel.get_partial_message(root)
    try:
        return await persistently(
            lambda: asked.create_thread(name=name, auto_archive_duration=_KEPT_OPEN)
        )
    except ChatGone:
        return None
    except ChatError as error:
        if code_of(error) != THREAD_EXISTS:
            log.info("no thread", problem=str(error))
            return None
    found = await persistently(lambda: channel.guild.fetch_channel(root))
    return found if isinstance(found, discord.Thread) else None
