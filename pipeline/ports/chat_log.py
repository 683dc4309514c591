"""The ports to the chat log: the turns of each thread, and its summary."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.domain import (
    Attachment,
    Branches,
    Context,
    FileHash,
    NamedFile,
    RunId,
    RunState,
    Thread,
    Turn,
)


@dataclass(frozen=True, slots=True)
class ThreadOverview:
    """A thread in a list, with its first and last turn and the state of its last run, if any."""

    thread: Thread
    first: Turn | None
    last: Turn | None
    state: RunState | None


class ChatLog(Protocol):
    """Threads and their turns.

    A thread may have branches: a message says which run it follows (`after`; "": it begins the
    thread; None: it follows all that stands before it), and an answer follows its message.
    """

    async def log(
        self,
        thread: Thread,
        turn: Turn,
        attachments: Sequence[Attachment] = (),
        *,
        run: RunId | None = None,
        after: str | None = None,
    ) -> Turn:
        """Store a turn in place of one with the same key, and return it as it was stored.

        The key is the message's for a person's turn, and the run's id for an answer of the bot.
        The attachments are named by type and number in the thread ("image 1") and become files of
        the turn. A file of the turn keeps its name, also one that another version of the message
        has (which is `after` the same run). `run`: the run that logs its own message; a message
        that was deleted meanwhile stays deleted.
        """

    async def note(self, thread: Thread, message: str, at: datetime) -> None:
        """Note that a message was written in a thread, by its id, without its author and words."""

    async def relog(
        self, thread: Thread, turn: Turn, attachments: Sequence[Attachment] = ()
    ) -> None:
        """Replace a turn. One that was deleted meanwhile stays deleted."""

    async def name_files(
        self,
        thread: Thread,
        key: str,
        attachments: Sequence[Attachment],
        *,
        after: str | None = None,
    ) -> tuple[NamedFile, ...]:
        """The names that files would get if they were logged with a turn of this key."""

    async def context(
        self,
        thread: Thread,
        *,
        before: str = "",
        after: str | None = None,
        turns: int,
        tail: int,
    ) -> Context:
        """The last `turns` of the thread and the last `tail` turns of its channel.

        With `before`, the thread's turns before the one with this key; with `after`, those that
        lead to this run, and no others. Elsewhere, a message that was answered again has its newest
        answer only. Files of its other answers are in `older`.
        """

    async def branches(self, thread: Thread) -> Branches:
        """The runs of the thread as a tree, with those that are not answered yet."""

    async def open_at(self, thread: Thread, leaf: str) -> None:
        """Set the run at which the thread is opened; "" for the newest."""

    async def find_turns(self, keys: Sequence[str]) -> Sequence[Turn]:
        """The turns with these keys, in any order."""

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
        self, platform: str, *, since: datetime, workspace: str = "", noted: bool = True
    ) -> Sequence[tuple[Thread, str]]:
        """Threads in which somebody wrote since a moment, each with the id of its last message.

        With `workspace`, those of this one only; without `noted`, those only that have a turn.
        """


@dataclass(frozen=True, slots=True)
class PendingSummary:
    """A thread's summary so far ("": none), the turns to add to it, and a stamp of its state.

    `end`: the run to which its branch leads; None where all turns follow each other.
    """

    summary: str
    turns: Sequence[Turn]
    stamp: str
    end: RunId | None = None


class Summaries(Protocol):
    """One summary per thread, returned with the contexts that follow all its turns.

    A summary is deleted when any of its turns is changed or deleted, or answered again.
    """

    async def find_pending(
        self, thread: Thread, *, end: RunId | None = None, most: int, keep: int
    ) -> PendingSummary | None:
        """The turns not yet summarised except the last `keep`; None if there are at most `most`.

        With `end`, those of the branch that leads to this run.
        """

    async def save_summary(self, thread: Thread, pending: PendingSummary, summary: str) -> bool:
        """Store a summary. False, without storing, if any of its turns changed meanwhile."""
