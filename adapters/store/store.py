"""The store in the database: the chat log, the runs, what people think of them, and what channels have set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, bindparam, select

from adapters.store import forgetting, records, results, runs, summaries, threads, turns
from adapters.store.bodies import body, now, seconds, workspace_key
from adapters.store.database import Database
from adapters.store.known import KnownSettings
from adapters.store.rows import Rows, put
from adapters.store.schema import channel_settings, file_uses
from adapters.store.turns import context as context_of
from pipeline.codec import load
from pipeline.domain import (
    Attachment,
    Channel,
    ChannelSettings,
    Context,
    FileHash,
    NamedFile,
    Outcome,
    Run,
    RunId,
    Source,
    Thread,
    Turn,
)
from pipeline.ports import Clock, Records, Scope, TrackRecord, Unfolded, Vote

_SETTINGS = select(channel_settings.c.body).where(channel_settings.c.channel == bindparam("wanted"))


@dataclass(frozen=True, slots=True)
class SqlStore:
    """The store's questions and orders, each one transaction."""

    database: Database
    clock: Clock = now
    _settings: KnownSettings = field(default_factory=KnownSettings, init=False, compare=False)

    async def log(self, thread: Thread, turn: Turn) -> None:
        await self.database.merge(put, turns.logged(thread, turn))

    async def name_files(
        self, thread: Thread, key: str, attachments: Sequence[Attachment]
    ) -> tuple[NamedFile, ...]:
        if not attachments:
            return ()
        return await self.database.write(
            partial(turns.name_files, thread=thread, key=key, attachments=attachments)
        )

    async def context(self, thread: Thread, *, before: str = "", turns: int, tail: int) -> Context:
        return await self.database.read(
            partial(context_of, thread=thread, before=before, last=turns, tail=tail)
        )

    async def unfolded(self, thread: Thread, *, most: int, keep: int) -> Unfolded | None:
        return await self.database.read(
            partial(summaries.unfolded, thread=thread, most=most, keep=keep)
        )

    async def fold(self, thread: Thread, unfolded: Unfolded, summary: str) -> bool:
        return await self.database.write(
            partial(
                summaries.fold,
                thread=thread,
                found=unfolded,
                summary=summary,
                at=seconds(self.clock()),
            )
        )

    async def unlog(self, key: str) -> Sequence[FileHash]:
        return await self.database.write(partial(forgetting.unlog, key=key))

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
    ) -> None:
        at = seconds(self.clock())
        rows = runs.saved(run, thread, at) | runs.told(run.id, events, at)
        await self.database.merge(put, rows | turns.logged(thread, turn) if turn else rows)

    async def load(self, run: RunId) -> Run | None:
        return await self.database.read(partial(runs.load_run, run=run))

    async def runs(self, thread: Thread, *, limit: int) -> Sequence[Run]:
        return await self.database.read(partial(runs.of_thread, thread=thread, limit=limit))

    async def made(self, thread: Thread) -> Mapping[str, Source]:
        return await self.database.read(partial(results.made, thread=thread))

    async def outcome(self, source: Source) -> Outcome | None:
        return await self.database.read(partial(results.outcome, source=source))

    async def events(self, run: RunId) -> Sequence[str]:
        return await self.database.read(partial(runs.events_of, run=run))

    async def vote(self, vote: Vote) -> None:
        await self.database.write(partial(runs.vote, cast=vote, at=seconds(self.clock())))

    async def votes(self, run: RunId) -> Sequence[Vote]:
        return await self.database.read(partial(runs.votes_on, run=run))

    async def track_record(
        self, model: str, *, channel: Channel | None = None
    ) -> Mapping[str, TrackRecord]:
        return await self.database.read(partial(records.track_record, model=model, channel=channel))

    async def track_records(self, *, since: datetime) -> Records:
        return await self.database.read(partial(records.since, moment=seconds(since)))

    async def settings(self, channel: Channel) -> ChannelSettings:
        def read(connection: Connection) -> ChannelSettings:
            text = connection.scalar(_SETTINGS, {"wanted": channel.key})
            return ChannelSettings() if text is None else load(ChannelSettings, text)

        return await self._settings.of(channel.key, lambda: self.database.read(read))

    async def set(self, channel: Channel, settings: ChannelSettings) -> None:
        row = {
            "channel": channel.key,
            "workspace": workspace_key(channel),
            "body": body(settings),
        }
        rows = Rows({channel_settings: [row]})
        await self.database.merge(put, rows, then=self._settings.changed)

    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        return await self.database.write(
            partial(forgetting.forget, scope=scope, thread=thread, person=person),
            then=self._settings.changed,
        )

    async def prune(self, *, older_than: datetime) -> Sequence[FileHash]:
        freed: set[FileHash] = set()
        more = True
        while more:
            more, some = await self.database.write(
                partial(forgetting.prune, before=seconds(older_than))
            )
            freed.update(some)
        return tuple(freed - await self.file_hashes()) if freed else ()

    async def file_hashes(self) -> frozenset[FileHash]:
        def read(connection: Connection) -> frozenset[FileHash]:
            return frozenset(map(FileHash, connection.scalars(select(file_uses.c.hash))))

        return await self.database.read(read)

    async def active_threads(
        self, platform: str, *, since: datetime
    ) -> Sequence[tuple[Thread, str]]:
        return await self.database.read(
            partial(threads.active, platform=platform, since=seconds(since))
        )
