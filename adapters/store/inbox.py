"""The inbox: stored in the database, waited for in memory."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from sqlalchemy import Connection, bindparam, false, select, true, update

from adapters.store.chat_log import touch_thread
from adapters.store.database import Database, reads, writes
from adapters.store.schema import inbox
from adapters.store.serialization import (
    add_row,
    dump_value,
    load_value,
    now,
    refer_to_files,
    run_owner,
    workspace_key,
)
from pipeline.domain import Incoming, RunId, Thread
from pipeline.ports import Clock, QueuedMessage

_THIS = inbox.c.run == bindparam("wanted")
_OPEN = (
    select(inbox.c.run, inbox.c.body, inbox.c.cancelled)
    .where(inbox.c.finished == false())
    .order_by(inbox.c.number)
)
_HAND_OUT = (
    update(inbox)
    .where(inbox.c.run.in_(bindparam("runs", expanding=True)), inbox.c.finished == false())
    .values(attempts=inbox.c.attempts + 1)
    .returning(inbox.c.run, inbox.c.attempts)
)
_FINISH = update(inbox).where(_THIS).values(finished=true())
_CANCEL = update(inbox).where(_THIS, inbox.c.finished == false()).values(cancelled=true())
_CANCELLED = select(inbox.c.cancelled).where(_THIS)
_OF_MESSAGE = (
    select(inbox.c.run, inbox.c.body, inbox.c.attempts)
    .where(inbox.c.key == bindparam("key"))
    .order_by(inbox.c.number)
)
_MESSAGE = select(inbox.c.body).where(_THIS)
_WAITING = select(inbox.c.run).where(inbox.c.finished == false()).order_by(inbox.c.number)


@dataclass(frozen=True, slots=True, order=True)
class _Waiting:
    """A message that waits; `id` sorts in message order. `counted`: its first attempt is stored."""

    id: str
    run: RunId
    message: Incoming = field(compare=False)
    counted: bool = field(default=False, compare=False)


@dataclass(slots=True)
class _Queue:
    """Messages by lane (a thread's, and beside them its commands): one at a time in each."""

    _lane_of: dict[RunId, str] = field(default_factory=dict)
    _lanes: dict[str, list[_Waiting]] = field(default_factory=dict)
    _busy: dict[str, RunId] = field(default_factory=dict)
    _ready: deque[str] = field(default_factory=deque)
    _wake: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, waiting: _Waiting) -> None:
        """A second time changes nothing."""
        if waiting.run in self._lane_of:
            return
        lane = waiting.message.lane
        self._lane_of[waiting.run] = lane
        heappush(self._lanes.setdefault(lane, []), waiting)
        self._offer(lane)

    def is_idle(self, lane: str) -> bool:
        """Whether a message of this lane would be the next one out."""
        return lane not in self._busy and not self._lanes.get(lane)

    def knows(self, run: RunId) -> bool:
        return run in self._lane_of

    def remove(self, run: RunId) -> None:
        """The message is done with: its lane is free if it was out, else it loses its place."""
        lane = self._lane_of.pop(run, None)
        if lane is not None and self._busy.get(lane) == run:
            del self._busy[lane]
            self._offer(lane)

    async def next_heads(self) -> list[_Waiting]:
        """The first message of each free lane, which is busy from then on; waits for one."""
        while True:
            lanes = list(dict.fromkeys(self._ready))
            self._ready.clear()
            heads = [head for lane in lanes if (head := self._pop_head(lane))]
            if heads:
                return heads
            self._wake.clear()
            await self._wake.wait()

    def _pop_head(self, lane: str) -> _Waiting | None:
        if lane in self._busy:
            return None
        line = self._lanes.get(lane, [])
        while line:
            head = heappop(line)
            if head.run in self._lane_of:
                self._busy[lane] = head.run
                return head
        self._lanes.pop(lane, None)
        return None

    def _offer(self, lane: str) -> None:
        self._ready.append(lane)
        self._wake.set()


