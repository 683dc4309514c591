"""Kinds of tasks, tasks, and plans, which are acyclic and well typed from their making on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NewType

from pipeline.domain.conversation import FILE_TYPES, LocalizedText, Type
from pipeline.domain.values import Media, Number, Text

TaskId = NewType("TaskId", int)


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument or output of a kind.

    `types` lists what an argument takes, the preferred first; an output has one.
    """

    name: str
    types: tuple[Type, ...]
    required: bool = True
    many: bool = False
    """Takes several values at once (sentences, candidate labels)."""

    @property
    def type(self) -> Type:
        return self.types[0]

    @property
    def is_file(self) -> bool:
        return self.type in FILE_TYPES

    @property
    def takes_words(self) -> bool:
        return Type.TEXT in self.types


@dataclass(frozen=True, slots=True)
class TaskKind:
    """One row of the task table. Compared by its name."""

    name: str
    takes: tuple[Slot, ...] = field(compare=False)
    makes: tuple[Slot, ...] = field(compare=False)
    says: str = field(compare=False)
    """What it does, in one line for the language model and the person."""
    enabled_by: tuple[str, ...] = field(compare=False, default=())
    """Settings and extras, each of which would make it run where nothing else can."""
    anew: bool = field(compare=False, default=False)
    """Whoever asks once more expects another result, so an earlier one is never reused."""

    def argument(self, name: str) -> Slot | None:
        return next((slot for slot in self.takes if slot.name == name), None)

    def output(self, name: str) -> Slot | None:
        return next((slot for slot in self.makes if slot.name == name), None)


@dataclass(frozen=True, slots=True)
class Ref:
    """One output of an earlier task, by the name of its slot."""

    task: TaskId
    slot: str


Arg = Text | Media | Number | Ref
"""One piece of an argument: said in the request, a file, or what an earlier task makes."""


@dataclass(frozen=True, slots=True)
class Task:
    """One step of a plan.

    An argument is a tuple of pieces: pieces of a text are joined in order, a `many` slot keeps
    them apart.
    """

    id: TaskId
    kind: TaskKind
    args: Mapping[str, tuple[Arg, ...]]
    after: frozenset[TaskId] = frozenset()
    """Prerequisites that hand nothing over."""

    @property
    def pieces(self) -> tuple[Arg, ...]:
        return tuple(arg for args in self.args.values() for arg in args)

    @property
    def refs(self) -> tuple[Ref, ...]:
        return tuple(arg for arg in self.pieces if isinstance(arg, Ref))

    @property
    def files(self) -> tuple[Media, ...]:
        return tuple(arg for arg in self.pieces if isinstance(arg, Media))

    @property
    def needs(self) -> frozenset[TaskId]:
        return self.after | {ref.task for ref in self.refs}


@dataclass(frozen=True, slots=True)
class Plan:
    """Tasks in an order in which each comes after all it needs.

    Raises ValueError when an id is given twice or a task needs one that does not stand before it.
    """

    tasks: tuple[Task, ...] = ()

    def __post_init__(self) -> None:
        seen: dict[TaskId, Task] = {}
        for task in self.tasks:
            if task.id in seen:
                raise ValueError(f"the plan has task {task.id} twice")
            if missing := task.needs - seen.keys():
                later = ", ".join(map(str, sorted(missing)))
                raise ValueError(f"task {task.id} depends on {later}, which must come before it")
            for ref in task.refs:
                if seen[ref.task].kind.output(ref.slot) is None:
                    raise ValueError(f"task {ref.task} has no output {ref.slot!r}")
            seen[task.id] = task

    def task(self, wanted: TaskId) -> Task:
        return next(task for task in self.tasks if task.id == wanted)

    @property
    def files(self) -> tuple[Media, ...]:
        """The files that the plan begins with, each once."""
        return tuple(dict.fromkeys(file for task in self.tasks for file in task.files))

    @property
    def ends(self) -> tuple[Task, ...]:
        """The tasks whose outputs no other task uses."""
        used = {ref.task for task in self.tasks for ref in task.refs}
        return tuple(task for task in self.tasks if task.id not in used)


@dataclass(frozen=True, slots=True)
class Repair:
    """What was changed or dropped in a plan while it was read, told to the person."""

    what: LocalizedText
    task: TaskId | None = None
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Proposed:
    """A planner's word: this task, and the model it would take ("" leaves the choice open)."""

    task: Task
    model: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A planner's word: this was mended."""

    repair: Repair


@dataclass(frozen=True, slots=True)
class Replanned:
    """A planner's word: the plan starts over; what follows replaces every task proposed so far.

    A step of the new plan that equals one that has begun (kind, arguments, occurrence) is that one;
    what the new plan does not contain is cancelled. Repairs and a reply told before are dropped.
    """


@dataclass(frozen=True, slots=True)
class Replied:
    """A planner's word: no task is needed, this is the reply (or the question back)."""

    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """A planner's word: something the person should know of how the plan came about."""

    notice: LocalizedText


PlanPart = Proposed | Repaired | Replanned | Replied | Noticed
"""What a planner yields, in the order it comes to know it."""
