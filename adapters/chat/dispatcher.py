"""Runs the handlers of a platform's events: side by side, but in order within a channel."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TypeVarTuple
from weakref import WeakValueDictionary

import structlog
from cachetools import TTLCache

from pipeline.outage import Outage, Tell

Args = TypeVarTuple("Args")

_MOST_KNOWN = 100_000
"""Keys of events that are remembered as handled."""
_KNOWN_SECONDS = 3600
"""How long they are remembered: platforms repeat an event within minutes."""
_MOST_HELD = 2_000
"""Events that wait in memory. Those beyond are read from the platform later."""

log = structlog.get_logger()


@dataclass(slots=True)
class Dispatcher:
    """Handles events concurrently, but one at a time within a channel.

    An example: two events of channel "a" and one of "b" are started at once.

        dispatcher.start(take, first, channel="a")
        dispatcher.start(take, second, channel="a")  # runs when `first` is handled
        dispatcher.start(take, third, channel="b")   # runs beside `first`
    """

    tasks: asyncio.TaskGroup | None = None
    """Runs the handlers; None while the bot is not listening."""
    outage: Outage = field(default_factory=Outage)
    known: TTLCache[str, bool] = field(
        default_factory=lambda: TTLCache(_MOST_KNOWN, _KNOWN_SECONDS)
    )
    """What was handled and is stored: platforms deliver some events repeatedly."""
    _held: int = 0
    _locks: WeakValueDictionary[int | str, asyncio.Lock] = field(
        default_factory=WeakValueDictionary
    )

    @property
    def is_full(self) -> bool:
        """Whether so many events wait in memory that others had better not."""
        return self._held >= _MOST_HELD

    def lock(self, channel: int | str) -> asyncio.Lock:
        """The lock that keeps a channel's events in order."""
        return self._locks.setdefault(channel, asyncio.Lock())

    def start(
        self,
        handle: Callable[[*Args], Awaitable[object]],
        *args: *Args,
        channel: int | str = "",
        tell: Tell | None = None,
    ) -> bool:
        """Handle something in the background; what has the same channel is handled in order.

        `tell` is called if it has to wait because nothing can be stored. False while the bot is
        not listening: the platform or the inbox repeats it.
        """
        if self.tasks is None:
            return False
        work = self._contain(handle, *args, channel=channel, tell=tell)
        try:
            self.tasks.create_task(work)
        except RuntimeError:  # we are shutting down
            work.close()
            return False
        return True

    async def _contain(
        self,
        handle: Callable[[*Args], Awaitable[object]],
        *args: *Args,
        channel: int | str,
        tell: Tell | None,
    ) -> None:
        """Handle one event and log a bug in that, so that the other events go on."""
        try:
            async with self.hold(channel, tell):
                await handle(*args)
        except Exception:
            log.exception("event handler failed")

    @asynccontextmanager
    async def hold(self, channel: int | str, tell: Tell | None) -> AsyncIterator[None]:
        """Keep an event in memory, from its arrival until it is handled in order."""
        self._held += 1
        try:
            async with (
                self.outage.tell_if_late(tell) if tell else nullcontext(),
                self.lock(channel) if channel else nullcontext(),
            ):
                yield
        finally:
            self._held -= 1
