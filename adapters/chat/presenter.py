"""Shows one run on a chat surface: progress as edits, then the answer and its files, once.

* Updates that cannot be shown in time are merged into the next: a slow platform delays no run.
* Progress edits may be dropped; the end is always delivered.
* Each message has an idempotency key in the ledger. A post whose fate is unknown is looked up
  before it is sent again, so a restart or a lost response neither loses nor duplicates it.
* A complete delivery is never touched again: what people delete stays deleted.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

import structlog

from adapters.chat.board import Board, apply_event, list_files
from adapters.chat.ports import ChatPorts
from adapters.chat.rendering import BoardRenderer, Page
from adapters.chat.surface import FilesTooLarge, PostUnsure, Surface
from adapters.chat.uploads import Upload, batch_uploads, format_left_out, prepare
from pipeline.domain import (
    Answer,
    AnswerFile,
    Apologised,
    Attachment,
    Blob,
    Event,
    FileHash,
    LocalizedText,
    RunId,
    TaskId,
)
from pipeline.errors import ChatError, ChatGone
from pipeline.ports import Ledger, Posting

T = TypeVar("T")

_TRIES, _MOST_PAGES = 5, 5
_TEXT_NAME = "answer.md"
STOPPED = "stopped"
"""The sentence of a run that somebody stopped."""
_LONG = 1_000
"""Characters of Markdown from which a text is rendered in a worker thread."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
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


@dataclass(slots=True)
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
    _prepared: dict[tuple[FileHash, str, str], Blob | None] = field(default_factory=dict)
    """What is sent for the answer's files, by hash, name and alternative text."""
    _whole: Sequence[Page] = ()
    """The pages of a text that was moved into a file."""
    _last: tuple[str, Page] = ("", Page(()))
    """The receipt of the answer's last message, and what stands in it."""
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _began: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    _over: asyncio.Event = field(default_factory=asyncio.Event)
    _urgent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set by what is shown without a pause: the first words of the answer, and the end."""

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

    # --- progress ---

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
        end, limits = self.board.end, self.surface.limits
        files = (
            end.files if isinstance(end, Answer) else list_files(self.board, self.renderer.locale)
        )
        uploads = [each for file in files if (each := await self._prepare(file))]
        joining = [each for each in uploads if each.blob.type not in limits.apart]
        return replace(page, files=tuple(next(batch_uploads(joining, limits), ())))

    async def _try_progress(self, page: Page) -> Page:
        """Post or edit the progress message and return what it shows; a failure is only logged."""
        try:
            if not self._receipt:
                self._receipt, is_new = await self._post_once(self._key(0), page)
                if is_new:
                    return page
            await self.surface.edit(self._receipt, page)
        except ChatError as error:
            self._no_edits = isinstance(error, ChatGone)
            log.warning("progress not shown", run=self.run, error=str(error))
        return page

    # --- the end ---

    async def _deliver(self) -> None:
        """Deliver the end; called again, continue where it stopped. Raises ChatGone, ChatError."""
        end = self.board.end
        if end is None and not self._receipt:
            return
        if isinstance(end, Answer) and end.is_silent:
            await self._withdraw()
            return
        if isinstance(end, Answer):
            sent = tuple([await self._name_as_sent(each) for each in end.files])
            barred = self.surface.explain_no_files() if sent else None
            notices = (*([barred] if barred else ()), *end.notices)
            self.board = replace(self.board, end=replace(end, files=sent, notices=notices))
        *before, page = await self._render_end()
        first, *others = [*before, await self._add_files(page)]
        last = await self._finish_first(first)
        for number, page in enumerate(others, 1):
            last, _ = await self._post_once(self._key(number), page)
        self._last = (last, others[-1] if others else first)
        if isinstance(self.board.end, Answer):
            await self._deliver_files(self.board.end.files)
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
        attachment = Attachment(key, "text/markdown", _TEXT_NAME, len(data))
        file = AnswerFile(attachment, "", model="", kind="", task=TaskId(0))
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
        try:
            await self.surface.finish(self._receipt, page)
        except ChatGone:
            self._receipt, is_new = await self._post_once(f"{self._key(0)}:again", page)
            if not is_new:
                await self.surface.finish(self._receipt, page)
        return self._receipt

    async def _name_as_sent(self, file: AnswerFile) -> AnswerFile:
        """The file under the name of what is sent for it: a conversion changes the ending."""
        upload = await self._prepare(file)
        if upload is None:
            return file
        sent = replace(file, attachment=replace(file.attachment, name=upload.name))
        self._prepared[_identify(sent)] = upload.blob
        return sent

    async def _prepare(self, file: AnswerFile) -> Upload | None:
        """What is sent for a file; None if it cannot be sent."""
        key, ports = _identify(file), self.ports
        if key not in self._prepared:
            most = self.surface.limits.file_bytes
            self._prepared[key] = await prepare(file, ports.files, ports.media, most)
        blob = self._prepared[key]
        return Upload(file, blob) if blob else None

    async def _deliver_files(self, files: Sequence[AnswerFile]) -> None:
        """Upload the answer's files in batches; post links to those that cannot be sent."""
        reason: LocalizedText | None = None
        limits, ports = self.surface.limits, self.ports
        uploads = [each for file in files if (each := await self._prepare(file))]
        unsent = [file for file in files if file not in [each.file for each in uploads]]
        for number, batch in enumerate(batch_uploads(uploads, limits)):
            try:
                unsent += await self._deliver_batch(f"{self.run}:files:{number}", batch)
            except ChatGone as gone:
                reason = gone.sentence
                unsent += [each.file for each in batch]
        if self._whole and any(file.attachment.name == _TEXT_NAME for file in unsent):
            unsent = [file for file in unsent if file.attachment.name != _TEXT_NAME]
            first, *others = self._whole
            await self._finish_first(replace(first, files=self._last[1].files))
            for number, page in enumerate(others, 1):
                await self._post_once(f"{self.run}:whole:{number}", page)
        if unsent:
            note = format_left_out(
                unsent, lambda file: ports.sign(file, self.run), self.renderer.locale, reason
            )
            await self._post_once(f"{self.run}:links", Page(self.renderer.layout.split(note)[0]))

    async def _deliver_batch(self, key: str, batch: Sequence[Upload]) -> Sequence[AnswerFile]:
        """Upload a batch, in halves if it is too large; return the files that still are."""
        try:
            await self._upload_once(key, batch)
        except FilesTooLarge:
            if len(batch) == 1:
                return await self._deliver_shrunk(key, batch[0])
            middle = len(batch) // 2
            first = await self._deliver_batch(f"{key}:0", batch[:middle])
            return [*first, *await self._deliver_batch(f"{key}:1", batch[middle:])]
        return ()

    async def _deliver_shrunk(self, key: str, upload: Upload) -> Sequence[AnswerFile]:
        """Retry a file that was refused for its size, shrunk to half of it."""
        half, ports = len(upload.blob.data) // 2, self.ports
        blob = await prepare(upload.file, ports.files, ports.media, half)
        if blob is None:
            return (upload.file,)
        try:
            await self._upload_once(f"{key}:small", [Upload(upload.file, blob)])
        except FilesTooLarge:
            return (upload.file,)
        return ()

    # --- posting with idempotency keys ---

    def _key(self, number: int) -> str:
        return f"{self.run}:{self.surface.key}:{number}"

    async def _post_once(self, key: str, page: Page) -> tuple[str, bool]:
        return await post_once(self.ports.ledger, self.surface, key, page)

    async def _upload_once(self, key: str, batch: Sequence[Upload]) -> None:
        async def upload(*, may_repeat: bool) -> str:  # noqa: ARG001 - files carry no such note
            return await self.surface.upload(key, batch, *self._last)

        await _send_once(self.ports.ledger, self.surface, key, batch, upload)

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


