"""A run as operators see it: at which stage it is, and how long each stage took."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from pipeline.domain import (
    Answered,
    AnswerPart,
    Apologised,
    Event,
    Finished,
    ModelCall,
    Plan,
    Planned,
    Started,
    TaskId,
)


class Stage(StrEnum):
    """What a run does at a moment; the middle ones are those of the paper.

    Where a plan is still being written while its first steps run, they count as executed.
    """

    INTAKE = "intake"
    """Files and history are fetched, a voice message is transcribed."""
    PLAN = "plan"
    EXECUTE = "execute"
    RESPOND = "respond"
    DELIVER = "deliver"
    """The answer is there, and is being posted."""


@dataclass(slots=True, kw_only=True)
class RunWatch:
    """Follows the events of one run. Times are seconds on the monotonic clock."""

    began: float = field(default_factory=time.monotonic)
    calls: list[ModelCall] = field(default_factory=list)
    steps: dict[TaskId, tuple[Started, float]] = field(default_factory=dict)
    """The steps at work, each with its latest attempt and when that began."""
    plan: Plan = field(default_factory=Plan)
    error: str = ""
    """The class of the error behind an apology; "" if there was none."""
    trace: str = ""
    """The end of its traceback, if it was a bug."""
    undelivered: str = ""
    """The class of the error for which the answer was not posted."""
    _stages: list[tuple[Stage, float]] = field(default_factory=list)
    """Each stage with when it began."""

    def __post_init__(self) -> None:
        self._stages.append((Stage.INTAKE, self.began))

    @property
    def stage(self) -> Stage:
        return self._stages[-1][0]

    @property
    def seconds(self) -> float:
        """How long the run has been going on."""
        return time.monotonic() - self.began

    def enter(self, stage: Stage, now: float | None = None) -> None:
        """Begin a stage, unless the run is in it already."""
        if stage is not self.stage:
            self._stages.append((stage, time.monotonic() if now is None else now))

    def note(self, event: Event, now: float | None = None) -> None:
        """Follow an event that happens now."""
        now = time.monotonic() if now is None else now
        match event:
            case AnswerPart():
                self.enter(Stage.RESPOND, now)
            case Started():
                self.steps[event.task] = event, now
                self.enter(Stage.EXECUTE, now)
            case Finished(task):
                self.steps.pop(task, None)
                if not self.steps:
                    self.enter(Stage.RESPOND, now)
            case Planned(plan):
                self.plan = plan
                if event.estimate is None and self.stage is Stage.RESPOND:
                    # What followed the last step was no answer, but more planning.
                    self._stages[-1] = Stage.PLAN, self._stages[-1][1]
            case Answered() | Apologised():
                self.steps.clear()
                self.enter(Stage.DELIVER, now)
            case _:
                pass

    def measure_stages(self) -> Mapping[Stage, float]:
        """The seconds that each stage took until now."""
        took: dict[Stage, float] = defaultdict(float)
        for stage, began, ended in self.list_stages(time.monotonic()):
            took[stage] += ended - began
        return took

    def list_stages(self, now: float) -> Sequence[tuple[Stage, float, float]]:
        """Each stage with when it began and ended; the last one ends now."""
        ends = [*(began for _, began in self._stages[1:]), now]
        return [(*begun, end) for begun, end in zip(self._stages, ends, strict=True)]


def count_seconds_since(moment: datetime | None) -> float:
    """0 if the moment is unknown or in the future."""
    return max(0.0, (datetime.now(UTC) - moment).total_seconds()) if moment else 0.0
