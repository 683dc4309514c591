"""Intake: turn a message into a request; store and name its files, load its context."""

import asyncio
import hashlib
from dataclasses import dataclass, replace

import structlog

from pipeline.domain import (
    Attachment,
    Blob,
    Context,
    Incoming,
    Link,
    NamedFile,
    RejectedFile,
    Request,
    RunId,
    Thread,
    Turn,
)
from pipeline.errors import FetchError, MediaError, OverLimit
from pipeline.ports import Chat, Files, MediaTools, Store
from pipeline.tools import RunJournal

log = structlog.get_logger()

_FILES_AT_ONCE = 20
_HISTORY_FILES = 10
_EDITABLE = 1000
"""How many of a thread's last turns are searched for an edited message."""


@dataclass(frozen=True, slots=True)
class Intake:
    """Turns messages into requests. `max_file` is in bytes, `max_text` in characters."""

    store: Store
    files: Files
    media: MediaTools
    max_file: int
    max_text: int
    turns: int
    tail: int

    async def request(self, message: Incoming, chat: Chat, journal: RunJournal) -> Request:
        """Build the request and log the turn. Raises OverLimit if the text is too long."""
        if len(message.text) > self.max_text:
            raise OverLimit("text-too-long", length=len(message.text), limit=self.max_text)
        context = await self._read_context(message, chat)
        stored: _MessageFiles | None = journal.recall("files", _MessageFiles)
        if stored is None:
            stored = await self._store_files(message, chat)
            if message.files or message.earlier:
                await journal.keep("files", stored, _MessageFiles)
        request = await self._compose(message, journal.run, context, stored)
        await self._log(message.thread, message, request.files)
        return request

    async def preview(self, message: Incoming, chat: Chat, run: RunId) -> Request:
        """Build the request for a plan preview. Logs no turn; its files stay until swept."""
        context = await self._load_context(message)
        stored = await self._store_files(message, chat)
        return await self._compose(message, run, context, stored)

    async def log_overheard(self, message: Incoming) -> None:
        """Log a message that is not for the bot, as context for later requests."""
        await self._log(message.thread, message)

    async def log_edit(self, message: Incoming) -> None:
        """Update the logged turn of an edited message."""
        context = await self.store.context(message.thread, turns=_EDITABLE, tail=0)
        for turn in context.turns:
            if turn.key == message.key and turn.text != message.text:
                edited = replace(turn, text=message.text[: self.max_text])
                await self.store.log(message.thread, edited)

    async def _log(
        self, thread: Thread, message: Incoming, files: tuple[NamedFile, ...] = ()
    ) -> None:
        text = message.text[: self.max_text]
        await self.store.log(thread, Turn(message.key, message.person, text, files, message.at))

    async def _load_context(self, message: Incoming) -> Context:
        return await self.store.context(
            message.thread, before=message.key, turns=self.turns, tail=self.tail
        )

    async def _read_context(self, message: Incoming, chat: Chat) -> Context:
        """The thread's context. If it is empty, read the chat's history into it first."""
        context = await self._load_context(message)
        if context.turns or not self.turns or message.thread.root in ("", message.id):
            return context
        history = await chat.history(message.thread, before=message.id)
        budget = _HISTORY_FILES
        for earlier in history[-self.turns :]:
            wants_files = earlier.files and budget > 0
            stored = await self._store_files(earlier, chat) if wants_files else _MessageFiles()
            budget -= len(stored.files)
            names = await self.store.name_files(earlier.thread, earlier.key, stored.files)
            await self._log(message.thread, earlier, names)
        return await self._load_context(message) if history else context

    async def _compose(
        self, message: Incoming, run: RunId, context: Context, stored: "_MessageFiles"
    ) -> Request:
        """Build the request; the channel's language overrides the person's."""
        settings = await self.store.settings(message.thread.channel)
        asker = message.asker
        return Request(
            run,
            message.thread,
            replace(asker, locale=settings.language or asker.locale),
            message.text,
            await self.store.name_files(message.thread, message.key, stored.files),
            stored.unused,
            context,
            settings,
            message.avoid,
            message.anew,
        )

    async def _store_files(self, message: Incoming, chat: Chat) -> "_MessageFiles":
        links = (*message.files, *message.earlier)
        slots = asyncio.Semaphore(_FILES_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._try_file(link, chat, slots)) for link in links]
        results = [task.result() for task in tasks]
        return _MessageFiles(
            tuple(file for file in results if isinstance(file, Attachment)),
            tuple(file for file in results if isinstance(file, RejectedFile)),
        )

    async def _try_file(
        self, link: Link, chat: Chat, slots: asyncio.Semaphore
    ) -> Attachment | RejectedFile:
        async with slots:
            try:
                return await self._store(link, chat)
            except (FetchError, MediaError) as error:
                log.info("file not used", name=link.name, why=str(error))
                return RejectedFile(link.name, error.sentence)

    async def _store(self, link: Link, chat: Chat) -> Attachment:
        """Raises FetchError, MediaError."""
        self._check_size(link.size)
        blob = await chat.download(link)
        self._check_size(len(blob.data))
        name = link.name or blob.name
        described = await self.media.describe(Blob(blob.data, blob.media_type, name))
        key, size = await self.files.put(blob.data), len(blob.data)
        return Attachment(key, described.media_type, name or "file", size, described.description)

    def _check_size(self, size: int) -> None:
        if size > self.max_file:
            raise FetchError("file-too-large", size=size >> 20, limit=self.max_file >> 20)


@dataclass(frozen=True, slots=True)
class _MessageFiles:
    """The files of a message: those that were stored, and those that were rejected."""

    files: tuple[Attachment, ...] = ()
    unused: tuple[RejectedFile, ...] = ()


def make_run_id(message: Incoming, again: str = "") -> RunId:
    """The id of a message's run. `again` makes it differ for a retry or an edit."""
    digest = hashlib.sha256(f"{message.key}\n{again}".encode()).hexdigest()
    return RunId(digest[:24])
