"""The inbox of a program that has the database for itself: stored there, waited for in memory."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from heapq import heappop, heappush
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.database import reads, writes
from adapters.store.inbox_rows import IS_OPEN, InboxRows, make_row, store_beside
from adapters.store.schema import inbox
from adapters.store.transactions import Transaction
from pipeline.codec import dump
from pipeline.domain import Incoming, RunId, Thread
from pipeline.ports import Backlog, QueuedMessage

_THIS = inbox.c.run == sa.bindparam("wanted")
_HAND_OUT = (
    sa.update(inbox)
    .where(_THIS, IS_OPEN)
    .values(attempts=inbox.c.attempts + 1)
    .returning(inbox.c.attempts)
)
_FINISH = sa.update(inbox).where(_THIS, inbox.c.key != "").values(finished=sa.true())
_CANCEL = sa.update(inbox).where(_THIS, IS_OPEN).values(cancelled=sa.true())


@dataclass(frozen=True, slots=True, order=True, kw_only=True)
class _Waiting:
    """A message that waits; `id` sorts in message order. `counted`: its first attempt is stored."""

    id: str
    run: RunId
    message: Incoming = field(compare=False)
    accepted_at: datetime = field(compare=False)
    counted: bool = field(default=False, compare=False)


class _Lanes:
    """Messages by lane (a thread's, and beside them its commands): one is out at a time in each."""

    def __init__(self) -> None:
        self.out: asyncio.Queue[_Waiting] = asyncio.Queue()
        self.taken = set[RunId]()
        """Those that were yielded."""
        self._known: dict[RunId, _Waiting] = {}
        self._out_of: dict[str, RunId] = {}
        self._waiting: dict[str, list[_Waiting]] = defaultdict(list)

    def add(self, waiting: _Waiting) -> None:
        """A second time changes nothing."""
        if waiting.run not in self._known:
            lane = waiting.message.lane
            self._known[waiting.run] = waiting
            heappush(self._waiting[lane], waiting)
            self._advance(lane)

    def remove(self, run: RunId) -> None:
        """The message is done with: the next of its lane may come if it was out."""
        known = self._known.pop(run, None)
        lane = known.message.lane if known else ""
        self.taken.discard(run)
        if self._out_of.get(lane) == run:
            del self._out_of[lane]
            self._advance(lane)

    def is_idle(self, lane: str) -> bool:
        """Whether a message of this lane would be the next one out."""
        return lane not in self._out_of

    def knows(self, run: RunId) -> bool:
        return run in self._known

    def list_waiting(self) -> Sequence[_Waiting]:
        """The messages that were not yielded yet, in the order in which they came."""
        return [each for run, each in self._known.items() if run not in self.taken]

    def _advance(self, lane: str) -> None:
        waiting = self._waiting[lane]
        while waiting and self.is_idle(lane):
            head = heappop(waiting)
            if self.knows(head.run):
                self._out_of[lane] = head.run
                self.out.put_nowait(head)
        if not waiting:
            del self._waiting[lane]


@dataclass(slots=True)
class LocalInbox(InboxRows):
    """Messages accepted and not finished.

    One program takes all messages of a platform, so accepting one wakes it in memory. A message
    with nothing ahead of it in its lane is handed out in the transaction that accepts it. One that
    this program cannot read is left where it is.
    """

    _lanes: _Lanes = field(default_factory=_Lanes, init=False)
    _cancelled: dict[RunId, asyncio.Event] = field(default_factory=dict, init=False)
    _taking: bool = field(default=False, init=False)

    async def accept(self, message: Incoming, run: RunId, *, after: RunId | None = None) -> bool:
        at_once = self._taking and self._lanes.is_idle(message.lane)
        text = dump(message)
        row = {**make_row(message, run, text), "attempts": int(at_once)}

        def store(tx: Transaction) -> bool:
            nonlocal at_once
            at_once = at_once and not tx.may_be_done  # if it is there, it may be finished
            if after and not tx.exists(inbox.c.run == after, inbox.c.key != ""):
                return False
            if not tx.add(inbox, {**row, "accepted_at": tx.at}) and not tx.may_be_done:
                return False
            store_beside(tx, message, run, text)
            return True

        async def store_and_queue() -> bool:
            accepted = await self.database.write(store, durable=True)
            if accepted:
                now = self.database.clock()
                self._lanes.add(
                    _Waiting(
                        id=message.id, run=run, message=message, accepted_at=now, counted=at_once
                    )
                )
            return accepted

        return await asyncio.shield(store_and_queue())  # it is committed even if we are cancelled

    async def take(self, platforms: Collection[str] | None = None) -> AsyncIterator[QueuedMessage]:
        self._lanes = lanes = _Lanes()
        self._taking = True
        unfinished = []
        for row in await self._unfinished():
            message: Incoming | None = row.body
            if message and (platforms is None or message.thread.channel.platform in platforms):
                at = datetime.fromtimestamp(row.accepted_at, UTC)
                unfinished.append(
                    _Waiting(id=message.id, run=RunId(row.run), message=message, accepted_at=at)
                )
                if row.cancelled:
                    self._cancellation(RunId(row.run)).set()
        for waiting in sorted(unfinished):
            lanes.add(waiting)
        while True:
            head = await lanes.out.get()
            attempt = 1 if head.counted else await self._hand_out(head.run)
            if attempt and lanes.knows(head.run):
                lanes.taken.add(head.run)
                yield QueuedMessage(head.run, head.message, attempt, head.accepted_at)
            else:  # finished or forgotten meanwhile
                lanes.remove(head.run)

    async def list_backlog(self, thread: Thread | None = None) -> Sequence[QueuedMessage]:
        waiting = self._lanes.list_waiting()
        return [
            QueuedMessage(each.run, each.message, 0, each.accepted_at)
            for each in waiting
            if thread in (None, each.message.thread)
        ]

    async def measure_backlog(self) -> Mapping[str, Backlog]:
        waiting: dict[str, Backlog] = {}
        for each in self._lanes.list_waiting():
            platform = each.message.thread.channel.platform
            before = waiting.get(platform, Backlog(0, each.accepted_at))
            waiting[platform] = Backlog(before.count + 1, min(before.oldest, each.accepted_at))
        return waiting

    @reads
    def _unfinished(self, tx: Transaction) -> Sequence[Any]:
        return tx.execute(select(inbox).where(IS_OPEN).order_by(inbox.c.number)).all()

    @writes
    def _hand_out(self, tx: Transaction, run: RunId) -> int | None:
        """The number of the attempt; None for a message that is not to be answered any more."""
        attempt: int | None = tx.scalar(_HAND_OUT, {"wanted": run})
        return attempt

    async def finish(self, run: RunId) -> bool:
        known = await self._update(_FINISH, run)
        self._lanes.remove(run)
        self._cancelled.pop(run, None)
        return known

    async def cancel(self, run: RunId) -> bool:
        known = await self._update(_CANCEL, run)
        if known or self._lanes.knows(run):  # its message may have been deleted meanwhile
            self._cancellation(run).set()
        return known

    @writes
    def _update(self, tx: Transaction, change: sa.Update, run: RunId) -> bool:
        return tx.execute(change, {"wanted": run}).rowcount > 0

    async def await_cancellation(self, run: RunId) -> None:
        event = self._cancellation(run)
        if not event.is_set() and not self._lanes.knows(run) and await self._is_cancelled(run):
            event.set()
        await event.wait()

    async def give_back(self, run: RunId) -> None:
        """Nothing: it is taken again at the next start."""

    async def check(self, run: RunId) -> None:
        """No other program can answer it."""

    def _cancellation(self, run: RunId) -> asyncio.Event:
        return self._cancelled.setdefault(run, asyncio.Event())
