"""Ports that store values by key: journal, ledger, interactions, installations, cache, settings."""

from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, select, update

from adapters.store.database import SqlPort, reads, writes, writes_once
from adapters.store.schema import (
    IS_PENDING,
    catalogue,
    channel_settings,
    deliveries,
    installations,
    interactions,
    journal,
    threads,
)
from adapters.store.transactions import (
    Transaction,
    may_mention_files,
    run_owner,
    workspace_key,
)
from pipeline.codec import dump
from pipeline.domain import Channel, ChannelSettings, RunId
from pipeline.ports import Cached, KnownChannel, PendingInteraction, Posting

_STEPS = select(journal.c.step, journal.c.value).where(journal.c.run == bindparam("run"))
_INTERACTION = update(interactions).where(
    interactions.c.platform == bindparam("on"), interactions.c.id == bindparam("which")
)
BLANK = {"person": "", "payload": "", "reply": ""}
"""An interaction of which only the id is kept."""
_SETTINGS = select(channel_settings.c.body).where(channel_settings.c.channel == bindparam("key"))


class SqlJournal(SqlPort):
    """The steps of runs; the first value of a step is kept."""

    @reads
    def recall(self, tx: Transaction, run: RunId) -> Mapping[str, str]:
        return {row.step: row.value for row in tx.execute(_STEPS, {"run": run})}

    async def record(self, run: RunId, step: str, value: str) -> None:
        row = {"run": run, "step": step, "value": value}

        def store(tx: Transaction) -> None:
            tx.add_of_run(run, journal, {**row, "at": tx.at})
            tx.refer_to_files(run_owner(run), value)

        await self.database.write(store, is_single=not may_mention_files(value))


class SqlLedger(SqlPort):
    """Posts and their receipts."""

    @writes_once
    def begin(self, tx: Transaction, key: str) -> tuple[Posting, str]:
        if tx.add_of_run(_find_run(key), deliveries, {"key": key, "begun_at": tx.at}):
            return Posting.FRESH, ""
        receipt = tx.scalar(select(deliveries.c.receipt).where(deliveries.c.key == key))
        return (Posting.UNSURE, "") if receipt is None else (Posting.POSTED, receipt)

    @writes_once
    def done(self, tx: Transaction, key: str, receipt: str) -> None:
        row = {"key": key, "receipt": receipt, "begun_at": tx.at}
        tx.add_of_run(_find_run(key), deliveries, row, overwrites="receipt")

    @reads
    def find_run(self, tx: Transaction, receipt: str) -> RunId | None:
        key = tx.scalar(select(deliveries.c.key).where(deliveries.c.receipt == receipt).limit(1))
        return _find_run(key) if key else None


class SqlInteractions(SqlPort):
    """Interactions; `SqlRetention.prune` deletes finished ones after two days."""

    async def accept(self, platform: str, id: str, payload: str, person: str = "") -> bool:  # noqa: A002 - the port's
        row = {"platform": platform, "id": id, "person": person, "payload": payload, "reply": ""}
        return await self.database.write(
            lambda tx: tx.add(interactions, {**row, "at": tx.at}) or tx.may_be_done, durable=True
        )

    @writes
    def record(self, tx: Transaction, platform: str, id: str, reply: str) -> bool:  # noqa: A002 - the port's
        change = _INTERACTION.where(interactions.c.payload != "", interactions.c.reply == "")
        row = {"on": platform, "which": id}
        return tx.execute(change.values(reply=reply), row).rowcount > 0 or tx.may_be_done

    @writes
    def finish(self, tx: Transaction, platform: str, id: str) -> None:  # noqa: A002 - the port's
        tx.execute(_INTERACTION.values(BLANK), {"on": platform, "which": id})

    @reads
    def list_pending(
        self,
        tx: Transaction,
        platform: str,
        id: str = "",  # noqa: A002 - the port's
    ) -> Sequence[PendingInteraction]:
        pending = select(interactions).where(interactions.c.platform == platform, IS_PENDING)
        if id:
            pending = pending.where(interactions.c.id == id)
        rows = tx.execute(pending.order_by(interactions.c.number))
        return tuple(PendingInteraction(row.id, row.payload, row.reply) for row in rows)


class SqlInstallations(SqlPort):
    """Installations of a platform's app, and the states of those that have begun."""

    async def save(self, platform: str, place: str, body: str) -> None:
        row = {"platform": platform, "place": place, "body": body}
        await self.database.write(
            lambda tx: tx.put(installations, {**row, "at": tx.at}), durable=True
        )

    @reads
    def load(self, tx: Transaction, platform: str) -> Mapping[str, str]:
        rows = tx.execute(select(installations).where(installations.c.platform == platform))
        return {row.place: row.body for row in rows}

    @writes
    def remove(self, tx: Transaction, platform: str, place: str) -> None:
        here = installations.c.platform == platform, installations.c.place == place
        tx.execute(delete(installations).where(*here))


class SqlCache(SqlPort):
    """The latest text of each key."""

    @reads
    def get(self, tx: Transaction, key: str) -> Cached | None:
        return load_cached(tx, key)

    @writes
    def put(self, tx: Transaction, key: str, value: str) -> None:
        tx.put(catalogue, {"key": key, "body": value, "fetched_at": tx.at})

    @writes
    def claim(self, tx: Transaction, key: str, value: str) -> str:
        if tx.add(catalogue, {"key": key, "body": value, "fetched_at": tx.at}):
            return value
        stored: str = tx.execute(
            select(catalogue.c.body).where(catalogue.c.key == key)
        ).scalar_one()
        return stored


class SqlSettings(SqlPort):
    """The settings of channels; the defaults if they cannot be read."""

    @reads
    def settings(self, tx: Transaction, channel: Channel) -> ChannelSettings:
        return tx.scalar(_SETTINGS, {"key": channel.key}) or ChannelSettings()

    @writes
    def set(self, tx: Transaction, channel: Channel, settings: ChannelSettings) -> None:
        row = {"channel": channel.key, "workspace": workspace_key(channel)}
        tx.put(channel_settings, {**row, "body": dump(settings)})

    @reads
    def list_channels(
        self,
        tx: Transaction,
        *,
        query: str = "",
        after: str = "",
        limit: int,
        without: Collection[str] = (),
    ) -> Sequence[KnownChannel]:
        def matches(key: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
            return (key > after) & key.icontains(query, autoescape=True)

        written = select(threads.c.channel, sa.func.max(threads.c.last_at).label("at"))
        written = written.where(threads.c.platform.not_in(without), matches(threads.c.channel))
        written = written.group_by(threads.c.platform, threads.c.channel)
        chosen = channel_settings.c
        keys = {row.channel: row.at for row in tx.execute(written)}
        own = select(chosen.channel, chosen.body).where(matches(chosen.channel))
        settings = {row.channel: row.body for row in tx.execute(own) if row.body}
        listed = sorted(
            {*keys, *(key for key, each in settings.items() if each != ChannelSettings())}
        )
        return tuple(
            KnownChannel(
                Channel.parse(key),
                settings.get(key) or ChannelSettings(),
                datetime.fromtimestamp(keys[key], UTC) if key in keys else None,
            )
            for key in listed[:limit]
        )


def _find_run(key: str) -> RunId:
    """The run of a post, with whose id its key begins."""
    return RunId(key.partition(":")[0])


def load_cached(tx: Transaction, key: str) -> Cached | None:
    """The latest text of a key."""
    row = tx.execute(select(catalogue).where(catalogue.c.key == key)).one_or_none()
    return Cached(row.body, datetime.fromtimestamp(row.fetched_at, UTC)) if row else None
