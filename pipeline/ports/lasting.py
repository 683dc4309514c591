"""The ports to what lasts: journal, inbox, ledger, files, store."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pipeline.domain import (
    Attachment,
    Channel,
    ChannelSettings,
    Context,
    FileHash,
    Incoming,
    NamedFile,
    Run,
    RunId,
    Thread,
    Turn,
)
from pipeline.ports.learning import Records, TrackRecord


class Journal(Protocol):
    """What the steps of a run returned, by name; so that a restarted run repeats nothing. Values are JSON texts."""

    async def recall(self, run: RunId) -> Mapping[str, str]:
        """All that was recorded of a run."""
        ...

    async def record(self, run: RunId, step: str, value: str) -> None:
        """Durable when it returns. The first value of a step stays."""
        ...


@dataclass(frozen=True, slots=True)
class Taken:
    """A message handed out to be answered. `attempt` counts from 1; more means that the program ended while it was at it."""

    run: RunId
    message: Incoming
    attempt: int


@dataclass(frozen=True, slots=True)
class Cached:
    """A JSON text that was fetched, and when."""

    value: str
    fetched_at: datetime


class Cache(Protocol):
    """What was fetched from elsewhere and can be fetched again. How old is too old is the reader's business."""

    async def get(self, key: str) -> Cached | None: ...
    async def put(self, key: str, value: str) -> None:
        """Instead of what was there under the key."""
        ...


class Inbox(Protocol):
    """Messages to be answered. Accepted once, durably; handed out in order within a thread; kept until finished."""

    async def accept(self, message: Incoming, run: RunId) -> bool:
        """False when this run was accepted before. Durable when it returns.

        The run's id is derived from the message's key, so a message delivered twice is accepted once; a retry or an edit of a
        message is another run of the same message, and is accepted again.
        """
        ...

    def take(self) -> AsyncIterator[Taken]:
        """Messages as they come, one at a time in each lane (a thread's messages, and beside them its commands); at the start those not finished before. Never ends.

        Cancelled ones are handed out too, so that somebody is told; `cancelled` then returns at once.
        """
        ...

    async def finish(self, run: RunId) -> bool:
        """The message is answered, apologised for or stopped; the next one of its thread may come. False: it was forgotten meanwhile."""
        ...

    async def cancel(self, run: RunId) -> bool:
        """Ask that a run be stopped; also before it is handed out, and after a restart. False when it is finished or unknown."""
        ...

    async def cancelled(self, run: RunId) -> None:
        """Returns when the run was cancelled; waits as long as it is not."""
        ...

    async def of(self, message: str) -> Sequence[Taken]:
        """Every run accepted of the message with this key, finished or not, oldest first."""
        ...

    async def message(self, run: RunId) -> Incoming | None:
        """The message of a run, finished or not; None for an unknown or forgotten one."""
        ...

    async def waiting(self, thread: Thread | None = None) -> Sequence[RunId]:
        """Runs accepted and not finished, oldest first."""
        ...


class Posting(StrEnum):
    """What is known of a post under a key."""

    FRESH = "fresh"
    UNSURE = "unsure"
    POSTED = "posted"


class Ledger(Protocol):
    """What was posted under which key, so that nothing is posted twice.

    A key is the run's id, a colon and the part ("{run}:answer:2"), so that it is forgotten with its run.
    """

    async def begin(self, key: str) -> tuple[Posting, str]:
        """Note that a post under this key is about to be made, and tell what is known of it.

        FRESH: go on. UNSURE: it was begun and its end is not known, look it up at the platform first.
        POSTED: it stands there, under the receipt given.
        """
        ...

    async def done(self, key: str, receipt: str) -> None:
        """It stands there; `receipt` is what the platform calls it."""
        ...


class Seen(Protocol):
    """Platform events and interactions that were taken already."""

    async def first(self, key: str) -> bool:
        """True the first time a key is asked about, False ever after (for at least a day)."""
        ...


class Files(Protocol):
    """Bytes by the hash of their content. References are the store's business; `discard` is called when it has none left."""

    async def put(self, data: bytes) -> FileHash:
        """Durable when it returns."""
        ...

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - what it is
        """Raises KeyError."""
        ...

    async def discard(self, hashes: Sequence[FileHash]) -> None:
        """A file that was put again a moment ago may be spared: whoever did may not have referred to it yet."""
        ...

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        """All files put before a moment, for sweeping those that nothing refers to."""
        ...


class Scope(StrEnum):
    """What is to be forgotten."""

    PERSON = "me"
    THREAD = "thread"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class Vote:
    """What a person thinks of a run: +1 or -1."""

    run: RunId
    person: str
    value: int


class Store(Protocol):
    """The chat log, the runs, what people think of them, and what channels have set."""

    async def log(self, thread: Thread, turn: Turn) -> None:
        """Keep a turn under its key; a second time under the same key replaces it, in its old place.

        A person's turn has its message's key, the bot's answer the id of the run that it answers.
        """
        ...

    async def name_files(
        self, thread: Thread, key: str, attachments: Sequence[Attachment]
    ) -> tuple[NamedFile, ...]:
        """Names for the files of the turn with this key, numbered by type within the thread: "image 1", "audio 2".

        The same files under the same key have the same names every time.
        """
        ...

    async def context(self, thread: Thread, *, before: str = "", turns: int, tail: int) -> Context:
        """The thread's last turns (before the turn with the key `before`), and the tail of the rest of its channel's log."""
        ...

    async def unlog(self, key: str) -> Sequence[FileHash]:
        """Forget a turn whose message was deleted, and every row of the runs it started; or those of one run, by its id.

        Gives the files that nothing refers to any more.
        """
        ...

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
    ) -> None:
        """What is left of a run, all or nothing: the run, its turn as `log` keeps it, events (their number within the run, JSON)."""
        ...

    async def load(self, run: RunId) -> Run | None: ...
    async def runs(self, thread: Thread, *, limit: int) -> Sequence[Run]:
        """The thread's runs, newest first."""
        ...

    async def events(self, run: RunId) -> Sequence[str]: ...
    async def vote(self, vote: Vote) -> None: ...
    async def votes(self, run: RunId) -> Sequence[Vote]: ...
    async def track_record(
        self, model: str, *, channel: Channel | None = None
    ) -> Mapping[str, TrackRecord]:
        """How a model has done, by kind of task ("": what was tried before kinds were noted)."""
        ...

    async def track_records(self, *, since: datetime) -> Records:
        """How every model has done with each kind of task in the runs saved since a moment, anywhere; votes however old they are."""
        ...

    async def settings(self, channel: Channel) -> ChannelSettings: ...
    async def set(self, channel: Channel, settings: ChannelSettings) -> None: ...
    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        """Delete every row of the scope; how many, and the files that nothing refers to any more.

        The person's scope reaches over all channels of the thread's workspace, and takes the answers along.
        What is still running in the scope is stopped first, by the caller.
        """
        ...

    async def prune(self, *, older_than: datetime) -> Sequence[FileHash]:
        """Delete the turns and finished runs from before a moment with all that belongs to them.

        Gives the files that nothing refers to any more.
        """
        ...

    async def file_hashes(self) -> frozenset[FileHash]:
        """Every file that something refers to."""
        ...

    async def active_threads(
        self, platform: str, *, since: datetime
    ) -> Sequence[tuple[Thread, str]]:
        """Threads with a turn since a moment, and the id of the last message seen in each, for catching up."""
        ...
