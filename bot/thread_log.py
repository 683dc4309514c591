"""What the chat log holds of a thread, completed from its platform where it lacks something."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import structlog
from cachetools import LRUCache

from bot.commands.parsing import parse_command
from bot.message_files import FileReceiver
from pipeline.domain import Attachment, Context, Incoming, NamedFile, RunId, Thread, Turn
from pipeline.errors import ChatError, is_passing
from pipeline.ports import Chat, Store, read_clock
from pipeline.text.thread_texts import MOST_TURNS

log = structlog.get_logger()

_HISTORY_FILES = 10
"""Files of overheard messages that are fetched for one request, the newest first."""
_MOST_THREADS = 10_000
"""Threads of which is known from when on the log lacks messages."""
_MOST_HISTORY = 50
"""Messages of a thread that are read where the log lacks some."""
_NEVER = datetime.max.replace(tzinfo=UTC)
"""As the time of a gap: there is none."""
_EVER = datetime.min.replace(tzinfo=UTC)
"""As the time of a gap: the log may lack anything."""
_JUST_BEFORE = timedelta(minutes=5)
"""A file that is as old belongs to the message after it."""
_EDITABLE = 1000
"""How many of a thread's last turns are searched for an edited message."""


@dataclass(slots=True)
class _PlatformHistory:
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
        return [each for each in history if parse_command(each) is None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadLog:
    """Logs what is said in threads, and loads it as the context of requests.

    What the log lacks is read from the platform: messages from before the bot was called into a
    thread, or from while it was away.
    """

    store: Store
    receiver: FileReceiver
    max_text: int
    """Characters of a message that are kept."""
    turns: int
    """How many of a thread's last turns a request gets."""
    tail: int
    """How many of the channel's last turns it gets, too."""
    listen: str = "threads"
    """What is kept of messages that are not for the bot (`ChannelSettings.listen`), by default."""
    reading_seconds: float = 3.0
    """How long an answer waits for what a platform tells of its thread and channel."""
    started: datetime = field(default_factory=read_clock)
    _gaps: LRUCache[str, datetime] = field(default_factory=lambda: LRUCache(_MOST_THREADS))
    """Threads read since we started, with the time from which on the log lacks messages again."""

    async def log(
        self,
        message: Incoming,
        run: RunId,
        files: tuple[NamedFile, ...] = (),
        attachments: tuple[Attachment, ...] = (),
    ) -> tuple[NamedFile, ...]:
        """Log a message as a turn of its thread; returns its files with their names there.

        `files` have names already; `attachments` are given some.
        """
        text = message.text[: self.max_text]
        turn = Turn(key=message.key, person=message.person, text=text, files=files, at=message.at)
        stored = await self.store.log(
            message.thread, turn, attachments, run=run, after=message.after
        )
        return stored.files

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

    async def load_context(self, message: Incoming) -> Context:
        """The thread's last turns; more of them only as material for a text of the thread."""
        most = max(self.turns, MOST_TURNS) if self.turns else 0
        context = await self.store.context(
            message.thread, before=message.key, after=message.after, turns=most, tail=self.tail
        )
        first = max(0, len(context.turns) - self.turns)
        earlier, turns = context.turns[:first], context.turns[first:]
        older = (*context.older, *(file for turn in earlier for file in turn.files))
        return replace(context, turns=turns, earlier=earlier, older=older)

    async def read_context(self, message: Incoming, chat: Chat) -> Context:
        """The thread's context, with what the log lacks of it and the files that were sent.

        For a message that begins a thread, the channel is read, too; nothing of that is stored but
        a file that the request is about.
        """
        if message.alone:
            return Context()
        context = await self.load_context(message)
        if not self.turns:
            return context
        until = asyncio.get_running_loop().time() + self.reading_seconds
        history = _PlatformHistory(chat, message, until)
        if await self._log_missed(history, context):
            context = await self.load_context(message)
        channel = context.channel
        if not context.turns:
            channel = await self._read_channel(history, channel)
            if await self._adopt_files(message, channel, context.channel):
                context = await self.load_context(message)
        if await self._fetch_files(message.thread, chat, context):
            context = await self.load_context(message)
        here = {turn.key for turn in context.turns}
        channel = tuple(turn for turn in channel if turn.key not in here)
        return replace(context, channel=channel, is_partial=history.is_late)

    async def _log_missed(self, history: _PlatformHistory, context: Context) -> bool:
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

    async def _read_channel(
        self, history: _PlatformHistory, logged: Sequence[Turn]
    ) -> tuple[Turn, ...]:
        """The channel's last turns: the logged ones and, where not all are, the platform's."""
        message = history.message
        if not self.tail or message.addressing.direct or await self._keeps_all(message.thread):
            return tuple(logged)
        above = await history.read(replace(message.thread, root=""), self.tail)
        turns = {turn.key: turn for turn in (*map(self._read_turn, above or ()), *logged)}
        return tuple(sorted(turns.values(), key=lambda turn: turn.at)[-self.tail :])

    async def _adopt_files(
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
            stored = await self.receiver.store_links(turn.links, chat)
            files = tuple(file for file in stored if isinstance(file, Attachment))
            await self.store.relog(thread, replace(turn, links=()), files)
        return fetched
