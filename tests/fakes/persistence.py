"""Fakes of the persistence ports, in memory."""

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from pipeline.domain import FileHash, Incoming, RunId, Thread
from pipeline.errors import LeaseLost, StoreUnavailable
from pipeline.outage import Outage
from pipeline.ports import (
    Backlog,
    Cached,
    Clock,
    PendingInteraction,
    Posting,
    QueuedMessage,
    ReadPieces,
)


@dataclass
class FakeJournal:
    """Steps in a dict. `recorded` lists all calls of `record`, in order."""

    steps: dict[RunId, dict[str, str]] = field(default_factory=dict)
    recorded: list[tuple[RunId, str]] = field(default_factory=list)

    async def recall(self, run: RunId) -> Mapping[str, str]:
        return dict(self.steps.get(run, {}))

    async def record(self, run: RunId, step: str, value: str) -> None:
        self.recorded.append((run, step))
        self.steps.setdefault(run, {}).setdefault(step, value)


@dataclass
class Entry:
    """A message in the fake inbox."""

    run: RunId
    message: Incoming
    attempts: int = 0
    finished: bool = False
    is_deleted: bool = False
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)
    accepted_at: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass
class FakeInbox:
    """Messages in a list, in the order of their acceptance."""

    entries: list[Entry] = field(default_factory=list)
    lost: set[RunId] = field(default_factory=set)
    """Runs that another program has taken over."""
    _out: dict[RunId, Entry] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def restarted(self) -> "FakeInbox":
        """The same inbox after a restart of the program."""
        return FakeInbox(self.entries)

    async def accept(self, message: Incoming, run: RunId, *, after: RunId | None = None) -> bool:
        before = self._entry(after) if after else None
        if self._entry(run) is not None or (after and (before is None or before.is_deleted)):
            return False
        self.entries.append(Entry(run, message))
        self._news.set()
        return True

    async def amend(self, message: Incoming) -> None:
        for entry in self.entries:
            if entry.message.key == message.key and entry.finished:
                entry.message = replace(entry.message, text=message.text, files=message.files)

    async def take(self, platforms: Collection[str] | None = None) -> AsyncIterator[QueuedMessage]:
        while True:
            entry = self._next(platforms)
            if entry is None:
                self._news.clear()
                await self._news.wait()
            else:
                entry.attempts += 1
                self._out[entry.run] = entry
                yield QueuedMessage(entry.run, entry.message, entry.attempts, entry.accepted_at)

    async def list_backlog(self, thread: Thread | None = None) -> Sequence[QueuedMessage]:
        return [
            QueuedMessage(entry.run, entry.message, 0, entry.accepted_at)
            for entry in self.entries
            if not entry.finished
            and entry.run not in self._out
            and thread in (None, entry.message.thread)
        ]

    async def measure_backlog(self) -> Mapping[str, Backlog]:
        waiting: dict[str, Backlog] = {}
        for each in await self.list_backlog():
            platform, at = each.message.thread.channel.platform, each.accepted_at
            assert at is not None
            before = waiting.get(platform, Backlog(0, at))
            waiting[platform] = Backlog(before.count + 1, min(before.oldest, at))
        return waiting

    async def give_back(self, run: RunId) -> None:
        self._out.pop(run, None)
        self.lost.discard(run)

    async def check(self, run: RunId) -> None:
        if run in self.lost:
            raise LeaseLost("lease-lost")

    async def finish(self, run: RunId) -> bool:
        await self.check(run)
        entry = self._entry(run)
        if entry is not None:
            entry.finished = True
        self._news.set()
        return entry is not None

    async def cancel(self, run: RunId) -> bool:
        entry = self._entry(run)
        if entry is None and run in self._out:  # its message was deleted meanwhile
            self._out[run].cancelled.set()
        if entry is None or entry.finished:
            return False
        entry.cancelled.set()
        return True

    async def await_cancellation(self, run: RunId) -> None:
        entry = self._entry(run)
        await (entry.cancelled if entry else asyncio.Event()).wait()
        await self.check(run)

    def lose(self, run: RunId) -> None:
        """Another program has taken a run over."""
        self.lost.add(run)
        if (entry := self._entry(run)) is not None:
            entry.cancelled.set()

    async def of(self, message: str) -> Sequence[QueuedMessage]:
        return [
            QueuedMessage(entry.run, entry.message, entry.attempts, entry.accepted_at)
            for entry in self.entries
            if entry.message.key == message
        ]

    async def message(self, run: RunId) -> Incoming | None:
        entry = self._entry(run)
        return entry.message if entry else None

    async def list_waiting(self, thread: Thread | None = None) -> Sequence[RunId]:
        return [
            entry.run
            for entry in self.entries
            if not entry.finished and thread in (None, entry.message.thread)
        ]

    def _entry(self, run: RunId) -> Entry | None:
        return next((entry for entry in self.entries if entry.run == run), None)

    def _next(self, platforms: Collection[str] | None) -> Entry | None:
        unfinished = [
            entry
            for entry in self.entries
            if not entry.finished
            and (platforms is None or entry.message.thread.channel.platform in platforms)
        ]
        busy = {entry.message.lane for entry in unfinished if entry.run in self._out}
        free = [entry for entry in unfinished if entry.message.lane not in busy]
        return min(free, key=lambda entry: entry.message.id, default=None)


