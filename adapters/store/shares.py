"""Shared conversations in the database."""

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy import select

from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import shares
from adapters.store.transactions import Transaction, place_of
from pipeline.codec import dump
from pipeline.domain import Thread
from pipeline.ports import Share


class SqlShares(SqlPort):
    """Shares in the database."""

    @writes
    def add_share(self, tx: Transaction, share: Share) -> None:
        row = {
            **place_of(share.thread),
            "mark": share.mark,
            "person": share.person,
            "expires": share.expires.timestamp(),
            "body": dump(share),
        }
        tx.add(shares, row)

    @reads
    def list_shares(self, tx: Transaction, thread: Thread) -> Sequence[Share]:
        here = (shares.c.thread == thread.key) & (shares.c.expires > tx.at)
        found = tx.scalars(select(shares.c.body).where(here).order_by(shares.c.number))
        return [share for share in found if share is not None]

    @reads
    def find_share(self, tx: Transaction, mark: str) -> Share | None:
        here = (shares.c.mark == mark) & (shares.c.expires > tx.at)
        share: Share | None = tx.scalar(select(shares.c.body).where(here))
        return share

    @writes
    def end_share(self, tx: Transaction, mark: str) -> None:
        tx.execute(sa.delete(shares).where(shares.c.mark == mark))
