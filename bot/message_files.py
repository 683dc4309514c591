"""The files of messages: downloaded, checked, described and put into the file store."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from pipeline.domain import Attachment, Blob, Incoming, Link, NamedFile, RejectedFile, Request, Type
from pipeline.errors import FetchError, MediaError
from pipeline.ports import Chat, Files, MediaTools
from pipeline.text import shorten

log = structlog.get_logger()

_FILES_AT_ONCE = 20
"""Files of one message, or of the history of its thread, that are downloaded side by side."""
_LONGEST_VOICE = 120.0
"""Seconds. A longer recording without words is a file to work on, not a request."""
_LARGEST_VOICE = 1 << 20
"""In bytes, of a recording whose length is unknown."""
_LONGEST_ALT = 300
"""Characters of a sender's description that are kept."""


@dataclass(frozen=True, slots=True)
class MessageFiles:
    """The files of a message: those that were stored, and those that were rejected.

    The journal keeps it, so that a run that begins again need not download them again.
    """

    files: tuple[Attachment, ...] = ()
    unused: tuple[RejectedFile, ...] = ()
    voice: bool = False
    """Whether the first file is a voice message, and the request."""

    def add_to(self, request: Request, named: tuple[NamedFile, ...]) -> Request:
        """The request with these files, which have their names in the thread now."""
        voice = named[0] if self.voice else None
        return replace(request, files=named, rejected=self.unused, voice=voice)


@dataclass(frozen=True, slots=True)
class FileReceiver:
    """Downloads the files of messages into the file store. `max_bytes` is for each of them."""

    files: Files
    media: MediaTools
    max_bytes: int

    async def store_files(self, message: Incoming, chat: Chat) -> MessageFiles:
        """Store the files of a message and of the one that it replies to, side by side.

        A file that cannot be downloaded or read does not fail the message: it is among `unused`.
        """
        results = await self.store_links((*message.files, *message.earlier), chat)
        is_alone = len(message.files) == 1 and not message.text.strip()
        return MessageFiles(
            tuple(file for file in results if isinstance(file, Attachment)),
            tuple(file for file in results if isinstance(file, RejectedFile)),
            voice=is_alone and _is_voice(results[0]),
        )

    async def store_links(
        self, links: Sequence[Link], chat: Chat
    ) -> Sequence[Attachment | RejectedFile]:
        """Store files of the chat; returns one result for each link, in the same order."""
        slots = asyncio.Semaphore(_FILES_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._try_file(link, chat, slots)) for link in links]
        return [task.result() for task in tasks]

    async def _try_file(
        self, link: Link, chat: Chat, slots: asyncio.Semaphore
    ) -> Attachment | RejectedFile:
        async with slots:
            try:
                return await self._store(link, chat)
            except (FetchError, MediaError) as error:
                log.info("file not used", why=str(error))
                return RejectedFile(link.name, error.sentence)

    async def _store(self, link: Link, chat: Chat) -> Attachment:
        """Raises FetchError, MediaError."""
        self._check_size(link.size)
        blob = await chat.download(link)
        self._check_size(len(blob.data))
        name = link.name or blob.name
        described = await self.media.describe(Blob(blob.data, blob.media_type, name))
        return Attachment(
            hash=blob.hash or await self.files.put(blob.data),
            media_type=described.media_type,
            name=name or "file",
            size=len(blob.data),
            description=" · ".join(
                filter(None, (shorten(link.alt, _LONGEST_ALT), described.description))
            ),
            seconds=described.seconds,
        )

    def _check_size(self, size: int) -> None:
        if size > self.max_bytes:
            raise FetchError("file-too-large", size=size >> 20, limit=self.max_bytes >> 20)


def _is_voice(file: Attachment | RejectedFile) -> bool:
    """Whether a message's only file, sent without words, is short enough to be the request."""
    if isinstance(file, RejectedFile) or file.type is not Type.AUDIO:
        return False
    return file.seconds <= _LONGEST_VOICE if file.seconds else file.size <= _LARGEST_VOICE
