"""The ports to what was accepted and is not answered yet: messages, commands and clicks."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from pipeline.domain import Incoming, RunId, Thread
from pipeline.ports.leases import LEASE_SECONDS

MOST_RUNS = 64
"""Messages that one program answers at a time; commands beside them do not count. A processor does
about thirty a second, so further ones are answered sooner by another program, if there is one."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """How several programs share the runs of one PostgreSQL database."""

    seconds: float = LEASE_SECONDS
    """How long a silent program keeps the runs that it took."""
    most_runs: int = MOST_RUNS
    """How many a program takes at a time."""


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
class Backlog:
    """The messages of a platform that were not taken yet: how many, and since when."""

    count: int
    oldest: datetime


class Inbox(Protocol):
    """A durable queue of messages: each accepted once, and in order within a lane.

    Several programs may take messages from the same queue. Each run then belongs to the one that
    took it until that one is silent for too long: another takes the run over, and what the first
    still writes for it raises LeaseLost.
    """

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

    async def list_backlog(self, thread: Thread | None = None) -> Sequence[QueuedMessage]:
        """The messages that `take` has still to yield, in the order of their acceptance.

        The first thousand of them, of a thread if one is given.
        """

    async def measure_backlog(self) -> Mapping[str, Backlog]:
        """How many messages wait to be taken, by platform; none is left out."""

    async def finish(self, run: RunId) -> bool:
        """Mark a message as answered and release the next of its lane. False if it was deleted.

        Raises LeaseLost if another program answers it.
        """

    async def give_back(self, run: RunId) -> None:
        """Leave a run that was taken and is not finished, at shutdown or after LeaseLost.

        Whoever may take it takes it at once. Does nothing if the database is away.
        """

    async def check(self, run: RunId) -> None:
        """Before a post of a run. Raises LeaseLost if another program answers it.

        Does not ask the database while our lease of the run lasts.
        """

    async def cancel(self, run: RunId) -> bool:
        """Cancel a run, whether taken or not. False if it is finished or unknown.

        A run that was taken is cancelled even if its message has been deleted since.
        """

    async def await_cancellation(self, run: RunId) -> None:
        """Wait until the run is cancelled. Raises LeaseLost when another program answers it."""

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

    async def record(self, platform: str, id: str, reply: str) -> bool:  # noqa: A002 - as above
        """Store the reply, so that only its delivery is repeated after a restart.

        False if there is one, or if it is finished: another program has taken the interaction over.
        """

    async def finish(self, platform: str, id: str) -> None:  # noqa: A002 - as above
        """Delete all but the id: the reply is delivered."""

    async def list_pending(self, platform: str, id: str = "") -> Sequence[PendingInteraction]:  # noqa: A002 - as above
        """The interactions that are not finished, oldest first; with an id, that one or none."""
