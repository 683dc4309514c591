"""Letting go: of what a person, a thread or a channel left here, of a deleted message, and of what is old."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, exists, false, select

from adapters.store import summaries
from adapters.store.bodies import run_owner, workspace_key
from adapters.store.schema import (
    attempts,
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
from pipeline.domain import FileHash, Thread
from pipeline.ports import Scope

_CHUNK = 500
_OF_A_RUN = (attempts, outcomes, feedback, events, journal)


@dataclass(slots=True)
class _Eraser:
    """Deletes, and keeps count."""

    connection: Connection
    rows: int = 0
    hashes: set[str] = field(default_factory=set)

    def where(self, table: Table, *conditions: ColumnElement[bool]) -> None:
        self.rows += self.connection.execute(delete(table).where(*conditions)).rowcount

    def listed(self, table: Table, column: Column[str], keys: Collection[str]) -> None:
        for chunk in _chunks(keys):
            self.where(table, column.in_(chunk))

    def runs(self, ids: Collection[str]) -> None:
        """Runs, and what the bot said at their end."""
        for table in _OF_A_RUN:
            self.listed(table, table.c.run, ids)
        self.listed(runs, runs.c.id, ids)
        self.listed(inbox, inbox.c.run, ids)
        for run in ids:
            # Keys of posts begin with the run and a colon; the semicolon comes right after it.
            self.where(deliveries, deliveries.c.key >= f"{run}:", deliveries.c.key < f"{run};")
        self.uses({run_owner(run) for run in ids})
        self.turns(ids)

    def turns(self, keys: Collection[str]) -> None:
        for chunk in _chunks(keys):
            self.rows += self.connection.execute(summaries.let_go(chunk)).rowcount
        self.uses(keys)
        self.listed(turn_files, turn_files.c.turn, keys)
        self.listed(turns, turns.c.key, keys)

    def uses(self, owners: Collection[str]) -> None:
        for chunk in _chunks(owners):
            used = select(file_uses.c.hash).where(file_uses.c.owner.in_(chunk))
            self.hashes.update(self.connection.scalars(used))
        self.listed(file_uses, file_uses.c.owner, owners)

    def empty_threads(self, *conditions: ColumnElement[bool]) -> None:
        """Threads of which nothing is left."""
        used = [exists().where(table.c.thread == threads.c.key) for table in (turns, inbox, runs)]
        self.where(threads, *conditions, *(~each for each in used))

    @property
    def freed(self) -> tuple[FileHash, ...]:
        """Files that what was deleted referred to, and nothing else does."""
        used: set[str] = set()
        for chunk in _chunks(self.hashes):
            held = select(file_uses.c.hash).where(file_uses.c.hash.in_(chunk))
            used.update(self.connection.scalars(held))
        return tuple(FileHash(found) for found in sorted(self.hashes - used))


def forget(
    connection: Connection, scope: Scope, *, thread: Thread, person: str
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

    eraser = _Eraser(connection)
    asked = connection.execute(select(inbox.c.run, inbox.c.key).where(within(inbox))).all()
    said = connection.scalars(select(turns.c.key).where(within(turns))).all()
    run = connection.scalars(select(runs.c.id).where(within(runs))).all()
    eraser.turns({*said, *(row.key for row in asked)})
    eraser.runs({*run, *(row.run for row in asked)})
    _forget_rest(eraser, scope, thread, person)
    return eraser.rows, eraser.freed


def _forget_rest(eraser: _Eraser, scope: Scope, thread: Thread, person: str) -> None:
    """What belongs to the scope itself, not to one of its runs or turns."""
    channel = thread.channel.key
    workspace = workspace_key(thread.channel)
    match scope:
        case Scope.THREAD:
            eraser.where(turn_files, turn_files.c.thread == thread.key)
            eraser.where(threads, threads.c.key == thread.key)
        case Scope.CHANNEL:
            here = select(threads.c.key).where(threads.c.channel == channel)
            eraser.where(turn_files, turn_files.c.thread.in_(here))
            eraser.where(threads, threads.c.channel == channel)
            eraser.where(channel_settings, channel_settings.c.channel == channel)
        case Scope.PERSON:
            here = select(runs.c.id).where(runs.c.workspace == workspace)
            eraser.where(feedback, feedback.c.person == person, feedback.c.run.in_(here))
            eraser.empty_threads(threads.c.workspace == workspace)


def unlog(connection: Connection, key: str) -> Sequence[FileHash]:
    """A message was deleted: its turn goes, with the runs it started; or a run goes, by its id."""
    eraser = _Eraser(connection)
    started = connection.scalars(select(inbox.c.run).where(inbox.c.key == key)).all()
    keys = {key, *started}
    met = connection.scalars(select(turns.c.thread).where(turns.c.key.in_(keys)).distinct()).all()
    eraser.turns({key})
    eraser.runs(keys)
    eraser.empty_threads(threads.c.key.in_(met))
    return eraser.freed


def prune(connection: Connection, before: float) -> tuple[bool, Sequence[FileHash]]:
    """Turns and finished runs from before a moment, some at a time, so that nobody waits long: whether there are more."""
    eraser = _Eraser(connection)
    unfinished = select(inbox.c.run).where(inbox.c.finished == false())
    old: set[str] = set()
    for key, at in (
        (inbox.c.run, inbox.c.accepted_at),
        (runs.c.id, runs.c.saved_at),
        (journal.c.run, journal.c.at),
        (events.c.run, events.c.at),
    ):
        stale = select(key).where(at < before, key.not_in(unfinished)).distinct()
        old.update(connection.scalars(stale.limit(_CHUNK)))
    said = connection.scalars(select(turns.c.key).where(turns.c.at < before).limit(_CHUNK)).all()
    eraser.runs(old)
    eraser.turns(said)
    more = bool(old or said)
    if not more:
        _prune_rest(eraser, before)
    return more, eraser.freed


def _prune_rest(eraser: _Eraser, before: float) -> None:
    """What belongs to no run or turn that is there."""
    unfinished = select(inbox.c.run).where(inbox.c.finished == false())
    waited_for = tuple(f"{run}:" for run in eraser.connection.scalars(unfinished))
    posts = eraser.connection.scalars(
        select(deliveries.c.key).where(deliveries.c.begun_at < before)
    )
    stale = [post for post in posts if not post.startswith(waited_for)]
    eraser.listed(deliveries, deliveries.c.key, stale)
    eraser.where(seen, seen.c.at < before)
    eraser.empty_threads(threads.c.last_at < before)


def _chunks(keys: Collection[str]) -> Iterator[list[str]]:
    listed = list(keys)
    for start in range(0, len(listed), _CHUNK):
        yield listed[start : start + _CHUNK]
