"""A plan read while it is being written: each task is known the moment its last brace is there."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pipeline.domain import (
    PlanPart,
    Proposed,
    Ref,
    Repaired,
    Request,
    Sentence,
    Task,
    TaskId,
    TaskKind,
    Withdrawn,
)
from pipeline.domain.plans import Arg
from pipeline.errors import LlmError
from pipeline.planning.ground import FIRST_OWN_ID
from pipeline.planning.reader import Reader
from pipeline.planning.reading import CUT_SHORT, Reading
from pipeline.planning.rough import is_task, rough_task
from pipeline.planning.scanning import Scanner


class EarlyReader:
    """Yields a task as soon as its text and all that it refers to are there. What was mended is told at the end, when it is sure.

    Tasks without ids wait for the whole plan: their references may count from 0 or 1, which only the whole tells.
    """

    def __init__(self, request: Request, kinds: Mapping[str, TaskKind], *, on: bool = True) -> None:
        self._on = on
        self._reader = Reader(request, kinds)
        self._scanner = Scanner()
        self._count = 0
        self._labelled = True
        self.text = ""
        self.broke_off: LlmError | None = None
        self.parts: list[Proposed] = []

    @property
    def tasks(self) -> dict[TaskId, Task]:
        return {part.task.id: part.task for part in self.parts}

    def feed(self, piece: str) -> Iterator[PlanPart]:
        """The tasks that became known with this piece of the text; nothing when it is not on."""
        self.text += piece
        if not self._on:
            return
        for value in self._scanner.feed(piece):
            if not is_task(value):
                continue
            rough = rough_task(value, self._count)
            self._count += 1
            self._labelled = self._labelled and bool(rough.label)
            if self._labelled:
                known = [part for part in self._reader.take(rough) if isinstance(part, Proposed)]
                self.parts += known
                yield from known


def broken_off(reading: Reading, early: EarlyReader) -> Reading:
    """The same, which says so where what was to come did not, even if all that is there is complete."""
    told = any(repair.what.id == "plan-cut-short" for repair in reading.repairs)
    if early.broke_off is None or told or _is_whole(early.text):
        return reading
    return replace(reading, parts=(*reading.parts, CUT_SHORT))


def _is_whole(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def remaining(reading: Reading, early: EarlyReader) -> Iterator[PlanPart]:
    """What the whole plan says beyond what was handed on early; what it contradicts is withdrawn.

    A step that is there again under another number is the one that was handed on.
    """
    before = early.tasks
    plan = reading.plan
    same = _unchanged(plan.tasks, before)
    kept = {*same.values()}
    gone = [id_ for id_ in before if id_ not in kept]
    needless = {one.task: one.what for one in reading.dropped if one.task in gone}
    for id_ in reversed(gone):
        corrected = Sentence("plan-corrected", {"kind": before[id_].kind.name})
        yield Withdrawn(id_, needless.get(id_, corrected))
    renamed = {**_renamed(plan.tasks, before, same), **same}
    for part in reading.parts:
        match part:
            case Proposed(task, model, reason):
                if task.id not in same:
                    yield Proposed(_under(task, renamed), model, reason)
            case Repaired(repair) if repair.dropped and repair.task in needless:
                pass
            case Repaired(repair) if repair.task in renamed:
                yield Repaired(replace(repair, task=renamed[repair.task]))
            case _:
                yield part


def _unchanged(tasks: tuple[Task, ...], before: Mapping[TaskId, Task]) -> Mapping[TaskId, TaskId]:
    """The tasks that are as they were, and all that they need is; each with the id it was handed on under."""
    same: dict[TaskId, TaskId] = {}
    for task in tasks:
        free = [id_ for id_ in (task.id, *before) if id_ in before and id_ not in same.values()]
        alike = (id_ for id_ in free if before[id_] == _under(task, {**same, task.id: id_}))
        if task.needs <= same.keys() and (found := next(alike, None)) is not None:
            same[task.id] = found
    return same


def _renamed(
    tasks: tuple[Task, ...], before: Mapping[TaskId, Task], same: Mapping[TaskId, TaskId]
) -> Mapping[TaskId, TaskId]:
    """A free id for each task that would take that of one that was handed on."""
    taken = {*before, *(task.id for task in tasks)}
    free = iter(at for at in range(FIRST_OWN_ID, FIRST_OWN_ID + 1000) if at not in taken)
    return {
        task.id: TaskId(next(free)) for task in tasks if task.id in before and task.id not in same
    }


def _under(task: Task, renamed: Mapping[TaskId, TaskId]) -> Task:
    def piece(arg: Arg) -> Arg:
        return Ref(renamed.get(arg.task, arg.task), arg.slot) if isinstance(arg, Ref) else arg

    return Task(
        renamed.get(task.id, task.id),
        task.kind,
        {name: tuple(map(piece, args)) for name, args in task.args.items()},
        frozenset(renamed.get(id_, id_) for id_ in task.after),
    )
