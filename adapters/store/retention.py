"""Erasure: what a person, thread or channel left here, deleted messages, and what is old."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
import structlog
from sqlalchemy import Column, ColumnElement, Table, select

from adapters.store import schema
from adapters.store.chat_log import delete_summaries_of
from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import (
    catalogue,
    deliveries,
    file_uses,
    inbox,
    runs,
    threads,
    turn_files,
    turns,
)
from adapters.store.transaction import Transaction, run_owner, workspace_key
from pipeline.domain import FileHash, Thread
from pipeline.ports import Scope

log = structlog.get_logger()

_CHUNK = 500
_OF_A_RUN = (schema.attempts, schema.outcomes, schema.feedback, schema.events, schema.journal)
_FEW = 100
_CONFIRMED_AFTER = timedelta(hours=12)
_CACHED_FOR = timedelta(days=90)
"""Longer than anything in the cache is good for, signed-in browsers included."""
_SEEN_FOR = timedelta(days=2)
_CONFIRMATION = "retention:more than half"


class SqlRetention(SqlPort):
    """Erasure in the database."""

    @writes
    def forget(
        self, tx: Transaction, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        channel, workspace = thread.channel.key, workspace_key(thread.channel)

        wanted = {
            Scope.THREAD: {"thread": thread.key},
            Scope.CHANNEL: {"channel": channel},
            Scope.PERSON: {"workspace": workspace, "person": person},
        }[scope]

        def within(table: Table) -> ColumnElement[bool]:
            return sa.and_(*(table.c[name] == value for name, value in wanted.items()))

        _lock_threads(tx, threads.c.workspace == workspace)
        eraser = _Eraser(tx)
        asked = tx.execute(select(inbox.c.run, inbox.c.key).where(within(inbox))).all()
        written = tx.scalars(select(turns.c.key).where(within(turns))).all()
        answered = tx.scalars(select(runs.c.id).where(within(runs))).all()
        for keys in _chunks({*written, *(row.key for row in asked)}):
            eraser.delete_turns(keys)
        for ids in _chunks({*answered, *(row.run for row in asked)}):
            eraser.delete_runs(ids)
        if scope is Scope.PERSON:
            eraser.delete(schema.feedback, within(schema.feedback))
            eraser.delete(threads, threads.c.workspace == workspace, *_nothing_left())
        else:
            here = threads.c.key == thread.key if scope is Scope.THREAD else within(threads)
            eraser.delete(turn_files, turn_files.c.thread.in_(select(threads.c.key).where(here)))
            eraser.delete(threads, here)
        if scope is Scope.CHANNEL:
            eraser.delete(schema.channel_settings, schema.channel_settings.c.channel == channel)
        rows, freed = eraser.rows, eraser.freed
        told = {"scope": scope.value, "by": person, "thread": thread.key}
        log.info("forgotten", **told, rows=rows, files=len(freed))
        return rows, freed

    @writes
    def unlog(self, tx: Transaction, key: str) -> Sequence[FileHash]:
        started = tx.scalars(select(inbox.c.run).where(inbox.c.key == key)).all()
        keys = {key, *started}
        touched = select(turns.c.thread).where(turns.c.key.in_(keys)).distinct()
        here = threads.c.key.in_(tx.scalars(touched).all())
        _lock_threads(tx, here)
        eraser = _Eraser(tx)
        eraser.delete_turns({key})
        eraser.delete_runs(keys)
        eraser.delete(threads, here, *_nothing_left())
        return eraser.freed

    async def prune(self, *, older_than: datetime) -> Sequence[FileHash]:
        before = older_than.timestamp()
        if not await self._may_prune(before):
            log.warning("more than half of all turns is old: is the clock right? pruned tomorrow")
            return ()
        released: set[FileHash] = set()
        for old, erase in _find_outdated(before, self.database.clock()):
            while (hashes := await self._erase_some(old, erase)) is not None:
                released |= hashes
        return tuple(released - await self.file_hashes()) if released else ()

    @writes
    def _may_prune(self, tx: Transaction, before: float) -> bool:
        """Whether the clock can be trusted with it: a wrong one would make everything old at once.

        More than half of all turns is pruned only when that was already due half a day ago.
        """
        count = sa.func.count
        counts = select(count(), count().filter(turns.c.at < before)).select_from(turns)
        every, outdated = tx.execute(counts).one()
        confirmation = catalogue.c.key == _CONFIRMATION
        if every < _FEW or outdated * 2 <= every:
            tx.execute(sa.delete(catalogue).where(confirmation))
            return True
        first: float | None = tx.scalar(select(catalogue.c.fetched_at).where(confirmation))
        if first is None or first > tx.at:
            tx.put(catalogue, {"key": _CONFIRMATION, "body": "", "fetched_at": tx.at})
            return False
        return tx.at - first >= _CONFIRMED_AFTER.total_seconds()

    @writes
    def _erase_some(
        self, tx: Transaction, old: sa.Select[Any], erase: "_Erase"
    ) -> set[FileHash] | None:
        """One bounded part of the pruning: others write between two of them. None: nothing left."""
        keys = set(tx.scalars(old.limit(_CHUNK)))
        eraser = _Eraser(tx)
        erase(eraser, keys)
        return eraser.hashes if keys else None

    @reads
    def file_hashes(self, tx: Transaction) -> frozenset[FileHash]:
        return frozenset(map(FileHash, tx.scalars(select(file_uses.c.hash).distinct())))


@dataclass(slots=True)
class _Eraser:
    """Deletes what belongs to at most 500 keys at a time, and keeps count."""

    tx: Transaction
    rows: int = 0
    hashes: set[FileHash] = field(default_factory=set)

    def delete(self, table: Table, *conditions: ColumnElement[bool]) -> None:
        self.rows += self.tx.execute(sa.delete(table).where(*conditions)).rowcount

    def delete_keys(self, keys: Collection[str], *columns: Column[str]) -> None:
        """Delete the rows that have one of these keys in one of these columns."""
        for column in columns:
            self.delete(column.table, column.in_(keys))

    def delete_runs(self, ids: Collection[str]) -> None:
        """Delete runs, and what the bot said at their end."""
        self.delete_keys(ids, *(table.c.run for table in _OF_A_RUN), runs.c.id, inbox.c.run)
        for run in ids:
            # Keys of posts begin with the run and a colon; the semicolon comes right after it.
            self.delete(deliveries, deliveries.c.key >= f"{run}:", deliveries.c.key < f"{run};")
        self._delete_references({run_owner(run) for run in ids})
        self.delete_turns(ids)

    def delete_turns(self, keys: Collection[str]) -> None:
        self.rows += self.tx.execute(delete_summaries_of(keys)).rowcount
        self._delete_references(keys)
        self.delete_keys(keys, turn_files.c.turn, turns.c.key)

    def _delete_references(self, owners: Collection[str]) -> None:
        used = select(file_uses.c.hash).where(file_uses.c.owner.in_(owners))
        self.hashes.update(map(FileHash, self.tx.scalars(used)))
        self.delete_keys(owners, file_uses.c.owner)

    @property
    def freed(self) -> tuple[FileHash, ...]:
        """Files that what was deleted referred to, and nothing else does."""
        used: set[str] = set()
        for chunk in _chunks(self.hashes):
            held = select(file_uses.c.hash).where(file_uses.c.hash.in_(chunk))
            used.update(self.tx.scalars(held))
        return tuple(sorted(self.hashes - used))


_Erase = Callable[[_Eraser, Collection[str]], None]


def _find_outdated(before: float, now: datetime) -> Iterator[tuple[sa.Select[Any], _Erase]]:
    """What is pruned, a query of keys each, and how."""
    unfinished = inbox.c.finished == sa.false()
    awaited = select(inbox.c.run).where(unfinished)
    journal = schema.journal.c
    for key, at in (
        (inbox.c.run, inbox.c.accepted_at),
        (runs.c.id, runs.c.saved_at),
        (journal.run, journal.at),
    ):
        yield select(key).where(at < before, key.not_in(awaited)).order_by(at), _Eraser.delete_runs
    yield select(turns.c.key).where(turns.c.at < before), _Eraser.delete_turns
    post, seen, cached = deliveries.c, schema.seen.c, catalogue.c
    # Posts of unfinished runs are still waited for.
    of_run = (post.key >= inbox.c.run + ":") & (post.key < inbox.c.run + ";")
    for key, conditions in (
        (post.key, [post.begun_at < before, ~sa.exists().where(unfinished, of_run)]),
        (seen.key, [seen.at < (now - _SEEN_FOR).timestamp()]),
        (threads.c.key, [threads.c.last_at < before, *_nothing_left()]),
        (cached.key, [cached.fetched_at < min(before, (now - _CACHED_FOR).timestamp())]),
    ):
        yield select(key).where(*conditions), _deleting(key)


def _deleting(key: Column[str]) -> _Erase:
    return lambda eraser, keys: eraser.delete_keys(keys, key)


def _lock_threads(tx: Transaction, where: ColumnElement[bool]) -> None:
    """Keep others from writing into these threads meanwhile. SQLite has one writer anyway."""
    tx.execute(select(threads.c.key).where(where).order_by(threads.c.key).with_for_update())


def _nothing_left() -> list[ColumnElement[bool]]:
    return [~sa.exists().where(table.c.thread == threads.c.key) for table in (turns, inbox, runs)]


def _chunks(keys: Collection[str]) -> Iterator[list[str]]:
    listed = list(keys)
    for start in range(0, len(listed), _CHUNK):
        yield listed[start : start + _CHUNK]
