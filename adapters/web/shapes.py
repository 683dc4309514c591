"""The JSON that the API sends about runs: what the OpenAPI description says, and mypy holds."""

from collections.abc import Mapping
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from pipeline.domain import Action


class File(TypedDict):
    """A stored file."""

    name: str
    media_type: str
    url: str
    """Its address on this server."""
    alt: str
    """What it shows, in words."""
    model: str
    """The model that made it, if one did."""
    size: int
    """In bytes."""


class AnswerFile(File):
    """A file of an answer."""

    kind: str
    """The kind of task that made it."""
    task: int
    """The id of that task."""


class SentFile(File):
    """A file that a person sent."""

    called: str
    """The name by which the plan knows it."""


class Attempt(TypedDict):
    """One call of one model for a task."""

    model: str
    place: str
    provider: str
    took: float
    """In seconds."""
    cost: float | None
    """In US dollars; null if it is not known."""
    error: str
    """Why it failed, in words."""


class _Outcome(TypedDict):
    type: NotRequired[Literal["finished"]]
    """Where it is an event."""
    task: NotRequired[int]
    """The id of the task."""
    kind: NotRequired[str]
    """The kind of the task, where it is part of an answer."""
    at: NotRequired[float | None]
    """Where it is an event: in seconds since the message was accepted, if that is known."""


class Done(_Outcome):
    """A task that has a result."""

    state: Literal["done"]
    model: str
    place: str
    provider: str
    took: float
    """In seconds."""
    cost: float | None
    """In US dollars; null if it is not known, or if nothing had to be done."""
    taken: str
    """Where the result was taken from, if it was there before."""
    output: str
    """The result in words, cut off where it is very long."""
    note: str
    source: str
    files: list[File]
    tried: list[Attempt]
    result: NotRequired[Any]
    """In the shape that Hugging Face's task schema gives it, or docs/schemas.json."""


class Failed(_Outcome):
    """A task that no model could do."""

    state: Literal["failed"]
    reason: str
    cost: float | None
    tried: list[Attempt]


class Skipped(_Outcome):
    """A task that was not run, because another one before it failed."""

    state: Literal["skipped"]
    because_of: int
    """The id of that task."""


class Stopped(_Outcome):
    """A task that was stopped."""

    state: Literal["stopped"]
    reason: str


Outcome = Done | Failed | Skipped | Stopped


class Task(TypedDict):
    """A task of a plan, in the format of the paper."""

    task: str
    """Its kind."""
    id: int
    dep: list[int]
    """The ids of the tasks that it needs."""
    args: dict[str, str]
    says: str
    """Its kind in words for people."""


class Plan(TypedDict):
    """The tasks of a message, and what was repaired in what the planner wrote."""

    tasks: list[Task]
    repairs: list[str]


class PlanPreview(Plan):
    """A plan that is not carried out; a reply where there is nothing to do."""

    reply: str
    notices: list[str]


class RunPlace(TypedDict):
    """A run, and the conversation that it belongs to."""

    run: str
    thread: str


class Accepted(RunPlace):
    """The run that a stream of events tells of."""

    elapsed: float | None
    """Seconds since its message was accepted; null if that is not known, or if it is over."""
    waits_for: str
    """The run of the thread that is answered before it; "" if it waits for none."""


class Planned(Plan):
    """The plan so far; a later one replaces it."""

    type: Literal["planned"]
    estimate: str
    """How long it will take and what it will cost, in words, where that is worth saying."""


class Delayed(TypedDict):
    """The run has to wait."""

    type: Literal["delayed"]
    reason: str


class Chose(TypedDict):
    """A model was chosen for a task."""

    type: Literal["chose"]
    task: int
    model: str
    licence: str
    reason: str
    runners_up: list[str]


class Started(TypedDict):
    """A model has begun with a task."""

    type: Literal["started"]
    task: int
    model: str
    place: str
    provider: str
    at: float | None
    """In seconds since the message was accepted, if that is known."""


class Progressed(TypedDict):
    """A long task went on."""

    type: Literal["progressed"]
    task: int
    fraction: float
    """From 0 to 1; -1 if it is not known."""
    note: str
    """The place in a queue, in words."""


class FellBack(Attempt):
    """An attempt failed; the next one follows."""

    type: Literal["fell_back"]
    task: int


class AnswerPart(TypedDict):
    """The next piece of the answer's text."""

    type: Literal["answer_part"]
    text: str
    html: NotRequired[str]
    """With ?html=1: all of the text so far."""


class Answered(TypedDict):
    """The run has an answer."""

    type: Literal["answered"]
    run: str
    at: float | None


