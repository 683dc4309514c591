"""One run before the person's eyes: posts and edits until what is to stand there stands there."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace

from adapters.discord import pages
from adapters.discord.enclosures import Enclosing
from adapters.discord.errors import ARCHIVED, GONE, code_of
from adapters.discord.pages import Page
from adapters.discord.posting import Poster, Said, Spot, edit, take_back
from adapters.discord.turns import Rank
from pipeline.domain import Answer, Apologised, Event, RunId
from pipeline.errors import ChatGone
from pipeline.ports import Ledger, Posting
from pipeline.progress import Board, seen

EDIT_EVERY = 1.2
"""Seconds between edits of a plan: five in five seconds are Discord's limit for a whole channel."""

_LONG = 4000
HESITATION = 0.2
"""Seconds that the first message waits for something to say."""


Spots = Callable[[], AsyncIterator[tuple[Spot, str]]]
"""Where the answer may go, the best first, each with what is to be said there before."""


@dataclass(slots=True)
class Delivery:
    """The messages of one run, in order; each edited only when it is to say something else."""

    run: RunId
    locale: str
    spots: Spots
    poster: Poster
    enclosing: Enclosing
    pause: float = EDIT_EVERY
    _spot: Spot | None = None
    _board: Board = field(default_factory=Board)
    _ending: tuple[Page, ...] = ()
    _planned: bool = False
    """Whether the plan was seen."""
    _resumed: bool = False
    _said: list[Said] = field(default_factory=list)
    _stands: list[Page | None] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _end: asyncio.Event = field(default_factory=asyncio.Event)

    async def show(self, events: AsyncIterator[Event]) -> None:
        """Everything that happens, merged into as many edits as the limits allow; then the answer. Raises ChatError."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._paint())
            async for event in events:
                self._board = seen(self._board, event)
                self._news.set()
                if self._board.end is not None:
                    self._end.set()
            self._end.set()
            self._news.set()

    @property
    def spot(self) -> Spot:
        assert self._spot is not None
        return self._spot

    async def _paint(self) -> None:
        await self._settle()
        while not self._end.is_set():
            await self._news.wait()
            self._news.clear()
            if not self._stands_already(await self._under_way()) and await self._may_edit():
                self._news.clear()
                await self._sync(await self._under_way())
                await self._rest()
        await self._conclude()

    async def _may_edit(self) -> bool:
        """In one's turn: the first sight of the plan before everybody's progress. False when the end came first."""
        rank = Rank.MEANWHILE if self._planned else Rank.NEEDED
        mine = not self._end.is_set() and await self.poster.turns.take(rank, unless=self._end)
        self._planned = self._planned or bool(self._board.rows)
        return mine

    async def _settle(self) -> None:
        """The first message, in the best place that takes it. Raises ChatGone when none does."""
        async for spot, before in self.spots():
            self._spot, self._ending = spot, ()
            await self._hesitate()
            if await self._begun(before):
                return
        raise ChatGone("discord-nowhere")

    async def _begun(self, before: str) -> bool:
        page = await self._first_page()
        for first in (page, replace(page, files=())) if page.files else (page,):
            try:
                if before:
                    aside = f"{self.run}:aside"
                    await self.poster.post(self.run, aside, self.spot, Page(before))
                await self._bring(0, first)
            except ChatGone:
                continue
            return True
        return False

    async def _hesitate(self) -> None:
        """A plan or an answer often comes at once: then it is what is posted first. In a rush nothing less is."""
        turns = self.poster.turns
        try:
            async with asyncio.timeout(HESITATION):
                await self._news.wait()
        except TimeoutError:
            if await turns.take(Rank.MEANWHILE, unless=self._news):
                return
        await turns.take(Rank.NEEDED)
        self._planned = bool(self._board.rows)

    async def _first_page(self) -> Page:
        """With the run's buttons in any case: by them it is found again."""
        if not self._end.is_set():
            return (await self._under_way())[0]
        last = (await self._last_words())[0]
        stop = pages.under_way(Board(), self.run, self.locale)[0].buttons
        return replace(last, buttons=last.buttons or stop)

    async def _under_way(self) -> Sequence[Page]:
        """Long texts take a while to lay out, and nobody else shall wait for it."""
        board = self._board
        if len(board.text) < _LONG:
            return pages.under_way(board, self.run, self.locale)
        return await asyncio.to_thread(pages.under_way, board, self.run, self.locale)

    async def _rest(self) -> None:
        """Until the next edit is due, or the answer is there."""
        try:
            async with asyncio.timeout(self.pause):
                await self._end.wait()
        except TimeoutError:
            return

    async def _conclude(self) -> None:
        """The answer; without its files where they turn out not to be allowed."""
        wanted = await self._last_words()
        if not self._stands_already(wanted):
            await self.poster.turns.take(Rank.NEEDED)
        try:
            await self._sync(wanted)
        except ChatGone:
            if not any(page.files for page in wanted):
                raise
            self.enclosing = replace(self.enclosing, allowed=False)
            self._ending = ()
            wanted = await self._last_words()
            await self._sync(wanted)
        await self._clear(len(wanted))

    async def _last_words(self) -> Sequence[Page]:
        """How it ends; files are made to fit once only."""
        if not self._ending:
            self._ending = tuple(await self._worded())
        return self._ending

    async def _worded(self) -> Sequence[Page]:
        match self._board.end:
            case Answer() as answer:
                files, notes = await self.enclosing.files(answer.files, self.spot, self.locale)
                return await asyncio.to_thread(pages.answered, answer, files, notes, self.locale)
            case Apologised() as apology:
                return pages.apologised(self._board, self.run, apology, self.locale)
            case None:
                return pages.left(self._board, self.run, self.locale)

    def _stands_already(self, wanted: Sequence[Page]) -> bool:
        return self._stands[: len(wanted)] == [*wanted]

    async def _sync(self, wanted: Sequence[Page]) -> None:
        """Whatever has to be changed for the messages to say what they should."""
        for number, page in enumerate(wanted):
            await self._bring(number, page)

    async def _bring(self, number: int, page: Page) -> None:
        """The message with this number says what the page says, whatever it said before."""
        if number == len(self._said):
            spot = self._behind(number)
            said, fresh = await self.poster.post(self.run, self._key(number), spot, page)
            self._said.append(said)
            self._stands.append(page if fresh else None)
            self._resumed = self._resumed or not fresh
        before = self._stands[number]
        if before != page:
            files = before is None or before.files != page.files
            await self._edited(number, page, files=files)
            self._stands[number] = page

    async def _edited(self, number: int, page: Page, *, files: bool) -> None:
        try:
            await edit(self._said[number], page, files=files)
        except ChatGone as error:
            if code_of(error) == ARCHIVED:
                await self.poster.reopen(self._said[number])
                await edit(self._said[number], page, files=files)
                return
            if error.sentence.id != GONE:
                raise
            key = f"{self._key(number)}:again"
            spot = self._behind(number)
            self._said[number], _ = await self.poster.post(self.run, key, spot, page)

    def _behind(self, number: int) -> Spot:
        """Only the first message is a reply; the others follow it."""
        if number == 0:
            return self.spot
        return replace(self.spot, after=self._said[number - 1].id, reply_to=None)

    async def _clear(self, wanted: int) -> None:
        """Take back messages beyond those that are wanted, also of an attempt before a restart."""
        for said in self._said[wanted:]:
            await take_back(said)
        del self._said[wanted:], self._stands[wanted:]
        while self._resumed:
            state, receipt = await self.poster.ledger.begin(self._key(wanted))
            if state is not Posting.POSTED:
                return
            await take_back(self.poster.at(receipt))
            wanted += 1

    def _key(self, number: int) -> str:
        return f"{self.run}:page:{number}"


async def stands_already(ledger: Ledger, run: RunId) -> bool:
    """Whether an answer was delivered to its end before."""
    state, _ = await ledger.begin(f"{run}:delivered")
    return state is Posting.POSTED


async def delivered(ledger: Ledger, run: RunId) -> None:
    await ledger.done(f"{run}:delivered", "whole")
