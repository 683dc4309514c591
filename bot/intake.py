"""Intake: turn a message into a request; store and name its files, load its context."""

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import structlog
from cachetools import LRUCache

from bot.commands.table import parse
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
    Type,
)
from pipeline.errors import ChatError, FetchError, MediaError, OverLimit, is_passing
from pipeline.ports import Chat, Files, MediaTools, Store
from pipeline.text import shorten
from pipeline.text.thread_texts import MOST_TURNS
from pipeline.tools import RunJournal

log = structlog.get_logger()

_FILES_AT_ONCE = 20
_HISTORY_FILES, _MOST_THREADS = 10, 10_000
_MOST_HISTORY = 50
"""How many messages of a thread are read that the log lacks."""
_NEVER = datetime.max.replace(tzinfo=UTC)
_EVER = datetime.min.replace(tzinfo=UTC)
_LONGEST_VOICE = 120.0
"""Seconds. A longer recording without words is a file to work on, not a request."""
_LONGEST_ALT = 300
_JUST_BEFORE = timedelta(minutes=5)
_EDITABLE = 1000
"""How many of a thread's last turns are searched for an edited message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Turns messages into requests. `max_file` is in bytes, `max_text` in characters."""

    store: Store
    files: Files
    media: MediaTools
    max_file: int
    max_text: int
    turns: int
    tail: int
    listen: str = "threads"
    """What is kept of messages that are not for the bot (`ChannelSettings.listen`), by default."""
    reading_seconds: float = 3.0
    """How long an answer waits for what a platform tells of its thread and channel."""
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    _gaps: LRUCache[str, datetime] = field(default_factory=lambda: LRUCache(_MOST_THREADS))
    """Threads read since we started, with the time from which on the log lacks messages again."""

    async def request(self, message: Incoming, chat: Chat, journal: RunJournal) -> Request:
        """Build the request and log the turn. Raises OverLimit if the text is too long."""
        if len(message.text) > self.max_text:
            raise OverLimit("text-too-long", length=len(message.text), limit=self.max_text)
        known: _MessageFiles | None = journal.recall("files", _MessageFiles)
        async with asyncio.TaskGroup() as group:
            context = group.create_task(self._read_context(message, chat))
            composing = group.create_task(self._compose(message, journal.run, context))
            stored = known or await self._store_files(message, chat)
            request = await composing  # has logged what came before this message
            if known is None and (message.files or message.earlier):
                group.create_task(journal.keep("files", stored, _MessageFiles))
            files = await self._log(message, journal.run, attachments=stored.files)
        return stored.add_to(request, files)

    async def preview(self, message: Incoming, chat: Chat, run: RunId) -> Request:
        """Build the request for a plan preview. Logs no turn; its files stay until swept."""
        async with asyncio.TaskGroup() as group:
            context = group.create_task(self._load_context(message))
            composing = group.create_task(self._compose(message, run, context))
            stored = await self._store_files(message, chat)
            files = await self.store.name_files(message.thread, message.key, stored.files)
        return stored.add_to(composing.result(), files)

    async def log_voice(self, message: Incoming, request: Request) -> None:
        """Log the words of a voice message as the text of its turn."""
        voice = (request.voice,) if request.voice else ()
        spoken = replace(message, text=request.text)
        await self._log(spoken, request.run, (*voice, *request.files))

    async def log_overheard(self, message: Incoming, *, takes_part: bool) -> None:
        """Log a message that is not for the bot, as context for later requests, if it is kept here.

        `takes_part`: whether the bot takes part in its thread. Elsewhere, only that there was a
        message is noted, unless the channel keeps all. Its files are not fetched before somebody
        calls the bot into the thread.
        """
        thread = message.thread
        if takes_part or await self._keeps_all(thread):
            await self.store.log(thread, self._read_turn(message))
        else:
            await self.store.note(thread, message.id, message.at)
            if thread.key in self._gaps:
                self._gaps[thread.key] = min(self._gaps[thread.key], message.at)

    async def _keeps_all(self, thread: Thread) -> bool:
        settings = await self.store.settings(thread.channel)
        return (settings.listen or self.listen) == "all"

    def _read_turn(self, message: Incoming) -> Turn:
        """A message as a turn. Other bots count as people: what a bot said is what this one did."""
        text, person = message.text[: self.max_text], replace(message.person, is_bot=False)
        return Turn(
            key=message.key, person=person, text=text, files=(), at=message.at, links=message.files
        )

    async def log_edit(self, message: Incoming) -> None:
        """Update the logged turn of an edited message, from which files may be taken away."""
        present = (*message.files, *message.earlier)
        names = {link.name for link in present}
        context = await self.store.context(message.thread, turns=_EDITABLE, tail=0)
        for turn in context.turns:
            if turn.key == message.key:
                files = turn.files
                if len(present) < len(files):
                    files = tuple(file for file in files if file.attachment.name in names)
                links = message.files if turn.links else ()
                text = message.text[: self.max_text]
                edited = replace(turn, text=text, files=files, links=links)
                if edited != turn:
                    await self.store.relog(message.thread, edited)

    async def _log(
        self,
        message: Incoming,
        run: RunId,
        files: tuple[NamedFile, ...] = (),
        attachments: tuple[Attachment, ...] = (),
    ) -> tuple[NamedFile, ...]:
        text = message.text[: self.max_text]
        turn = Turn(key=message.key, person=message.person, text=text, files=files, at=message.at)
        return (await self.store.log(message.thread, turn, attachments, run=run)).files

    async def _load_context(self, message: Incoming) -> Context:
        """The thread's last turns; more of them only as material for a text of the thread."""
        most = max(self.turns, MOST_TURNS) if self.turns else 0
        context = await self.store.context(
            message.thread, before=message.key, turns=most, tail=self.tail
        )
        first = max(0, len(context.turns) - self.turns)
        earlier, turns = context.turns[:first], context.turns[first:]
        older = (*context.older, *(file for turn in earlier for file in turn.files))
        return replace(context, turns=turns, earlier=earlier, older=older)

    async def _read_context(self, message: Incoming, chat: Chat) -> Context:
        """The thread's context, with what the log lacks of it and the files that were sent.

        For a message that begins a thread, the channel is read, too; nothing of that is stored but
        a file that the request is about.
        """
        if message.alone:
            return Context()
        context = await self._load_context(message)
        if not self.turns:
            return context
        until = asyncio.get_running_loop().time() + self.reading_seconds
        history = _History(chat, message, until)
        if await self._read_up(history, context):
            context = await self._load_context(message)
        channel = context.channel
        if not context.turns:
            channel = await self._read_above(history, channel)
            if await self._take_in(message, channel, context.channel):
                context = await self._load_context(message)
        if await self._fetch_files(message.thread, chat, context):
            context = await self._load_context(message)
        here = {turn.key for turn in context.turns}
        channel = tuple(turn for turn in channel if turn.key not in here)
        return replace(context, channel=channel, is_partial=history.is_late)

    async def _read_up(self, history: "_History", context: Context) -> bool:
        """Log what the log lacks of a thread: all of it, or what was written while we were away.

        What is older than a turn from before our start, or than the first message that was not
        kept, is either in the log or was deleted from it. Commands are never logged. Returns
        whether anything was missing.
        """
        message, logged = history.message, (*context.earlier, *context.turns)
        thread = message.thread
        since = self._gaps.get(thread.key)
        if thread.root in ("", message.id) or (since and since > message.at):
            return False
        written = await history.read(thread, _MOST_HISTORY)
        if written is None:
            return False
        self._gaps[thread.key] = _NEVER
        since = since or max((t.at for t in logged if t.at < self.started), default=_EVER)
        keys = {turn.key for turn in logged}
        turns = map(self._read_turn, written)
        missing = [each for each in turns if each.key not in keys and each.at >= since]
        for turn in missing:
            await self.store.log(thread, turn)
        return bool(missing)

    async def _read_above(self, history: "_History", logged: Sequence[Turn]) -> tuple[Turn, ...]:
        """The channel's last turns: the logged ones and, where not all are, the platform's."""
        message = history.message
        if not self.tail or message.addressing.direct or await self._keeps_all(message.thread):
            return tuple(logged)
        above = await history.read(replace(message.thread, root=""), self.tail)
        turns = {turn.key: turn for turn in (*map(self._read_turn, above or ()), *logged)}
        return tuple(sorted(turns.values(), key=lambda turn: turn.at)[-self.tail :])

    async def _take_in(
        self, message: Incoming, channel: Sequence[Turn], logged: Sequence[Turn]
    ) -> bool:
        """Move files that were sent just before a message into the thread that it begins.

        Many send a picture to the channel, and then ask about it; or somebody else does, at once.
        `logged` are those of the channel's turns that are in the log. Returns whether there were
        any.
        """
        if message.files or message.earlier or message.replied_to:
            return False
        own = [turn for turn in channel if turn.person.id == message.person.id]
        last = {turn.key: turn for turn in (*own[-1:], *channel[-1:])}
        since, moved = message.at - _JUST_BEFORE, False
        for turn in last.values():
            if turn.links and turn.at > since:
                if turn not in logged:
                    await self.store.log(message.thread, turn)
                elif await self._is_alone(turn, message.thread):
                    await self.store.relog(message.thread, turn)
                else:
                    continue
                moved = True
        return moved

    async def _is_alone(self, turn: Turn, beside: Thread) -> bool:
        """Whether a message of this channel stands there without replies, in no other thread."""
        own = replace(beside, root=turn.key.rpartition(":")[2])
        return turn in (await self.store.context(own, turns=1, tail=0)).turns

    async def _fetch_files(self, thread: Thread, chat: Chat, context: Context) -> bool:
        """Fetch the newest files of turns that were only overheard. Returns whether any were."""
        turns = [turn for turn in context.turns if turn.links]
        budget, fetched = _HISTORY_FILES, False
        for turn in reversed(turns):
            if len(turn.links) > budget:
                break
            budget, fetched = budget - len(turn.links), True
            stored = await self._store_links(turn.links, chat)
            files = tuple(file for file in stored if isinstance(file, Attachment))
            await self.store.relog(thread, replace(turn, links=()), files)
        return fetched

    async def _compose(
        self, message: Incoming, run: RunId, context: asyncio.Task[Context]
    ) -> Request:
        """The request without its files; the channel's language overrides the person's."""
        asker = message.asker
        settings = await self.store.settings(message.thread.channel)
        return Request(
            run=run,
            thread=message.thread,
            person=replace(asker, locale=settings.language or asker.locale),
            text=message.text,
            context=self._add_replied_to(await context, message.replied_to),
            settings=settings,
            avoid=message.avoid,
            anew=message.anew,
            rerun=message.rerun,
            overheard=message.addressing.is_overheard,
        )

    def _add_replied_to(self, context: Context, turn: Turn | None) -> Context:
        """The context with the message that this one replies to, unless it is in it."""
        if turn is None or any(each.key == turn.key for each in context.turns):
            return context
        turn = replace(turn, text=turn.text[: self.max_text])
        return replace(context, turns=(*context.turns, turn))

    async def _store_files(self, message: Incoming, chat: Chat) -> "_MessageFiles":
        results = await self._store_links((*message.files, *message.earlier), chat)
        is_alone = len(message.files) == 1 and not message.text.strip()
        return _MessageFiles(
            tuple(file for file in results if isinstance(file, Attachment)),
            tuple(file for file in results if isinstance(file, RejectedFile)),
            voice=is_alone and _is_voice(results[0]),
        )

    async def _store_links(
        self, links: Sequence[Link], chat: Chat
    ) -> Sequence[Attachment | RejectedFile]:
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
        if size > self.max_file:
            raise FetchError("file-too-large", size=size >> 20, limit=self.max_file >> 20)


