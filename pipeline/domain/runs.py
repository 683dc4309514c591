"""Runs: models, choices, attempts, outcomes, events and answers."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from enum import StrEnum

from pipeline.domain.conversation import (
    Attachment,
    Audience,
    LocalizedText,
    RejectedFile,
    RunId,
    TaskId,
    Type,
)
from pipeline.domain.places import Place
from pipeline.domain.plans import Plan, Repair, Task
from pipeline.domain.values import Output, Value


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a language model at a provider, in US dollars per million tokens."""

    prompt: float
    completion: float

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The cost of this many tokens, in US dollars."""
        return (self.prompt * prompt_tokens + self.completion * completion_tokens) / 1e6


@dataclass(frozen=True, slots=True)
class Model:
    """A model for one kind of task.

    `size` in bytes (-1: unknown); `places` where it can run, preferred first.
    """

    id: str
    kind: str
    places: tuple[Place, ...]
    _: KW_ONLY
    description: str = ""
    revision: str = ""
    licence: str = ""
    downloads: int = 0
    likes: int = 0
    languages: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    """The languages that it writes or speaks, if these are not all of `languages`."""
    tags: tuple[str, ...] = ()
    """What its page at the Hub files it under."""
    gated: bool = False
    size: int = -1
    providers: tuple[str, ...] = ()
    """Live inference providers as "provider:its id for the model", preferred first."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """Known prices by provider name ("" where there is only one provider)."""
    takes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By provider name, the parameters of a task that reach the model there."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The model for a task, why it was chosen, and the fallbacks in case it fails."""

    model: Model
    reason: LocalizedText
    runners_up: tuple[Model, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A task and the models to try, in order. `choice` is None if nothing can run the task."""

    task: Task
    choice: Choice | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call of a model at a place. `took` in seconds, `cost` in US dollars (None: unknown)."""

    model: str
    place: Place
    took: float
    error: LocalizedText | None = None
    cost: float | None = None
    provider: str = ""
    """Who served the model, where a place has several providers."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call of a language model. `took` in seconds, `cost` in US dollars (None: unknown).

    The tokens are those that the server counted; -1 if it did not say. `error`: the id of the
    sentence that says why it failed, "cancelled", or "retried" if it was made again at once; ""
    for a call that was answered.
    """

    model: str
    _: KW_ONLY
    took: float = 0.0
    prompt_tokens: int = -1
    completion_tokens: int = -1
    cost: float | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A task of an earlier run; of the same run if `run` is ""."""

    run: RunId
    task: TaskId


@dataclass(frozen=True, slots=True)
class Done:
    """The task succeeded. `took` in seconds, all attempts included."""

    output: Output
    _: KW_ONLY
    took: float
    model: Model
    place: Place
    tried: tuple[Attempt, ...] = ()
    extras: tuple[Attachment, ...] = ()
    key: str = ""
    """The cache key: a hash of the task's kind and inputs. "": never reuse this result."""
    source: Source | None = None
    """The task whose result was reused, if any."""

    def reuse(self, source: Source) -> "Done":
        """The result for another run; `source` is the task that it is taken from."""
        origin = self.source if self.source and self.source.run else source
        return replace(self, took=0.0, source=origin)


@dataclass(frozen=True, slots=True)
class Failed:
    """The task failed."""

    reason: LocalizedText
    tried: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """The task was not started, because one that it depends on did not succeed."""

    because_of: TaskId
    is_redone: bool = False
    """A further round of planning did a task of this kind in another way."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The task was cancelled: a person stopped the run, or a new plan dropped the task."""

    reason: LocalizedText = field(default_factory=lambda: LocalizedText("stopped"))


Outcome = Done | Failed | Skipped | Stopped
Outcomes = Mapping[TaskId, Outcome]


def find_slots(outcomes: Outcomes, task: TaskId) -> Mapping[str, Value]:
    """The outputs of a task by slot; empty unless it is done."""
    outcome = outcomes.get(task)
    return outcome.output.slots if isinstance(outcome, Done) else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFile:
    """A file of an answer, its alternative text, and the model and task that made it."""

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
class Comparison:
    """Two models that did the same task: A in an earlier run, B in this one."""

    kind: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: its text, files and notices."""

    run: RunId
    text: str
    _: KW_ONLY
    files: tuple[AnswerFile, ...] = ()
    notices: tuple[LocalizedText, ...] = ()
    """Problems, repairs, fallbacks and unused files, shown with the answer on every surface."""
    written: Authorship | None = field(default=None, compare=False)
    """None if there were no tasks."""
    comparison: Comparison | None = None
    """Set if the text and the files show the results of two models, for people to vote on."""
    is_silent: bool = False
    """The message was not meant for the bot: nothing is posted."""
    has_alternatives: bool = True
    """Whether a step could have used another model; unknown in records of older versions."""
    leaves_thread: bool = False
    """The bot stays out of the thread from here on, until somebody mentions it."""
    is_refusal: bool = False
    """Nothing was done: no step worked, or the text says why there is none, or asks back."""
    sentence: str = ""
    """The id of the sentence of ours that the text is, where it is a reply."""
    results: str | None = None
    """What was found, without what the text says of it; None: the text."""
    references: tuple[str, ...] = ()
    """The links and file names in the text, all of which were known."""


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


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The next piece of the answer's text, streamed."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The complete answer: the last event of a successful run."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Apologised:
    """The last event of a run that failed. `reference` identifies it in the log."""

    reason: LocalizedText
    reference: str
    may_retry: bool = True
    """False for commands, which are never repeated."""


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


class RunState(StrEnum):
    """The state of a run."""

    ACCEPTED = "accepted"
    RUNNING = "running"
    ANSWERED = "answered"
    APOLOGISED = "apologised"
    STOPPED = "stopped"
    SILENT = "silent"
    """The message was not meant for the bot."""
    LEFT = "left"
    """The bot was told so, and stays out of the thread until somebody mentions it."""


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """The types of the files sent with the request."""
    audience: Audience = Audience.UNKNOWN
    prompts: str = ""
    """The versions of the prompts used: "choose 1, plan 3 …"."""
    message: str = ""
    """The key of the message that it answers; "" in records of older versions."""
    calls: tuple[ModelCall, ...] = ()
    """The calls of language models made for it, up to its end."""
