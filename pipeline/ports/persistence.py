"""The ports to what is stored: inbox, journal, deliveries, files, chat log, runs, settings."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
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
    Outcome,
    Run,
    RunId,
    RunState,
    Source,
    Thread,
    Turn,
)
from pipeline.ports.feedback import Feedback


class Journal(Protocol):
    """What the steps of a run returned, by name, as JSON: a restarted run repeats nothing."""

    async def recall(self, run: RunId) -> Mapping[str, str]: ...

    async def record(self, run: RunId, step: str, value: str) -> None:
        """Durable when it returns. The first value of a step stays."""


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message handed out to be answered. `attempt` is 2 or more after the program broke off."""

    run: RunId
    message: Incoming
    attempt: int


@dataclass(frozen=True, slots=True)
class Cached:
    """A JSON text that was fetched, and when."""

    value: str
    fetched_at: datetime


class Cache(Protocol):
    """What was fetched and can be fetched again. The reader decides how old is too old."""

    async def get(self, key: str) -> Cached | None: ...
    async def put(self, key: str, value: str) -> None: ...


class Inbox(Protocol):
    """Messages to be answered: accepted once, in order within a thread, kept until finished."""

    async def accept(self, message: Incoming, run: RunId) -> bool:
        """False when this run was accepted before: a message delivered twice is the same run.

        Durable when it returns.
        """

    def take(self, platforms: Collection[str] | None = None) -> AsyncIterator[QueuedMessage]:
        """Messages of these platforms (None: of all) as they come, those not finished first.

        One at a time in each lane. Cancelled ones are handed out too, so that somebody is told.
        Never ends.
        """

    async def finish(self, run: RunId) -> bool:
        """The message is done with, the next of its thread may come. False: it was forgotten."""

    async def cancel(self, run: RunId) -> bool:
        """Ask for a run to be stopped, handed out or not. False: it is finished or unknown."""

    async def cancelled(self, run: RunId) -> None:
        """Returns when the run was cancelled; waits as long as it is not."""

    async def of(self, message: str) -> Sequence[QueuedMessage]:
        """Every run accepted of the message with this key, finished or not, oldest first."""

    async def message(self, run: RunId) -> Incoming | None:
        """The message of a run, finished or not; None for an unknown or forgotten one."""

    async def waiting(self, thread: Thread | None = None) -> Sequence[RunId]:
        """Runs accepted and not finished, oldest first."""


class Posting(StrEnum):
    """What is known of a post under a key."""

    FRESH = "fresh"
    UNSURE = "unsure"
    """Begun, and it did not end: look it up at the platform first."""
    POSTED = "posted"


class Ledger(Protocol):
    """What was posted under which key, so that nothing is posted twice.

    A key is the run's id, a colon and the part ("{run}:answer:2"): it is forgotten with its run.
    """

    async def begin(self, key: str) -> tuple[Posting, str]:
        """Note that a post under this key is about to be made; what is known of it, its receipt."""

    async def done(self, key: str, receipt: str) -> None:
        """It stands there; `receipt` is what the platform calls it."""


class SeenEvents(Protocol):
    """Platform events and interactions that were taken already."""

    async def first(self, key: str) -> bool:
        """True the first time a key is asked about, False ever after (for at least a day)."""


class Files(Protocol):
    """Bytes by the hash of their content. `discard` is called when nothing refers to them."""

    async def put(self, data: bytes) -> FileHash:
        """Durable when it returns."""

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - what it is
        """Raises KeyError."""

    async def discard(self, hashes: Sequence[FileHash]) -> None:
        """Delete files. One that was put again a moment ago may be spared: it may be needed."""

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        """All files put before a moment, for sweeping those that nothing refers to."""


class Scope(StrEnum):
    """What is to be forgotten."""

    PERSON = "me"
    THREAD = "thread"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class ThreadOverview:
    """A thread in a list: its first and last turn, and the state of its last run (None: no run)."""

    thread: Thread
    first: Turn | None
    last: Turn | None
    state: RunState | None


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """A part of a list of threads; `cursor` gets the next part, "" is the end."""

    threads: tuple[ThreadOverview, ...]
    cursor: str = ""


