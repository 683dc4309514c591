"""How all models have done lately, for ranking them."""

from collections import defaultdict
from collections.abc import Mapping
from statistics import median

from sqlalchemy import Connection, bindparam, select

from adapters.store.schema import attempts, feedback, runs
from pipeline.ports import TrackRecord

_MOST = 5_000
_LATELY = runs.c.saved_at >= bindparam("moment")
_ATTEMPTS = (
    select(attempts.c.model, attempts.c.failed, attempts.c.took)
    .join(runs, runs.c.id == attempts.c.run)
    .where(_LATELY)
    .order_by(runs.c.number.desc())
    .limit(_MOST)
)
_VOTES = (
    select(attempts.c.model, feedback.c.run, feedback.c.person, feedback.c.value)
    .join(feedback, feedback.c.run == attempts.c.run)
    .join(runs, runs.c.id == attempts.c.run)
    .where(_LATELY)
    .limit(_MOST)
    .distinct()
)


def since(connection: Connection, moment: float) -> Mapping[str, TrackRecord]:
    """The newest attempts and votes since a moment, by model."""
    failures: dict[str, list[float]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    opinions: dict[str, list[int]] = defaultdict(list)
    for row in connection.execute(_ATTEMPTS, {"moment": moment}):
        (failures if row.failed else times)[row.model].append(row.took)
    for cast in connection.execute(_VOTES, {"moment": moment}):
        opinions[cast.model].append(cast.value)
    return {
        model: TrackRecord(
            attempts=len(failures[model]) + len(times[model]),
            failures=len(failures[model]),
            median_took=median(times[model]) if times[model] else 0.0,
            ups=opinions[model].count(1),
            downs=opinions[model].count(-1),
        )
        for model in {*failures, *times}
    }