@dataclass(slots=True)
class _History:
    """Reads what stands before a message on its platform, as far as that takes no long time."""

    chat: Chat
    message: Incoming
    until: float
    """On the event loop's clock."""
    is_late: bool = False
    """Whether something could not be read in time."""

    async def read(self, thread: Thread, most: int) -> Sequence[Incoming] | None:
        """What was written in a thread, without commands; None if it cannot be read."""
        try:
            async with asyncio.timeout_at(self.until):
                history = await self.chat.history(thread, before=self.message.id, most=most)
        except (ChatError, TimeoutError) as error:
            log.info("history not read", thread=thread.key, why=str(error))
            self.is_late |= isinstance(error, TimeoutError) or is_passing(error)
            return None
        return [each for each in history if parse(each) is None]


_LARGEST_VOICE = 1 << 20
"""In bytes, of a recording whose length is unknown."""


def _is_voice(file: Attachment | RejectedFile) -> bool:
    """Whether a message's only file, sent without words, is short enough to be the request."""
    if isinstance(file, RejectedFile) or file.type is not Type.AUDIO:
        return False
    return file.seconds <= _LONGEST_VOICE if file.seconds else file.size <= _LARGEST_VOICE


@dataclass(frozen=True, slots=True)
class _MessageFiles:
    """The files of a message: those that were stored, and those that were rejected."""

    files: tuple[Attachment, ...] = ()
    unused: tuple[RejectedFile, ...] = ()
    voice: bool = False
    """Whether the first file is a voice message, and the request."""

    def add_to(self, request: Request, named: tuple[NamedFile, ...]) -> Request:
        voice = named[0] if self.voice else None
        return replace(request, files=named, rejected=self.unused, voice=voice)


def make_run_id(message: Incoming, again: str = "") -> RunId:
    """The id of a message's run. `again` makes it differ for a retry or an edit."""
    digest = hashlib.sha256(f"{message.key}\n{again}".encode()).hexdigest()
    return RunId(digest[:24])
