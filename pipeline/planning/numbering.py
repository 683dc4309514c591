"""Labels for plans that give their tasks none: references counted from 0 or 1, links written by name (TaskBench)."""

from collections.abc import Sequence
from dataclasses import replace

from pipeline.domain import Request
from pipeline.planning.mentions import Mention, pieces_of
from pipeline.planning.names import meant, plain
from pipeline.planning.rough import Rough, RoughPlan, as_words, label_of


def numbered(plan: RoughPlan, request: Request) -> tuple[Rough, ...]:
    """The tasks of a plan, each with a label, each waiting for what the links say."""
    tasks = plan.tasks
    counted = [task.label for task in tasks] == [str(at + 1) for at in range(len(tasks))]
    if counted or not any(task.label for task in tasks):
        base = _base(tasks, request, usual=int(counted))
        tasks = tuple(replace(task, label=str(at + base)) for at, task in enumerate(tasks))
    return _linked(tasks, plan.links)


def mentioned(task: Rough, request: Request) -> tuple[str, ...]:
    """The labels of other tasks that stand in the arguments."""
    return tuple(
        piece.label
        for _, value in task.args
        for item in (value if isinstance(value, list) else [value])
        for piece in pieces_of(as_words(item), request)
        if isinstance(piece, Mention)
    )


def _base(tasks: Sequence[Rough], request: Request, *, usual: int) -> int:
    """Whether references count from 0 or 1: the count under which fewer of them point at nothing that is there yet."""
    wrong = {0: 0, 1: 0}
    for at, task in enumerate(tasks):
        for label in (*mentioned(task, request), *task.deps):
            for base in wrong:
                wrong[base] += not (label.isdecimal() and base <= int(label) < at + base)
    return min(wrong, key=lambda base: (wrong[base], base != usual))


def _linked(tasks: tuple[Rough, ...], links: Sequence[tuple[str, str]]) -> tuple[Rough, ...]:
    """Each link by name or label as a prerequisite of the target: the nearest source before it, or the only one behind it."""
    deps = [list(task.deps) for task in tasks]
    for source, target in links:
        sources = _called(source, tasks)
        for at in _called(target, tasks):
            before = [other for other in sources if other < at]
            nearest = before[-1:] or [other for other in sources if other != at][:1]
            deps[at] += [tasks[other].label for other in nearest]
    return tuple(
        replace(task, deps=tuple(dict.fromkeys(waits)))
        for task, waits in zip(tasks, deps, strict=True)
    )


def _called(name: str, tasks: Sequence[Rough]) -> list[int]:
    """Where the tasks stand that an end of a link means."""
    named = [at for at, task in enumerate(tasks) if plain(task.name) == plain(name)]
    labelled = [at for at, task in enumerate(tasks) if task.label == label_of(name)]
    return (
        named or labelled or [at for at, one in enumerate(tasks) if meant(one.name) == meant(name)]
    )
