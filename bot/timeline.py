"""What the trace of a run is made of: its events, calls and timed work, each with its time."""

import time
from dataclasses import dataclass, field

from pipeline.domain import AnswerPart, Event, ModelCall, Progressed
from pipeline.metering import Work, find_work

_MOST = 2_000
"""Entries of each kind: a run that posts edits for hours must not grow without end."""


@dataclass(frozen=True, slots=True)
class TimedCall:
    """A call of a language model, with when it ended and the number of the work it is part of."""

    call: ModelCall
    ended: float
    inside: int


@dataclass(slots=True)
class RunTimeline:
    """Collects while the run goes on. Times are seconds on the monotonic clock."""

    epoch: float = field(default_factory=lambda: time.time() - time.monotonic())
    """What has to be added to get seconds since 1970."""
    events: list[tuple[float, Event]] = field(default_factory=list)
    calls: list[TimedCall] = field(default_factory=list)
    works: list[Work] = field(default_factory=list)

    def note_event(self, event: Event, now: float) -> None:
        """Keep an event that begins or ends something."""
        if len(self.events) < _MOST and not isinstance(event, AnswerPart | Progressed):
            self.events.append((now, event))

    def note_call(self, call: ModelCall) -> None:
        """Keep a call that has just ended."""
        if len(self.calls) < _MOST:
            self.calls.append(TimedCall(call, time.monotonic(), find_work()))

    def note_work(self, work: Work) -> None:
        """Keep a piece of work that has ended."""
        if len(self.works) < _MOST:
            self.works.append(work)
