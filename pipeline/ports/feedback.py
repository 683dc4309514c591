"""Votes on answers, and what is learned from them: records of models, and examples of plans."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.domain import Action, Channel, Comparison, Plan, Request, RunId, Thread, Type

ANSWERING = "answering"
"""What a responder does, as a kind of task in `Records`."""


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
    """Find nothing: for planners that do not learn."""
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


def find_button(value: int, *, is_comparison: bool) -> Action:
    """The button of a vote."""
    if is_comparison:
        return Action.SECOND if value > 0 else Action.FIRST
    return Action.UP if value > 0 else Action.DOWN


class Feedback(Protocol):
    """Votes, and the examples and records computed from them and the stored runs."""

    async def vote(self, vote: Vote) -> None:
        """Store a vote, replacing the person's earlier one. Ignored if the run is gone."""

    async def find_votes(self, runs: Sequence[RunId], person: str) -> Mapping[RunId, Action]:
        """A person's votes on these runs, as the buttons that they pressed."""

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
