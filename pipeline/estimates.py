"""How long a plan will take and what it will cost, from how its models have done here."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor, isnan, log10, nan

from pipeline.domain import Estimate, LocalizedText, Place, Request, Step, TaskId
from pipeline.ports import ANSWERING, Records, TrackRecord
from pipeline.result_reuse import find_reusable
from pipeline.tools import Tools

_ENOUGH_ATTEMPTS = 3
"""Good attempts below which nothing is said."""
_WORTH_TELLING = 20.0
"""Seconds."""
_MINUTE = 60.0
_CENT = 0.01
_FREE = frozenset({Place.EMBEDDED, Place.LOCAL})


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is known of a run once its models are chosen. Seconds count from its beginning."""

    steps: Sequence[Step]
    """Each after those that it needs."""
    planned: float = 0.0
    """When the plan was complete."""
    proposed: Mapping[TaskId, float] = field(default_factory=dict)
    """When each step could begin, where that was before."""
    reused: Collection[TaskId] = ()
    """Steps that take what an earlier run made."""
    writer: str = ""
    """The responder that will write the answer."""


async def estimate_run(forecast: Forecast, request: Request, tools: Tools) -> Estimate | None:
    """What the run will take, where that is worth telling; looks up what need not be done again."""
    if format_estimate(estimate(forecast, tools.records)) is None:
        return None
    reused = await find_reusable(forecast.steps, request, tools)
    final = estimate(replace(forecast, reused=reused.keys()), tools.records)
    return None if format_estimate(final) is None else final


def estimate(forecast: Forecast, records: Records) -> Estimate:
    """The time of planning, the longest chain and answering; the cost of all steps together.

    None for a figure of which a part is not known.
    """
    ends: dict[TaskId, float] = {}
    writing = _reliable(records.get((forecast.writer, ANSWERING)))
    is_timed, cost = writing is not None, 0.0
    for step in forecast.steps:
        task, choice = step.task, step.choice
        record: TrackRecord | None = TrackRecord()
        if choice and task.id not in forecast.reused:
            record = _reliable(records.get((choice.model.id, task.kind.name)))
            if choice.model.places[0] not in _FREE:
                known = record.median_cost if record else None
                cost += nan if known is None else known
        is_timed = is_timed and record is not None
        proposed = forecast.proposed.get(task.id, forecast.planned)
        begins = max([proposed, *(ends.get(need, 0.0) for need in task.needs)])
        ends[task.id] = begins + (record.median_took if record else 0.0)
    last = max((forecast.planned, *ends.values()))
    seconds = last + writing.median_took if is_timed and writing else None
    return Estimate(seconds, None if isnan(cost) else cost)


def format_estimate(estimate: Estimate | None) -> LocalizedText | None:
    """The estimate in round figures; None where it is short and free."""
    if estimate is None or not ((estimate.seconds or 0.0) >= _WORTH_TELLING or estimate.cost):
        return None
    time = None if estimate.seconds is None else _format_time(estimate.seconds)
    cost = _format_cost(estimate.cost) if estimate.cost else None
    if time is not None and cost is not None:
        return LocalizedText("estimate-both", {"time": time, "cost": cost})
    return time or cost


def _format_time(seconds: float) -> LocalizedText:
    coarse = seconds >= _WORTH_TELLING
    rounded = 10 * round(seconds / 10) if coarse else max(1, round(seconds))
    if rounded < _MINUTE:
        return LocalizedText("estimate-seconds", {"seconds": rounded})
    return LocalizedText("estimate-minutes", {"minutes": max(1, round(seconds / _MINUTE))})


def _format_cost(dollars: float) -> LocalizedText:
    if dollars < _CENT:
        return LocalizedText("estimate-cost-small")
    places = max(0, 1 - floor(log10(dollars))) if dollars < 1 else 2
    return LocalizedText("estimate-cost", {"dollars": f"{dollars:.{places}f}"})


def _reliable(record: TrackRecord | None) -> TrackRecord | None:
    return record if record and record.attempts - record.failures >= _ENOUGH_ATTEMPTS else None
