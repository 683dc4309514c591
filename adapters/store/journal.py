"""What is stored by key: the journal, deliveries, events seen, the cache, channels' settings."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import blake2b

from sqlalchemy import Connection, bindparam, select

from adapters.store.database import SqlPort, reads, writes
from adapters.store.schema import catalogue, channel_settings, deliveries, journal, seen
from adapters.store.serialization import (
    add_row,
    dump_value,
    escape_surrogates,
    load_value,
    put_rows,
    refer_to_files,
    run_owner,
    workspace_key,
)
from pipeline.domain import Channel, ChannelSettings, RunId
from pipeline.ports import Cached, Posting

_STEPS = select(journal.c.step, journal.c.value).where(journal.c.run == bindparam("run"))
_SETTINGS = select(channel_settings.c.body).where(channel_settings.c.channel == bindparam("wanted"))
_CACHED = select(catalogue).where(catalogue.c.key == bindparam("wanted"))


class SqlJournal(SqlPort):
    """Steps of runs by name; the first value of a step stays."""

    @reads
    def recall(self, connection: Connection, run: RunId) -> Mapping[str, str]:
        return {row.step: row.value for row in connection.execute(_STEPS, {"run": run})}

    @writes
    def record(self, connection: Connection, run: RunId, step: str, value: str) -> None:
        text = escape_surrogates(value)
        at = self.clock().timestamp()
        add_row(connection, journal, {"run": run, "step": step, "value": text, "at": at})
        refer_to_files(connection, run_owner(run), text)


class SqlLedger(SqlPort):
    """Posts and their receipts."""

    @writes
    def begin(self, connection: Connection, key: str) -> tuple[Posting, str]:
        if add_row(connection, deliveries, {"key": key, "begun_at": self.clock().timestamp()}):
            return Posting.FRESH, ""
        receipt = connection.scalar(select(deliveries.c.receipt).where(deliveries.c.key == key))
        return (Posting.UNSURE, "") if receipt is None else (Posting.POSTED, receipt)

    @writes
    def done(self, connection: Connection, key: str, receipt: str) -> None:
        row = {"key": key, "receipt": receipt, "begun_at": self.clock().timestamp()}
        put_rows(connection, deliveries, row)


class SqlSeen(SqlPort):
    """Keys asked about; `SqlRetention.prune` drops them after two days."""

    @writes
    def first(self, connection: Connection, key: str) -> bool:
        # A fingerprint: keys may name persons.
        name = blake2b(key.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
        return add_row(connection, seen, {"key": name, "at": self.clock().timestamp()})


class SqlCache(SqlPort):
    """Texts by key, the newest of each."""

    @reads
    def get(self, connection: Connection, key: str) -> Cached | None:
        row = connection.execute(_CACHED, {"wanted": key}).one_or_none()
        return Cached(row.body, datetime.fromtimestamp(row.fetched_at, UTC)) if row else None

    @writes
    def put(self, connection: Connection, key: str, value: str) -> None:
        at = self.clock().timestamp()
        row = {"key": key, "body": escape_surrogates(value), "fetched_at": at}
        put_rows(connection, catalogue, row)


class SqlSettings(SqlPort):
    """Channels' settings; those that cannot be read count as none."""

    @reads
    def settings(self, connection: Connection, channel: Channel) -> ChannelSettings:
        text = connection.scalar(_SETTINGS, {"wanted": channel.key})
        return load_value(ChannelSettings, text, key=channel.key) or ChannelSettings()

    @writes
    def set(self, connection: Connection, channel: Channel, settings: ChannelSettings) -> None:
        row = {"channel": channel.key, "workspace": workspace_key(channel)}
        put_rows(connection, channel_settings, {**row, "body": dump_value(settings)})
