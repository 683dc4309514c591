"""What a run works with: the ports in one frozen bundle, its limits, and its journal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.codec import dump, load
from pipeline.domain import LocalizedText, Place, RunId, TaskKind, Type
from pipeline.ports import (
    Catalogue,
    Expert,
    Files,
    Journal,
    MediaTools,
    NoResults,
    Planner,
    Records,
    Responder,
    Results,
)
from pipeline.selection import Candidates, Rules
from pipeline.task_kinds import explain_missing


@dataclass(frozen=True, slots=True)
class RunLimits:
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

    def of(self, kind: TaskKind) -> "RunLimits":
        """The limits for a kind: videos take minutes, so they have nearly the whole request."""
        if not any(slot.type is Type.VIDEO for slot in kind.makes):
            return self
        longest = max(self.task, self.request * 0.9)
        return replace(self, attempt=max(self.attempt, longest * 0.9), task=longest)


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything a run asks of the world. Each planner and responder stands in for the last."""

    planners: tuple[Planner, ...]
    responders: tuple[Responder, ...]
    catalogue: Catalogue
    experts: Mapping[Place, Expert]
    files: Files
    media: MediaTools
    journal: Journal
    limits: RunLimits = field(default_factory=RunLimits)
    rules: Rules = field(default_factory=Rules)
    records: Records = field(default_factory=dict)
    """How models have done lately; refreshed in the background."""
    results: Results = field(default_factory=NoResults)
    closed: frozenset[Place] = frozenset()
    """Places that are set up, but that the settings leave out."""

    async def explain_missing(self, kind: TaskKind) -> LocalizedText:
        """Why a kind cannot run here."""
        known = bool(await self.catalogue.candidates(kind, limit=1))
        return explain_missing(kind, self.experts, self.closed, known=known)

    @property
    def candidates(self) -> Candidates:
        """The models, as requests may choose from them."""
        return Candidates(self.catalogue, self.rules, self.records)


@dataclass(frozen=True, slots=True)
class RunJournal:
    """What the steps of one run returned, by name, so that a restart repeats nothing."""

    run: RunId
    journal: Journal
    known: Mapping[str, str]

    def recall(self, step: str, as_type: object) -> Any:  # noqa: ANN401 - of the type asked for, or None
        """None where the step did not return yet, or returned what this version cannot read."""
        text = self.known.get(step)
        try:
            return None if text is None else load(as_type, text)
        except ValueError:
            return None

    async def keep(self, step: str, value: object, as_type: object) -> None:
        """Durable when it returns."""
        await self.journal.record(self.run, step, dump(value, as_type))


async def open_run_journal(run: RunId, journal: Journal) -> RunJournal:
    """The journal of a run: empty for a new one."""
    return RunJournal(run, journal, await journal.recall(run))
