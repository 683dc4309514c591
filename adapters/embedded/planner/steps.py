"""The steps of a plan: the chosen kinds in the order in which one feeds the other."""

from dataclasses import dataclass

from adapters.embedded.planner.decision import OWN_WORDS, Decision
from pipeline.domain import TaskKind
from pipeline.task_kinds import KINDS

REWRITES = "text2text-generation"
_INSTRUCTED = OWN_WORDS | {REWRITES}
"""Kinds whose text is what the person asks for, rather than what they give."""


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A kind of the plan, the clauses that speak of it, and the step that feeds it (-1: none)."""

    kind: TaskKind
    clauses: tuple[int, ...] = ()
    source: int = -1
    feeds: tuple[TaskKind, ...] = ()

    @property
    def is_instructed(self) -> bool:
        return self.kind.name in _INSTRUCTED


def order_steps(decision: Decision) -> list[PlannedStep]:
    """The chosen kinds, each after the one that feeds it, with the clauses that speak of them."""
    kinds = [KINDS[kind] for kind in decision.kinds]
    source = {target: source for source, target in reversed(decision.links)}
    left, order = list(range(len(kinds))), list[int]()
    while left:
        waiting = {target for source, target in decision.links if source in left}
        order.append(next(at for at in left if at not in waiting))
        left.remove(order[-1])
    return [
        PlannedStep(
            kinds[at],
            decision.clauses[at],
            order.index(source[at]) if at in source else -1,
            tuple(kinds[to] for made, to in decision.links if made == at),
        )
        for at in order
    ]
