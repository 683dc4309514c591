"""Reads a plan as a language model wrote it: what it means, what was mended, what had to be left out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain import (
    Plan,
    PlanPart,
    Proposed,
    Repair,
    Repaired,
    Request,
    Sentence,
    TaskKind,
)
from pipeline.errors import PlanError
from pipeline.planning.numbering import numbered
from pipeline.planning.reader import Reader
from pipeline.planning.rough import RoughPlan
from pipeline.planning.syntax import read_rough
from pipeline.table import KINDS
from pipeline.words import exactly

CUT_SHORT = Repaired(Repair(Sentence("plan-cut-short"), dropped=True))
"""That the plan is not written to its end."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text means as a plan: its parts in order; or only a reply."""

    parts: tuple[PlanPart, ...] = ()
    reply: str = ""

    @property
    def plan(self) -> Plan:
        return Plan(tuple(part.task for part in self.parts if isinstance(part, Proposed)))

    @property
    def repairs(self) -> tuple[Repair, ...]:
        return tuple(part.repair for part in self.parts if isinstance(part, Repaired))

    @property
    def dropped(self) -> tuple[Repair, ...]:
        return tuple(repair for repair in self.repairs if repair.dropped)

    @property
    def wrong(self) -> tuple[Repair, ...]:
        """What the one who wrote it can do better: steps left out, files and steps that are not there."""
        return tuple(one for one in self.repairs if one.dropped or one.what.id in _ASTRAY)


_ASTRAY = frozenset({"plan-unknown-file", "plan-reference-dropped"})
"""What was made good by a guess, or not at all."""


def read_plan(text: str, request: Request, *, kinds: Mapping[str, TaskKind] = KINDS) -> Reading:
    """The plan in a text, in the paper's wire format or one near it.

    Raises PlanError with the errors when nothing that makes sense is left.
    """
    return understand(read_rough(text), request, kinds=kinds)


def understand(
    rough: RoughPlan, request: Request, *, kinds: Mapping[str, TaskKind] = KINDS
) -> Reading:
    """The plan in tasks as written. Raises PlanError."""
    if not rough.tasks and rough.reply and not rough.cut_short:
        return Reading(reply=rough.reply)
    reader = Reader(request, kinds)
    parts = [part for task in numbered(rough, request) for part in reader.take(task)]
    parts += reader.finish()
    if rough.cut_short:
        parts.append(CUT_SHORT)
    reading = Reading(tuple(parts))
    if reading.plan.tasks:
        return reading
    if rough.reply:
        return Reading(reading.parts, rough.reply)
    raise PlanError("plan-unusable", errors=errors_of(reading))


def left_out(repairs: Iterable[Repair]) -> int:
    """How many steps were left out."""
    counts = [one.what.args.get("count") for one in repairs if one.dropped]
    return sum(count if isinstance(count, int) else 1 for count in counts)


def unmended(plan: Plan, repairs: Sequence[Repair]) -> float:
    """How much of a plan stands as it was written: language models do not say how sure they are."""
    steps = {task.id for task in plan.tasks}
    mended = {repair.task for repair in repairs if repair.task in steps}
    lost = left_out(repairs)
    if not steps and not lost:
        return 1.0
    return round((len(steps) - len(mended)) / max(1, len(steps) + lost), 4)


def errors_of(reading: Reading) -> str:
    """What is wrong with a plan, in words for the one who wrote it."""
    told = [exactly(repair.what) for repair in reading.wrong]
    return " ".join(told) or exactly(Sentence("plan-empty"))