class Apology(TypedDict):
    """Why a run ended without an answer."""

    error: str
    reference: str
    """Finds the error in the log."""
    stopped: bool
    """Whether somebody stopped it."""


class Apologised(Apology):
    """The run ended without an answer."""

    type: Literal["apologised"]
    at: float | None


Event = (
    Planned
    | Delayed
    | Chose
    | Started
    | Progressed
    | FellBack
    | Outcome
    | AnswerPart
    | Answered
    | Apologised
)


class Comparison(TypedDict):
    """Two models that did the same task."""

    kind: str
    first: str
    second: str
    results: list[str]
    """Both results in Markdown, as the message ends with them; none in older answers."""
    html: NotRequired[list[str]]
    """In an answer with HTML: the two results."""


class _End(RunPlace):
    took: float | None
    """Seconds since the message was accepted, if that is known."""
    actions: list[Action]
    """The buttons that mean something here."""


class AnswerBody(RunPlace):
    """What an answer says."""

    message: str
    """In Markdown."""
    files: list[AnswerFile]
    outcomes: list[Outcome]
    notices: list[str]
    comparison: Comparison | None


class Answer(AnswerBody, _End):
    """An answer with its files, and how each task ended."""


class RenderedAnswer(Answer):
    """An answer whose message is there in HTML, too."""

    html: str


class Unanswered(_End, Apology):
    """The end of a run without an answer."""


class Broken(_End):
    """A run that Troupe was stopped in; it goes on when Troupe starts again."""

    error: str


End = Answer | RenderedAnswer | Unanswered | Broken


class Run(RunPlace):
    """What is known of a run."""

    live: bool
    """Whether it goes on."""
    events: list[Event]
    answer: End | None


OwnVote = Literal["up", "down", "first", "second"]
"""On an answer, or on the two that it compares."""


class ThreadRun(Run):
    """A run of a conversation, with the message that it answers."""

    text: str
    files: list[SentFile]
    at: str
    """When the message came (ISO 8601); "" if it is not known."""
    message: str
    """Its id."""
    after: str
    """The run that the message follows; "": it begins the conversation."""
    answers: list[str]
    """The runs of all answers to the message, oldest first."""
    edits: list[str]
    """A run of each version of the message, oldest first; of this one, this run."""
    vote: OwnVote | None
    """The caller's own vote on the answer."""
    again: bool
    """Always false, for readers from before conversations had branches."""


class Branch(TypedDict):
    """One way through a conversation, oldest first."""

    thread: str
    title: str
    pinned: bool
    leaf: str
    """The last run of the way, which the next message follows; "" for none."""
    more: bool
    """Whether there are earlier runs on the way."""
    runs: list[ThreadRun]


class StepValue(TypedDict):
    """Something that a step was given or made: a file or a text."""

    file: NotRequired[File]
    text: NotRequired[str]
    cut: NotRequired[Literal[True]]
    """Whether the text goes on."""
    step: NotRequired[int]
    """The id of the step whose result it is."""
    slot: NotRequired[str]
    """The name of that result."""


class StepInput(TypedDict):
    """An argument of a step, in pieces."""

    name: str
    pieces: list[StepValue]


class StepOutput(StepValue):
    """A result of a step."""

    name: str


class StepModel(TypedDict):
    """A model, and the address of its page, if it has one."""

    id: str
    licence: str
    page: str


class StepChoice(StepModel):
    """The model that was chosen, why, and which would have been next."""

    reason: str
    runners_up: list[StepModel]


class Step(TypedDict):
    """One step of a run, whole: what it was given, what it made, and why."""

    task: str
    """Its kind."""
    id: int
    says: str
    dep: list[int]
    inputs: list[StepInput]
    outputs: list[StepOutput]
    extras: list[File]
    model: StepModel | None
    choice: StepChoice | None
    outcome: Outcome | None


class SelectOption(TypedDict):
    """One option of a select, and the heading that it stands under."""

    value: str
    label: str
    group: str


class Select(TypedDict):
    """Options to press next: the action, with ?value= of one of them."""

    action: Action
    label: str
    options: list[SelectOption]


class Reply(TypedDict):
    """What a button did."""

    text: str
    """In Markdown."""
    html: str
    files: list[File]
    run: str | None
    """The run that it began."""
    select: Select | None


RUN_EVENTS: Mapping[str, Any] = {
    "accepted": Accepted,
    "delayed": Delayed,
    "planned": Planned,
    "chose": Chose,
    "started": Started,
    "progressed": Progressed,
    "fell_back": FellBack,
    "finished": Outcome,
    "answer_part": AnswerPart,
    "answered": Answered,
    "apologised": Apologised,
    "answer": Answer | RenderedAnswer | Unanswered,
    "broken": Broken,
}
"""The server-sent events of a run, by name."""
