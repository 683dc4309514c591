"""How long a plan will take and what it will cost, from how its models have done here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, log10

from pipeline.domain import Choice, Estimate, Place, Sentence, Step, TaskId
from pipeline.ports import ANSWERING, Records, TrackRecord

_ENOUGH = 3
"""Good attempts below which nothing is said."""
_WORTH = 20.0
"""Seconds from which it is worth saying how long it will take."""
_MINUTE = 60.0
_CENT = 0.01
_FREE = frozenset({Place.EMBEDDED, Place.LOCAL})


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What is known of a run when its models are chosen. Seconds are counted from its beginning."""

    steps: Sequence[Step]
    """Each after those that it needs."""
    planned: float = 0.0
    """When the plan was complete."""
    proposed: Mapping[TaskId, float] = field(default_factory=dict)
    """When each task could begin, where that was before."""
    twins: Mapping[TaskId, TaskId] = field(default_factory=dict)
    """Tasks that take what another one makes."""
    taken: Collection[TaskId] = ()
    """Tasks that take what an earlier run made."""
    writer: str = ""
    """Whose answer it will be."""


def estimated(run: Foreseen, records: Records) -> Estimate:
    """The time of the whole run: planning as it was, the longest chain, and answering; the sum of what its steps cost.

    None where a part of it is not known.
    """
    ends: dict[TaskId, float] = {}
    writing = _enough(records.get((run.writer, ANSWERING)))
    known = writing is not None
    for step in run.steps:
        task = step.task
        spared = task.id in run.taken or task.id in run.twins
        record = TrackRecord() if spared else _record(step, records)
        known = known and record is not None
        begins = max(
            run.proposed.get(task.id, run.planned),
            *(ends.get(need, 0.0) for need in (*task.needs, run.twins.get(task.id, task.id))),
        )
        ends[task.id] = begins + (record.median_took if record else 0.0)
    last = max((run.planned, *ends.values()))
    seconds = last + writing.median_took if known and writing else None
    billed = [s for s in run.steps if s.task.id not in run.taken and s.task.id not in run.twins]
    return Estimate(seconds, _cost(billed, records))


def told(estimate: Estimate | None) -> Sentence | None:
    """The estimate in round figures, when it is long or costs something; else nothing is worth saying."""
    if estimate is None or not _worth(estimate):
        return None
    time = None if estimate.seconds is None else _time(estimate.seconds)
    cost = _money(estimate.cost) if estimate.cost else None
    if time is not None and cost is not None:
        return Sentence("estimate-both", {"time": time, "cost": cost})
    return time or cost


def _worth(estimate: Estimate) -> bool:
    return (estimate.seconds or 0.0) >= _WORTH or bool(estimate.cost)


def _time(seconds: float) -> Sentence:
    rounded = 10 * max(1, round(seconds / 10)) if seconds >= _WORTH else max(1, round(seconds))
    if rounded < _MINUTE:
        return Sentence("estimate-seconds", {"seconds": rounded})
    return Sentence("estimate-minutes", {"minutes": max(1, round(seconds / _MINUTE))})


def _money(dollars: float) -> Sentence:
    if dollars < _CENT:
        return Sentence("estimate-cost-small")
    places = max(0, 1 - floor(log10(dollars))) if dollars < 1 else 2
    return Sentence("estimate-cost", {"dollars": f"{dollars:.{places}f}"})


def _record(step: Step, records: Records) -> TrackRecord | None:
    """How the chosen model has done at such tasks, if it has often enough."""
    if step.choice is None:
        return TrackRecord()
    return _enough(records.get((step.choice.model.id, step.task.kind.name)))


def _enough(record: TrackRecord | None) -> TrackRecord | None:
    return record if record and record.attempts - record.failures >= _ENOUGH else None


def _cost(steps: Sequence[Step], records: Records) -> float | None:
    total = 0.0
    for step in steps:
        if step.choice is None or _free(step.choice):
            continue
        record = _record(step, records)
        if record is None or record.median_cost is None:
            return None
        total += record.median_cost
    return total


def _free(choice: Choice) -> bool:
    return choice.model.places[0] in _FREE
