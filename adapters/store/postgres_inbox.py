"""The inbox that several programs share on PostgreSQL: rows that one of them leases for a while."""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy import bindparam, exc, select
from sqlalchemy.dialects.postgresql import ARRAY

from adapters.store.database import reads, writes, writes_once
from adapters.store.inbox_rows import IS_OPEN, InboxRows, make_row, read_row, store_beside
from adapters.store.leases import DATABASE_NOW
from adapters.store.postgres_notifications import CHANNEL, NOTIFY, format_payload
from adapters.store.run_leases import RunLease, RunLeases
from adapters.store.schema import inbox
from adapters.store.transactions import Transaction, insert_into
from pipeline.codec import dump
from pipeline.domain import Incoming, RunId, Thread
from pipeline.errors import LeaseLost, StoreUnavailable, TroupeError
from pipeline.outage import limit_patience
from pipeline.ports import RENEWALS, Backlog, Notifications, QueuedMessage, Topic

log = structlog.get_logger()

_AT_ONCE = 4
"""Messages that are taken in one look, so that a burst spreads over the programs: the one whose
event loop is busiest looks again last."""
_POLL = 0.5
"""Seconds between two looks where no notification came: leases run out silently."""
_PATIENCE = 2.0
"""Seconds that giving back may take: the program is to end."""
_MOST_LISTED = 1000

_RUN = bindparam("wanted", type_=sa.String)
_ME = bindparam("me", type_=sa.String)
_ATTEMPT = bindparam("attempt", type_=sa.Integer)
_PLATFORM = sa.func.split_part(inbox.c.thread, ":", 1)
_NOW = DATABASE_NOW
_IS_OURS = (inbox.c.run == _RUN) & (inbox.c.attempts == _ATTEMPT) & IS_OPEN
_WAKE = sa.func.pg_notify(CHANNEL, format_payload(Topic.INBOX))


def _build_take() -> sa.Update:
    """Lease the first messages of free lanes, and of lanes whose owner is silent.

    A message with a smaller key may be accepted after a later one was begun: the one begun stays
    the first of its lane. Two programs that see this differently meet at the index of lanes.
    """
    row, other = inbox.alias("row"), inbox.alias("other")
    texts = ARRAY(sa.String)
    mine = bindparam("mine", type_=texts)
    unreadable = bindparam("unreadable", type_=texts)
    is_before = sa.tuple_(other.c.key, other.c.number) < sa.tuple_(row.c.key, row.c.number)
    is_ahead = (
        sa.exists()
        .where(other.c.lane == row.c.lane, ~other.c.finished)
        .where(other.c.owner.is_not(None) | is_before & (other.c.run != sa.all_(unreadable)))
    )
    free = (
        select(row.c.run, row.c.owner)
        .where(~row.c.finished, row.c.owner.is_(None) | (row.c.leased_until < _NOW))
        .where(row.c.run != sa.all_(mine), row.c.run != sa.all_(unreadable))
        .where(
            bindparam("all_platforms", type_=sa.Boolean)
            | (
                sa.func.split_part(row.c.thread, ":", 1)
                == sa.any_(bindparam("platforms", type_=texts))
            )
        )
        .where(
            # Without room, only what takes none: commands (in own lanes), and what was stopped.
            bindparam("has_room", type_=sa.Boolean) | (row.c.lane != row.c.thread) | row.c.cancelled
        )
        .where(row.c.owner.is_not(None) | ~is_ahead)
        .order_by(row.c.number)
        .limit(bindparam("most", type_=sa.Integer))
        .with_for_update(of=row, skip_locked=True)
        .cte("free")
    )
    return (
        sa.update(inbox)
        .where(inbox.c.run == free.c.run)
        .values(
            owner=_ME,
            attempts=inbox.c.attempts + 1,
            leased_until=_NOW + bindparam("seconds", type_=sa.Double),
        )
        .returning(
            inbox.c.number,
            inbox.c.run,
            inbox.c.body,
            inbox.c.attempts,
            inbox.c.accepted_at,
            inbox.c.cancelled,
            free.c.owner.label("before"),
        )
    )


