"""Reads messages as the bot that got them: in whose language, in which conversation."""

from dataclasses import dataclass, field, replace

import discord
import structlog
from cachetools import LRUCache

from adapters.discord.reading.long_text import Download, read_long_text
from adapters.discord.reading.messages import read_message
from adapters.discord.reading.threads import find_files_above, find_thread_of
from pipeline.domain import Incoming, Thread
from pipeline.errors import ChatError, FetchError

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
