"""Estimates of a plan's time and cost, from the track records of its models."""

from collections.abc import Mapping, Sequence
from math import floor, isnan, log10, nan

from pipeline.domain import Estimate, LocalizedText, Step, TaskId
from pipeline.ports import ANSWERING, Records, TrackRecord

_ENOUGH_ATTEMPTS = 3
"""Successful attempts that a track record needs to count."""
_WORTH_SHOWING = 20.0
"""Seconds."""
_MINUTE = 60.0
_CENT = 0.01


def estimate(
    steps: Sequence[Step], started_at: Mapping[TaskId, float], records: Records, *, writer: str
) -> Estimate:
    """The time of planning, the longest chain of steps and answering, and the cost of all steps.

    `steps` are in topological order; `started_at`: when each was proposed, in seconds since the run
    began; `writer`: the responder. A figure is None if any part of it is unknown.
    """
    ends = dict[TaskId, float]()
    writing = _find_reliable(records, writer, ANSWERING)
    is_timed, cost = writing is not None, 0.0
    for step in steps:
        task, choice = step.task, step.choice
        model = choice.model if choice else None
        record = _find_reliable(records, model.id, task.kind.name) if model else TrackRecord()
        if model and model.places[0].costs:
            cost += nan if record is None or record.median_cost is None else record.median_cost
        is_timed = is_timed and record is not None
        begins = max([started_at[task.id], *(ends.get(need, 0.0) for need in task.needs)])
        ends[task.id] = begins + (record.median_took if record else 0.0)
    seconds = max(ends.values()) + writing.median_took if is_timed and writing and ends else None
    return Estimate(seconds, None if isnan(cost) else cost)


def _find_reliable(records: Records, model: str, kind: str) -> TrackRecord | None:
    record = records.get((model, kind))
    return record if record and record.attempts - record.failures >= _ENOUGH_ATTEMPTS else None


def format_estimate(estimate: Estimate | None) -> LocalizedText | None:
    """The estimate in round figures; None if the plan is short and free."""
    if estimate is None or not ((estimate.seconds or 0.0) >= _WORTH_SHOWING or estimate.cost):
        return None
    time = None if estimate.seconds is None else _format_time(estimate.seconds)
    cost = _format_cost(estimate.cost) if estimate.cost else None
    if time is not None and cost is not None:
        return LocalizedText("estimate-both", {"time": time, "cost": cost})
    return time or cost


def _format_time(seconds: float) -> LocalizedText:
    is_long = seconds >= _WORTH_SHOWING
    rounded = 10 * round(seconds / 10) if is_long else max(1, round(seconds))
    if rounded < _MINUTE:
        return LocalizedText("estimate-seconds", {"seconds": rounded})
    return LocalizedText("estimate-minutes", {"minutes": max(1, round(seconds / _MINUTE))})


def _format_cost(dollars: float) -> LocalizedText:
    if dollars < _CENT:
        return LocalizedText("estimate-cost-small")
    places = max(0, 1 - floor(log10(dollars))) if dollars < 1 else 2
    return LocalizedText("estimate-cost", {"dollars": f"{dollars:.{places}f}"})
