"""Which conversation a message belongs to, and where its answer may go."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeGuard
from weakref import WeakValueDictionary

import discord
import structlog
from cachetools import TTLCache

from adapters.discord.calls import THREAD_EXISTS, find_code, retry_call
from adapters.discord.messages import (
    DIRECT,
    find_replied_to,
    find_thread,
    hide_spoilers,
    read_files,
)
from pipeline.domain import Incoming, Link, LocalizedText, Thread
from pipeline.errors import ChatError, ChatGone, ChatRefused
from pipeline.text import shorten
from pipeline.words import say

_LONGEST_NAME, _LONGEST_CHAIN = 80, 25
_MOST_KEPT, _SECONDS = 10_000, 60
_ARCHIVE_AFTER: Final = 1440
"""Minutes."""
_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)
Room = (
    discord.TextChannel
    | discord.Thread
    | discord.VoiceChannel
    | discord.StageChannel
    | discord.DMChannel
    | discord.PartialMessageable
)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PostTarget:
    """A place where an answer may be posted."""

    room: Room | discord.Webhook
    reply_to: int | None = None
    is_aside: bool = False
    """Not where the person asked: what is posted here first says why."""

    @property
    def channel(self) -> int | None:
        """The channel's id: a webhook's own one is another."""
        return self.room.channel_id if isinstance(self.room, discord.Webhook) else self.room.id


@dataclass(slots=True)
class Threads:
    """Opens a thread on a message, once: when the message is accepted or its answer begins."""

    seconds: float
    """How long opening one may take; the answer is then posted elsewhere."""
    _opened: TTLCache[int, discord.Thread | None] = field(
        default_factory=lambda: TTLCache(_MOST_KEPT, _SECONDS)
    )
    _locks: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def open(self, channel: Room | None, message: Incoming) -> discord.Thread | None:
        """The thread on a message, which has its id; None if the bot may not open one."""
        root = parse_id(message.thread.root)
        if root is None or not has_threads(channel):
            return None
        async with self._locks.setdefault(root, asyncio.Lock()):
            if root not in self._opened:
                thread = None
                with suppress(TimeoutError):
                    async with asyncio.timeout(self.seconds):
                        thread = await _open_thread(channel, root, message)
                self._opened[root] = thread
            return self._opened.get(root)

    async def find_targets(
        self, client: discord.Client, message: Incoming
    ) -> AsyncIterator[PostTarget]:
        """Where to post the answer, best first: the thread, a reply, a direct message.

        Permissions are not checked, as the known ones may be out of date: try each place. What was
        asked in a private thread is not answered in its channel.
        """
        id_, thread = parse_id(message.id), message.thread
        inside = find_room(client, thread.root)
        channel = await find_channel(client, thread)
        if inside is not None:
            yield PostTarget(inside, id_)
            if channel not in (None, inside) and not thread.closed:
                yield PostTarget(channel, parse_id(thread.root), is_aside=True)
        elif channel is not None:
            if opened := await self.open(channel, message):
                yield PostTarget(opened)
            yield PostTarget(channel, id_ or parse_id(thread.root))
        person = parse_id(message.person.id)
        if person is not None and (channel is None or thread.channel.workspace != DIRECT):
            with suppress(ChatGone):
                direct = await retry_call(lambda: client.create_dm(discord.Object(person)))
                yield PostTarget(direct, is_aside=True)


def parse_id(text: str) -> int | None:
    """A Discord id; None for the ids of messages that stand for a command or a retry."""
    return int(text) if text.isascii() and text.isdigit() else None


def find_room(client: discord.Client, id_: str) -> Room | None:
    """A channel or thread from the library's cache."""
    number = parse_id(id_)
    room = client.get_channel(number) if number is not None else None
    return room if isinstance(room, Room) else None


async def find_channel(client: discord.Client, thread: Thread) -> Room | None:
    """A thread's channel. Some are fetched, as Discord announces no direct channels."""
    id_ = int(thread.channel.id)
    room: object = client.get_channel(id_)
    if room is None:
        with suppress(ChatGone):
            room = await retry_call(lambda: client.fetch_channel(id_))
    return room if isinstance(room, Room) else None


async def read_history(room: Room, **where: Any) -> Sequence[discord.Message]:  # noqa: ANN401 - the library's own
    """The messages of `room.history`. Raises ChatGone if the bot may not read them."""

    async def read() -> Sequence[discord.Message]:
        return [message async for message in room.history(**where)]

    return await retry_call(read)


def has_threads(channel: Room | None) -> TypeGuard[discord.TextChannel]:
    """Whether a channel has threads; not if the bot may open one but not post in it."""
    if not isinstance(channel, discord.TextChannel) or channel.type not in _WITH_THREADS:
        return False
    known = channel.permissions_for(channel.guild.me)
    return known.send_messages_in_threads or not known.create_public_threads


async def find_thread_of(message: discord.Message) -> Thread:
    """The conversation that a message belongs to.

    Outside a thread, a message that replies to the bot belongs to a chain of replies; the chain's
    first message is the root.
    """
    root, guild = message, message.guild
    if guild and not isinstance(message.channel, discord.Thread):
        async for above in _read_above(message):
            if root is message and above.author != guild.me:
                break
            root = above
    return find_thread(message.channel, root.id)


async def find_files_above(message: discord.Message) -> tuple[Link, ...]:
    """The files of the nearest message that has some, in the chain of replies above a message."""
    async for above in _read_above(message):
        if files := read_files(above, previews=True):
            return files
    return ()


async def _read_above(message: discord.Message) -> AsyncIterator[discord.Message]:
    """The chain of replies above a message, upwards."""
    for _ in range(_LONGEST_CHAIN):
        above = await _fetch_replied_to(message)
        if above is None:
            break
        yield (message := above)


async def _fetch_replied_to(message: discord.Message) -> discord.Message | None:
    original, reference = find_replied_to(message), message.reference
    is_reply = message.type is discord.MessageType.reply
    if original is not None or not is_reply or reference is None or reference.message_id is None:
        return original
    with suppress(ChatError):
        return await retry_call(partial(message.channel.fetch_message, reference.message_id))
    return None


async def _open_thread(
    channel: discord.TextChannel, root: int, message: Incoming
) -> discord.Thread | None:
    locale, args = message.person.locale, {"name": message.person.name}
    default = say(locale, LocalizedText("discord-thread", args))
    name = shorten(hide_spoilers(message.text), _LONGEST_NAME) or default
    target = channel.get_partial_message(root)
    try:
        return await retry_call(
            lambda: target.create_thread(name=name, auto_archive_duration=_ARCHIVE_AFTER)
        )
    except (ChatGone, ChatRefused) as error:
        if find_code(error) != THREAD_EXISTS:
            log.info("no thread opened", problem=str(error))
            return None
    thread = await retry_call(lambda: channel.guild.fetch_channel(root))
    return thread if isinstance(thread, discord.Thread) else None