def _identify(file: AnswerFile) -> tuple[FileHash, str, str]:
    return file.attachment.hash, file.attachment.name, file.alt


async def post_once(ledger: Ledger, surface: Surface, key: str, page: Page) -> tuple[str, bool]:
    """Post a page unless its key was posted before; return the receipt and whether it is new.

    Raises ChatGone, ChatError.
    """
    return await _send_once(ledger, surface, key, page, partial(surface.post, key, page))


async def _send_once(
    ledger: Ledger,
    surface: Surface,
    key: str,
    content: Page | Sequence[Upload],
    send: Callable[..., Awaitable[str]],
) -> tuple[str, bool]:
    """Send the content unless its key was sent before; return the receipt and whether it is new."""
    state, receipt = await ledger.begin(key)
    if state is Posting.POSTED:
        return receipt, False
    is_new, may_repeat = True, False
    for attempt in range(1, _TRIES + 1):
        if state is Posting.UNSURE:
            try:
                receipt = await surface.look_up(key, content)
                is_new = not receipt
            except ChatGone as gone:
                log.warning("may not look for a post", key=key, error=str(gone))
                may_repeat = True
        try:
            receipt = await send(may_repeat=may_repeat) if is_new else receipt
            break
        except PostUnsure:
            if attempt == _TRIES:
                raise
            state = Posting.UNSURE
    await ledger.done(key, receipt)
    return receipt, is_new
