"""The messages of the inbox as rows: what both databases read and write in the same way."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.chat_log import touch_thread
from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import inbox
from adapters.store.transactions import Row, Transaction, place_of, run_owner
from pipeline.codec import dump
from pipeline.domain import Incoming, RunId, Thread
from pipeline.ports import QueuedMessage

IS_OPEN = inbox.c.finished == sa.false()


class InboxRows(SqlPort):
    """Messages by their runs and keys, finished or not."""

    @writes
    def amend(self, tx: Transaction, message: Incoming) -> None:
        finished = (inbox.c.key == message.key, inbox.c.finished == sa.true())
        for run, before in tx.execute(select(inbox.c.run, inbox.c.body).where(*finished)):
            if before is not None:
                body = dump(replace(before, text=message.text, files=message.files))
                tx.execute(sa.update(inbox).where(inbox.c.run == run).values(body=body))

    @reads
    def of(self, tx: Transaction, message: str) -> Sequence[QueuedMessage]:
        query = select(inbox).where(inbox.c.key == message).order_by(inbox.c.number)
        return tuple(read_row(row) for row in tx.execute(query) if row.body)

    @reads
    def message(self, tx: Transaction, run: RunId) -> Incoming | None:
        message: Incoming | None = tx.scalar(select(inbox.c.body).where(inbox.c.run == run))
        return message

    @reads
    def list_waiting(self, tx: Transaction, thread: Thread | None = None) -> Sequence[RunId]:
        query = select(inbox.c.run).where(IS_OPEN).order_by(inbox.c.number)
        if thread is not None:
            query = query.where(inbox.c.thread == thread.key)
        return tuple(map(RunId, tx.scalars(query)))

    @reads
    def _is_cancelled(self, tx: Transaction, run: RunId) -> bool:
        return bool(tx.scalar(select(inbox.c.cancelled).where(inbox.c.run == run)))


def make_row(message: Incoming, run: RunId, text: str) -> Row:
    """The row of a message; `text` is its JSON."""
    return {
        **place_of(message.thread),
        "run": run,
        "key": message.key,
        "person": message.person.id,
        "body": text,
    }


def store_beside(tx: Transaction, message: Incoming, run: RunId, text: str) -> None:
    """Store what belongs to a message that was accepted: its files' uses and its thread.

    Files sent with the message are referred to before anything else does it.
    """
    tx.refer_to_files(run_owner(run), text)
    touch_thread(tx, message.thread, at=message.at.timestamp(), message=message.id)


def read_row(row: Any, attempt: int | None = None) -> QueuedMessage:  # noqa: ANN401 - a row of the inbox
    """The message in a row that could be read."""
    at = datetime.fromtimestamp(row.accepted_at, UTC)
    return QueuedMessage(RunId(row.run), row.body, row.attempts if attempt is None else attempt, at)
