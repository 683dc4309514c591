"""Events: what happens in a run, one after the other.

`at`, where an event has it: in seconds since the message was accepted; None: not known.
"""

from dataclasses import dataclass, field

from pipeline.domain.answers import Answer
from pipeline.domain.ids import TaskId
from pipeline.domain.models import Attempt, Choice
from pipeline.domain.outcomes import Outcome
from pipeline.domain.places import Place
from pipeline.domain.plans import Plan, Repair
from pipeline.domain.sentences import LocalizedText


@dataclass(frozen=True, slots=True)
class Estimate:
    """The expected time of a plan in seconds and its cost in US dollars; None: unknown."""

    seconds: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan so far; each such event replaces the one before."""

    plan: Plan
    repairs: tuple[Repair, ...] = ()
    estimate: Estimate | None = None
    """Set once all models are chosen."""


@dataclass(frozen=True, slots=True)
class PlanPreview:
    """A plan that is shown but not run, or the planner's reply if there are no tasks."""

    planned: Planned
    reply: str = ""
    notices: tuple[LocalizedText, ...] = ()


@dataclass(frozen=True, slots=True)
class Chose:
    """A model was chosen for a task."""

    task: TaskId
    choice: Choice


@dataclass(frozen=True, slots=True)
class Started:
    """An attempt at a task started."""

    task: TaskId
    model: str
    place: Place
    provider: str = ""
    at: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Progressed:
    """A long task made progress: a fraction from 0 to 1, or -1 if unknown.

    `note` is its place in a queue, "#3"; "" if it does not wait.
    """

    task: TaskId
    fraction: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class FellBack:
    """An attempt at a task failed."""

    task: TaskId
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Finished:
    """A task has its outcome."""

    task: TaskId
    outcome: Outcome
    at: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The next piece of the answer's text, streamed."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The complete answer: the last event of a successful run."""

    answer: Answer
    at: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Apologised:
    """The last event of a run that failed. `reference` identifies it in the log."""

    reason: LocalizedText
    reference: str
    may_retry: bool = True
    """False for commands, which are never repeated."""
    at: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Delayed:
    """The run has to wait, as nothing can be stored. Not part of the run's record."""

    reason: LocalizedText


Event = (
    Planned
    | Delayed
    | Chose
    | Started
    | Progressed
    | FellBack
    | Finished
    | AnswerPart
    | Answered
    | Apologised
)
