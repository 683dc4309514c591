"""Intake: turn a message into a request, with its files and the context of its thread."""

import asyncio
import hashlib
from dataclasses import dataclass, replace

from bot.message_files import FileReceiver, MessageFiles
from bot.thread_log import ThreadLog
from pipeline.domain import Context, Incoming, Request, RunId, Turn
from pipeline.errors import OverLimit
from pipeline.ports import Chat, Store
from pipeline.tools import RunJournal


@dataclass(frozen=True, slots=True)
class Intake:
    """Turns messages into requests, and logs them."""

    store: Store
    thread_log: ThreadLog
    receiver: FileReceiver

    async def request(self, message: Incoming, chat: Chat, journal: RunJournal) -> Request:
        """Build the request for a message, and log the message as a turn of its thread.

        The files are downloaded while the context is read; a run that begins again gets them from
        its journal. Files that cannot be used are in `rejected`, with the reason. Raises OverLimit
        if the text is too long.

        For example, "make it blue" with a picture, said in a thread with two pictures, becomes a
        request with that text, with "image 3" among its files, and with a context that has the
        earlier turns and their "image 1" and "image 2".
        """
        length, limit = len(message.text), self.thread_log.max_text
        if length > limit:
            raise OverLimit("text-too-long", length=length, limit=limit)
        known: MessageFiles | None = journal.recall("files", MessageFiles)
        async with asyncio.TaskGroup() as group:
            context = group.create_task(self.thread_log.read_context(message, chat))
            composing = group.create_task(self._compose(message, journal.run, context))
            stored = known or await self.receiver.store_files(message, chat)
            request = await composing  # has logged what came before this message
            if known is None and (message.files or message.earlier):
                group.create_task(journal.keep("files", stored, MessageFiles))
            files = await self.thread_log.log(message, journal.run, attachments=stored.files)
        return stored.add_to(request, files)

    async def preview(self, message: Incoming, chat: Chat, run: RunId) -> Request:
        """Build the request for a plan preview. Logs no turn; its files stay until swept."""
        async with asyncio.TaskGroup() as group:
            context = group.create_task(self.thread_log.load_context(message))
            composing = group.create_task(self._compose(message, run, context))
            stored = await self.receiver.store_files(message, chat)
            files = await self.store.name_files(
                message.thread, message.key, stored.files, after=message.after
            )
        return stored.add_to(composing.result(), files)

    async def log_voice(self, message: Incoming, request: Request) -> None:
        """Log the words of a voice message as the text of its turn."""
        voice = (request.voice,) if request.voice else ()
        spoken = replace(message, text=request.text)
        await self.thread_log.log(spoken, request.run, (*voice, *request.files))

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
        turn = replace(turn, text=turn.text[: self.thread_log.max_text])
        return replace(context, turns=(*context.turns, turn))


def make_run_id(message: Incoming, again: str = "") -> RunId:
    """The id of a message's run. `again` makes it differ for a retry or an edit."""
    digest = hashlib.sha256(f"{message.key}\n{again}".encode()).hexdigest()
    return RunId(digest[:24])
