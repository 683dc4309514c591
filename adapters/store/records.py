"""How models have done, by kind of task: out of the attempts, and of the votes on the runs in which they had a part."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, bindparam, select, true

from adapters.store.schema import attempts, feedback, runs
from pipeline.domain import Channel
from pipeline.ports import ANSWERING, Records, TrackRecord

_MOST = 5_000
_RECENT = 200
"""Over how many of the last good attempts a median is taken."""
_LATELY = runs.c.saved_at >= bindparam("moment")
_MODEL = attempts.c.model == bindparam("model")
_A_TASK = attempts.c.kind != ANSWERING
_HERE = (bindparam("channel") == "") | (attempts.c.channel == bindparam("channel"))


def _tries(*where: ColumnElement[bool]) -> Any:  # noqa: ANN401 - a statement
    """The newest attempts."""
    return (
        select(
            attempts.c.model, attempts.c.kind, attempts.c.failed, attempts.c.took, attempts.c.cost
        )
        .join(runs, runs.c.id == attempts.c.run)
        .where(*where)
        .order_by(runs.c.number.desc())
        .limit(_MOST)
    )


def _opinions(where: ColumnElement[bool]) -> Any:  # noqa: ANN401 - a statement
    """The newest votes, each with all models that did something in the run."""
    part = attempts.c
    cast = feedback.c
    return (
        select(part.model, part.kind, cast.run, cast.person, cast.value, cast.at)
        .join(feedback, cast.run == part.run)
        .where(~part.failed, _A_TASK, where)
        .order_by(cast.at.desc())
        .limit(_MOST)
        .distinct()
    )


_TAKEN_PART = select(attempts.c.run).where(_MODEL, _HERE, ~attempts.c.failed, _A_TASK)
_TRIES_LATELY, _TRIES_OF = _tries(_LATELY), _tries(_MODEL, _HERE, _A_TASK)
_OPINIONS, _OPINIONS_OF = _opinions(true()), _opinions(feedback.c.run.in_(_TAKEN_PART))


def since(connection: Connection, moment: float) -> Records:
    """Attempts since a moment and all votes, by model and kind."""
    return _told(
        connection.execute(_TRIES_LATELY, {"moment": moment}),
        connection.execute(_OPINIONS),
    )


def track_record(
    connection: Connection, model: str, channel: Channel | None
) -> Mapping[str, TrackRecord]:
    """How a model did by kind, here or anywhere in this database."""
    of = {"model": model, "channel": channel.key if channel else ""}
    told = _told(
        connection.execute(_TRIES_OF, of),
        connection.execute(_OPINIONS_OF, of),
    )
    return {kind: record for (name, kind), record in told.items() if name == model}


@dataclass(slots=True)
class _Tally:
    """What is counted of a model and a kind."""

    failures: int = 0
    times: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    votes: list[tuple[int, float]] = field(default_factory=list)
    """Each vote, and the part of it that counts for this model."""

    @property
    def record(self) -> TrackRecord:
        values = [value for value, _ in self.votes]
        return TrackRecord(
            attempts=self.failures + len(self.times),
            failures=self.failures,
            median_took=median(self.times[:_RECENT]) if self.times else 0.0,
            ups=values.count(1),
            downs=values.count(-1),
            median_cost=median(self.costs[:_RECENT]) if self.costs else None,
            liking=round(sum(value * part for value, part in self.votes), 6),
        )


def _told(tries: Iterable[Row[Any]], opinions: Iterable[Row[Any]]) -> Records:
    tallies: dict[tuple[str, str], _Tally] = defaultdict(_Tally)
    for row in tries:
        tally = tallies[row.model, row.kind]
        if row.failed:
            tally.failures += 1
        else:
            tally.times.append(row.took)
            if row.cost is not None:
                tally.costs.append(row.cost)
    votes = list(opinions)
    parts: dict[str, set[str]] = defaultdict(set)
    for row in votes:
        parts[row.run].add(row.model)
    for row in votes:
        tallies[row.model, row.kind].votes.append((row.value, 1 / len(parts[row.run])))
    return {key: tally.record for key, tally in tallies.items()}
