"""The inbox: kept in the database, waited for in memory."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import structlog
from sqlalchemy import Connection, Row, bindparam, false, select, true, update

from adapters.store.bodies import body, now, seconds, workspace_key
from adapters.store.database import Database, Work
from adapters.store.queue import Queue, Waiting
from adapters.store.schema import inbox
from adapters.store.threads import met
from adapters.store.upserts import kept_first
from pipeline.codec import load
from pipeline.domain import Incoming, RunId, Thread
from pipeline.ports import Clock, Taken

_log = structlog.get_logger()

_OPEN = (
    select(inbox.c.run, inbox.c.body, inbox.c.cancelled)
    .where(inbox.c.finished == false())
    .order_by(inbox.c.number)
)
_THIS = inbox.c.run == bindparam("wanted")
_HAND_OUT = (
    update(inbox)
    .where(_THIS, inbox.c.finished == false())
    .values(attempts=inbox.c.attempts + 1)
    .returning(inbox.c.attempts)
)
_FINISH = update(inbox).where(_THIS).values(finished=true())
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
    """Messages accepted and not finished. One program takes from a database at a time, so it is woken, and never polls."""

    database: Database
    clock: Clock = now
    _queue: Queue = field(default_factory=Queue, init=False)
    _cancelled: dict[RunId, asyncio.Event] = field(default_factory=dict, init=False)

    async def accept(self, message: Incoming, run: RunId) -> bool:
        channel = message.thread.channel
        row = {
            "run": run,
            "key": message.key,
            "thread": message.thread.key,
            "channel": channel.key,
            "workspace": workspace_key(channel),
            "person": message.person.id,
            "body": body(message),
            "accepted_at": seconds(self.clock()),
        }

        def write(connection: Connection) -> bool:
            if not connection.execute(kept_first(connection, inbox), row).rowcount:
                return False
            met(connection, message.thread, at=seconds(message.at), message=message.id)
            return True

        accepted = await self.database.write(write, durable=True)
        if accepted:
            self._queue.add(Waiting(message.id, run, message))
        return accepted

    async def take(self) -> AsyncIterator[Taken]:
        self._queue = Queue()
        for row in await self.database.read(_open):
            self._take_up(RunId(row.run), row.body, cancelled=row.cancelled)
        while True:
            heads = await self._queue.heads()
            attempts = await self.database.write(_handing_out([head.run for head in heads]))
            for head, attempt in zip(heads, attempts, strict=True):
                if attempt is None:  # finished or forgotten meanwhile
                    self._queue.remove(head.run)
                else:
                    yield Taken(head.run, head.message, attempt)

    async def finish(self, run: RunId) -> None:
        def write(connection: Connection) -> None:
            connection.execute(_FINISH, {"wanted": run})

        await self.database.write(write)
        self._queue.remove(run)
        self._cancelled.pop(run, None)

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
            return tuple(
                Taken(RunId(row.run), load(Incoming, row.body), row.attempts)
                for row in connection.execute(_OF, {"wanted": message})
            )

        return await self.database.read(read)

    async def message(self, run: RunId) -> Incoming | None:
        def read(connection: Connection) -> Incoming | None:
            text = connection.scalar(_MESSAGE, {"wanted": run})
            return None if text is None else load(Incoming, text)

        return await self.database.read(read)

    async def waiting(self, thread: Thread | None = None) -> Sequence[RunId]:
        query = _RUNS if thread is None else _RUNS.where(inbox.c.thread == thread.key)

        def read(connection: Connection) -> tuple[RunId, ...]:
            return tuple(map(RunId, connection.scalars(query)))

        return await self.database.read(read)

    def _take_up(self, run: RunId, text: str, *, cancelled: bool) -> None:
        try:
            message = load(Incoming, text)
        except ValueError:
            _log.exception("message cannot be read, and is left", run=run)
            return
        self._queue.add(Waiting(message.id, run, message))
        if cancelled:
            self._event(run).set()

    def _event(self, run: RunId) -> asyncio.Event:
        return self._cancelled.setdefault(run, asyncio.Event())


def _open(connection: Connection) -> Sequence[Row[Any, Any, Any]]:
    return connection.execute(_OPEN).all()


def _handing_out(runs: Sequence[RunId]) -> Work[list[int | None]]:
    def write(connection: Connection) -> list[int | None]:
        return [connection.scalar(_HAND_OUT, {"wanted": run}) for run in runs]

    return write
