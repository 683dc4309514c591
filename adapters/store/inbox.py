"""The inbox: kept in the database, waited for in memory."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import structlog
from sqlalchemy import Connection, bindparam, false, select, true, update

from adapters.store.bodies import body, now, run_owner, seconds, uses, workspace_key
from adapters.store.database import Database
from adapters.store.queue import Queue, Waiting
from adapters.store.rows import Row
from adapters.store.schema import file_uses, inbox
from adapters.store.threads import later, met
from adapters.store.upserts import fresh, kept_first
from pipeline.codec import load
from pipeline.domain import Incoming, RunId, Thread
from pipeline.ports import Clock, Taken

log = structlog.get_logger()

_OPEN = (
    select(inbox.c.run, inbox.c.body, inbox.c.cancelled)
    .where(inbox.c.finished == false())
    .order_by(inbox.c.number)
)
_THIS = inbox.c.run == bindparam("wanted")
_THESE = inbox.c.run.in_(bindparam("wanted", expanding=True))
_HAND_OUT = (
    update(inbox)
    .where(_THESE, inbox.c.finished == false())
    .values(attempts=inbox.c.attempts + 1)
    .returning(inbox.c.run, inbox.c.attempts)
)
_FINISH = update(inbox).where(_THESE).values(finished=true()).returning(inbox.c.run)
_CANCEL = update(inbox).where(_THIS, inbox.c.finished == false()).values(cancelled=true())
_CANCELLED = select(inbox.c.cancelled).where(_THIS)
_OF = (
    select(inbox.c.run, inbox.c.body, inbox.c.attempts)
    .where(inbox.c.key == bindparam("wanted"))
    .order_by(inbox.c.number)
)
_MESSAGE = select(inbox.c.body).where(_THIS)
_RUNS = select(inbox.c.run).where(inbox.c.finished == false()).order_by(inbox.c.number)


@dataclass(slots=True)
class SqlInbox:
    """Messages accepted and not finished. One program takes from a database at a time, so it is woken, and never polls.

    A message that nothing is before is counted as handed out while it is accepted, which spares its run a transaction.
    """

    database: Database
    clock: Clock = now
    _queue: Queue = field(default_factory=Queue, init=False)
    _cancelled: dict[RunId, asyncio.Event] = field(default_factory=dict, init=False)
    _taking: bool = field(default=False, init=False)

    async def accept(self, message: Incoming, run: RunId) -> bool:
        channel = message.thread.channel
        at_once = self._taking and self._queue.idle(message.lane)
        row = {
            "run": run,
            "key": message.key,
            "thread": message.thread.key,
            "channel": channel.key,
            "workspace": workspace_key(channel),
            "person": message.person.id,
            "body": body(message),
            "accepted_at": seconds(self.clock()),
            "attempts": int(at_once),
        }
        thread = met(message.thread, at=seconds(message.at), message=message.id)
        accepted = await self.database.merge(_accept, (row, thread), durable=True)
        if accepted:
            self._queue.add(Waiting(message.id, run, message, counted=at_once))
        return accepted

    async def take(self) -> AsyncIterator[Taken]:
        self._queue = Queue()
        self._taking = True
        for row in await self.database.read(_open):
            self._take_up(RunId(row.run), row.body, cancelled=row.cancelled)
        while True:
            heads = await self._queue.heads()
            attempts = {head.run: 1 for head in heads if head.counted}
            if runs := [head.run for head in heads if not head.counted]:
                attempts |= await self.database.write(partial(_hand_out, runs=runs))
            for head in heads:
                if head.run in attempts:
                    yield Taken(head.run, head.message, attempts[head.run])
                else:  # finished or forgotten meanwhile
                    self._queue.remove(head.run)

    async def finish(self, run: RunId) -> bool:
        known = await self.database.merge(_finish, run)
        self._queue.remove(run)
        self._cancelled.pop(run, None)
        return known

    async def cancel(self, run: RunId) -> bool:
        def write(connection: Connection) -> bool:
            return connection.execute(_CANCEL, {"wanted": run}).rowcount > 0

        known = await self.database.write(write)
        if known:
            self._event(run).set()
        return known

    async def cancelled(self, run: RunId) -> None:
        def read(connection: Connection) -> bool:
            return bool(connection.scalar(_CANCELLED, {"wanted": run}))

        event = self._event(run)
        if not event.is_set() and not self._queue.knows(run) and await self.database.read(read):
            event.set()
        await event.wait()

    async def of(self, message: str) -> Sequence[Taken]:
        def read(connection: Connection) -> tuple[Taken, ...]:
            rows = connection.execute(_OF, {"wanted": message})
            found = [(row, _readable(RunId(row.run), row.body)) for row in rows]
            return tuple(Taken(RunId(row.run), said, row.attempts) for row, said in found if said)

        return await self.database.read(read)

    async def message(self, run: RunId) -> Incoming | None:
        def read(connection: Connection) -> Incoming | None:
            text = connection.scalar(_MESSAGE, {"wanted": run})
            return None if text is None else _readable(run, text)

        return await self.database.read(read)

    async def waiting(self, thread: Thread | None = None) -> Sequence[RunId]:
        query = _RUNS if thread is None else _RUNS.where(inbox.c.thread == thread.key)

        def read(connection: Connection) -> tuple[RunId, ...]:
            return tuple(map(RunId, connection.scalars(query)))

        return await self.database.read(read)

    def _take_up(self, run: RunId, text: str, *, cancelled: bool) -> None:
        message = _readable(run, text)
        if message is None:
            return
        self._queue.add(Waiting(message.id, run, message))
        if cancelled:
            self._event(run).set()

    def _event(self, run: RunId) -> asyncio.Event:
        return self._cancelled.setdefault(run, asyncio.Event())


def _readable(run: RunId, text: str) -> Incoming | None:
    """The message; None for one that another version of the program kept and this one cannot read: it is left."""
    try:
        return load(Incoming, text)
    except ValueError:
        log.exception("message cannot be read, and is left", run=run)
        return None


def _open(connection: Connection) -> Sequence[Any]:
    return connection.execute(_OPEN).all()


def _accept(connection: Connection, many: Sequence[tuple[Row, Row]]) -> list[bool]:
    """Keep messages, and note the threads of those that are new."""
    new = fresh(connection, inbox.c.run, [row for row, _ in many])
    used = [
        use
        for (row, _), is_new in zip(many, new, strict=True)
        if is_new
        for use in uses(run_owner(str(row["run"])), str(row["body"]))
    ]
    if used:  # files that were sent with the message, before anything else refers to them
        connection.execute(kept_first(connection, file_uses), used)
    met_now = [thread for (_, thread), is_new in zip(many, new, strict=True) if is_new]
    if met_now:
        connection.execute(later(connection), met_now)
    return new


def _hand_out(connection: Connection, runs: Sequence[RunId]) -> dict[RunId, int]:
    rows = connection.execute(_HAND_OUT, {"wanted": runs})
    return {RunId(row.run): row.attempts for row in rows}


def _finish(connection: Connection, runs: Sequence[RunId]) -> list[bool]:
    known = set(connection.scalars(_FINISH, {"wanted": runs}))
    return [run in known for run in runs]
