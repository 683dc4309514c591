"""The ports to models: experts, language models, and the planner and responder built on them."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from math import inf
from typing import Any, Protocol

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


class Catalogue(Protocol):
    """Which models there are."""

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        """Models for a kind that can run here and now, the best first; empty if none can."""

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        """The model with this id or unique short name, and of this kind; maybe without places."""

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        """Models whose id or description holds the words, for commands and completions."""


ReportProgress = Callable[[float, str], None]
"""Told by an expert on a long job: fraction from 0 to 1 (-1: unknown) and a word."""


def ignore_progress(_fraction: float, _note: str) -> None:
    """For those who do not listen."""


@dataclass(frozen=True, slots=True)
class Job:
    """One task as an expert sees it: arguments are tuples of values, files are bytes.

    `key` is the same on every repeat of this step, for providers that take such a key.
    """

    kind: TaskKind
    model: Model
    args: Mapping[str, tuple[ExpertValue, ...]]
    key: str
    language: str = ""
    report: ReportProgress = field(default=ignore_progress, compare=False)
    seconds: float = field(default=inf, compare=False)
    """How long the caller waits: an expert that works in pieces returns what it has before."""


class Expert(Protocol):
    """Runs models at one place. Cancelling the call cancels the work."""

    @property
    def place(self) -> Place: ...

    async def run(self, job: Job) -> ExpertOutput:
        """Every slot that the kind makes, except pictures drawn from boxes or masks.

        Raises ExpertUnavailable, ExpertRefused, ExpertGarbled, BadInput. The caller sets the end.
        """


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model; `role` is system, user or assistant."""

    role: str
    text: str
    images: tuple[Blob, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a language model is asked. `schema`: a JSON schema for the reply; None: free text."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2048


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call took, as the server counts it (-1: it did not say)."""

    prompt_tokens: int = -1
    completion_tokens: int = -1


class Llm(Protocol):
    """A language model. Streams pieces of text as they are written, then its usage."""

    @property
    def name(self) -> str: ...
    @property
    def sees_images(self) -> bool: ...

    async def room(self) -> int:
        """Tokens that prompt and reply may have together, asked of the server if need be.

        Never raises.
        """

    def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Retries until its deadline, but never after the first piece. Callers close it.

        Raises LlmUnavailable, LlmRefused, LlmGarbled.
        """


async def stream_text(llm: Llm, prompt: Prompt) -> AsyncGenerator[str]:
    """What a language model writes, without its usage. Raises LlmError."""
    async with aclosing(llm.stream(prompt)) as pieces:
        async for piece in pieces:
            if isinstance(piece, str):
                yield piece


class Planner(Protocol):
    """Stage 1: yields what it comes to know of the plan; tasks come after those they need."""

    @property
    def name(self) -> str: ...

    def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Raises LlmError or PlanError; then the next planner takes over. Callers close it."""


class Responder(Protocol):
    """Stage 4: yields the pieces of the answer (Markdown), in the language of the request."""

    @property
    def name(self) -> str: ...
    def respond(self, request: Request, plan: Plan, outcomes: Outcomes) -> AsyncGenerator[str]:
        """Raises LlmError; then the next responder takes over."""