@dataclass
class FakeLedger:
    """Receipts by key; None for a post that was begun."""

    receipts: dict[str, str | None] = field(default_factory=dict)

    async def begin(self, key: str) -> tuple[Posting, str]:
        if key not in self.receipts:
            self.receipts[key] = None
            return Posting.FRESH, ""
        receipt = self.receipts[key]
        return (Posting.UNSURE, "") if receipt is None else (Posting.POSTED, receipt)

    async def done(self, key: str, receipt: str) -> None:
        self.receipts[key] = receipt

    async def find_run(self, receipt: str) -> RunId | None:
        keys = (key for key, known in self.receipts.items() if known == receipt)
        return next((RunId(key.partition(":")[0]) for key in keys), None)


@dataclass
class FakeInteractions:
    """Interactions by platform and id; None for one that is finished."""

    kept: dict[tuple[str, str], PendingInteraction | None] = field(default_factory=dict)

    async def accept(self, platform: str, id: str, payload: str, person: str = "") -> bool:  # noqa: A002 - the port's
        is_new = (platform, id) not in self.kept
        self.kept.setdefault((platform, id), PendingInteraction(id, payload))
        return is_new

    async def record(self, platform: str, id: str, reply: str) -> bool:  # noqa: A002 - the port's
        pending = self.kept[platform, id]
        if pending is None or pending.reply:
            return False
        self.kept[platform, id] = replace(pending, reply=reply)
        return True

    async def finish(self, platform: str, id: str) -> None:  # noqa: A002 - the port's
        self.kept[platform, id] = None

    async def list_pending(self, platform: str, id: str = "") -> Sequence[PendingInteraction]:  # noqa: A002 - the port's
        pending = [each for (on, _), each in self.kept.items() if each and on == platform]
        return [each for each in pending if id in ("", each.id)]


@dataclass
class LockedStore:
    """Says that nothing can be stored until it is opened."""

    outage: Outage = field(default_factory=Outage)
    is_open: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self) -> None:
        """Wait as the ports do."""
        await self.outage.wait_out(self._check)

    async def _check(self) -> None:
        if not self.is_open.is_set():
            raise StoreUnavailable("store-gone")


@dataclass
class LockedInteractions(FakeInteractions):
    """Interactions that cannot be stored while a store is locked."""

    store: LockedStore = field(default_factory=LockedStore)

    async def accept(self, platform: str, id: str, payload: str, person: str = "") -> bool:  # noqa: A002 - the port's
        await self.store.wait()
        return await FakeInteractions.accept(self, platform, id, payload, person)


@dataclass
class FakeInstallations:
    """Installations by platform and place."""

    kept: dict[tuple[str, str], str] = field(default_factory=dict)

    async def save(self, platform: str, place: str, body: str) -> None:
        self.kept[platform, place] = body

    async def load(self, platform: str) -> Mapping[str, str]:
        return {place: body for (on, place), body in self.kept.items() if on == platform}

    async def remove(self, platform: str, place: str) -> None:
        self.kept.pop((platform, place), None)


@dataclass
class FakeCache:
    """Texts in a dict."""

    kept: dict[str, Cached] = field(default_factory=dict)
    clock: Clock = lambda: datetime.now(UTC)

    async def get(self, key: str) -> Cached | None:
        return self.kept.get(key)

    async def put(self, key: str, value: str) -> None:
        self.kept[key] = Cached(value, self.clock())

    async def claim(self, key: str, value: str) -> str:
        return self.kept.setdefault(key, Cached(value, self.clock())).value


@dataclass
class FakeFiles:
    """Bytes in a dict, and when each file was put."""

    kept: dict[FileHash, bytes] = field(default_factory=dict)
    put_at: dict[FileHash, datetime] = field(default_factory=dict)

    async def put(self, data: bytes) -> FileHash:
        name = FileHash(sha256(data).hexdigest())
        self.kept[name] = data
        self.put_at[name] = datetime.now(UTC)
        return name

    async def put_stream(self, read: ReadPieces) -> FileHash:
        return await self.put(b"".join([piece async for piece in read()]))

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - the port's name
        return self.kept[hash]

    async def size(self, hash: FileHash) -> int:  # noqa: A002 - the port's name
        return len(self.kept[hash])

    async def stream(
        self,
        hash: FileHash,  # noqa: A002 - the port's name
        offset: int = 0,
        length: int | None = None,
    ) -> AsyncIterator[bytes]:
        end = None if length is None else offset + length
        yield self.kept[hash][offset:end]

    async def sign(self, hash: FileHash, media_type: str, disposition: str) -> str:  # noqa: A002
        return ""

    def local_path(self, hash: FileHash) -> Path | None:  # noqa: A002 - the port's name
        return None

    async def discard(
        self, hashes: Sequence[FileHash], *, older_than: datetime | None = None
    ) -> None:
        for name in hashes:
            if older_than is not None and self.put_at.get(name, older_than) >= older_than:
                continue
            self.kept.pop(name, None)
            self.put_at.pop(name, None)

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        return frozenset(name for name, at in self.put_at.items() if at < older_than)
