"""What a run works with: its ports in one frozen bundle, its limits and its journal."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.codec import dump, load
from pipeline.domain import Blob, LocalizedText, Place, RunId, Task, TaskKind, Type
from pipeline.ports import (
    Expert,
    Files,
    Journal,
    MediaTools,
    Planner,
    Responder,
    Results,
)
from pipeline.selection.candidates import Candidates
from pipeline.selection.catalogues import MOST_LISTED
from pipeline.selection.curated import is_unfit
from pipeline.selection.health import PlaceHealth
from pipeline.selection.model_languages import explain_language
from pipeline.task_kinds import is_enabled_by, list_requirements


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLimits:
    """Limits on parallel steps, time and attempts. Times in seconds."""

    parallel: int = 32
    attempt: float = 60.0
    task: float = 120.0
    request: float = 600.0
    tries: int = 3
    """Attempts at a model that is only unavailable, per place."""
    backoff: float = 0.25
    """Wait before the first retry; doubled for each further one."""
    patience: float = 2.0
    """The longest wait for an unavailable model before others are tried first."""
    replans: int = 1
    """Further rounds of planning after the first."""

    def of(self, kind: TaskKind) -> "RunLimits":
        """The limits for a kind: videos take minutes and get nearly the whole request's time."""
        if not any(slot.type is Type.VIDEO for slot in kind.makes):
            return self
        longest = max(self.task, self.request * 0.9)
        return replace(self, attempt=max(self.attempt, longest * 0.9), task=longest)


ReadText = Callable[[Blob], Awaitable[str]]
"""Returns the text in a document, a table or a picture, read by libraries. Raises ExpertError."""


DetectLanguage = Callable[[str], Awaitable[str]]
"""Returns the code of the language that a text is written in; "" if it is unsure."""


async def detect_nothing(_text: str) -> str:
    """Detect nothing: for programs that have no library for it."""
    return ""


async def read_plain_text(file: Blob) -> str:
    """The text of a text file; of any other "", for programs that have no library for it."""
    is_text = file.media_type.startswith("text/")
    return file.data.decode("utf-8", "replace") if is_text else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """The ports of a run. Planners and responders are tried in order."""

    planners: tuple[Planner, ...]
    responders: tuple[Responder, ...]
    candidates: Candidates
    experts: Mapping[Place, Expert]
    files: Files
    media: MediaTools
    journal: Journal
    results: Results
    limits: RunLimits = field(default_factory=RunLimits)
    closed: frozenset[Place] = frozenset()
    """Places that are set up but left out of TROUPE_PLACES."""
    health: PlaceHealth = field(default_factory=PlaceHealth)
    """Places that are set up but cannot be used now; the catalogue leaves them out."""
    read_text: ReadText = read_plain_text
    detect_language: DetectLanguage = detect_nothing
    """Detects the language of a text that is to be spoken."""

    def find_closed(self, kind: TaskKind) -> LocalizedText | None:
        """Why a place that may do a kind cannot be used at the moment; None if all can."""
        places = (place for place in self.experts if is_enabled_by(kind, place))
        health = self.health
        reasons = (health.explain(place) or health.unlisted.get(place) for place in places)
        return next(filter(None, reasons), None)

    async def explain_missing(self, kind: TaskKind, task: Task | None = None) -> LocalizedText:
        """Why a kind, or this task of it, cannot run here."""
        listed = await self.candidates.catalogue.candidates(kind, limit=MOST_LISTED)
        if models := [model for model in listed if not is_unfit(model)]:
            language = explain_language(task, models) if task else None
            return language or LocalizedText("not-possible-rules", {"kind": kind.name})
        if why := self.find_closed(kind):
            return LocalizedText("not-possible-now", {"kind": kind.name, "reason": why})
        if enabled_by := list_requirements(kind, self.experts, self.closed):
            return LocalizedText("not-possible-here", {"kind": kind.name, "enabled_by": enabled_by})
        return LocalizedText("not-possible-nobody", {"kind": kind.name})


@dataclass(frozen=True, slots=True)
class RunJournal:
    """The results of one run's steps, by name, so that a restart does not repeat them."""

    run: RunId
    journal: Journal
    known: Mapping[str, str]

    def recall(self, step: str, as_type: object) -> Any:  # noqa: ANN401 - an `as_type`, or None
        """The result of a step; None if there is none, or none that this version can read."""
        text = self.known.get(step)
        try:
            return None if text is None else load(as_type, text)
        except ValueError:
            return None

    async def keep(self, step: str, value: object, as_type: object) -> None:
        """Store the result of a step. It survives a crash of the program when this returns."""
        await self.journal.record(self.run, step, dump(value, as_type))


async def open_run_journal(run: RunId, journal: Journal) -> RunJournal:
    """Load the journal of a run; it is empty for a new run."""
    return RunJournal(run, journal, await journal.recall(run))
