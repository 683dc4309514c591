"""Plans without questions, and how sure they are: for the evaluation."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from adapters.embedded.planner.decision import Decision, decide, decide_bench
from adapters.embedded.planner.extraction import MARKS
from adapters.embedded.planner.filling import fill
from adapters.embedded.planner.reading import read
from adapters.embedded.planner.steps import order_steps
from adapters.embedded.planner.view import RequestView, view, view_text
from pipeline.domain import FILE_TYPES, LocalizedText, Plan, Ref, Request, Task, TaskId, Text


@dataclass(frozen=True, slots=True)
class PlanGuess:
    """A plan without questions, and how sure it is, from 0 to 1."""

    plan: Plan
    confidence: float


def guess_bench_plan(text: str) -> PlanGuess:
    """The plan of a request of TaskBench, by its words alone."""
    seen = view_text(text, reading=read(text, pastes=False))
    decision = decide_bench(seen.reading)
    return PlanGuess(_sketch(decision, seen), decision.confidence)


def guess_plan(requests: Sequence[Request]) -> PlanGuess:
    """The surest plan of requests with the same words, but other files.

    Words that name files need no others: then it is the plan of the first.
    """
    views = [view(request) for request in requests]
    _, guess = max(map(_guess, views[:1] if views[0].files else views), key=itemgetter(0))
    return guess


def _guess(seen: RequestView) -> tuple[float, PlanGuess]:
    """How sure a plan is if these files are there, and the plan."""
    decision = decide(seen.reading, seen.types)
    filled = fill(order_steps(decision), seen)
    if isinstance(filled, LocalizedText):
        plan, extra = _sketch(decision, seen), -1.0 * (filled.id != "planner-lacks-text")
    else:
        plan, extra = Plan(tuple(filled)), 0.01 * (not seen.files and bool(filled))
    return decision.confidence + extra, PlanGuess(plan, decision.confidence)


def _sketch(decision: Decision, seen: RequestView) -> Plan:
    """What was decided, where the words need not hold all that it takes."""
    tasks = dict[str, Task]()
    names = [Text(name.text.strip(MARKS)) for name in seen.reading.names[:1]]
    for number, step in enumerate(order_steps(decision), 1):
        kind = step.kind
        links = [(decision.kinds[a], decision.kinds[b]) for a, b in decision.links]
        sources = [tasks[source] for source, target in links if target == kind.name]
        refs = [Ref(source.id, source.kind.makes[0].name) for source in sources]
        said = Text(seen.find_text() or seen.part(step.clauses).whole)
        given = names if names and kind.takes[0].type in FILE_TYPES else [said]
        tasks[kind.name] = Task(TaskId(number), kind, {kind.takes[0].name: tuple(refs or given)})
    return Plan(tuple(tasks.values()))
