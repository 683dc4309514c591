"""Catches up with what was written, edited and deleted while the bot was away."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import structlog

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.ports import ChatPorts
from adapters.chat.retrying import make_retrying
from pipeline.domain import Thread
from pipeline.errors import ChatError, LeaseLost, is_passing
from pipeline.leasing import hold_lease

_LONGEST = timedelta(days=3)
"""How old a missed message may be to be taken."""
_STEP = timedelta(seconds=10)
"""How often a mark is moved, so that not every message writes to the database."""
_MARGIN = timedelta(minutes=5)
"""How far before its mark a place is read.

Messages are handled side by side: an older one may be taken after a newer one has moved the mark.
Our clock, too, may be ahead of the platform's. What is read twice is taken once.
"""
_MOST_LOGGED = 100
"""Messages of a thread that are compared with the platform to find deleted ones."""
_LOOK_SECONDS = 5.0
"""The pause between two tries to get the lease of a place, which another replica reads."""
_ORDER_SECONDS = 15.0
"""How long a message waits for what was written before it, which is still to be read."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What to read of a place, because the bot was away.

    `Backfill` makes it; the platform notes in `spans` what it has read, from which follows what was
    deleted: a message that stands in the log, but not among those of its room.
    """

    place: str
    """A workspace or a server."""
    threads: Sequence[tuple[Thread, str]]
    """Those in which somebody wrote lately, with the id of the last message."""
    since: datetime
    """After when messages are missed."""
    spans: dict[str, tuple[datetime, Collection[str]]] = field(default_factory=dict)
    """By channel or thread: after when it was read, and the ids of the messages in it."""
    failures: list[ChatError] = field(default_factory=list)
    """What must be read again."""

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Read a part: an outage is noted, and what the platform refuses for good is left out."""
        try:
            yield
        except ChatError as error:
            log.warning("could not backfill", place=self.place, error=str(error))
            self.failures.extend([error] if is_passing(error) else ())

    def misses(self, thread: Thread, message: str, at: datetime) -> bool:
        """Whether a message of a thread is gone. The first one stands in the thread's channel."""
        room = thread.channel.id if message == thread.root else thread.root
        start, ids = self.spans.get(room, (at, ()))
        return at > start and message not in ids


