"""The ports to storage: inbox, journal, ledger, files, chat log, runs, settings and feedback."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from pipeline.domain import (
    Attachment,
    Channel,
    ChannelSettings,
    Comparison,
    Context,
    FileHash,
    Incoming,
    NamedFile,
    Outcome,
    Plan,
    Request,
    Run,
    RunId,
    RunState,
    Source,
    Thread,
    Turn,
    Type,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackRecord:
    """How a model has performed on a kind of task. Times in seconds."""

    attempts: int = 0
    failures: int = 0
    median_took: float = 0.0
    ups: int = 0
    downs: int = 0
    liking: float = 0.0
    """Upvotes minus downvotes; a vote on a run is divided among its models."""
    median_cost: float | None = None
    """US dollars per successful attempt; None if unknown."""


Records = Mapping[tuple[str, str], TrackRecord]
"""(model, kind) → its recent track record; (responder, ANSWERING) → its writing time."""

ANSWERING = "answering"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanExample:
    """A liked run: the text of its request, the types of its files, and its plan."""

    run: RunId
    text: str
    sent: tuple[Type, ...]
    plan: Plan
    here: bool = True
    """Liked in the channel of the new request, not elsewhere in the workspace."""


FindExamples = Callable[[Request], Awaitable[Sequence[PlanExample]]]
"""Returns the liked plans that may serve as examples for a request, newest first."""


async def find_no_examples(_request: Request) -> Sequence[PlanExample]:
    """For planners that do not learn."""
    return ()


@dataclass(frozen=True, slots=True)
class Vote:
    """A person's vote on a run: +1 or -1.

    With a `comparison` it is on its two models only: +1 for the second and -1 for the first, or the
    other way round.
    """

    run: RunId
    person: str
    value: int
    comparison: Comparison | None = None


class Feedback(Protocol):
    """Votes, and the examples and records computed from them and the stored runs."""

    async def vote(self, vote: Vote) -> None:
        """Store a vote, replacing the person's earlier one. Ignored if the run is gone."""

    async def retract_votes(self, runs: Sequence[RunId]) -> None:
        """Remove all 👍 on these runs."""

    async def find_examples(self, thread: Thread, *, reach: str) -> Sequence[PlanExample]:
        """Liked runs that may serve as examples in a thread (`select_examples`), newest first.

        Votes on two compared models do not count here: they are not about the plan.

        `reach` is the widest reach; channels may narrow it (`ChannelSettings.learn`). Runs of
        another channel count only if both channels reach the whole workspace and all of it can read
        them; runs of a closed thread count only within it.
        """

    async def track_records(
        self, *, since: datetime | None = None, channel: Channel | None = None
    ) -> Records:
        """Track records from attempts since a moment and from all votes, optionally of a channel.

        The kind is "" for attempts of old versions, which did not store it.
        """