def _build_renewal() -> sa.Update:
    arrays = sa.func.unnest(
        bindparam("these", type_=ARRAY(sa.String)), bindparam("numbers", type_=ARRAY(sa.Integer))
    )
    asked = arrays.table_valued(sa.column("run", sa.String), sa.column("attempt", sa.Integer))
    asked = asked.render_derived(name="asked")
    return (
        sa.update(inbox)
        .where(inbox.c.run == asked.c.run, inbox.c.attempts == asked.c.attempt, IS_OPEN)
        .values(leased_until=_NOW + bindparam("seconds", type_=sa.Double))
        .returning(inbox.c.run, inbox.c.cancelled)
    )


def _build_finish() -> sa.Select[Any]:
    """Finish a run, and wake the programs if another message of its lane waits."""
    gone = (
        sa.update(inbox)
        .where(
            (inbox.c.run == _RUN) & IS_OPEN & (inbox.c.key != ""),
            bindparam("any_attempt", type_=sa.Boolean) | (inbox.c.attempts == _ATTEMPT),
        )
        .values(finished=sa.true(), owner=None, leased_until=None)
        .returning(inbox.c.run, inbox.c.lane)
        .cte("gone")
    )
    other = inbox.alias("other")
    waits = (
        sa.exists()
        .where(other.c.lane == gone.c.lane, ~other.c.finished, other.c.run != gone.c.run)
        .correlate(gone)
    )
    return select(sa.case((waits, _WAKE)), waits.label("waits")).select_from(gone)


_TAKE, _RENEW, _FINISH = _build_take(), _build_renewal(), _build_finish()
_STATE = select(inbox.c.key, inbox.c.attempts).where(inbox.c.run == _RUN)
_GIVE_BACK = sa.update(inbox).where(_IS_OURS).values(owner=None, leased_until=None).returning(_WAKE)
_PUT_BACK = (
    sa.update(inbox)
    .where(_IS_OURS)
    .values(owner=None, leased_until=None, attempts=inbox.c.attempts - 1)
    .returning(_WAKE)
)
_LEAVE_ALL = (
    sa.update(inbox)
    .where(inbox.c.owner == _ME, IS_OPEN)
    .values(owner=None, leased_until=None)
    .returning(_WAKE)
)
_CANCEL = (
    sa.update(inbox)
    .where(inbox.c.run == _RUN, IS_OPEN)
    .values(cancelled=sa.true())
    .returning(
        sa.func.pg_notify(CHANNEL, sa.literal(format_payload(Topic.CANCELLATIONS)) + inbox.c.run)
    )
)
_LACKS_LANE = (IS_OPEN, inbox.c.lane.is_(None))
_BACKLOG = select(inbox).where(IS_OPEN, inbox.c.owner.is_(None)).order_by(inbox.c.number)
_MEASURE = (
    select(
        _PLATFORM.label("platform"),
        sa.func.count().label("waiting"),
        sa.func.min(inbox.c.accepted_at).label("oldest"),
    )
    .where(IS_OPEN, inbox.c.owner.is_(None))
    .group_by(_PLATFORM)
)


