"""Ports that store values by key: journal, ledger, seen events, cache, channel settings."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import blake2b

from sqlalchemy import bindparam, select

from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import catalogue, channel_settings, deliveries, journal, seen
from adapters.store.transaction import Transaction, run_owner, workspace_key
from pipeline.codec import dump
from pipeline.domain import Channel, ChannelSettings, RunId
from pipeline.ports import Cached, Posting

_STEPS = select(journal.c.step, journal.c.value).where(journal.c.run == bindparam("run"))
_SETTINGS = select(channel_settings.c.body).where(channel_settings.c.channel == bindparam("key"))


class SqlJournal(SqlPort):
    """The steps of runs; the first value of a step is kept."""

    @reads
    def recall(self, tx: Transaction, run: RunId) -> Mapping[str, str]:
        return {row.step: row.value for row in tx.execute(_STEPS, {"run": run})}

    @writes
    def record(self, tx: Transaction, run: RunId, step: str, value: str) -> None:
        tx.add(journal, {"run": run, "step": step, "value": value, "at": tx.at})
        tx.refer_to_files(run_owner(run), value)


class SqlLedger(SqlPort):
    """Posts and their receipts."""

    @writes
    def begin(self, tx: Transaction, key: str) -> tuple[Posting, str]:
        if tx.add(deliveries, {"key": key, "begun_at": tx.at}):
            return Posting.FRESH, ""
        receipt = tx.scalar(select(deliveries.c.receipt).where(deliveries.c.key == key))
        return (Posting.UNSURE, "") if receipt is None else (Posting.POSTED, receipt)

    @writes
    def done(self, tx: Transaction, key: str, receipt: str) -> None:
        tx.put(deliveries, {"key": key, "receipt": receipt, "begun_at": tx.at})


class SqlSeen(SqlPort):
    """Keys of events; `SqlRetention.prune` deletes them after two days."""

    @writes
    def first(self, tx: Transaction, key: str) -> bool:
        # Hashed, because keys may name people.
        name = blake2b(key.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
        return tx.add(seen, {"key": name, "at": tx.at})


class SqlCache(SqlPort):
    """The latest text of each key."""

    @reads
    def get(self, tx: Transaction, key: str) -> Cached | None:
        row = tx.execute(select(catalogue).where(catalogue.c.key == key)).one_or_none()
        return Cached(row.body, datetime.fromtimestamp(row.fetched_at, UTC)) if row else None

    @writes
    def put(self, tx: Transaction, key: str, value: str) -> None:
        tx.put(catalogue, {"key": key, "body": value, "fetched_at": tx.at})


class SqlSettings(SqlPort):
    """The settings of channels; the defaults if they cannot be read."""

    @reads
    def settings(self, tx: Transaction, channel: Channel) -> ChannelSettings:
        return tx.scalar(_SETTINGS, {"key": channel.key}) or ChannelSettings()

    @writes
    def set(self, tx: Transaction, channel: Channel, settings: ChannelSettings) -> None:
        row = {"channel": channel.key, "workspace": workspace_key(channel)}
        tx.put(channel_settings, {**row, "body": dump(settings)})
