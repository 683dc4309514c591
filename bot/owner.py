"""What the owner's pages show and do, behind the port of `adapters.web.owner`."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import structlog
import typer

from adapters.web.owner.ports import (
    Checkup,
    OwnerPorts,
    SettingChange,
    SettingName,
    SettingRefused,
    Storage,
    StoredTable,
)
from bot import VERSION
from bot.app import App
from bot.cleaning import find_cutoff, prune, sweep
from bot.commands.settings import NAMES, change_settings, list_choices, list_values
from bot.commands.tasks import list_abilities
from bot.monitoring import Monitor
from bot.program_status import describe_live, describe_program
from pipeline.domain import Channel
from pipeline.errors import RequestError
from pipeline.ports import KnownChannel

log = structlog.get_logger()

_CONVERSATIONS = ("web", "console")
"""Platforms on which every conversation is a channel."""
_MOST_COUNTED = 100_000
_ANYWHERE = Channel("web", "", "")
"""A channel without settings."""


def open_owner_ports(app: App) -> OwnerPorts:
    """The ports of the owner's pages."""
    return OwnerPorts(runs=app.ports.persistence.run_index, administration=AppAdministration(app))


@dataclass(slots=True)
class AppAdministration:
    """What whoever runs the program sees of it and does with it."""

    app: App
    checkup: Checkup | None = None
    _checking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _sweeping: asyncio.Lock = field(default_factory=asyncio.Lock)
    _swept_at: datetime | None = None

    @property
    def _monitor(self) -> Monitor:
        return self.app.monitor

    @property
    def keeps_prompts(self) -> bool:
        return self.app.settings.troupe_keep_prompts == "on"

    @property
    def is_traced(self) -> bool:
        return self.app.runner.traces is not None

    async def status(self, since: str) -> Mapping[str, Any]:
        from bot.operations.status import (  # noqa: PLC0415 - not needed at the start
            describe_database,
            find_midnight,
            parse_since,
        )

        now = datetime.now(UTC)
        try:
            began = parse_since(since, now)
        except typer.BadParameter as error:
            raise ValueError(str(error)) from error
        today = find_midnight(now)
        overview = await self.app.ports.persistence.overview.load(min(began, today))
        return {
            "version": VERSION,
            "running": dict(await describe_program(self._monitor)),
            **await asyncio.to_thread(describe_database, overview, began, today),
        }

    async def live(self) -> Sequence[Mapping[str, Any]]:
        return await describe_live(self._monitor)

    async def check(self) -> Checkup:
        from bot.operations.doctor import find_all  # noqa: PLC0415 - as above

        before = self.checkup
        async with self._checking:
            if self.checkup is before or self.checkup is None:
                findings = await find_all(self.app)
                abilities = await list_abilities(self.app.conversation.context, _ANYWHERE)
                self.checkup = Checkup(at=datetime.now(UTC), findings=findings, abilities=abilities)
            return self.checkup

    async def list_channels(self, query: str, *, after: str, limit: int) -> Sequence[KnownChannel]:
        store = self.app.ports.persistence.store
        return await store.list_channels(
            query=query, after=after, limit=limit, without=_CONVERSATIONS
        )

    def list_values(self, channel: KnownChannel) -> Mapping[str, str]:
        return list_values(channel.settings)

    def list_settings(self) -> Sequence[SettingName]:
        return [SettingName(name, list_choices(name)) for name in NAMES]

    async def change_channels(
        self, channels: Sequence[str], changes: Mapping[str, str], *, preview: bool
    ) -> Sequence[SettingChange]:
        store = self.app.ports.persistence.store
        told, changed = list[SettingChange](), list[tuple[Channel, Mapping[str, str]]]()
        for key in dict.fromkeys(channels):
            channel = _parse_channel(key)
            before = await store.settings(channel)
            try:
                after = change_settings(before, changes)
            except RequestError as error:
                words = {name: str(word) for name, word in error.sentence.args.items()}
                raise SettingRefused(error.sentence.id, **words) from error
            old, new = list_values(before), list_values(after)
            names = [name for name in {**old, **new} if old.get(name, "") != new.get(name, "")]
            told += [
                SettingChange(key, name, old.get(name, ""), new.get(name, "")) for name in names
            ]
            if names:
                changed.append((channel, changes))
        for channel, wanted in [] if preview else changed:
            current = await store.settings(channel)
            await store.set(channel, change_settings(current, wanted))
            log.info("settings changed by the owner", channel=channel.key, names=[*wanted])
        return told

    async def measure(self) -> Storage:
        persistence, settings = self.app.ports.persistence, self.app.settings
        await self._monitor.sample_storage()
        cutoff = find_cutoff(self.app, datetime.now(UTC))
        tables = await persistence.overview.count_stored(cutoff, most=_MOST_COUNTED)
        count, size = await self.app.ports.files.measure(_MOST_COUNTED)
        return Storage(
            database=self._monitor.database_bytes,
            files=count,
            file_bytes=size,
            files_are_more=count >= _MOST_COUNTED,
            free=self._monitor.free_bytes,
            tables=[
                StoredTable(
                    name=each.table,
                    rows=each.rows,
                    oldest=each.oldest,
                    due=each.old,
                    due_soon=each.older_soon,
                )
                for each in tables
            ],
            most=_MOST_COUNTED,
            retention_days=settings.troupe_retention_days,
            cutoff=cutoff,
            keeps_prompts=self.keeps_prompts,
            swept_at=self._swept_at,
        )

    async def sweep(self) -> None:
        async with self._sweeping:
            await prune(self.app)
            files = await sweep(self.app)
            self._swept_at = datetime.now(UTC)
            log.info("swept for the owner", files=files)


def _parse_channel(key: str) -> Channel:
    """A channel by its key. Raises SettingRefused if it is none."""
    channel = Channel.parse(key)
    if not (channel.platform and channel.workspace and channel.id):
        raise SettingRefused("owner-unknown-channel", channel=key)
    return channel