@dataclass(slots=True)
class PostgresInbox(InboxRows):
    """Messages accepted and not finished, of which each program takes as many as it can answer.

    A message of a version that this program cannot read is put back for a newer one, and does not
    hold up its lane here.
    """

    notifications: Notifications
    program: str
    most_runs: int
    _news: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _unreadable: set[str] = field(default_factory=set, init=False)
    _has_taken: bool = field(default=False, init=False)

    @property
    def _leases(self) -> RunLeases:
        return self.database.run_leases

    async def accept(self, message: Incoming, run: RunId, *, after: RunId | None = None) -> bool:
        text = dump(message)
        row = {**make_row(message, run, text), "lane": message.lane, "accepted_at": _NOW}

        def store(tx: Transaction) -> bool:
            if after and not tx.exists(inbox.c.run == after, inbox.c.key != ""):
                return False
            insert = insert_into("postgresql", inbox).values(row).on_conflict_do_nothing()
            if tx.scalar(insert.returning(inbox.c.run)) is None:
                return tx.may_be_done
            store_beside(tx, message, run, text)
            tx.execute(NOTIFY, {"payload": format_payload(Topic.INBOX)})
            return True

        async def store_and_wake() -> bool:
            accepted = await self.database.write(store, durable=True)
            self._news.set()
            return accepted

        return await asyncio.shield(store_and_wake())  # it is committed even if we are cancelled

    async def take(self, platforms: Collection[str] | None = None) -> AsyncIterator[QueuedMessage]:
        await self._fill_in_lanes()
        with self.notifications.subscribe(Topic.INBOX, self._hear):
            while True:
                self._news.clear()
                taken, is_all = await self._take_some(platforms)
                for message in taken:
                    yield message
                if is_all:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(_POLL):
                            await self._news.wait()

    def _hear(self, _text: str | None) -> None:
        self._news.set()

    async def _take_some(
        self, platforms: Collection[str] | None
    ) -> tuple[Sequence[QueuedMessage], bool]:
        """Take what there is room for; also returns whether nothing else can be taken now."""
        room = self.most_runs - self._leases.count_busy()
        most = min(room, _AT_ONCE) if room > 0 else _AT_ONCE
        values = {
            "me": self.program,
            "seconds": self._leases.seconds,
            "mine": list(self._leases.runs),
            "unreadable": list(self._unreadable),
            "all_platforms": platforms is None,
            "platforms": list(platforms or ()),
            "has_room": room > 0,
            "most": most,
        }
        self._has_taken = True
        try:
            rows, since = await self._lease(values)
        except exc.IntegrityError:  # another program took one of the same lane
            return (), False
        messages = []
        for row in sorted(rows, key=lambda row: row.number):
            if row.body is None:
                self._unreadable.add(row.run)
                await self._put_back(RunId(row.run), row.attempts)
                continue
            self._hold(row, since)
            messages.append(read_row(row))
        return messages, len(rows) < most

    @writes_once
    def _lease(self, tx: Transaction, values: Mapping[str, object]) -> tuple[Sequence[Any], float]:
        since = self._leases.clock()
        return tx.execute(_TAKE, dict(values)).all(), since

    def _hold(self, row: Any, since: float) -> None:  # noqa: ANN401 - a row of the inbox
        if row.before is not None:
            self._leases.takeovers += 1
            log.info("taken over", run=row.run, attempt=row.attempts)
        self._leases.hold(
            RunId(row.run),
            row.attempts,
            since,
            beside=row.body.beside,
            is_cancelled=row.cancelled,
        )

    @writes_once
    def _put_back(self, tx: Transaction, run: RunId, attempt: int) -> None:
        tx.execute(_PUT_BACK, {"wanted": run, "attempt": attempt})

    @writes
    def _fill_in_lanes(self, tx: Transaction) -> None:
        """For messages that a program accepted which knew no lanes."""
        for run, message in tx.execute(select(inbox.c.run, inbox.c.body).where(*_LACKS_LANE)).all():
            if message is not None:
                change = sa.update(inbox).where(inbox.c.run == run, inbox.c.lane.is_(None))
                tx.execute(change.values(lane=message.lane))

    async def renew_leases(self) -> None:
        """Renew what this program works on, and hear of cancellations, until cancelled.

        Only what was taken before a statement is judged by its answer, and by the attempt: a row
        whose taking was never confirmed to us is not renewed, so that its lease runs out.
        """
        with self._hear_of_cancellations():
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._leases.seconds / RENEWALS):
                        await self._leases.is_due.wait()
                self._leases.is_due.clear()
                if asked := self._leases.list_renewable():
                    try:
                        renewed, since = await self._renew(asked)
                    except TroupeError as error:
                        log.warning("leases not renewed", why=str(error))
                    except Exception:  # boundary: what is not renewed is taken over
                        log.exception("leases not renewed")
                    else:
                        self._leases.note_renewal(asked, renewed, since)

    @contextmanager
    def _hear_of_cancellations(self) -> Iterator[None]:
        def hear(text: str | None) -> None:
            if text is None:
                self._leases.is_due.set()
            else:
                self._leases.cancel(RunId(text))

        with self.notifications.subscribe(Topic.CANCELLATIONS, hear):
            yield

    @writes_once
    def _renew(
        self, tx: Transaction, asked: Mapping[RunId, int]
    ) -> tuple[Mapping[RunId, bool], float]:
        since = self._leases.clock()
        values = {
            "these": list(asked),
            "numbers": list(asked.values()),
            "seconds": self._leases.seconds,
        }
        rows = tx.execute(_RENEW, values).all()
        return {RunId(row.run): row.cancelled for row in rows}, since

    async def finish(self, run: RunId) -> bool:
        lease = self._leases.runs.get(run)
        waits = await self._finish(run, lease)
        known = waits is not None or await self._is_finished(run, lease)
        self._leases.drop(run)
        if waits is not False or self._leases.count_busy() >= self.most_runs - _AT_ONCE:
            self._news.set()
        return known

    @writes_once
    def _finish(self, tx: Transaction, run: RunId, lease: RunLease | None) -> bool | None:
        """Whether another message of the lane waits; None if the run could not be finished."""
        attempt = lease.attempt if lease else 0
        values = {"wanted": run, "attempt": attempt, "any_attempt": lease is None}
        row = tx.execute(_FINISH, values).one_or_none()
        return None if row is None else bool(row.waits)

    @reads
    def _is_finished(self, tx: Transaction, run: RunId, lease: RunLease | None) -> bool:
        """Whether the run had been finished before; False if it is gone. Raises LeaseLost."""
        state = tx.execute(_STATE, {"wanted": run}).one_or_none()
        if state is not None and lease is not None and state.attempts != lease.attempt:
            self._leases.lose(run)
            raise LeaseLost("lease-lost")
        return state is not None and state.key != ""

    async def give_back(self, run: RunId) -> None:
        lease = self._leases.drop(run)
        if lease is None or lease.is_lost:
            return
        with suppress(StoreUnavailable), limit_patience(_PATIENCE):
            await self._give_back(run, lease.attempt)

    @writes_once
    def _give_back(self, tx: Transaction, run: RunId, attempt: int) -> None:
        tx.execute(_GIVE_BACK, {"wanted": run, "attempt": attempt})

    async def close(self) -> None:
        """Give back all that this program has taken, also what it never heard that it had."""
        if not self._has_taken:
            return
        with suppress(StoreUnavailable), limit_patience(_PATIENCE):
            await self._leave_all()

    @writes_once
    def _leave_all(self, tx: Transaction) -> None:
        tx.execute(_LEAVE_ALL, {"me": self.program})

    async def check(self, run: RunId) -> None:
        await self._leases.check(run)

    async def cancel(self, run: RunId) -> bool:
        known = await self._cancel(run)
        self._leases.cancel(run)  # also one whose message has been deleted meanwhile
        return known

    @writes_once
    def _cancel(self, tx: Transaction, run: RunId) -> bool:
        return tx.execute(_CANCEL, {"wanted": run}).first() is not None

    async def await_cancellation(self, run: RunId) -> None:
        if (lease := self._leases.runs.get(run)) is None:
            await self._await_elsewhere(run)
            return
        await lease.news.wait()
        if lease.is_lost:
            raise LeaseLost("lease-lost")

    async def _await_elsewhere(self, run: RunId) -> None:
        """Wait for the cancellation of a run that this program has not taken."""
        news = asyncio.Event()

        def hear(text: str | None) -> None:
            if text in (None, run):
                news.set()

        with self.notifications.subscribe(Topic.CANCELLATIONS, hear):
            while not await self._is_cancelled(run):
                news.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(_POLL):
                        await news.wait()

    @reads
    def list_backlog(
        self, tx: Transaction, thread: Thread | None = None
    ) -> Sequence[QueuedMessage]:
        query = _BACKLOG.limit(_MOST_LISTED)
        if thread is not None:
            query = query.where(inbox.c.thread == thread.key)
        return tuple(read_row(row, 0) for row in tx.execute(query) if row.body)

    @reads
    def measure_backlog(self, tx: Transaction) -> Mapping[str, Backlog]:
        return {
            row.platform: Backlog(row.waiting, datetime.fromtimestamp(row.oldest, UTC))
            for row in tx.execute(_MEASURE)
        }
