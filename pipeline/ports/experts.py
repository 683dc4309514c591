"""The ports to models: which there are, and running them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pipeline.domain import (
    Made,
    Model,
    Place,
    Raw,
    TaskKind,
)


class Catalogue(Protocol):
    """Which models there are."""

    async def candidates(self, kind: TaskKind, *, limit: int) -> Sequence[Model]:
        """Models for a kind that can run somewhere here and now, the best first. Empty when none can."""
        ...

    async def find(self, model: str, *, kind: str = "") -> Model | None:
        """The model with this id (case does not matter; the part behind the slash will do when only one has it).

        With a kind: only if it does that. One that is known and can run nowhere here has no places.
        """
        ...

    async def search(self, words: str, *, kind: str = "", limit: int = 20) -> Sequence[Model]:
        """Models whose id or description holds the words, for commands and completions."""
        ...


Report = Callable[[float, str], None]
"""Told by an expert on a long job: fraction from 0 to 1 (-1: unknown) and a word."""


def unreported(_fraction: float, _note: str) -> None:
    """For those who do not listen."""


@dataclass(frozen=True, slots=True)
class Job:
    """One task as an expert sees it: every argument a tuple of values of the slot's types, files as bytes.

    `key` is the same on a repeat of the same step of the same run, for providers that take such a key.
    """

    kind: TaskKind
    model: Model
    args: Mapping[str, tuple[Raw, ...]]
    key: str
    language: str = ""
    report: Report = field(default=unreported, compare=False)


class Expert(Protocol):
    """Runs models at one place. Cancelling the call cancels the work."""

    @property
    def place(self) -> Place: ...

    async def run(self, job: Job) -> Made:
        """Every slot the kind makes, but for pictures that are drawn from data (boxes, masks), which are drawn elsewhere.

        Raises ExpertUnavailable, ExpertRefused, ExpertGarbled, BadInput. The caller sets the deadline.
        """
        ...
