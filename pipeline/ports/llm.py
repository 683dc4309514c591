"""The port to language models."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from pipeline.domain import (
    Blob,
)
from pipeline.prompts.counting import Room


@dataclass(frozen=True, slots=True)
class Message:
    """One message to a language model; `role` is system, user or assistant."""

    role: str
    text: str
    images: tuple[Blob, ...] = ()


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a language model is asked. `schema` is a JSON schema that the reply must follow (None: free text)."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 2048
    purpose: str = ""
    """For the log and the bill: "plan", "respond", "expert"."""


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
    def context_size(self) -> int:
        """Tokens that prompt and reply may have together, as far as is known."""
        ...

    async def room(self) -> Room:
        """The same, asked for where it is not known yet, and how tokens are counted. Never raises."""
        ...

    @property
    def sees_images(self) -> bool: ...

    def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Raises LlmUnavailable, LlmRefused, LlmGarbled. Retries by itself until its deadline, never after the first piece.

        Closed by who leaves early; the call ends then.
        """
        ...
