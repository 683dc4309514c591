"""Reads messages as the bot that got them: new ones, those of a thread, one as it stands now."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import discord
import structlog
from cachetools import LRUCache

from adapters.discord.reading.long_text import Download, read_long_text
from adapters.discord.reading.messages import SPOKEN, is_readable, read_message
from adapters.discord.reading.threads import find_files_above, find_thread, find_thread_of
from adapters.discord.web_api.calls import retry_call
from adapters.discord.web_api.errors import UNKNOWN, find_code
from adapters.discord.web_api.rooms import find_room, parse_id, read_history
from pipeline.domain import Incoming, Thread
from pipeline.errors import ChatError, ChatGone, FetchError

_MOST_KEPT = 10_000
"""People whose language is remembered."""

log = structlog.get_logger()


@dataclass(slots=True)
class MessageReader:
    """Reads messages.

    They carry no language: it is that of their author's last command, else the server's.
    """

    client: discord.Client
    download: Download
    _locales: LRUCache[int, str] = field(default_factory=lambda: LRUCache(_MOST_KEPT))

    def learn_locale(self, person: int, locale: str) -> None:
        """Remember the language of a person, by their id."""
        self._locales[person] = locale

    def read(self, message: discord.Message, thread: Thread) -> Incoming:
        """Read a message of a thread without any call. Raises ChatError while logged out."""
        me, guild = self.client.user, message.guild
        if me is None:
            raise ChatError("discord-unreachable")
        default = str(guild.preferred_locale) if guild else "en"
        return read_message(message, thread, me, self._locales.get(message.author.id, default))

    async def read_whole(self, message: discord.Message, thread: Thread) -> Incoming:
        """Read a message, with the text that Discord made a file of. Raises FetchError."""
        me = self.client.user.id if self.client.user else 0
        return await read_long_text(self.read(message, thread), me, self.download)

    async def try_to_read_whole(self, message: discord.Message, thread: Thread) -> Incoming:
        """Read a message; a long text that cannot be fetched remains a file."""
        try:
            return await self.read_whole(message, thread)
        except FetchError as error:
            log.info("long text not read", message=message.id, why=str(error))
            return self.read(message, thread)

    async def read_new(self, message: discord.Message) -> Incoming:
        """Read a message in its conversation; for the bot, with the files that it is about."""
        incoming = await self.try_to_read_whole(message, await find_thread_of(message))
        if not incoming.addressing.mentioned or incoming.earlier:
            return incoming
        return replace(incoming, earlier=await find_files_above(message))

    async def read_earlier(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:
        """The last messages of a thread before the one with this id, oldest first, without ours.

        Nothing if the thread or the permission to read it is gone. Raises ChatError.
        """
        room = find_room(self.client, thread.root or thread.channel.id)
        is_thread = isinstance(room, discord.Thread | discord.DMChannel)
        if room is None or (thread.root and not is_thread):
            return ()
        until = discord.Object(int(before)) if before.isdigit() else None
        try:
            messages = await read_history(room, limit=most, before=until)
        except ChatGone:
            return ()
        written = filter(None, map(_find_written, reversed(messages)))
        by_others = [each for each in written if each.author != self.client.user]
        async with asyncio.TaskGroup() as tasks:
            reading = [tasks.create_task(self._read_earlier(each, thread)) for each in by_others]
        return [task.result() for task in reading]

    async def _read_earlier(self, message: discord.Message, thread: Thread) -> Incoming:
        """An earlier message of a thread; of a channel, if the thread has no root.

        One that begins a thread is read without its files, which belong to it.
        """
        if thread.root:
            return await self.try_to_read_whole(message, thread)
        own = find_thread(message.channel, message.id)
        incoming = await self.try_to_read_whole(message, own)
        return replace(incoming, files=()) if message.flags.has_thread else incoming

    async def reread(self, message: Incoming) -> Incoming | None:
        """The message as it stands now; None if it was deleted. Raises ChatError.

        One that cannot be looked up, such as one that stands for a command, is returned as it is.
        """
        client, thread, id_ = self.client, message.thread, parse_id(message.id)
        if id_ is None:
            return message
        # A root stands in the channel, or begins a post in a forum; others stand in the thread or
        # in the channel's chain of replies.
        guild, places = parse_id(thread.channel.workspace), (thread.root, thread.channel.id)
        for place in dict.fromkeys(places[::-1] if message.id == thread.root else places):
            unknown = client.get_partial_messageable(int(place), guild_id=guild)
            room = find_room(client, place) or unknown
            try:
                found = await retry_call(partial(room.fetch_message, id_))
                return await self.read_whole(found, thread)
            except FetchError:
                return message
            except ChatGone as gone:
                if find_code(gone) not in UNKNOWN:
                    return message
        return None


def _find_written(message: discord.Message) -> discord.Message | None:
    """The message, if somebody wrote it; for the notice that begins a thread, the thread's root."""
    if message.type is discord.MessageType.thread_starter_message and message.reference:
        root = message.reference.resolved
        return root if isinstance(root, discord.Message) else None
    return message if message.type in SPOKEN and is_readable(message) else None