@dataclass(slots=True)
class SqlInbox:
    """Messages accepted and not finished. One program takes those of a platform, so it is woken.

    A message that nothing is before is counted as handed out while it is accepted, which spares
    its run a transaction. One that this program cannot read is left where it is.
    """

    database: Database
    clock: Clock = now
    _queue: _Queue = field(default_factory=_Queue, init=False)
    _cancelled: dict[RunId, asyncio.Event] = field(default_factory=dict, init=False)
    _taking: bool = field(default=False, init=False)

    async def accept(self, message: Incoming, run: RunId) -> bool:
        at_once = self._taking and self._queue.is_idle(message.lane)
        accepted = await self.database.write(
            lambda connection: self._store(connection, message, run, attempts=int(at_once)),
            durable=True,
        )
        if accepted:
            self._queue.add(_Waiting(message.id, run, message, counted=at_once))
        return accepted

    def _store(
        self, connection: Connection, message: Incoming, run: RunId, *, attempts: int
    ) -> bool:
        text = dump_value(message)
        row = {
            "run": run,
            "key": message.key,
            "thread": message.thread.key,
            "channel": message.thread.channel.key,
            "workspace": workspace_key(message.thread.channel),
            "person": message.person.id,
            "body": text,
            "accepted_at": self.clock().timestamp(),
            "attempts": attempts,
        }
        if not add_row(connection, inbox, row):
            return False
        # Files sent with the message are referred to before anything else does it.
        refer_to_files(connection, run_owner(run), text)
        touch_thread(connection, message.thread, at=message.at.timestamp(), message=message.id)
        return True

    async def take(self, platforms: Collection[str] | None = None) -> AsyncIterator[QueuedMessage]:
        self._queue = _Queue()
        self._taking = True
        for row in await self._open():
            message = load_value(Incoming, row.body, key=row.run)
            if message and (platforms is None or message.thread.channel.platform in platforms):
                self._queue.add(_Waiting(message.id, RunId(row.run), message))
                if row.cancelled:
                    self._cancellation(RunId(row.run)).set()
        while True:
            heads = await self._queue.next_heads()
            attempts = {head.run: 1 for head in heads if head.counted}
            if runs := [head.run for head in heads if not head.counted]:
                attempts |= await self._hand_out(runs)
            for head in heads:
                if head.run in attempts:
                    yield QueuedMessage(head.run, head.message, attempts[head.run])
                else:  # finished or forgotten meanwhile
                    self._queue.remove(head.run)

    @reads
    def _open(self, connection: Connection) -> Sequence[Any]:
        return connection.execute(_OPEN).all()

    @writes
    def _hand_out(self, connection: Connection, runs: Sequence[RunId]) -> dict[RunId, int]:
        rows = connection.execute(_HAND_OUT, {"runs": runs})
        return {RunId(row.run): row.attempts for row in rows}

    async def finish(self, run: RunId) -> bool:
        known = await self._finish(run)
        self._queue.remove(run)
        self._cancelled.pop(run, None)
        return known

    @writes
    def _finish(self, connection: Connection, run: RunId) -> bool:
        return connection.execute(_FINISH, {"wanted": run}).rowcount > 0

    async def cancel(self, run: RunId) -> bool:
        known = await self._cancel(run)
        if known:
            self._cancellation(run).set()
        return known

    @writes
    def _cancel(self, connection: Connection, run: RunId) -> bool:
        return connection.execute(_CANCEL, {"wanted": run}).rowcount > 0

    async def cancelled(self, run: RunId) -> None:
        event = self._cancellation(run)
        if not event.is_set() and not self._queue.knows(run) and await self._is_cancelled(run):
            event.set()
        await event.wait()

    @reads
    def _is_cancelled(self, connection: Connection, run: RunId) -> bool:
        return bool(connection.scalar(_CANCELLED, {"wanted": run}))

    @reads
    def of(self, connection: Connection, message: str) -> Sequence[QueuedMessage]:
        rows = connection.execute(_OF_MESSAGE, {"key": message})
        return tuple(
            QueuedMessage(RunId(row.run), incoming, row.attempts)
            for row in rows
            if (incoming := load_value(Incoming, row.body, key=row.run))
        )

    @reads
    def message(self, connection: Connection, run: RunId) -> Incoming | None:
        return load_value(Incoming, connection.scalar(_MESSAGE, {"wanted": run}), key=run)

    @reads
    def waiting(self, connection: Connection, thread: Thread | None = None) -> Sequence[RunId]:
        query = _WAITING if thread is None else _WAITING.where(inbox.c.thread == thread.key)
        return tuple(map(RunId, connection.scalars(query)))

    def _cancellation(self, run: RunId) -> asyncio.Event:
        return self._cancelled.setdefault(run, asyncio.Event())