class ChatLog(Protocol):
    """Threads and their turns."""

    async def log(self, thread: Thread, turn: Turn) -> None:
        """Keep a turn under its key; a turn with the same key is replaced, in its old place.

        A person's turn has its message's key, the bot's answer the id of the run that it answers.
        """

    async def name_files(
        self, thread: Thread, key: str, attachments: Sequence[Attachment]
    ) -> tuple[NamedFile, ...]:
        """Name the files of the turn with this key, by type within the thread: always "image 1"."""

    async def context(self, thread: Thread, *, before: str = "", turns: int, tail: int) -> Context:
        """The thread's last turns (with `before`: before this one) and its channel's last ones."""

    async def threads(
        self, platform: str, workspace: str, *, limit: int, cursor: str = ""
    ) -> ThreadPage:
        """A workspace's threads, the latest first. Raises ValueError for a cursor of no page."""

    async def is_known(self, workspace: str) -> bool:
        """Whether a workspace ("web:5f…") has a thread."""

    async def is_shown_file(self, workspace: str, file: FileHash) -> bool:
        """Whether a turn or a run of the workspace refers to the file."""

    async def active_threads(
        self, platform: str, *, since: datetime
    ) -> Sequence[tuple[Thread, str]]:
        """Threads with a turn since a moment, and the id of the last message of each."""


class Runs(Protocol):
    """The records of requests. Those that this program cannot read are left out."""

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Store what is left of a run, all or nothing; events are their number, and JSON."""

    async def load(self, run: RunId) -> Run | None: ...

    async def runs(
        self, thread: Thread, *, limit: int, before: RunId | None = None
    ) -> Sequence[Run]:
        """The thread's runs (with `before`: those older than this one), newest first."""

    async def takes_part(self, thread: Thread) -> bool: ...

    async def events(self, run: RunId) -> Sequence[str]: ...

    async def events_of(self, runs: Sequence[RunId]) -> Mapping[RunId, Sequence[str]]: ...


class Results(Protocol):
    """What a thread's runs made, by what it was made from. Forgotten with its run."""

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:
        """Where the newest outcome of each key is. Left out: those of a run with a 👎."""

    async def load_outcome(self, source: Source) -> Outcome | None:
        """None when it is gone, cannot be read, or was taken over from a run with a 👎."""


class NoResults:
    """For those who use no result again."""

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:  # noqa: ARG002
        return {}

    async def load_outcome(self, source: Source) -> Outcome | None:  # noqa: ARG002 - the port's
        return None


@dataclass(frozen=True, slots=True)
class PendingSummary:
    """A thread's summary so far ("": none), the turns that are to go into it, and their stamp."""

    summary: str
    turns: Sequence[Turn]
    stamp: str


class Summaries(Protocol):
    """One summary for each thread, given with its context.

    When a turn that went into it is changed, deleted, forgotten or pruned, it goes as a whole.
    """

    async def find_pending(self, thread: Thread, *, most: int, keep: int) -> PendingSummary | None:
        """The turns that no summary covers, without the last `keep`; None for `most` or fewer."""

    async def save_summary(self, thread: Thread, pending: PendingSummary, summary: str) -> bool:
        """False: something in it was changed or deleted meanwhile, and nothing is stored."""


class SettingsStore(Protocol):
    """What channels have set for themselves."""

    async def settings(self, channel: Channel) -> ChannelSettings:
        """Empty settings when there are none, or none that can be read."""

    async def set(self, channel: Channel, settings: ChannelSettings) -> None: ...


class Retention(Protocol):
    """Erasure. `forget` and `unlog` give the files that nothing refers to any more."""

    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        """Delete every row of the scope; also gives how many. The caller stops what runs in it.

        The person's scope reaches over the thread's whole workspace, and takes the answers along.
        """

    async def unlog(self, key: str) -> Sequence[FileHash]:
        """Forget the turn of a deleted message and the runs it started; or one run, by its id."""

    async def prune(self, *, older_than: datetime) -> None:
        """Delete the turns and finished runs from before a moment with all that belongs to them.

        More than half of all turns go only when a call half a day later agrees: clocks can err.
        """

    async def file_hashes(self) -> frozenset[FileHash]: ...


class Store(ChatLog, Runs, Feedback, SettingsStore, Retention, Protocol):
    """Several of these ports in one, for those who need most of them."""