class Journal(Protocol):
    """The results of a run's steps by name, as JSON, so that a restart does not repeat them."""

    async def recall(self, run: RunId) -> Mapping[str, str]: ...

    async def record(self, run: RunId, step: str, value: str) -> None:
        """Store the result of a step durably; a step that already has one keeps it."""


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message of the inbox.

    `attempt` is above 1 if earlier ones were interrupted, 0 if it was not taken yet.
    """

    run: RunId
    message: Incoming
    attempt: int
    accepted_at: datetime | None = field(default=None, compare=False)
    """None if it did not come through the inbox."""


@dataclass(frozen=True, slots=True)
class Cached:
    """A cached JSON text and the time when it was fetched."""

    value: str
    fetched_at: datetime


class Cache(Protocol):
    """A cache of JSON texts. Entries do not expire: the reader decides how old is too old."""

    async def get(self, key: str) -> Cached | None: ...
    async def put(self, key: str, value: str) -> None: ...


class Inbox(Protocol):
    """A durable queue of messages: each accepted once, and in order within a lane."""

    async def accept(self, message: Incoming, run: RunId, *, after: RunId | None = None) -> bool:
        """Queue a message durably. False if its run was accepted before (a duplicate delivery).

        `after`: an earlier run of the message; if that was deleted meanwhile, nothing is accepted.
        """

    async def amend(self, message: Incoming) -> None:
        """Give its finished runs the words and files of an edited message, for a retry."""

    def take(self, platforms: Collection[str] | None = None) -> AsyncIterator[QueuedMessage]:
        """Yield the messages of these platforms (None: all), unfinished ones first. Never ends.

        One at a time in each lane. Cancelled messages are yielded too, so that the person is told.
        """

    def backlog(self) -> Sequence[QueuedMessage]:
        """The messages that `take` has still to yield, in the order of their acceptance."""

    async def finish(self, run: RunId) -> bool:
        """Mark a message as answered and release the next of its lane. False if it was deleted."""

    async def cancel(self, run: RunId) -> bool:
        """Cancel a run, whether taken or not. False if it is finished or unknown.

        A run that was taken is cancelled even if its message has been deleted since.
        """

    async def await_cancellation(self, run: RunId) -> None:
        """Wait until the run is cancelled."""

    async def of(self, message: str) -> Sequence[QueuedMessage]:
        """All runs of the message with this key, finished or not, oldest first."""

    async def message(self, run: RunId) -> Incoming | None:
        """The message of a run, finished or not; None if it is unknown or gone."""

    async def list_waiting(self, thread: Thread | None = None) -> Sequence[RunId]:
        """Unfinished runs, oldest first."""


class Posting(StrEnum):
    """The state of a post in the ledger."""

    FRESH = "fresh"
    UNSURE = "unsure"
    """Begun but not confirmed: look it up on the platform first."""
    POSTED = "posted"


class Ledger(Protocol):
    """The posts of each run by idempotency key, so that nothing is posted twice.

    A key is the run's id, a colon and the part ("{run}:answer:2"). It is deleted with its run.
    """

    async def begin(self, key: str) -> tuple[Posting, str]:
        """Record that a post is about to be made; returns its state so far and its receipt."""

    async def done(self, key: str, receipt: str) -> None:
        """Record that the post was made; `receipt` is its id on the platform."""

    async def find_run(self, receipt: str) -> RunId | None:
        """The run of which a message with this receipt is a part."""


@dataclass(frozen=True, slots=True)
class PendingInteraction:
    """A command or click that is not answered yet: the platform's JSON, and the reply if known."""

    id: str
    payload: str
    reply: str = ""


class Interactions(Protocol):
    """The commands and clicks of each platform, stored before they are acknowledged to it."""

    async def accept(self, platform: str, id: str, payload: str, person: str = "") -> bool:  # noqa: A002 - the platform's
        """Store an interaction durably. False if it came before (within a day at least)."""

    async def record(self, platform: str, id: str, reply: str) -> None:  # noqa: A002 - as above
        """Store the reply, so that only its delivery is repeated after a restart."""

    async def finish(self, platform: str, id: str) -> None:  # noqa: A002 - as above
        """Delete all but the id: the reply is delivered."""

    async def list_pending(self, platform: str) -> Sequence[PendingInteraction]:
        """The interactions that are not finished, oldest first."""


class Installations(Protocol):
    """Where a platform's app is installed."""

    async def save(self, platform: str, place: str, body: str) -> None:
        """Store an installation durably, in place of an earlier one. Encrypt the tokens in it."""

    async def load(self, platform: str) -> Mapping[str, str]:
        """The installations by place."""

    async def remove(self, platform: str, place: str) -> None: ...


class Files(Protocol):
    """A content-addressed file store."""

    async def put(self, data: bytes) -> FileHash:
        """Store a file durably."""

    async def get(self, hash: FileHash) -> bytes:  # noqa: A002 - what it is
        """Raises KeyError."""

    async def discard(self, hashes: Sequence[FileHash]) -> None:
        """Delete files that nothing refers to. One that was just put again may be kept."""

    async def hashes(self, *, older_than: datetime) -> frozenset[FileHash]:
        """All files stored before a moment, to find those that nothing refers to."""


class Scope(StrEnum):
    """What to forget."""

    PERSON = "me"
    THREAD = "thread"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class ThreadOverview:
    """A thread in a list, with its first and last turn and the state of its last run, if any."""

    thread: Thread
    first: Turn | None
    last: Turn | None
    state: RunState | None


