"""What a reader of plans stands on: the tasks understood so far, the files at hand, and what was changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pipeline.domain import (
    Media,
    NamedFile,
    Proposed,
    Repair,
    Repaired,
    Request,
    Sentence,
    Slot,
    Task,
    TaskId,
    TaskKind,
    Type,
)
from pipeline.planning.mentions import BY_KIND, Mention
from pipeline.table import KINDS

FIRST_OWN_ID = 101
"""Tasks that the reader puts in itself are numbered from here on."""


@dataclass(slots=True)
class Ground:
    """Grows with each task that is understood. `families` has the tasks that each label stands for."""

    request: Request
    kinds: Mapping[str, TaskKind] = field(default_factory=lambda: KINDS)
    tasks: dict[TaskId, Task] = field(default_factory=dict)
    families: dict[str, tuple[TaskId, ...]] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    reserved: set[int] = field(default_factory=set)

    def settled(self, label: str) -> bool:
        return label in self.families or label in self.gone or bool(self._by_kind(label))

    def family(self, mention: Mention) -> tuple[Task, ...]:
        ids = self.families.get(mention.label, ())
        return tuple(self.tasks[id_] for id_ in ids) or self._by_kind(mention.label)

    def _by_kind(self, label: str) -> tuple[Task, ...]:
        """The last task of the kind that a label names."""
        if not label.startswith(BY_KIND):
            return ()
        kind = label.removeprefix(BY_KIND)
        return tuple(task for task in self.tasks.values() if task.kind.name == kind)[-1:]

    def offers(self, mention: Mention) -> tuple[Type, ...]:
        return tuple(
            type_ for task in self.family(mention) for out in task.kind.makes for type_ in out.types
        )

    def own_id(self, label: str, position: int) -> TaskId:
        """The id for a task: the one it was given if it is a free number, else its place, else a free one."""
        wanted = int(label) if label.isdecimal() and len(label) < 4 else position  # noqa: PLR2004
        if wanted in self.tasks or wanted in self.reserved:
            return self.fresh_id()
        return TaskId(wanted)

    def fresh_id(self) -> TaskId:
        taken = {*self.tasks, *self.reserved}
        fresh = next(
            at for at in range(FIRST_OWN_ID, FIRST_OWN_ID + len(taken) + 1) if at not in taken
        )
        self.reserved.add(fresh)
        return TaskId(fresh)

    def files(self, slot: Slot) -> tuple[NamedFile, ...]:
        """The files that a missing argument may mean: this message's, else those that came last in the thread."""
        now = self._suiting(self.request.files, slot)
        if now:
            return now
        for turn in reversed(self.request.context.turns):
            if before := self._suiting(turn.files, slot):
                return before[-1:]
        return ()

    def _suiting(self, files: Iterable[NamedFile], slot: Slot) -> tuple[NamedFile, ...]:
        return tuple(file for file in files if file.attachment.type in slot.types)


_LOSSES = frozenset(
    {
        "plan-extra",
        "plan-unknown-file",
        "plan-url",
        "plan-reference-dropped",
        "plan-reference-unfit",
    }
)


@dataclass(slots=True)
class Draft:
    """The work on one task: what is put in before it, and what is told; counts only when the task stands."""

    kind: TaskKind
    id: TaskId
    used: set[TaskId] = field(default_factory=set)
    """Tasks whose outputs it uses, directly or by way of others."""
    misnamed: set[str] = field(default_factory=set)
    """Arguments for which a file was named that is not there."""
    misfits: list[Type] = field(default_factory=list)
    """Types that it was given and that its kind does not take."""
    before: list[Task] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)

    def known(self, ground: Ground) -> Mapping[TaskId, Task]:
        """The tasks understood so far and those put in for this one."""
        return {**ground.tasks, **{task.id: task for task in self.before}}

    @property
    def lost(self) -> bool:
        """Whether something that was written is not used."""
        return any(repair.what.id in _LOSSES for repair in self.repairs)

    def tell(self, what: str, **args: str | float) -> None:
        sentence = Sentence(what, {"kind": self.kind.name, **args})
        if all(repair.what != sentence for repair in self.repairs):
            self.repairs.append(Repair(sentence, self.id))

    def parts(self, model: str, reason: str, tasks: Iterable[Task]) -> list[Repaired | Proposed]:
        """What a planner says of it: the repairs first, then the tasks in their order."""
        return [
            *(Repaired(repair) for repair in self.repairs),
            *(Proposed(task) for task in self.before),
            *(Proposed(task, model, reason) for task in tasks),
        ]


def media(files: Iterable[NamedFile]) -> tuple[Media, ...]:
    return tuple(Media(file.attachment) for file in files)
