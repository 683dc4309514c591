"""Erases the data of people, threads and channels, deleted messages, and old data."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import sqlalchemy as sa
import structlog
from sqlalchemy import Column, ColumnElement, Table, select

from adapters.store import schema
from adapters.store.chat_log import delete_summaries_of
from adapters.store.database import SqlPort, reads, writes
from adapters.store.key_values import BLANK
from adapters.store.paths import reattach
from adapters.store.schema import (
    catalogue,
    deliveries,
    file_uses,
    inbox,
    interactions,
    leases,
    rate_limits,
    runs,
    shares,
    threads,
    turn_files,
    turns,
)
from adapters.store.transactions import Transaction, run_owner, workspace_key
from adapters.store.words import drop_words, drop_words_of, settle_words
from pipeline.codec import dump
from pipeline.domain import FileHash, Thread
from pipeline.ports import Scope

log = structlog.get_logger()

_CHUNK = 500
_FEW = 100
_CONFIRMED_AFTER = timedelta(hours=12)
_CONFIRMATION = "retention:more than half"
_CACHED_FOR = timedelta(days=90)
"""Longer than anything in the cache is valid, web sessions included."""
_KNOWN_FOR = timedelta(days=2)
"""How long finished interactions are recognised."""
_KEYS = (
    *(schema.attempts.c.run, schema.outcomes.c.run, schema.feedback.c.run),
    schema.problems.c.run,
    schema.progress.c.run,
    *(schema.events.c.run, schema.prompts.c.run, schema.journal.c.run, runs.c.id),
    *(turn_files.c.turn, turns.c.key),
)
"""Columns with ids of runs and keys of turns, in the order of deletion."""
_DATED = (
    (inbox.c.run, inbox.c.accepted_at),
    (runs.c.id, runs.c.saved_at),
    (schema.journal.c.run, schema.journal.c.at),
    (schema.prompts.c.run, schema.prompts.c.at),
    (turns.c.key, turns.c.at),
)
_SPOKEN = (turns, inbox, runs)
_HAS_PART = sa.or_(*(sa.exists().where(each.c.thread == turns.c.thread) for each in (runs, inbox)))
_UNFINISHED = inbox.c.finished == sa.false()


class SqlRetention(SqlPort):
    """Erasure in the database."""

    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        forgotten = await self._forget(scope, thread=thread, person=person)
        await self.database.scrub()
        return forgotten

    @writes
    def _forget(
        self, tx: Transaction, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        channel, workspace = thread.channel.key, workspace_key(thread.channel)
        columns = {
            Scope.THREAD: {"thread": thread.key},
            Scope.CHANNEL: {"channel": channel},
            Scope.PERSON: {"workspace": workspace, "person": person},
        }[scope]

        def within(table: Table) -> ColumnElement[bool]:
            return sa.and_(*(table.c[name] == value for name, value in columns.items()))

        _lock_threads(tx, threads.c.workspace == workspace)
        places = (select(table.c.thread).where(within(table)) for table in _SPOKEN)
        left = tx.scalars(sa.union(*places)).all()
        eraser = _Eraser(tx, _detach(tx, within(inbox)))
        keys = (inbox.c.run, inbox.c.key, turns.c.key, runs.c.id)
        selected = (tx.scalars(select(key).where(within(key.table))) for key in keys)
        eraser.erase(set().union(*selected))
        eraser.delete(shares, within(shares))
        if scope is Scope.PERSON:
            eraser.delete(schema.feedback, within(schema.feedback))
            for chunk in _chunk(left):
                eraser.delete_threads(threads.c.key.in_(chunk), _is_empty())
        else:
            here = threads.c.key == thread.key if scope is Scope.THREAD else within(threads)
            eraser.delete(turn_files, turn_files.c.thread.in_(select(threads.c.key).where(here)))
            eraser.delete_threads(here)
        if scope is Scope.CHANNEL:
            eraser.delete(schema.channel_settings, schema.channel_settings.c.channel == channel)
        eraser.settle()
        _blank_interactions(tx, scope, thread, person)
        rows, freed = eraser.rows, eraser.find_freed()
        facts = {"scope": scope.value, "by": person, "thread": thread.key}
        log.info("forgotten", **facts, rows=rows, files=len(freed))
        return rows, freed

    @writes
    def unlog(self, tx: Transaction, key: str) -> Sequence[FileHash]:
        keys = {key, *tx.scalars(select(inbox.c.run).where(inbox.c.key == key))}
        owners = (turns.c.key, inbox.c.run)
        touched = sa.union(*(select(o.table.c.thread).where(o.in_(keys)) for o in owners))
        here = threads.c.key.in_(tx.scalars(touched).all())
        _lock_threads(tx, here)
        eraser = _Eraser(tx, _detach(tx, inbox.c.key == key))
        eraser.erase(keys)
        eraser.delete_threads(here, _is_empty())
        eraser.settle()
        _erase_quotes(tx, key)
        return eraser.find_freed()

    async def prune(self, *, older_than: datetime) -> None:
        before = older_than.timestamp()
        if not await self._may_prune(before):
            log.warning("more than half of all turns is old: is the clock right? pruned tomorrow")
            return
        for key, at in _DATED:
            while await self._erase_some(key, at, before):
                pass
        await self._prune_rest(before)

    @writes
    def _may_prune(self, tx: Transaction, before: float) -> bool:
        """Whether to prune: with a wrong clock, everything would look old.

        More than half of all turns are deleted only if that was already due 12 hours ago.
        """
        count = sa.func.count
        counts = select(count(), count().filter(turns.c.at < before)).select_from(turns)
        total, outdated = tx.execute(counts).one()
        confirmation = catalogue.c.key == _CONFIRMATION
        if total < _FEW or outdated * 2 <= total:
            tx.execute(sa.delete(catalogue).where(confirmation))
            return True
        first: float | None = tx.scalar(select(catalogue.c.fetched_at).where(confirmation))
        if first is None or first > tx.at:
            tx.put(catalogue, {"key": _CONFIRMATION, "body": "", "fetched_at": tx.at})
            return False
        return tx.at - first >= _CONFIRMED_AFTER.total_seconds()

    @writes
    def _erase_some(
        self, tx: Transaction, key: Column[str], at: Column[float], before: float
    ) -> bool:
        """Delete a batch of old rows; others can write in between. False if there are none."""
        unfinished = select(inbox.c.run).where(_UNFINISHED)
        old = select(key).where(at < before, key.not_in(unfinished)).order_by(at).limit(_CHUNK)
        keys = set(tx.scalars(old))
        _Eraser(tx).erase(keys)
        return bool(keys)

    @writes
    def _prune_rest(self, tx: Transaction, before: float) -> None:
        # Unfinished runs still need their receipts.
        post = deliveries.c.key
        of_run = (post >= inbox.c.run + ":") & (post < inbox.c.run + ";")
        cached_before = min(before, tx.at - _CACHED_FOR.total_seconds())
        known_since = tx.at - _KNOWN_FOR.total_seconds()
        outdated: dict[Table, ColumnElement[bool]] = {
            deliveries: (deliveries.c.begun_at < before) & ~sa.exists().where(_UNFINISHED, of_run),
            interactions: (interactions.c.at < before)
            | (interactions.c.at < known_since) & (interactions.c.payload == ""),
            catalogue: catalogue.c.fetched_at < cached_before,
            shares: shares.c.expires < tx.at,
            leases: leases.c.until < known_since,
            rate_limits: rate_limits.c.at < known_since,
        }
        for table, old in outdated.items():
            tx.execute(sa.delete(table).where(old))
        _Eraser(tx).delete_threads(threads.c.last_at < before, _is_empty())
        settle_words(tx)

    async def drop_overheard(self, platforms: Collection[str], *, listen: str) -> None:
        keys = await self._find_overheard(platforms, listen)
        for chunk in _chunk(keys):
            await self._drop(chunk)
        if keys:
            await self.database.scrub()
            log.info("dropped what was overheard in threads without the bot", turns=len(keys))

    @reads
    def _find_overheard(
        self, tx: Transaction, platforms: Collection[str], listen: str
    ) -> Sequence[str]:
        chosen = schema.channel_settings.c
        rows = tx.execute(select(chosen.channel, chosen.body)).all()
        listens = {row.channel: row.body.listen or listen for row in rows if row.body}
        keeping = [channel for channel, value in listens.items() if value == "all"]
        is_default = turns.c.channel.not_in(listens) & sa.literal(listen == "all")
        is_kept = turns.c.channel.in_(keeping) | is_default
        of_platforms = threads.c.platform.in_(platforms)
        overheard = select(turns.c.key).join(threads).where(of_platforms, ~is_kept, ~_HAS_PART)
        return tx.scalars(overheard).all()

    @writes
    def _drop(self, tx: Transaction, keys: Collection[str]) -> None:
        """Delete turns, unless the bot was called into their thread meanwhile."""
        overheard = select(turns.c.key).where(turns.c.key.in_(keys), ~_HAS_PART)
        _Eraser(tx).erase(tx.scalars(overheard).all())

    @reads
    def file_hashes(self, tx: Transaction) -> frozenset[FileHash]:
        return frozenset(map(FileHash, tx.scalars(select(file_uses.c.hash).distinct())))


@dataclass(slots=True)
class _Eraser:
    """Deletes in a transaction; counts rows and collects the hashes of files.

    Runs that are `detached` keep their message and the receipts of their posts.
    """

    tx: Transaction
    detached: frozenset[str] = frozenset()
    rows: int = 0
    words: int = 0
    """Texts that can no longer be searched; they are not counted as rows."""
    hashes: set[FileHash] = field(default_factory=set)

    def delete(self, table: Table, *conditions: ColumnElement[bool]) -> None:
        self.rows += self.tx.execute(sa.delete(table).where(*conditions)).rowcount

    def erase(self, keys: Collection[str]) -> None:
        """Delete turns by their keys and runs by their ids, with all that belongs to them."""
        reattach(self.tx, keys)
        for chunk in _chunk(keys):
            of_runs = select(runs.c.thread).where(runs.c.id.in_(chunk))
            opened = threads.c.key.in_(of_runs) & threads.c.leaf.in_(chunk)
            self.tx.execute(sa.update(threads).where(opened).values(leaf=""))
            self.rows += self.tx.execute(delete_summaries_of(chunk)).rowcount
            owned = file_uses.c.owner.in_([*chunk, *map(run_owner, chunk)])
            used = self.tx.scalars(select(file_uses.c.hash).where(owned))
            self.hashes.update(map(FileHash, used))
            self.delete(file_uses, owned)
            self.words += drop_words(self.tx, chunk)
            for column in _KEYS:
                self.delete(column.table, column.in_(chunk))
            ended = [key for key in chunk if key not in self.detached]
            self.delete(inbox, inbox.c.run.in_(ended))
            for run in ended:
                # Keys of posts begin with the run and a colon; the semicolon comes after it.
                self.delete(deliveries, deliveries.c.key >= f"{run}:", deliveries.c.key < f"{run};")

    def delete_threads(self, *conditions: ColumnElement[bool]) -> None:
        """Delete threads, of which all turns are gone, with their titles' words and shares."""
        keys = select(threads.c.key).where(*conditions)
        self.words += drop_words_of(self.tx, keys)
        self.delete(shares, shares.c.thread.in_(keys))
        self.delete(threads, *conditions)

    def settle(self) -> None:
        """Leave nothing of the words that were deleted in their index."""
        if self.words:
            settle_words(self.tx)

    def find_freed(self) -> tuple[FileHash, ...]:
        """Files that only deleted rows referred to."""
        held: set[str] = set()
        for chunk in _chunk(self.hashes):
            held.update(
                self.tx.scalars(select(file_uses.c.hash).where(file_uses.c.hash.in_(chunk)))
            )
        return tuple(sorted(self.hashes - held))


