"""Erasure: what a person, thread or channel left here, deleted messages, and what is old."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    Select,
    Table,
    delete,
    exists,
    false,
    func,
    select,
)

from adapters.store.chat_log import delete_summaries_of
from adapters.store.database import reads, writes
from adapters.store.schema import (
    attempts,
    catalogue,
    channel_settings,
    deliveries,
    events,
    feedback,
    file_uses,
    inbox,
    journal,
    outcomes,
    runs,
    seen,
    threads,
    turn_files,
    turns,
)
from adapters.store.serialization import SqlPort, put_rows, run_owner, workspace_key
from pipeline.domain import FileHash, Thread
from pipeline.ports import Scope

log = structlog.get_logger()

_CHUNK = 500
_OF_A_RUN = (attempts, outcomes, feedback, events, journal)
_UNFINISHED = select(inbox.c.run).where(inbox.c.finished == false())
_FEW = 100
_CONFIRMED_AFTER = timedelta(hours=12)
_CACHED_FOR = timedelta(days=90)
"""Longer than anything in the cache is good for, signed-in browsers included."""
_CONFIRMATION = "retention:more than half"


class SqlRetention(SqlPort):
    """Erasure in the database."""

    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        rows, files = await self._forget(scope, thread, person)
        log.info(
            "forgotten",
            scope=scope.value,
            by=person,
            thread=thread.key,
            rows=rows,
            files=len(files),
        )
        return rows, files

    @writes
    def _forget(
        self, connection: Connection, scope: Scope, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        return _forget(connection, scope, thread, person)

    @writes
    def unlog(self, connection: Connection, key: str) -> Sequence[FileHash]:
        started = connection.scalars(select(inbox.c.run).where(inbox.c.key == key)).all()
        keys = {key, *started}
        touched = select(turns.c.thread).where(turns.c.key.in_(keys)).distinct()
        of_threads = connection.scalars(touched).all()
        _lock_threads(connection, threads.c.key.in_(of_threads))
        eraser = _Eraser(connection)
        eraser.delete_turns({key})
        eraser.delete_runs(keys)
        eraser.delete_empty_threads(threads.c.key.in_(of_threads))
        return eraser.freed

    async def prune(self, *, older_than: datetime) -> Sequence[FileHash]:
        before = older_than.timestamp()
        if not await self._may_prune(before):
            log.warning("more than half of all turns is old: is the clock right? pruned tomorrow")
            return ()
        freed: set[FileHash] = set()
        for step in (_prune_runs, _prune_turns, _prune_posts, _prune_seen, _prune_threads):
            while await self.database.write(_batch(step, before, freed)):
                pass
        outdated = min(before, (self.clock() - _CACHED_FOR).timestamp())
        while await self.database.write(_batch(_prune_cache, outdated, freed)):
            pass
        return tuple(freed - await self.file_hashes()) if freed else ()

    @writes
    def _may_prune(self, connection: Connection, before: float) -> bool:
        """Whether the clock can be trusted with it: a wrong one would make everything old at once.

        More than half of all turns is pruned only when that was already due half a day ago.
        """
        old = func.count().filter(turns.c.at < before)
        every, outdated = connection.execute(select(func.count(), old).select_from(turns)).one()
        confirmation = catalogue.c.key == _CONFIRMATION
        if every < _FEW or outdated * 2 <= every:
            connection.execute(delete(catalogue).where(confirmation))
            return True
        at = self.clock().timestamp()
        first: float | None = connection.scalar(select(catalogue.c.fetched_at).where(confirmation))
        if first is None or first > at:
            row = {"key": _CONFIRMATION, "body": "", "fetched_at": at}
            put_rows(connection, catalogue, [row])
            return False
        return at - first >= _CONFIRMED_AFTER.total_seconds()

    @reads
    def file_hashes(self, connection: Connection) -> frozenset[FileHash]:
        return frozenset(map(FileHash, connection.scalars(select(file_uses.c.hash).distinct())))


@dataclass(slots=True)
class _Eraser:
    """Deletes, and keeps count."""

    connection: Connection
    rows: int = 0
    hashes: set[str] = field(default_factory=set)

    def delete(self, table: Table, *conditions: ColumnElement[bool]) -> None:
        self.rows += self.connection.execute(delete(table).where(*conditions)).rowcount

    def delete_keys(self, column: Column[str], keys: Collection[str]) -> None:
        for chunk in _chunks(keys):
            self.delete(column.table, column.in_(chunk))

    def delete_runs(self, ids: Collection[str]) -> None:
        """Delete runs, and what the bot said at their end."""
        for table in _OF_A_RUN:
            self.delete_keys(table.c.run, ids)
        self.delete_keys(runs.c.id, ids)
        self.delete_keys(inbox.c.run, ids)
        for run in ids:
            # Keys of posts begin with the run and a colon; the semicolon comes right after it.
            self.delete(deliveries, deliveries.c.key >= f"{run}:", deliveries.c.key < f"{run};")
        self.delete_references({run_owner(run) for run in ids})
        self.delete_turns(ids)

    def delete_turns(self, keys: Collection[str]) -> None:
        for chunk in _chunks(keys):
            self.rows += self.connection.execute(delete_summaries_of(chunk)).rowcount
        self.delete_references(keys)
        self.delete_keys(turn_files.c.turn, keys)
        self.delete_keys(turns.c.key, keys)

    def delete_references(self, owners: Collection[str]) -> None:
        for chunk in _chunks(owners):
            used = select(file_uses.c.hash).where(file_uses.c.owner.in_(chunk))
            self.hashes.update(self.connection.scalars(used))
        self.delete_keys(file_uses.c.owner, owners)

    def delete_empty_threads(self, *conditions: ColumnElement[bool]) -> None:
        self.delete(threads, *conditions, *_nothing_left())

    @property
    def freed(self) -> tuple[FileHash, ...]:
        """Files that what was deleted referred to, and nothing else does."""
        used: set[str] = set()
        for chunk in _chunks(self.hashes):
            held = select(file_uses.c.hash).where(file_uses.c.hash.in_(chunk))
            used.update(self.connection.scalars(held))
        return tuple(map(FileHash, sorted(self.hashes - used)))


def _forget(
    connection: Connection, scope: Scope, thread: Thread, person: str
) -> tuple[int, Sequence[FileHash]]:
    workspace = workspace_key(thread.channel)

    def within(table: Table) -> ColumnElement[bool]:
        match scope:
            case Scope.THREAD:
                return table.c.thread == thread.key
            case Scope.CHANNEL:
                return table.c.channel == thread.channel.key
            case Scope.PERSON:
                return (table.c.workspace == workspace) & (table.c.person == person)

    in_channel = threads.c.channel == thread.channel.key
    _lock_threads(
        connection, threads.c.workspace == workspace if scope is Scope.PERSON else in_channel
    )
    eraser = _Eraser(connection)
    asked = connection.execute(select(inbox.c.run, inbox.c.key).where(within(inbox))).all()
    written = connection.scalars(select(turns.c.key).where(within(turns))).all()
    answered = connection.scalars(select(runs.c.id).where(within(runs))).all()
    eraser.delete_turns({*written, *(row.key for row in asked)})
    eraser.delete_runs({*answered, *(row.run for row in asked)})
    _forget_rest(eraser, scope, thread, person)
    return eraser.rows, eraser.freed


def _forget_rest(eraser: _Eraser, scope: Scope, thread: Thread, person: str) -> None:
    """What belongs to the scope itself, not to one of its runs or turns."""
    channel, workspace = thread.channel.key, workspace_key(thread.channel)
    match scope:
        case Scope.THREAD:
            eraser.delete(turn_files, turn_files.c.thread == thread.key)
            eraser.delete(threads, threads.c.key == thread.key)
        case Scope.CHANNEL:
            here = select(threads.c.key).where(threads.c.channel == channel)
            eraser.delete(turn_files, turn_files.c.thread.in_(here))
            eraser.delete(threads, threads.c.channel == channel)
            eraser.delete(channel_settings, channel_settings.c.channel == channel)
        case Scope.PERSON:
            here = select(runs.c.id).where(runs.c.workspace == workspace)
            eraser.delete(feedback, feedback.c.person == person, feedback.c.run.in_(here))
            eraser.delete_empty_threads(threads.c.workspace == workspace)


def _lock_threads(connection: Connection, where: ColumnElement[bool]) -> None:
    """Keep others from writing into these threads meanwhile. SQLite has one writer anyway."""
    if connection.dialect.name == "sqlite":
        return
    connection.execute(select(threads.c.key).where(where).order_by(threads.c.key).with_for_update())


def _nothing_left() -> list[ColumnElement[bool]]:
    return [~exists().where(table.c.thread == threads.c.key) for table in (turns, inbox, runs)]


_Step = Callable[[_Eraser, float], bool]


def _batch(step: _Step, before: float, freed: set[FileHash]) -> Callable[[Connection], bool]:
    """One bounded part of the pruning: others write between two of them."""

    def work(connection: Connection) -> bool:
        eraser = _Eraser(connection)
        more = step(eraser, before)
        freed.update(eraser.freed)
        return more

    return work


def _prune_runs(eraser: _Eraser, before: float) -> bool:
    old: set[str] = set()
    for key, at in (
        (inbox.c.run, inbox.c.accepted_at),
        (runs.c.id, runs.c.saved_at),
        (journal.c.run, journal.c.at),
    ):
        query = select(key).where(at < before, key.not_in(_UNFINISHED)).order_by(at)
        old.update(eraser.connection.scalars(query.limit(_CHUNK)))
    eraser.delete_runs(old)
    return bool(old)


def _prune_turns(eraser: _Eraser, before: float) -> bool:
    old = _first_keys(eraser, select(turns.c.key).where(turns.c.at < before))
    eraser.delete_turns(old)
    return bool(old)


def _prune_posts(eraser: _Eraser, before: float) -> bool:
    """Posts whose run is gone; those of unfinished runs are still waited for."""
    key = deliveries.c.key
    awaited = exists().where(
        inbox.c.finished == false(), key >= inbox.c.run + ":", key < inbox.c.run + ";"
    )
    old = _first_keys(eraser, select(key).where(deliveries.c.begun_at < before, ~awaited))
    eraser.delete_keys(key, old)
    return bool(old)


def _prune_seen(eraser: _Eraser, before: float) -> bool:
    old = _first_keys(eraser, select(seen.c.key).where(seen.c.at < before))
    eraser.delete_keys(seen.c.key, old)
    return bool(old)


def _prune_cache(eraser: _Eraser, before: float) -> bool:
    old = _first_keys(eraser, select(catalogue.c.key).where(catalogue.c.fetched_at < before))
    eraser.delete_keys(catalogue.c.key, old)
    return bool(old)


def _prune_threads(eraser: _Eraser, before: float) -> bool:
    query = select(threads.c.key).where(threads.c.last_at < before, *_nothing_left())
    old = _first_keys(eraser, query)
    eraser.delete_keys(threads.c.key, old)
    return bool(old)


def _first_keys(eraser: _Eraser, query: Select[Any]) -> Sequence[str]:
    return list(eraser.connection.scalars(query.limit(_CHUNK)))


def _chunks(keys: Collection[str]) -> Iterator[list[str]]:
    listed = list(keys)
    for start in range(0, len(listed), _CHUNK):
        yield listed[start : start + _CHUNK]
