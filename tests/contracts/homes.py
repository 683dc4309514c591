"""Places where things last, for the contract suites: opened, closed and opened again."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol

from adapters.store import open_persistence
from pipeline.ports import (
    Cache,
    Inbox,
    Installations,
    Interactions,
    Journal,
    Ledger,
    Results,
    RunIndex,
    Store,
    Summaries,
)
from tests.fakes.persistence import (
    FakeCache,
    FakeInbox,
    FakeInstallations,
    FakeInteractions,
    FakeJournal,
    FakeLedger,
)
from tests.fakes.run_index import FakeRunIndex
from tests.fakes.store import FakeStore


@dataclass
class Time:
    """A clock that goes when told."""

    moment: datetime = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def pass_by(self, time: timedelta) -> None:
        self.moment += time


class Memories(Store, Results, Summaries, Protocol):
    """Stores keep results and summaries, too."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The ports to what lasts."""

    store: Memories
    inbox: Inbox
    journal: Journal
    ledger: Ledger
    interactions: Interactions
    installations: Installations
    cache: Cache
    run_index: RunIndex


class Home(Protocol):
    """A place that can be opened again after a restart, and finds what it kept."""

    time: Time

    def open(self) -> AbstractAsyncContextManager[Kept]: ...


@dataclass
class FakeHome:
    """Fakes that are handed out again."""

    time: Time = field(default_factory=Time)
    inbox: FakeInbox = field(default_factory=FakeInbox)
    journal: FakeJournal = field(default_factory=FakeJournal)
    ledger: FakeLedger = field(default_factory=FakeLedger)
    interactions: FakeInteractions = field(default_factory=FakeInteractions)
    installations: FakeInstallations = field(default_factory=FakeInstallations)
    cache: FakeCache = field(default_factory=FakeCache)
    store: FakeStore = field(default_factory=FakeStore)

    def __post_init__(self) -> None:
        self.store.clock = self.time
        self.cache.clock = self.time
        self.store.inbox = self.inbox
        self.store.started = lambda key: [
            entry.run for entry in self.inbox.entries if entry.message.key == key
        ]

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Kept]:
        inbox = self.inbox.restarted()
        yield Kept(
            store=self.store,
            inbox=inbox,
            journal=self.journal,
            ledger=self.ledger,
            interactions=self.interactions,
            installations=self.installations,
            cache=self.cache,
            run_index=FakeRunIndex(self.store),
        )


@dataclass
class DatabaseHome:
    """The real ports on a database."""

    url: str
    time: Time = field(default_factory=Time)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Kept]:
        async with open_persistence(self.url, clock=self.time) as kept:
            yield Kept(
                store=kept.store,
                inbox=kept.inbox,
                journal=kept.journal,
                ledger=kept.ledger,
                interactions=kept.interactions,
                installations=kept.installations,
                cache=kept.cache,
                run_index=kept.run_index,
            )
