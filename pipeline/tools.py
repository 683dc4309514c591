"""What a run works with: the ports in one frozen bundle, its pace, and its memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.codec import dump, load_union
from pipeline.content import StepNames
from pipeline.domain import Place, RunId, Sentence, TaskKind, Type
from pipeline.policy import Rules
from pipeline.ports import (
    Catalogue,
    Expert,
    Files,
    Journal,
    MediaTools,
    Planner,
    Records,
    Responder,
)
from pipeline.ports.results import NoResults, Results
from pipeline.shortlist import Shelf
from pipeline.wanting import wanting


@dataclass(frozen=True, slots=True)
class Pace:
    """How much at once, how long and how often. Times in seconds."""

    parallel: int = 32
    attempt: float = 60.0
    task: float = 120.0
    request: float = 600.0
    tries: int = 3
    """Attempts at one model and place that is merely unavailable."""
    backoff: float = 0.25
    patience: float = 2.0
    """The longest wait for a model that is merely unavailable while another could be tried."""
    streamed: bool = False
    """Start tasks while the plan is still being written."""

    def of(self, kind: TaskKind) -> "Pace":
        """Films take minutes to make, so they have nearly as long as the request has."""
        if not any(slot.type is Type.VIDEO for slot in kind.makes):
            return self
        longest = max(self.task, self.request * 0.9)
        return replace(self, attempt=max(self.attempt, longest * 0.9), task=longest)


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything a run asks of the world. Planners and responders stand in for the one before them."""

    planners: tuple[Planner, ...]
    responders: tuple[Responder, ...]
    catalogue: Catalogue
    experts: Mapping[Place, Expert]
    files: Files
    media: MediaTools
    journal: Journal
    pace: Pace = field(default_factory=Pace)
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)
    """How models have done lately; kept up to date from aside."""
    results: Results = field(default_factory=NoResults)
    closed: frozenset[Place] = frozenset()
    """Places that are set up, but left out of this installation's."""

    async def wanting(self, kind: TaskKind) -> Sentence:
        """Why a kind cannot run here."""
        known = bool(await self.catalogue.candidates(kind, limit=1))
        return wanting(kind, self.experts, self.closed, known=known)

    @property
    def shelf(self) -> Shelf:
        """The models, as requests may choose from them."""
        return Shelf(self.catalogue, self.rules, self.records)


@dataclass(frozen=True, slots=True)
class Memory:
    """What the steps of one run returned, by name."""

    run: RunId
    journal: Journal
    known: Mapping[str, str]
    names: StepNames = field(default_factory=StepNames)
    """Under which the tasks of its plan are remembered."""

    def recall(self, step: str, as_type: object) -> Any:  # noqa: ANN401 - of the type asked for, or None
        """None where it did not return yet, or returned what only another version of the program can read: then it is done again."""
        text = self.known.get(step)
        try:
            return None if text is None else load_union(as_type, text)
        except ValueError:
            return None

    async def keep(self, step: str, value: object, as_type: object) -> None:
        """Durable when it returns."""
        await self.journal.record(self.run, step, dump(value, as_type))


async def remember(run: RunId, journal: Journal) -> Memory:
    """The memory of a run: empty for a new one."""
    return Memory(run, journal, await journal.recall(run))