@dataclass(slots=True, kw_only=True)
class Backfill:
    """Takes what was written, edited and deleted while the bot was away, place by place.

    Each place (a workspace or a server) has a mark in the cache: the time up to which all of its
    messages were taken. `advance` moves it with each message that is taken. `suspend` stops it when
    the connection is lost. `read` takes what came after the mark and then moves it to now.

    An example: the mark of "T1" is 12:00, and the connection is lost until 13:00. Ada wrote at
    12:40, and Bob deleted a message of 11:58.

        backfill.suspend("T1")              # a message that arrives at 13:00 moves no mark
        await backfill.read("T1")           # read_rooms(Gap("T1", since=11:55)): takes Ada's;
                                            # delete(thread, "11:58"): handles Bob's
        await backfill.advance("T1", "13:01")  # the mark was 13:00; it is 13:01 now
    """

    platform: str
    ports: ChatPorts
    find_time: Callable[[str], datetime | None]
    """When a message was written, by its id; None for the id of a run or a command."""
    make_id: Callable[[datetime], str]
    """An id that a message of this time may have."""
    read_rooms: Callable[[Gap], Awaitable[None]]
    """Takes what was written and edited in a gap."""
    skip: Callable[[Thread, str], None]
    """Makes `read_rooms` take nothing but an edit of this message."""
    delete: Callable[[Thread, str], Awaitable[None]]
    """Handles the deletion of a message of a thread."""
    pause: float = 15.0
    """Seconds before the first retry."""
    side_by_side: int = 1
    """Places that are read at the same time."""
    shared: bool = False
    """Whether other replicas of the program hear of the same places: then one of them reads."""
    noted: bool = True
    """Whether threads are read, too, in which the bot takes no part."""
    _losses: dict[str, int] = field(default_factory=lambda: defaultdict(lambda: 1))
    """How often the connection was lost; 0 once what came meanwhile is read."""
    _settled: dict[str, asyncio.Event] = field(default_factory=lambda: defaultdict(asyncio.Event))
    """Set while what came is read."""
    _marks: dict[str, datetime] = field(default_factory=dict)
    _reading: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self._reading = asyncio.Semaphore(self.side_by_side)

    def suspend(self, place: str) -> None:
        """Leave the mark where it is until `read`."""
        self._losses[place] += 1
        self._settled[place].clear()

    def is_behind(self, place: str) -> bool:
        """Whether something is still to be read of a place."""
        return self._losses[place] > 0

    async def wait_until_read(self, place: str) -> None:
        """Wait for what was written in a place before, so that it is taken first; not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_ORDER_SECONDS):
                await self._settled[place].wait()

    def _settle(self, place: str) -> None:
        self._losses[place] = 0
        self._settled[place].set()

    def read_later(self, place: str, dispatcher: Dispatcher) -> None:
        """Miss a message now, and catch up when the database takes messages again."""
        if not self._losses[place]:  # else somebody will do so
            self.suspend(place)
            dispatcher.start(self.read, place)

    def leave(self, place: str) -> None:
        """Try no more to read a place that the bot was removed from."""
        self._settle(place)

    async def advance(self, place: str, message: str) -> None:
        """Move the mark of a place to a message that was taken there."""
        at, mark = self.find_time(message), self._marks.get(place)
        if at and not self._losses[place] and (mark is None or at >= mark + _STEP):
            await self._save(place, at)

    async def read(self, place: str) -> None:
        """Catch up with a place; while something is down, try again.

        Without a mark, nothing is read: the bot has never been there. Raises ChatError if the bot
        was removed from the place meanwhile (`leave`).
        """
        retry = make_retrying(self.pause, lambda e: is_passing(e) and self._losses[place] > 0)
        if self.shared:
            await retry(self._read_in_turn, place, datetime.now(UTC))
        else:
            await retry(self._read, place)

    async def _read_in_turn(self, place: str, connected: datetime) -> None:
        """Read a place unless another replica has just done so.

        Since `connected` we hear of it ourselves, or other replicas do. So if another one has read
        it up to then, nothing is missed.
        """
        name, has_waited = f"read:{self.platform}:{place}", False
        while True:
            try:
                async with hold_lease(self.ports.leases, name) as is_ours:
                    if is_ours:
                        losses = self._losses[place]
                        if not (has_waited and await self._is_read(place, connected)):
                            await self._read(place)
                        elif self._losses[place] == losses:
                            self._settle(place)
                        return
            except LeaseLost:
                log.warning("another replica reads what was missed", place=place)
            has_waited = True
            await asyncio.sleep(min(_LOOK_SECONDS, self.pause))

    async def _is_read(self, place: str, until: datetime) -> bool:
        cached = await self.ports.cache.get(self._name(place))
        mark = self.find_time(cached.value) if cached else None
        return mark is not None and mark >= until

    async def _read(self, place: str) -> None:
        async with self._reading:
            losses, now = self._losses[place], datetime.now(UTC)
            cached = await self.ports.cache.get(self._name(place))
            mark = self.find_time(cached.value) if cached else await self._guess_mark(place, now)
            if mark:
                since = max(mark - _MARGIN, now - _LONGEST)
                threads = await self._find_threads(place, now, noted=self.noted)
                await self._fill(Gap(place=place, threads=threads, since=since), mark)
            if self._losses[place] == losses:  # else it was lost again meanwhile
                self._settle(place)
                # What came while we read was heard, here or by another replica.
                await self._save(place, datetime.now(UTC) if self.shared else now)

    async def _guess_mark(self, place: str, now: datetime) -> datetime | None:
        """When somebody wrote there last, as far as we know."""
        threads = await self._find_threads(place, now, noted=True)
        times = (self.find_time(id_) for thread, last in threads for id_ in (thread.root, last))
        return max(filter(None, times), default=None)

    async def _find_threads(
        self, place: str, now: datetime, *, noted: bool
    ) -> Sequence[tuple[Thread, str]]:
        return await self.ports.chat_log.active_threads(
            self.platform, since=now - _LONGEST, workspace=place, noted=noted
        )

    async def _fill(self, gap: Gap, mark: datetime) -> None:
        """Read a gap. Raises ChatError if the platform is down somewhere; the rest is read."""
        logged = [each for thread, _ in gap.threads for each in await self._find_logged(thread)]
        for thread, message, at in logged:
            if at <= mark:  # left to the people then, even if we take part in it now
                self.skip(thread, message)
        await self.read_rooms(gap)
        for thread, message, at in logged:
            if gap.misses(thread, message, at):
                await self.delete(thread, message)
        if gap.failures:
            raise gap.failures[0]

    async def _find_logged(self, thread: Thread) -> Sequence[tuple[Thread, str, datetime]]:
        """The newest messages of people that are logged for a thread."""
        context = await self.ports.chat_log.context(thread, turns=_MOST_LOGGED, tail=0)
        ids = (turn.key.removeprefix(f"{thread.channel.key}:") for turn in context.turns)
        return [(thread, id_, at) for id_ in ids if (at := self.find_time(id_))]

    async def _save(self, place: str, mark: datetime) -> None:
        self._marks[place] = mark
        await self.ports.cache.put(self._name(place), self.make_id(mark))

    def _name(self, place: str) -> str:
        return f"{self.platform}:{place}:read"
