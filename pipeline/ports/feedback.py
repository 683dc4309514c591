"""What is learned from runs and from what people think of them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.domain import Channel, Plan, Request, RunId, Thread, Type


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """How a model has done with a kind of task: attempts, median seconds, votes on its results."""

    attempts: int = 0
    failures: int = 0
    median_took: float = 0.0
    ups: int = 0
    downs: int = 0
    liking: float = 0.0
    """Votes for less votes against, each shared by all models that took part in the run."""
    median_cost: float | None = None
    """US dollars for a good attempt, where they were told."""


Records = Mapping[tuple[str, str], TrackRecord]
"""By model and kind of task: how it has done lately. By responder and ANSWERING: writing time."""

ANSWERING = "answering"


@dataclass(frozen=True, slots=True)
class PlanExample:
    """A request whose run was liked: its words, the types of its files, and its plan."""

    run: RunId
    text: str
    sent: tuple[Type, ...]
    plan: Plan
    here: bool = True
    """Taught in the very channel that asks, not elsewhere in its workspace."""


FindExamples = Callable[[Request], Awaitable[Sequence[PlanExample]]]
"""What a request may be planned after, the newest first."""


async def find_no_examples(_request: Request) -> Sequence[PlanExample]:
    """For those who learn nothing."""
    return ()


@dataclass(frozen=True, slots=True)
class Vote:
    """What a person thinks of a run: +1 or -1."""

    run: RunId
    person: str
    value: int


class Feedback(Protocol):
    """Votes, and what they teach. Nothing is kept of it but the runs and the votes themselves."""

    async def vote(self, vote: Vote) -> None:
        """Keep a vote; the last of a person counts. None on a run that is not there any more."""

    async def retract_votes(self, runs: Sequence[RunId]) -> None:
        """Take back all 👍 on these runs."""

    async def find_examples(self, thread: Thread, *, reach: str) -> Sequence[PlanExample]:
        """Liked runs that may serve as examples in a thread (`select_examples`), the newest first.

        `reach` is how far it goes at most; channels may set less (`ChannelSettings.learn`).
        Runs of another channel are given only where both reach over the workspace and both are
        known to be open to all of it; runs of a closed thread, only there.
        """

    async def track_records(
        self, *, since: datetime | None = None, channel: Channel | None = None
    ) -> Records:
        """How models have done, everywhere or in a channel; votes count from before `since`, too.

        The kind is "" for what was tried before kinds were noted.
        """
