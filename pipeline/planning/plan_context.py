"""The state of validation: the request, the tasks so far, and the task that is being repaired."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, count

from pipeline.domain import LocalizedText, Repair, Request, Slot, Task, TaskId, TaskKind, Type
from pipeline.planning.pieces import StepReference

_FIRST_OWN_ID = 101
"""Ids of tasks added by repair start here."""


@dataclass(slots=True)
class PlanContext:
    """The request and the tasks validated so far."""

    request: Request
    kinds: Mapping[str, TaskKind]
    tasks: dict[TaskId, Task] = field(default_factory=dict)
    families: dict[str, tuple[TaskId, ...]] = field(default_factory=dict)
    """Label → its tasks: several if the step is repeated for several files, none if dropped."""

    def list_ids(self, labels: Iterable[str]) -> list[TaskId]:
        """The ids of the tasks that these steps became."""
        return [id_ for label in labels for id_ in self.families.get(label, ())]

    def find_family(self, label: str) -> list[Task]:
        """The tasks that a step became."""
        return [self.tasks[id_] for id_ in self.list_ids([label])]

    def list_offers(self, reference: StepReference) -> tuple[Type, ...]:
        """The types of the outputs that a reference may mean; empty if it leads to no task."""
        outputs = (out for task in self.find_family(reference.label) for out in task.kind.makes)
        return tuple(type_ for out in outputs for type_ in out.types)

    def choose_id(self, *, preferred: int = _FIRST_OWN_ID, but: Iterable[TaskId] = ()) -> TaskId:
        """The preferred id if it is free, or else a free one of our own."""
        taken = {*self.tasks, *but}
        ids = chain((preferred,), count(_FIRST_OWN_ID))
        return TaskId(next(id_ for id_ in ids if id_ not in taken))


@dataclass(slots=True)
class TaskDraft:
    """One task during repair: the tasks added before it, what it uses, and its repairs."""

    kind: TaskKind
    id: TaskId
    context: PlanContext
    used: set[TaskId] = field(default_factory=set)
    """Tasks whose outputs it uses, directly or through an inserted task."""
    apart: set[str] = field(default_factory=set)
    """Slots that take many files, but whose files were not listed for one task."""
    misnamed: set[str] = field(default_factory=set)
    """Slots for which the plan named a file that does not exist."""
    before: list[Task] = field(default_factory=list)
    """Inserted tasks that must come before it."""
    repairs: list[Repair] = field(default_factory=list)

    def report(self, message: str, **args: str | float | LocalizedText) -> None:
        """Record a repair, unless it is already recorded."""
        sentence = LocalizedText(message, {"kind": self.kind.name, **args})
        if all(repair.what != sentence for repair in self.repairs):
            self.repairs.append(Repair(sentence, self.id))

    def report_parameter(self, message: str, slot: Slot, value: str | float) -> None:
        name = LocalizedText("parameter", {"name": slot.name})
        self.report(message, parameter=name, value=value)
