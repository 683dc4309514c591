"""Where an answer may go: a thread opened for it, a reply, a direct message."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, TypeGuard
from weakref import WeakValueDictionary

import discord
import structlog
from cachetools import TTLCache

from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.errors import THREAD_EXISTS, find_code
from adapters.discord.web_api.rooms import DIRECT, Room, find_channel, find_room, parse_id
from adapters.discord.web_api.spoilers import hide_spoilers
from pipeline.domain import Incoming, LocalizedText
from pipeline.errors import ChatGone, ChatRefused
from pipeline.text import shorten
from pipeline.words import say

_LONGEST_NAME = 80
"""Characters of a thread's name; Discord accepts 100, its clients show fewer."""
_MOST_KEPT = 10_000
"""Threads that are remembered as opened."""
_KEPT_SECONDS = 60
"""How long they are: the answer looks for its thread soon after the message was taken."""
_ARCHIVE_AFTER: Final = 1440
"""Minutes without a message after which Discord archives a thread: a day."""
_WITH_THREADS = (discord.ChannelType.text, discord.ChannelType.news)
"""Channels with messages that may have threads."""

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
class Targets:
    """Finds where an answer may go, and opens its thread once.

    It is opened when the message is accepted, or when its answer begins, whichever comes first.
    """

    client: discord.Client
    seconds: float
    """How long opening one may take; the answer is then posted elsewhere."""
    _opened: TTLCache[int, discord.Thread | None] = field(
        default_factory=lambda: TTLCache(_MOST_KEPT, _KEPT_SECONDS)
    )
    _locks: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def open_thread(self, channel: Room | None, message: Incoming) -> discord.Thread | None:
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

    async def find(self, message: Incoming) -> AsyncIterator[PostTarget]:
        """Where to post the answer, best first: the thread, a reply, a direct message.

        Permissions are not checked, as the known ones may be out of date: try each place. What was
        asked in a private thread is not answered in its channel.
        """
        id_, thread = parse_id(message.id), message.thread
        inside = find_room(self.client, thread.root)
        channel = await find_channel(self.client, thread)
        if inside is not None:
            yield PostTarget(inside, id_)
            if channel not in (None, inside) and not thread.closed:
                yield PostTarget(channel, parse_id(thread.root), is_aside=True)
        elif channel is not None:
            if opened := await self.open_thread(channel, message):
                yield PostTarget(opened)
            yield PostTarget(channel, id_ or parse_id(thread.root))
        person = parse_id(message.person.id)
        if person is not None and (channel is None or thread.channel.workspace != DIRECT):
            with suppress(ChatGone):
                direct = await retry_call(lambda: self.client.create_dm(discord.Object(person)))
                yield PostTarget(direct, is_aside=True)


def has_threads(channel: Room | None) -> TypeGuard[discord.TextChannel]:
    """Whether a channel has threads; not if the bot may open one but not post in it."""
    if not isinstance(channel, discord.TextChannel) or channel.type not in _WITH_THREADS:
        return False
    known = channel.permissions_for(channel.guild.me)
    return known.send_messages_in_threads or not known.create_public_threads


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