def _detach(tx: Transaction, where: ColumnElement[bool]) -> frozenset[str]:
    """Cancel the runs under way, and take their messages' words and files away.

    They still need the receipts of their posts, which they delete. `finish` then says that the
    message is gone.
    """
    # Locked, so that no program takes one of the others meanwhile: those are deleted.
    waiting = select(inbox.c.run, inbox.c.body, inbox.c.attempts).where(where, _UNFINISHED)
    rows = tx.execute(waiting.order_by(inbox.c.number).with_for_update())
    found = {row.run: row.body for row in rows if row.attempts and row.body is not None}
    for run, message in found.items():
        bare = replace(message, text="", files=(), earlier=(), replied_to=None)
        detached = {"key": "", "cancelled": True, "body": dump(bare)}
        tx.execute(sa.update(inbox).where(inbox.c.run == run).values(detached))
    return frozenset(found)


def _chunk(keys: Collection[str]) -> list[list[str]]:
    """Batches of 500 keys: databases limit the parameters of a statement."""
    listed = list(keys)
    return [listed[start : start + _CHUNK] for start in range(0, len(listed), _CHUNK)]


def _blank_interactions(tx: Transaction, scope: Scope, thread: Thread, person: str) -> None:
    """Delete what was typed or pressed here and is not answered yet; the keys stay, for duplicates.

    They are still answered, unless the program ends before.
    """
    channel, table = thread.channel, interactions.c
    ids = {
        Scope.THREAD: (channel.id, thread.root),
        Scope.CHANNEL: (channel.id,),
        Scope.PERSON: (),
    }[scope]
    named = [table.payload.contains(f'"{id_}"', autoescape=True) for id_ in ids]
    here = sa.and_(table.platform == channel.platform, *(named or [table.person == person]))
    if all(ids):
        tx.execute(sa.update(interactions).where(here).values(BLANK))


def _erase_quotes(tx: Transaction, key: str) -> None:
    """Take a message out of those of its channel that reply to it: a retry would read it again."""
    here = inbox.c.channel == key.rpartition(":")[0]
    quoting = inbox.c.body.contains(f'"{key}"', autoescape=True)
    for run, message in tx.execute(select(inbox.c.run, inbox.c.body).where(here, quoting)):
        if message is not None and message.replied_to and message.replied_to.key == key:
            body = dump(replace(message, replied_to=None, earlier=()))
            tx.execute(sa.update(inbox).where(inbox.c.run == run).values(body=body))


def _lock_threads(tx: Transaction, where: ColumnElement[bool]) -> None:
    """Lock threads against other writers. SQLite has only one anyway."""
    tx.execute(select(threads.c.key).where(where).order_by(threads.c.key).with_for_update())


def _is_empty() -> ColumnElement[bool]:
    return sa.and_(*(~sa.exists().where(each.c.thread == threads.c.key) for each in _SPOKEN))