class ChatLog(Protocol):
    """Threads and their turns."""

    async def log(
        self,
        thread: Thread,
        turn: Turn,
        attachments: Sequence[Attachment] = (),
        *,
        run: RunId | None = None,
    ) -> Turn:
        """Store a turn; a turn with the same key is replaced in place.

        `run` is the one that logs its own message; if that was deleted meanwhile, it stays so.

        The key is the message's for a person's turn, and the run's id for an answer of the bot.
        The attachments are named by type and number in the thread ("image 1") and become files of
        the turn, which is returned as it was stored. A file of the turn keeps its name.
        """

    async def note(self, thread: Thread, message: str, at: datetime) -> None:
        """Note that a message was written in a thread, by its id, without its author and words."""

    async def relog(
        self, thread: Thread, turn: Turn, attachments: Sequence[Attachment] = ()
    ) -> None:
        """Replace a turn. One that was deleted meanwhile stays deleted."""

    async def name_files(
        self, thread: Thread, key: str, attachments: Sequence[Attachment]
    ) -> tuple[NamedFile, ...]:
        """The names that files would get if they were logged with a turn of this key."""

    async def context(self, thread: Thread, *, before: str = "", turns: int, tail: int) -> Context:
        """The last `turns` of the thread and the last `tail` turns of its channel.

        With `before`, the thread's turns before the one with this key.
        """

    async def threads(
        self, platform: str, workspace: str, *, limit: int
    ) -> Sequence[ThreadOverview]:
        """A workspace's latest threads with a turn, the latest first."""

    async def is_known(self, workspace: str) -> bool:
        """Whether a workspace ("web:5f…") has a thread."""

    async def is_shown_file(self, workspace: str, file: FileHash) -> bool:
        """Whether a turn or a run of the workspace refers to the file."""

    async def is_file_of(self, run: RunId, file: FileHash) -> bool:
        """Whether a run, which was not forgotten, refers to the file."""

    async def active_threads(
        self, platform: str, *, since: datetime
    ) -> Sequence[tuple[Thread, str]]:
        """Threads with a turn since a moment, each with the id of its last message."""


class Runs(Protocol):
    """The records of runs. Unreadable ones are left out."""

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
        attachments: Sequence[Attachment] = (),
    ) -> None:
        """Store a run, its turn and its events (number, JSON) in one transaction.

        The attachments become files of the turn: see `ChatLog.log`.
        """

    async def load(self, run: RunId) -> Run | None: ...

    async def runs(self, thread: Thread, *, limit: int) -> Sequence[Run]:
        """The thread's runs, newest first."""

    async def takes_part(self, thread: Thread) -> bool:
        """Whether the bot has a run in the thread, and was not sent away by the last one."""

    async def events(self, *runs: RunId) -> Mapping[RunId, Sequence[str]]:
        """The events of each run, as JSON; none for a run that is unknown."""


class Results(Protocol):
    """The results of a thread's runs by cache key (`Done.key`). Deleted with their run."""

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:
        """Cache key → the newest task with it. Runs with a 👎 are left out."""

    async def load_outcome(self, source: Source) -> Outcome | None:
        """None if it is gone, unreadable, or was reused from a run with a 👎."""


@dataclass(frozen=True, slots=True)
class PendingSummary:
    """A thread's summary so far ("": none), the turns to add to it, and a stamp of its state."""

    summary: str
    turns: Sequence[Turn]
    stamp: str


class Summaries(Protocol):
    """One summary per thread, returned with its context.

    A summary is deleted when any of its turns is changed or deleted.
    """

    async def find_pending(self, thread: Thread, *, most: int, keep: int) -> PendingSummary | None:
        """The turns not yet summarised except the last `keep`; None if there are at most `most`."""

    async def save_summary(self, thread: Thread, pending: PendingSummary, summary: str) -> bool:
        """Store a summary. False, without storing, if any of its turns changed meanwhile."""


class SettingsStore(Protocol):
    """The settings of channels."""

    async def settings(self, channel: Channel) -> ChannelSettings:
        """A channel's settings; empty ones if there are none or they are unreadable."""

    async def set(self, channel: Channel, settings: ChannelSettings) -> None: ...


class Retention(Protocol):
    """Deletion. `forget` and `unlog` also return the files that nothing refers to any more."""

    async def forget(
        self, scope: Scope, *, thread: Thread, person: str
    ) -> tuple[int, Sequence[FileHash]]:
        """Delete everything in the scope; returns the number of rows. The caller stops its runs.

        The scope of a person covers the thread's whole workspace, and the answers to that person.
        """

    async def unlog(self, key: str) -> Sequence[FileHash]:
        """Delete the turn and runs of a message by its key, or one run by its id.

        Runs under way are cancelled and keep their receipts; delete them by id when they end.

        What replies to the message is kept without its words and files.
        """

    async def prune(self, *, older_than: datetime) -> None:
        """Delete turns and finished runs from before a moment, with all that belongs to them.

        More than half of all turns are deleted only if that was already due 12 hours ago: the clock
        may be wrong.
        """

    async def drop_overheard(self, platforms: Collection[str], *, listen: str) -> None:
        """Delete the turns of these platforms' threads that the bot has no part in.

        They stay in channels that keep "all"; `listen` counts where a channel does not set it.
        """

    async def file_hashes(self) -> frozenset[FileHash]: ...


class Store(ChatLog, Runs, Feedback, SettingsStore, Retention, Protocol):
    """The database ports that most users need together."""
