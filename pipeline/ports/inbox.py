"""The ports to what was accepted and is not answered yet: messages, commands and clicks."""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from pipeline.domain import Incoming, RunId, Thread


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
