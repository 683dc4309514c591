"""Shows one run on a chat surface: progress as edits, then the answer and its files, once.

* Updates that cannot be shown in time are merged into the next: a slow platform delays no run.
* Progress edits may be dropped; the end is always delivered.
* Each message has an idempotency key in the ledger. A post whose fate is unknown is looked up
  before it is sent again, so a restart or a lost response neither loses nor duplicates it.
* Before each post and edit the fence is checked: another program may have taken the run over.
* A complete delivery is never touched again: what people delete stays deleted.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

import structlog

from adapters.chat.board import Board, apply_event, list_files
from adapters.chat.file_delivery import FileDelivery
from adapters.chat.ports import ChatPorts
from adapters.chat.posting import post_once
from adapters.chat.rendering import BoardRenderer, Page
from adapters.chat.surface import Surface
from adapters.chat.uploads import format_left_out
from pipeline.domain import Answer, AnswerFile, Apologised, Attachment, Event, RunId, TaskId
from pipeline.errors import ChatError, ChatGone
from pipeline.fencing import check_fence
from pipeline.metering import time_work
from pipeline.ports import Posting

T = TypeVar("T")

_MOST_PAGES = 5
"""Messages of an answer; a longer text is moved into a file."""
_TEXT_NAME = "answer.md"
"""The name of that file."""
STOPPED = "stopped"
"""The sentence of a run that somebody stopped."""
_LONG = 1_000
"""Characters of Markdown from which a text is rendered in a worker thread."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """How soon and how often progress is shown, in seconds."""

    gather: float = 0.15
    """Delay before drawing, so that a burst of events becomes one edit."""
    first: float = 0.8
    """How long a plan is not shown, as an answer without words so far may come by then."""
    silent: float = 2.5
    """How long to wait for the first event before "thinking" is posted."""
    between: float = 1.0
    """Pause between two edits of one message."""
    ping: float = 30.0
    """After so long, whoever asked is told of the end, which is only an edit."""


@dataclass(slots=True, kw_only=True)
class Presenter:
    """Shows one run on one surface. Made for each call of `Chat.follow`."""

    run: RunId
    surface: Surface
    renderer: BoardRenderer
    ports: ChatPorts
    rhythm: Rhythm = field(default_factory=Rhythm)
    may_be_silent: bool = False
    """The message may not be for the bot: nothing is posted before there is something to show."""
    board: Board = field(default_factory=Board)
    _receipt: str = ""
    """The first message's receipt, once it is posted."""
    _prepaid: bool = False
    """Whether the edit that turns "thinking" into the plan need not ask for room any more."""
    _no_edits: bool = False
    """Whether progress can no longer be shown, for example because the message was deleted."""
    _whole: Sequence[Page] = ()
    """The pages of a text that was moved into a file."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _began: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _urgent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by what is shown without a pause: the first words of the answer, and the end."""
    _files: FileDelivery = field(init=False)

    def __post_init__(self) -> None:
        self._files = FileDelivery(self.run, self.surface, self.ports)

    async def follow(self, events: AsyncIterator[Event]) -> None:
        """Show progress until the events end, then deliver the end.

        Called again for the same run, it continues where it stopped; after a complete delivery it
        does nothing. Raises ChatGone if the answer can never be posted here, ChatError if the
        platform is unreachable: the message then stays in the inbox and is retried.
        """
        state, _ = await self.ports.ledger.begin(f"{self.run}:delivered")
        if state is Posting.POSTED:
            async for _ in events:
                pass
            return
        async with asyncio.TaskGroup() as group:
            group.create_task(self._show_progress())
            try:
                async for event in events:
                    had_words = bool(self.board.text.strip())
                    self.board = apply_event(self.board, event)
                    self._news.set()
                    if not had_words and self.board.text.strip():
                        self._urgent.set()
            finally:
                self._over.set()
                self._urgent.set()
                self._news.set()
        await self._deliver()

    async def _show_progress(self) -> None:
        await self._wait_for_news()
        if self._news.is_set():
            await _wait(self._urgent, self.rhythm.first)
        shown: Page | None = None
        while not self._no_edits:
            await asyncio.sleep(self.rhythm.gather)
            self._news.clear()
            self._urgent.clear()
            page = await self._add_files(await self._render(self.renderer.render_progress))
            if self._over.is_set():
                return
            if page != shown:
                if await self._may_show():
                    shown = await self._try_progress(page)
                if not self._prepaid:  # the plan replaces "thinking" at once
                    await _wait(self._urgent, self.rhythm.between)
            elif not await _wait(self._news, self.surface.refresh):
                shown = None  # the surface needs the same page again

    async def _wait_for_news(self) -> None:
        """Wait for an event, or until the silence is long enough to post "thinking".

        That message must become the plan soon, so it is posted only if the rate limit has room
        for the edit, too. Under load it has none, and the first thing posted is the plan.
        """
        if self.may_be_silent:
            await self._news.wait()
        while not self._news.is_set() and not self._prepaid:
            if not await _wait(self._news, self.rhythm.silent):
                self._prepaid = await self.surface.has_room()

    async def _may_show(self) -> bool:
        """Whether the progress message may be posted or edited now, as the rate limits allow."""
        if not self._receipt:
            return True
        if self._prepaid and self.board != Board():
            self._prepaid = False
            return True
        return await self.surface.has_room()

    async def _add_files(self, page: Page) -> Page:
        """Let files join a page: those of the answer, or those that the steps made so far."""
        if not self.renderer.layout.joins_files:
            return page
        end = self.board.end
        files = (
            end.files if isinstance(end, Answer) else list_files(self.board, self.renderer.locale)
        )
        return await self._files.join(page, files)

    async def _try_progress(self, page: Page) -> Page:
        """Post or edit the progress message and return what it shows; a failure is only logged."""
        try:
            if not self._receipt:
                self._receipt, is_new = await self._post_once(self._key(0), page)
                if is_new:
                    return page
            await check_fence()
            with time_work("edit"):
                await self.surface.edit(self._receipt, page)
        except ChatError as error:
            self._no_edits = isinstance(error, ChatGone)
            log.warning("progress not shown", run=self.run, error=str(error))
        return page

    async def _deliver(self) -> None:
        """Deliver the end; called again, continue where it stopped. Raises ChatGone, ChatError."""
        end = self.board.end
        if end is None and not self._receipt:
            return
        if isinstance(end, Answer) and end.is_silent:
            await self._withdraw()
            return
        if isinstance(end, Answer):
            sent = tuple([await self._files.name_as_sent(each) for each in end.files])
            barred = self.surface.explain_no_files() if sent else None
            notices = (*([barred] if barred else ()), *end.notices)
            self.board = replace(self.board, end=replace(end, files=sent, notices=notices))
        *before, page = await self._render_end()
        first, *others = [*before, await self._add_files(page)]
        last = (await self._finish_first(first), first)
        for number, page in enumerate(others, 1):
            receipt, _ = await self._post_once(self._key(number), page)
            last = (receipt, page)
        if isinstance(self.board.end, Answer):
            await self._deliver_files(self.board.end.files, last)
        await self._ping()
        if end is not None:
            await self.ports.ledger.done(f"{self.run}:delivered", "whole")

    async def _ping(self) -> None:
        """Tell of the end of a long run, at most once. Whoever stopped it knows."""
        end, key = self.board.end, f"{self.run}:ping"
        is_stopped = end is None or (isinstance(end, Apologised) and end.reason.id == STOPPED)
        is_long = asyncio.get_running_loop().time() - self._began >= self.rhythm.ping
        if is_stopped or not is_long:
            return
        if (await self.ports.ledger.begin(key))[0] is Posting.FRESH:
            await check_fence()
            with suppress(ChatError):
                await self.surface.ping(key)

    async def _withdraw(self) -> None:
        """Delete the progress message, also one that was posted before a restart."""
        key = self._key(0)
        state, receipt = await self.ports.ledger.begin(key)
        with suppress(ChatGone):
            if state is Posting.UNSURE:
                page = await self._render(self.renderer.render_progress)
                receipt = await self.surface.look_up(key, page)
            if receipt := self._receipt or receipt:
                await check_fence()
                await self.surface.delete(receipt)
        await self.ports.ledger.done(f"{self.run}:delivered", "silent")

    async def _render_end(self) -> Sequence[Page]:
        """The pages of the end; a text that needs too many is moved into a file."""
        pages, end = await self._render(self.renderer.render_end), self.board.end
        if len(pages) <= _MOST_PAGES or not isinstance(end, Answer):
            return pages
        self._whole = pages
        data = end.text.encode()
        key = await self.ports.files.put(data)
        attachment = Attachment(
            hash=key, media_type="text/markdown", name=_TEXT_NAME, size=len(data)
        )
        file = AnswerFile(attachment=attachment, alt="", model="", kind="", task=TaskId(0))
        text = self.renderer.begin_text(end.text, _TEXT_NAME)
        self.board = replace(self.board, end=replace(end, text=text, files=(*end.files, file)))
        return await self._render(self.renderer.render_end)

    async def _finish_first(self, page: Page) -> str:
        """Edit the progress message into the end; if it takes no edits, post a new one."""
        is_new = False
        if not self._receipt:
            self._receipt, is_new = await self._post_once(self._key(0), page)
        if is_new:
            return self._receipt
        await check_fence()
        try:
            with time_work("finish"):
                await self.surface.finish(self._receipt, page)
        except ChatGone:
            self._receipt, is_new = await self._post_once(f"{self._key(0)}:again", page)
            if not is_new:
                await check_fence()
                await self.surface.finish(self._receipt, page)
        return self._receipt

    async def _deliver_files(self, files: Sequence[AnswerFile], last: tuple[str, Page]) -> None:
        """Upload the answer's files; post links to those that cannot be sent.

        A text that was to be a file, but cannot be sent as one, is posted whole after all.
        """
        unsent, reason = await self._files.deliver(files, last)
        if self._whole and any(file.attachment.name == _TEXT_NAME for file in unsent):
            unsent = [file for file in unsent if file.attachment.name != _TEXT_NAME]
            first, *others = self._whole
            await self._finish_first(replace(first, files=last[1].files))
            for number, page in enumerate(others, 1):
                await self._post_once(f"{self.run}:whole:{number}", page)
        if unsent:
            note = format_left_out(
                unsent, lambda file: self.ports.sign(file, self.run), self.renderer.locale, reason
            )
            await self._post_once(f"{self.run}:links", Page(self.renderer.layout.split(note)[0]))

    def _key(self, number: int) -> str:
        return f"{self.run}:{self.surface.key}:{number}"

    async def _post_once(self, key: str, page: Page) -> tuple[str, bool]:
        return await post_once(self.ports.ledger, self.surface, key, page)

    async def _render(self, render: Callable[[Board], T]) -> T:
        """Render; long texts in a worker thread, as they would block the event loop."""
        board = self.board
        length = len(board.text) + (len(board.end.text) if isinstance(board.end, Answer) else 0)
        if length < _LONG:
            return render(board)
        return await asyncio.to_thread(render, board)


async def _wait(event: asyncio.Event, seconds: float | None) -> bool:
    """Wait for an event, for at most so many seconds; return whether it came."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            return await event.wait()
    return False
