"""Outcomes: how each task of a run ended."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field, replace

from pipeline.domain.files import Attachment
from pipeline.domain.ids import RunId, TaskId
from pipeline.domain.models import Attempt, Model
from pipeline.domain.places import Place
from pipeline.domain.sentences import LocalizedText
from pipeline.domain.values import Media, Output, Value


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

    @property
    def files(self) -> tuple[Attachment, ...]:
        """The files among its outputs, then the extra ones."""
        values = self.output.slots.values()
        return (*(value.attachment for value in values if isinstance(value, Media)), *self.extras)

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
