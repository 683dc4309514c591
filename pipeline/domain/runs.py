"""Models, choices, outcomes, events, answers: what happens to a plan, and what is told of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pipeline.domain.conversation import (
    Attachment,
    Audience,
    LocalizedText,
    RejectedFile,
    RunId,
    Type,
)
from pipeline.domain.plans import Plan, Repair, Task, TaskId
from pipeline.domain.values import Output, Value


class Place(StrEnum):
    """Where a model can run."""

    HOSTED = "hosted"
    LLM = "llm"
    LOCAL = "local"
    EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class Price:
    """What a language model takes at a provider, in US dollars for a million tokens."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens cost."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1e6


@dataclass(frozen=True, slots=True)
class Model:
    """A candidate for a kind of task.

    `size` in bytes, -1: unknown; `places` where it can run, the preferred first.
    """

    id: str
    kind: str
    places: tuple[Place, ...]
    description: str = ""
    revision: str = ""
    licence: str = ""
    downloads: int = 0
    likes: int = 0
    languages: tuple[str, ...] = ()
    gated: bool = False
    size: int = -1
    providers: tuple[str, ...] = ()
    """Live inference providers, "name:provider's id of the model", the preferred first."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """By the name of the provider ("" where there is only one), of those that told it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The model for a task, why it was taken, and those that stand in when it fails."""

    model: Model
    reason: LocalizedText
    runners_up: tuple[Model, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A task and the models to try on it, in order. Without a choice nothing can run it here."""

    task: Task
    choice: Choice | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try of a model at a place: seconds, US dollars, and what went wrong (None: nothing)."""

    model: str
    place: Place
    took: float
    error: LocalizedText | None = None
    cost: float | None = None
    provider: str = ""
    """Whose machines, where a place has several."""


@dataclass(frozen=True, slots=True)
class Source:
    """A task of an earlier run, or of the same one ("")."""

    run: RunId
    task: TaskId


@dataclass(frozen=True, slots=True)
class Done:
    """The task was finished by a model at a place; `took` in seconds over all attempts."""

    output: Output
    took: float
    model: Model
    place: Place
    tried: tuple[Attempt, ...] = ()
    extras: tuple[Attachment, ...] = ()
    key: str = ""
    """What it was made from, by content. Equal keys, equal results; "": made anew every time."""
    source: Source | None = None
    """The task that made it, where this one reused its result and took no time."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The task could not be done."""

    reason: LocalizedText
    tried: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """The task was not begun, because one that it needs did not finish."""

    because_of: TaskId


@dataclass(frozen=True, slots=True)
class Stopped:
    """A person stopped the run before the task was finished, or the plan took it back."""

    reason: LocalizedText = field(default_factory=lambda: LocalizedText("stopped"))


Outcome = Done | Failed | Skipped | Stopped
Outcomes = Mapping[TaskId, Outcome]


def find_slots(outcomes: Outcomes, task: TaskId) -> Mapping[str, Value]:
    """What a task made; nothing while it is not done."""
    outcome = outcomes.get(task)
    return outcome.output.slots if isinstance(outcome, Done) else {}


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """A file of an answer: what is in it, and which model made it for which task."""

    attachment: Attachment
    alt: str
    model: str
    kind: str
    task: TaskId


@dataclass(frozen=True, slots=True)
class Authorship:
    """Which responder wrote an answer, and in how many seconds."""

    by: str
    took: float


@dataclass(frozen=True, slots=True)
class Answer:
    """What the person gets: words, files from the record, and how it came about."""

    run: RunId
    text: str
    files: tuple[AnswerFile, ...] = ()
    notices: tuple[LocalizedText, ...] = ()
    """Repairs, fallbacks, files that were not used: told with the answer on every surface."""
    written: Authorship | None = field(default=None, compare=False)
    """None where there were no tasks."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a plan will take beforehand, in seconds and US dollars; None: not known."""

    seconds: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan as far as it is known; a later one replaces an earlier one."""

    plan: Plan
    repairs: tuple[Repair, ...] = ()
    estimate: Estimate | None = None
    """There when all models are chosen."""


@dataclass(frozen=True, slots=True)
class PlanPreview:
    """A plan that is not carried out, or the reply in its place, and how it came about."""

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
    """A task was handed to a model at a place."""

    task: TaskId
    model: str
    place: Place
    provider: str = ""


@dataclass(frozen=True, slots=True)
class Progressed:
    """A long task is under way: a fraction from 0 to 1, or -1 when it is not known."""

    task: TaskId
    fraction: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class FellBack:
    """An attempt failed, and the next one follows."""

    task: TaskId
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Finished:
    """A task came to its end, good or bad."""

    task: TaskId
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The next piece of the answer's text, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The whole answer: the last event of a run that went well."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Apologised:
    """The last event of a run that could not be answered. `reference` finds it in the log."""

    reason: LocalizedText
    reference: str


Event = (
    Planned
    | Chose
    | Started
    | Progressed
    | FellBack
    | Finished
    | AnswerPart
    | Answered
    | Apologised
)


class RunState(StrEnum):
    """How far a run has come."""

    ACCEPTED = "accepted"
    RUNNING = "running"
    ANSWERED = "answered"
    APOLOGISED = "apologised"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Run:
    """The durable record of one request."""

    id: RunId
    thread: str
    person: str
    text: str
    state: RunState
    plan: Plan = field(default_factory=Plan)
    repairs: tuple[Repair, ...] = ()
    outcomes: Outcomes = field(default_factory=dict)
    answer: Answer | None = None
    rejected: tuple[RejectedFile, ...] = ()
    estimate: Estimate | None = None
    sent: tuple[Type, ...] = ()
    """Of what types the files were that came with it."""
    audience: Audience = Audience.UNKNOWN
    prompts: str = ""
    """The versions of the prompts in force: "choose 1, plan 3 …"."""
    message: str = ""
    """The key of the message that it answers; "" where an older version kept it."""
