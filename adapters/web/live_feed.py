"""What changes for a person, told at once to all their tabs and devices."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from pipeline.domain import RunId, Thread

_MOST_PENDING = 100
"""Changes that wait for a reader; with more it has to read everything anew."""


@dataclass(frozen=True, slots=True)
class RunBegan:
    """A run began in a conversation, for the message with this id, which follows another run."""

    thread: Thread
    run: RunId
    after: str | None
    message: str


@dataclass(frozen=True, slots=True)
class ThreadChanged:
    """A conversation is not as it was: named, pinned, answered or forgotten."""

    thread: Thread


@dataclass(frozen=True, slots=True)
class AllChanged:
    """More has changed than can be told: for one person, or for everybody ("")."""

    person: str = ""


Change = RunBegan | ThreadChanged
News = Change | AllChanged
"""What programs tell each other."""


@dataclass(slots=True, eq=False)
class FeedReader:
    """One open stream. What waits for it is bounded: equal changes count once."""

    is_over: bool = False
    _pending: dict[Change, None] = field(default_factory=dict)
    _is_anew: bool = False
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def add(self, change: Change) -> None:
        self._pending.pop(change, None)
        self._pending[change] = None
        if len(self._pending) > _MOST_PENDING:
            self.start_anew()
        self._news.set()

    def start_anew(self) -> None:
        """Have it read everything anew, since it cannot be told every change."""
        self._pending.clear()
        self._is_anew = True
        self._news.set()

    def end(self) -> None:
        self.is_over = True
        self._news.set()

    async def wait_for_changes(self, seconds: float) -> tuple[bool, list[Change]]:
        """Wait at most so long: whether to read everything anew, and what has changed since."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        self._news.clear()
        is_anew, changes = self._is_anew, list(self._pending)
        self._is_anew = False
        self._pending.clear()
        return is_anew, changes


@dataclass(slots=True)
class LiveFeed:
    """The open streams of each person. What happens while a person has none is not kept."""

    tell_others: Callable[[News], None] = lambda _: None
    """Passes on what happens here to the pages of other programs."""
    _readers: dict[str, set[FeedReader]] = field(default_factory=lambda: defaultdict(set))

    @contextmanager
    def read(self, person: str) -> Iterator[FeedReader]:
        reader = FeedReader()
        self._readers[person].add(reader)
        try:
            yield reader
        finally:
            self._readers[person].discard(reader)
            if not self._readers[person]:
                del self._readers[person]

    def publish(self, change: Change) -> None:
        """Tell a change to all readers of its person."""
        self._tell(change)

    def start_anew(self, person: str) -> None:
        """Tell a person's readers to read everything anew."""
        self._tell(AllChanged(person))

    def start_all_anew(self) -> None:
        """Tell everybody's readers to read everything anew."""
        self._tell(AllChanged())

    def _tell(self, news: News) -> None:
        self.hear(news)
        self.tell_others(news)

    def hear(self, news: News) -> None:
        """Tell the readers of this program's page what has happened here or elsewhere."""
        match news:
            case AllChanged(""):
                for readers in self._readers.values():
                    for reader in readers:
                        reader.start_anew()
            case AllChanged(person):
                for reader in self._readers.get(person, ()):
                    reader.start_anew()
            case _:
                for reader in self._readers.get(news.thread.channel.workspace, ()):
                    reader.add(news)

    def end(self) -> None:
        """End every stream at shutdown."""
        for readers in self._readers.values():
            for reader in readers:
                reader.end()
