"""The ports to models: catalogues, experts, language models, planners and responders."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import KW_ONLY, astuple, dataclass, field
from math import inf
from typing import Any, Protocol, runtime_checkable

from pipeline.domain import (
    Blob,
    ExpertOutput,
    ExpertValue,
    Model,
    Outcomes,
    Place,
    Plan,
    PlanPart,
    Request,
    TaskKind,
)
from pipeline.queues import FIRST, Ticket


class Catalogue(Protocol):
    """Lists models."""

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        """Models for a kind that can run now, best first; empty if none can."""

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        """The model of this kind with this id or unique short id; it may have no places."""

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        """Models with all these words in their id or description."""


ReportProgress = Callable[[float, str], None]
"""Reports the progress of a long job: a fraction from 0 to 1 (-1: unknown) and a note.

The note is the job's place in a queue, "#3"; "" if it does not wait.
"""


@dataclass(frozen=True, slots=True)
class Job:
    """One task as an expert sees it: arguments are tuples of values, files are bytes."""

    kind: TaskKind
    model: Model
    args: Mapping[str, tuple[ExpertValue, ...]]
    _: KW_ONLY
    locale: str = ""
    """The reader's, for notes about the work. It says nothing of the language of the arguments."""
    request: str = ""
    """The words of the request: what is written about a picture is written in their language."""
    text_language: str = ""
    """The code of the language that a text to be spoken is written in; "" if unknown or named."""
    report: ReportProgress = field(default=lambda _fraction, _note: None, compare=False)
    left: Callable[[], float] = field(default=lambda: inf, compare=False)
    """Seconds of work left before the caller's timeout, waits in our queues not counted.

    An expert that works in pieces returns what it has before that.
    """
    ticket: Ticket = field(default=FIRST, compare=False)
    """What the job brings to our queues."""


class Expert(Protocol):
    """Runs models at one place. Cancelling a call cancels its work."""

    @property
    def place(self) -> Place: ...

    async def run(self, job: Job) -> ExpertOutput:
        """Run a job; returns all outputs of its kind except images drawn from boxes or masks.

        The caller sets the timeout. Raises ExpertUnavailable (PlaceUnreachable), ExpertRefused
        (InputRefused, PlaceRefused), ExpertGarbled, BadInput.
        """


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model; `role` is system, user or assistant."""

    role: str
    text: str
    images: tuple[Blob, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A request to a language model. `schema`: JSON schema of the reply; None for free text.

    Servers that do not know one of the last three ignore it.
    """

    messages: tuple[Message, ...]
    _: KW_ONLY
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2048
    temperature: float | None = None
    """None: the server's default."""
    effort: str = ""
    """How long a reasoning model may think: "low" or "medium"; "": the server's default."""
    cache_key: str = ""
    """Equal for prompts that begin alike, for servers that cache by key."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a call as counted by the server; -1 if unknown."""

    prompt_tokens: int = -1
    completion_tokens: int = -1

    def __add__(self, other: "Usage") -> "Usage":
        """The tokens of both calls; unknown if those of one are."""
        counts = zip(astuple(self), astuple(other), strict=True)
        return Usage(*(sum(both) if min(both) >= 0 else -1 for both in counts))


class Llm(Protocol):
    """A language model."""

    @property
    def name(self) -> str: ...
    @property
    def sees_images(self) -> bool: ...

    async def room(self) -> int:
        """The context size: tokens of prompt and reply together. Never raises."""

    def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Stream the pieces of the reply, then the usage. The caller must close the generator.

        Retries until a deadline, but not after the first piece. Raises LlmUnavailable, LlmRefused,
        LlmGarbled.
        """


async def stream_text(llm: Llm, prompt: Prompt) -> AsyncGenerator[str]:
    """Stream the pieces of a reply without the usage. Raises LlmError."""
    async with aclosing(llm.stream(prompt)) as pieces:
        async for piece in pieces:
            if isinstance(piece, str):
                yield piece


class Planner(Protocol):
    """Stage 1: yields the parts of a plan, each task after those it depends on.

    A repair comes after the task that it is about.
    """

    @property
    def name(self) -> str: ...

    def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Plan a request. The caller must close the generator. Raises LlmError or PlanError."""


@runtime_checkable
class Replanner(Planner, Protocol):
    """A planner that can go on from results."""

    def plan_on(self, request: Request, plan: Plan, outcomes: Outcomes) -> AsyncGenerator[PlanPart]:
        """Plan what is still needed after these outcomes; new tasks may refer to those of `plan`.

        The caller must close the generator. Raises LlmError or PlanError.
        """


class Responder(Protocol):
    """Stage 4: yields the pieces of the answer, Markdown in the language of the request."""

    @property
    def name(self) -> str: ...
    def respond(self, request: Request, plan: Plan, outcomes: Outcomes) -> AsyncGenerator[str]:
        """Write the answer from the outcomes of the tasks. Raises LlmError."""
