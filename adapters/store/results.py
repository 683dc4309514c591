"""Outcomes of a thread's runs, found again by what they were made from."""

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, exists, select

from adapters.store.schema import feedback, outcomes, runs
from pipeline.codec import load_union
from pipeline.domain import Done, Outcome, RunId, Source, TaskId, Thread

_MOST = 200
_DISLIKED = exists().where(feedback.c.run == runs.c.id, feedback.c.value < 0)
# "> ''" and not "!=", so that SQLite reads the index alone and passes by the bodies.
_MADE = (
    select(outcomes.c.content, outcomes.c.run, outcomes.c.task, _DISLIKED.label("disliked"))
    .join(runs, runs.c.id == outcomes.c.run)
    .where(runs.c.thread == bindparam("thread"), outcomes.c.content > "")
    .order_by(runs.c.number.desc(), outcomes.c.task)
    .limit(_MOST)
)
_BODY = select(outcomes.c.body).where(
    outcomes.c.run == bindparam("of"), outcomes.c.task == bindparam("task")
)

_BADLY = select(exists().where(feedback.c.run == bindparam("of"), feedback.c.value < 0))


def made(connection: Connection, thread: Thread) -> Mapping[str, Source]:
    """The newest of each key decides: where somebody thinks badly of its run, what it took from before is no better."""
    found: dict[str, Source | None] = {}
    for row in connection.execute(_MADE, {"thread": thread.key}):
        source = None if row.disliked else Source(RunId(row.run), TaskId(row.task))
        found.setdefault(row.content, source)
    return {key: source for key, source in found.items() if source is not None}


def outcome(connection: Connection, source: Source) -> Outcome | None:
    """What can be taken: not what another version kept and this one cannot read, nor what a run took over from a disliked one."""
    text = connection.scalar(_BODY, {"of": source.run, "task": source.task})
    try:
        found: Outcome | None = None if text is None else load_union(Outcome, text)
    except ValueError:
        return None
    taken_from = found.source.run if isinstance(found, Done) and found.source else ""
    return None if taken_from and connection.scalar(_BADLY, {"of": taken_from}) else found
