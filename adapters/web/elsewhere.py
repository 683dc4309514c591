"""Runs that other programs work on: what happens here is stored for them, and theirs is read.

Nothing is stored while no other program is there to read it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog

from adapters.web.merging import merge_events
from pipeline.background import run_beside
from pipeline.domain import Event, RunId
from pipeline.errors import LeaseLost, StoreUnavailable
from pipeline.ports import Position, Progress

log = structlog.get_logger()

_WRITE_SECONDS = 0.25
"""Between two parts of a run: what happens meanwhile is one part."""
_ALONE_SECONDS = 5.0
"""Between two looks whether another program is there by now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """The other programs on the same database. `are_there`: whether there is one now."""

    progress: Progress
    are_there: Callable[[], bool]

    @asynccontextmanager
    async def tell(self, run: RunId, events: Sequence[Event]) -> AsyncIterator["Teller"]:
        """Store the events of a run, which are appended to `events` while the context is open.

        The last ones are stored when it is left, unless by an error.
        """
        teller = Teller(self, run, events)
        async with run_beside(teller.keep_telling()):
            yield teller
            await teller.tell()


@dataclass(slots=True)
class Teller:
    """Stores the events of one run in parts."""

    elsewhere: Elsewhere
    run: RunId
    events: Sequence[Event]
    _told: int = 0
    _place: Position = field(default_factory=Position)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _telling: asyncio.Lock = field(default_factory=asyncio.Lock)

    def note(self) -> None:
        """There are more events."""
        self._news.set()

    async def keep_telling(self) -> None:
        """Store what happens, part after part, until cancelled."""
        while True:
            await self._news.wait()
            if not self.elsewhere.are_there():
                await asyncio.sleep(_ALONE_SECONDS)
                continue
            self._news.clear()
            await self.tell()
            await asyncio.sleep(_WRITE_SECONDS)

    async def tell(self) -> None:
        """Store what has happened since the last part."""
        async with self._telling:
            part = merge_events(self.events[self._told :])
            if not part or not self.elsewhere.are_there():
                return
            self._told = len(self.events)
            try:
                self._place = await self.elsewhere.progress.tell(self.run, self._place, part)
            except LeaseLost:
                log.info("told by another program", run=self.run)
            except StoreUnavailable:  # it is damaged
                log.exception("progress not stored", run=self.run)
