"""The stages that can be played by different hands: planning and responding."""

from collections.abc import AsyncGenerator
from typing import Protocol

from pipeline.domain import (
    Outcomes,
    Plan,
    PlanPart,
    Request,
)


class Planner(Protocol):
    """Stage 1: yields what it comes to know of the plan; tasks come after those they need."""

    @property
    def name(self) -> str: ...

    def plan(self, request: Request) -> AsyncGenerator[PlanPart]:
        """Raises LlmError or PlanError; then the next planner takes over. Closed by who leaves early."""
        ...


class Responder(Protocol):
    """Stage 4: yields the pieces of the answer's text (Markdown), in the language of the request."""

    @property
    def name(self) -> str: ...

    def respond(self, request: Request, plan: Plan, outcomes: Outcomes) -> AsyncGenerator[str]:
        """Raises LlmError; then the next responder takes over."""
        ...
