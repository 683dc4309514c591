"""The inbox: stored in the database, waited for in memory."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.chat_log import touch_thread
from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import inbox
from adapters.store.transaction import Transaction, place_of, run_owner
from pipeline.codec import dump
from pipeline.domain import Incoming, RunId, Thread
from pipeline.ports import QueuedMessage

_THIS = inbox.c.run == sa.bindparam("this_run")
_OPEN = inbox.c.finished == sa.false()
_HAND_OUT = (
    sa.update(inbox)
    .where(_THIS, _OPEN)
    .values(attempts=inbox.c.attempts + 1)
    .returning(inbox.c.attempts)
)
_FINISH = sa.update(inbox).where(_THIS).values(finished=sa.true())
_CANCEL = sa.update(inbox).where(_THIS, _OPEN).values(cancelled=sa.true())


class _Lanes:
    """Queued messages by lane (a thread, or its commands): each lane hands out one at a time."""

    def __init__(self) -> None:
        self.out: asyncio.Queue[tuple[RunId, Incoming]] = asyncio.Queue()
        self._lane_of: dict[RunId, str] = {}
        self._out_of: dict[str, RunId] = {}
        self._waiting: dict[str, dict[RunId, Incoming]] = defaultdict(dict)

    def add(self, run: RunId, message: Incoming) -> None:
        """Queue a message, unless it already is."""
        if run not in self._lane_of:
            lane = self._lane_of[run] = message.lane
            self._waiting[lane][run] = message
            self._advance(lane)

    def remove(self, run: RunId) -> None:
        """Drop a message; if it was out, hand out the next of its lane."""
        lane = self._lane_of.pop(run, "")
        self._waiting[lane].pop(run, None)
        if self._out_of.get(lane) == run:
            del self._out_of[lane]
        self._advance(lane)

    def knows(self, run: RunId) -> bool:
        return run in self._lane_of

    def _advance(self, lane: str) -> None:
        waiting = self._waiting[lane]
        if waiting and lane not in self._out_of:
            run = min(waiting, key=lambda each: (waiting[each].id, each))
            self._out_of[lane] = run
            self.out.put_nowait((run, waiting.pop(run)))
        if not waiting:
            del self._waiting[lane]


@dataclass(slots=True)
class SqlInbox(SqlPort):
    """The inbox. Only one program takes the messages of a platform, so it need not poll.

    Messages that this program cannot read stay in the database.
    """

    _lanes: _Lanes = field(default_factory=_Lanes, init=False)
    _cancelled: dict[RunId, asyncio.Event] = field(default_factory=dict, init=False)

    async def accept(self, message: Incoming, run: RunId) -> bool:
        text = dump(message)
        row = {
            **place_of(message.thread),
            "run": run,
            "key": message.key,
            "person": message.person.id,
            "body": text,
        }

        def store(tx: Transaction) -> bool:
            if not tx.add(inbox, {**row, "accepted_at": tx.at}):
                return False
            # From now on its files are in use; nothing else refers to them yet.
            tx.refer_to_files(run_owner(run), text)
            touch_thread(tx, message.thread, at=message.at.timestamp(), message=message.id)
            return True

        accepted = await self.database.write(store, durable=True)
        if accepted:
            self._lanes.add(run, message)
        return accepted

    async def take(self, platforms: Collection[str] | None = None) -> AsyncIterator[QueuedMessage]:
        self._lanes = lanes = _Lanes()
        unfinished: dict[RunId, Incoming] = {}
        for row in await self._unfinished():
            message: Incoming | None = row.body
            if message and (platforms is None or message.thread.channel.platform in platforms):
                unfinished[RunId(row.run)] = message
                if row.cancelled:
                    self._cancellation(RunId(row.run)).set()
        for run in sorted(unfinished, key=lambda each: (unfinished[each].id, each)):
            lanes.add(run, unfinished[run])
        while True:
            run, message = await lanes.out.get()
            attempt = await self._hand_out(run)
            if attempt and lanes.knows(run):
                yield QueuedMessage(run, message, attempt)
            else:  # finished or erased meanwhile
                lanes.remove(run)

    @reads
    def _unfinished(self, tx: Transaction) -> Sequence[Any]:
        return tx.execute(select(inbox).where(_OPEN).order_by(inbox.c.number)).all()

    @writes
    def _hand_out(self, tx: Transaction, run: RunId) -> int | None:
        """Count an attempt and return its number; None if the message is finished or erased."""
        attempt: int | None = tx.scalar(_HAND_OUT, {"this_run": run})
        return attempt

    async def finish(self, run: RunId) -> bool:
        known = await self._update(_FINISH, run)
        self._lanes.remove(run)
        self._cancelled.pop(run, None)
        return known

    async def cancel(self, run: RunId) -> bool:
        known = await self._update(_CANCEL, run)
        if known:
            self._cancellation(run).set()
        return known

    @writes
    def _update(self, tx: Transaction, change: sa.Update, run: RunId) -> bool:
        return tx.execute(change, {"this_run": run}).rowcount > 0

    async def cancelled(self, run: RunId) -> None:
        await self._cancellation(run).wait()

    @reads
    def of(self, tx: Transaction, message: str) -> Sequence[QueuedMessage]:
        query = select(inbox).where(inbox.c.key == message).order_by(inbox.c.number)
        return tuple(
            QueuedMessage(RunId(row.run), row.body, row.attempts)
            for row in tx.execute(query)
            if row.body
        )

    @reads
    def message(self, tx: Transaction, run: RunId) -> Incoming | None:
        message: Incoming | None = tx.scalar(select(inbox.c.body).where(inbox.c.run == run))
        return message

    @reads
    def waiting(self, tx: Transaction, thread: Thread | None = None) -> Sequence[RunId]:
        query = select(inbox.c.run).where(_OPEN).order_by(inbox.c.number)
        if thread is not None:
            query = query.where(inbox.c.thread == thread.key)
        return tuple(map(RunId, tx.scalars(query)))

    def _cancellation(self, run: RunId) -> asyncio.Event:
        return self._cancelled.setdefault(run, asyncio.Event())
