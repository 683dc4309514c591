"""One run before the people in its thread: progress, then the answer in its place, then the files."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import structlog

from adapters.slack.blocks import Content, buttons, messages, notes, progress, said, small_print
from adapters.slack.posting import Post, Posts
from adapters.slack.refusals import Refused
from adapters.slack.uploads import Uploads
from pipeline.domain import Answer, Apologised, Event, Incoming, RunId, Sentence, Shown
from pipeline.errors import ChatError
from pipeline.links import Sign
from pipeline.progress import (
    ANSWERED_ACTIONS,
    APOLOGISED_ACTIONS,
    RUNNING_ACTIONS,
    Board,
    seen,
)
from pipeline.words import say

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How soon and how often progress is shown, in seconds."""

    gather: float = 0.15
    """Events that come together are shown together."""
    silent: float = 2.5
    """So long nothing is shown while nothing is known."""
    between: float = 1.0


@dataclass(slots=True)
class Showing:
    """A run being shown. Events are taken at once; what cannot be shown in time is merged into what comes next."""

    message: Incoming
    run: RunId
    posts: Posts
    uploads: Uploads
    rhythm: Rhythm
    board: Board = field(default_factory=Board)
    ts: str = ""
    _promised: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    async def keep_up(self, events: AsyncIterator[Event]) -> None:
        """Show progress until the events end."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._show())
            try:
                async for event in events:
                    self.board = seen(self.board, event)
                    self._changed.set()
            finally:
                self._redeemed()
                self._over.set()
                self._changed.set()

    async def deliver(self, sign: Sign) -> None:
        """The end of the run, under keys. Raises ChatError."""
        locale = self.message.person.locale
        match self.board.end:
            case Answer() as answer:
                await self._answer(answer, sign)
            case Apologised(reason, reference):
                words = say(locale, reason)
                reason_in_log = small_print([] if reference in words else [reference])
                below = (*reason_in_log, buttons(APOLOGISED_ACTIONS, self.run, locale))
                await self._put_first(said(messages(words)[0], *below))
            case None if self.ts:
                await self._put_first(said(messages(say(locale, Sentence("stopped")))[0]))
            case None:
                pass

    async def _show(self) -> None:
        """Post the board once there is something on it, then edit it in time with everybody's edits; the first plan at once."""
        shown: Content | None = None
        await self._something_known()
        while True:
            await asyncio.sleep(self.rhythm.gather)
            self._changed.clear()
            if self._over.is_set():
                return
            content = self._progress()
            due, empty = content != shown, self.board == Board()
            if due and self._may_show():
                shown = content
                await self._tried(content)
            if due and not empty:
                await self._rest()
            if content == shown:
                await self._changed.wait()

    async def _something_known(self) -> None:
        """Or nothing for long: then that is posted, where the edit that shows the plan can be promised. In a rush it cannot."""
        while not self._changed.is_set() and not self._promised:
            try:
                async with asyncio.timeout(self.rhythm.silent):
                    await self._changed.wait()
            except TimeoutError:
                self._promised = self.posts.calls.pace.promise()

    async def _rest(self) -> None:
        """The time between two edits, cut short by the end of the run."""
        try:
            async with asyncio.timeout(self.rhythm.between):
                await self._over.wait()
        except TimeoutError:
            return

    def _may_show(self) -> bool:
        return not self.ts or self._redeemed() or self.posts.calls.pace.spare

    def _redeemed(self) -> bool:
        """Whether an edit was promised, which is then made."""
        promised, self._promised = self._promised, False
        if promised:
            self.posts.calls.pace.redeem()
        return promised

    async def _tried(self, content: Content) -> None:
        """Progress that cannot be shown is no reason to stop."""
        try:
            await self._put_first(content)
        except ChatError as error:
            log.warning("slack did not show progress", run=self.run, error=str(error))

    def _progress(self) -> Content:
        locale = self.message.person.locale
        return said(progress(self.board, locale), buttons(RUNNING_ACTIONS, self.run, locale))

    async def _answer(self, answer: Answer, sign: Sign) -> None:
        locale = self.message.person.locale
        parts = messages(answer.text) or messages(say(locale, Sentence("slack-here-it-is")))
        below = (
            *small_print(notes(answer, locale)),
            buttons(ANSWERED_ACTIONS, self.run, locale),
        )
        for number, part in enumerate(parts):
            content = said(part, *(below if number + 1 == len(parts) else ()))
            if number == 0:
                await self._put_first(content)
            else:
                post = Post(self.run, f"answer:{number}")
                await self.posts.put(self.message.thread, post, content, locale=locale)
        await self._files(answer.files, sign)

    async def _files(self, files: Sequence[Shown], sign: Sign) -> None:
        thread, locale = self.message.thread, self.message.person.locale
        try:
            left = await self.uploads.put(thread, self.run, files)
            because = Sentence("slack-file-too-large")
        except Refused as refused:
            left = tuple(files)
            because = refused.sentence
        if left:
            lines = [say(locale, because), *(_by_link(file, sign, locale) for file in left)]
            content = said(messages("\n\n".join(lines))[0])
            await self.posts.put(thread, Post(self.run, "links"), content, locale=locale)

    async def _put_first(self, content: Content) -> None:
        """The message that shows progress and becomes the answer."""
        thread, post = self.message.thread, Post(self.run, "answer:0")
        if self.ts:
            self.ts = await self.posts.change(thread, post, self.ts, content)
            return
        self.ts, now = await self.posts.put(
            thread, post, content, locale=self.message.person.locale
        )
        if not now:
            self.ts = await self.posts.change(thread, post, self.ts, content)


def _by_link(file: Shown, sign: Sign, locale: str) -> str:
    link = sign(file.attachment)
    name = file.alt or file.attachment.name
    if link:
        return f"[{file.attachment.name}]({link}): {name}"
    return say(locale, Sentence("slack-file-left-out", {"file": file.attachment.name}))
