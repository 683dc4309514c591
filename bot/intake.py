"""Intake: a message becomes a request, with its files stored and named, and its context."""

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
"""So many of a thread's last turns are looked through for a message that was edited."""


@dataclass(frozen=True, slots=True)
class Intake:
    """Makes requests of messages. Sizes in bytes and characters."""

    store: Store
    files: Files
    media: MediaTools
    max_file: int
    max_text: int
    turns: int
    tail: int

    async def request(self, message: Incoming, chat: Chat, journal: RunJournal) -> Request:
        """The request behind a message, its turn logged. Raises OverLimit for a text too long."""
        if len(message.text) > self.max_text:
            raise OverLimit("text-too-long", length=len(message.text), limit=self.max_text)
        context = await self._read_context(message, chat)
        taken: _Taken | None = journal.recall("files", _Taken)
        if taken is None:
            taken = await self._take(message, chat)
            if message.files or message.earlier:
                await journal.keep("files", taken, _Taken)
        request = await self._compose(message, journal.run, context, taken)
        await self._log(message.thread, message, request.files)
        return request

    async def preview(self, message: Incoming, chat: Chat, run: RunId) -> Request:
        """The request of a message that is only planned. Only its files are kept, until swept."""
        context = await self._load_context(message)
        return await self._compose(message, run, context, await self._take(message, chat))

    async def log_overheard(self, message: Incoming) -> None:
        """Keep what people say to each other, as context for later."""
        await self._log(message.thread, message)

    async def log_edit(self, message: Incoming) -> None:
        """A message was edited: what is kept of it says so."""
        context = await self.store.context(message.thread, turns=_EDITABLE, tail=0)
        for turn in context.turns:
            if turn.key == message.key and turn.text != message.text:
                kept = replace(turn, text=message.text[: self.max_text])
                await self.store.log(message.thread, kept)

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
        """What we know of the thread; where that is nothing, its history is read first."""
        context = await self._load_context(message)
        if context.turns or not self.turns or message.thread.root in ("", message.id):
            return context
        history = await chat.history(message.thread, before=message.id)
        room = _HISTORY_FILES
        for earlier in history[-self.turns :]:
            taken = await self._take(earlier, chat) if earlier.files and room > 0 else _Taken()
            room -= len(taken.files)
            names = await self.store.name_files(earlier.thread, earlier.key, taken.files)
            await self._log(message.thread, earlier, names)
        return await self._load_context(message) if history else context

    async def _compose(
        self, message: Incoming, run: RunId, context: Context, taken: "_Taken"
    ) -> Request:
        """The request, in the language of the channel where it has one."""
        settings = await self.store.settings(message.thread.channel)
        asker = message.asker
        return Request(
            run,
            message.thread,
            replace(asker, locale=settings.language or asker.locale),
            message.text,
            await self.store.name_files(message.thread, message.key, taken.files),
            taken.unused,
            context,
            settings,
            message.avoid,
            message.anew,
        )

    async def _take(self, message: Incoming, chat: Chat) -> "_Taken":
        links = (*message.files, *message.earlier)
        room = asyncio.Semaphore(_FILES_AT_ONCE)
        async with asyncio.TaskGroup() as group:
            taking = [group.create_task(self._try_file(link, chat, room)) for link in links]
        results = [task.result() for task in taking]
        return _Taken(
            tuple(file for file in results if isinstance(file, Attachment)),
            tuple(file for file in results if isinstance(file, RejectedFile)),
        )

    async def _try_file(
        self, link: Link, chat: Chat, room: asyncio.Semaphore
    ) -> Attachment | RejectedFile:
        async with room:
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
class _Taken:
    """The files of a message: those we have, and those we could not take."""

    files: tuple[Attachment, ...] = ()
    unused: tuple[RejectedFile, ...] = ()


def make_run_id(message: Incoming, again: str = "") -> RunId:
    """The run of a message; `again` tells a retry or an edit from the first one."""
    digest = hashlib.sha256(f"{message.key}\n{again}".encode()).hexdigest()
    return RunId(digest[:24])
