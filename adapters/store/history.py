"""The conversations of a person, listed and found by their words."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.chat_log import find_first_value, load_thread
from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import inbox, runs, threads, turns, words
from adapters.store.transactions import Transaction
from adapters.store.words import find_places, store_title_words
from pipeline.domain import RunId, Thread
from pipeline.ports import HistoryPosition, ListedThread
from pipeline.text.search_words import Term, make_excerpt, read_query
from pipeline.text.titles import make_title

_IS_SPOKEN = sa.or_(
    *(sa.exists().where(of.c.thread == threads.c.key) for of in (turns, inbox, runs))
)
_LISTED = select(threads, find_first_value(turns.c.body, turns.c.number, "first_turn")).where(
    _IS_SPOKEN
)
_LATEST_FIRST = (threads.c.pinned.desc(), threads.c.last_at.desc(), threads.c.key.desc())


class SqlHistory(SqlPort):
    """Lists of conversations in the database."""

    @reads
    def list_threads(
        self,
        tx: Transaction,
        workspace: str,
        *,
        query: str = "",
        before: HistoryPosition | None = None,
        limit: int,
    ) -> Sequence[ListedThread]:
        listed, terms = _LISTED.where(threads.c.workspace == workspace), read_query(query)
        if query.strip():
            if not terms:
                return ()
            found = find_places(tx, workspace, terms)
            listed = listed.add_columns(found.c.number.label("place"))
            listed = listed.join(found, found.c.thread == threads.c.key)
        if before is not None:
            listed = listed.where(_comes_after(before))
        rows = tx.execute(listed.order_by(*_LATEST_FIRST).limit(limit)).all()
        excerpts = _make_excerpts(tx, rows, terms) if terms else {}
        return _list(tx, rows, excerpts)

    @reads
    def find_thread(self, tx: Transaction, thread: Thread) -> ListedThread | None:
        rows = tx.execute(_LISTED.where(threads.c.key == thread.key)).all()
        return next(iter(_list(tx, rows, {})), None)

    @writes
    def change_thread(
        self,
        tx: Transaction,
        thread: Thread,
        *,
        title: str | None = None,
        pinned: bool | None = None,
    ) -> None:
        new = {"title": title, "pinned": pinned}
        changed = {name: value for name, value in new.items() if value is not None}
        here = threads.c.key == thread.key
        if not changed or not tx.execute(sa.update(threads).where(here).values(changed)).rowcount:
            return
        if title is not None:
            store_title_words(tx, thread, title)


def _comes_after(position: HistoryPosition) -> sa.ColumnElement[bool]:
    here = sa.tuple_(threads.c.pinned, threads.c.last_at, threads.c.key)
    return here < sa.tuple_(position.pinned, position.at.timestamp(), position.key)


def _list(tx: Transaction, rows: Sequence[Any], excerpts: dict[int, str]) -> Sequence[ListedThread]:
    keys = [row.key for row in rows]
    is_open = inbox.c.finished == sa.false()
    waiting = select(inbox.c.thread, inbox.c.run).where(is_open, inbox.c.thread.in_(keys))
    runs_of: dict[str, list[RunId]] = {key: [] for key in keys}
    for row in tx.execute(waiting.order_by(inbox.c.number)):
        runs_of[row.thread].append(RunId(row.run))
    titles = _make_titles(tx, rows)
    return [
        ListedThread(
            thread=load_thread(row),
            title=titles[row.key],
            pinned=row.pinned,
            at=datetime.fromtimestamp(row.last_at, UTC),
            waiting=tuple(runs_of[row.key]),
            excerpt=excerpts.get(row.place, "") if excerpts else "",
        )
        for row in rows
    ]


def _make_titles(tx: Transaction, rows: Sequence[Any]) -> dict[str, str]:
    """The title of each thread; a message that waits is in the inbox, but not yet a turn."""
    titles = {row.key: row.title for row in rows}
    unlogged = [row.key for row in rows if not row.title and row.first_turn is None]
    for row in rows:
        if not row.title and row.first_turn is not None:
            turn = row.first_turn
            names = [file.attachment.name for file in turn.files]
            titles[row.key] = make_title(turn.text, [*names, *(link.name for link in turn.links)])
    first = sa.func.min(inbox.c.number)
    firsts = select(first).where(inbox.c.thread.in_(unlogged)).group_by(inbox.c.thread)
    for message in tx.scalars(select(inbox.c.body).where(inbox.c.number.in_(firsts))):
        if message is not None:
            names = [link.name for link in message.files]
            titles[message.thread.key] = make_title(message.text, names)
    return titles


def _make_excerpts(tx: Transaction, rows: Sequence[Any], terms: Sequence[Term]) -> dict[int, str]:
    """The part of each turn that was found, by the number of its words."""
    places = select(words.c.number, turns.c.body).join(turns, turns.c.key == words.c.owner)
    found = tx.execute(places.where(words.c.number.in_([row.place for row in rows])))
    return {row.number: make_excerpt(_join_texts(row.body), terms) for row in found if row.body}


def _join_texts(turn: Any) -> str:  # noqa: ANN401 - a Turn
    names = [file.attachment.name for file in turn.files]
    names += [link.name for link in turn.links]
    return "\n".join([turn.text, *names])
