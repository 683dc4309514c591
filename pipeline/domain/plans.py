"""Kinds of tasks, tasks, and plans. A plan is checked when it is constructed."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from math import inf

from pipeline.domain.files import FILE_TYPES, Type
from pipeline.domain.ids import TaskId
from pipeline.domain.sentences import LocalizedText
from pipeline.domain.values import Media, Number, Text


class Form(StrEnum):
    """How a parameter is written."""

    WORDS = "words"
    INTEGER = "integer"
    NUMBER = "number"
    SIZE = "size"
    """Width and height in pixels: 1024x768."""
    RATIO = "ratio"
    """Width to height: 16:9."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument or output of a kind.

    `types` lists the types an argument accepts, preferred first; an output has one.
    """

    name: str
    types: tuple[Type, ...]
    _: KW_ONLY
    required: bool = True
    many: bool = False
    """Takes several values at once (sentences, candidate labels, images to combine)."""
    short: bool = False
    """Takes a few words, such as a language."""
    form: Form | None = None
    """Set for a parameter such as a seed, which only an argument of that name fills."""
    bounds: tuple[float, float] = (0, inf)
    """The lowest and highest value of a parameter: a number, a side in pixels, or the quotient of a
    ratio."""

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
    """One row of the task table. Compared by name."""

    name: str
    takes: tuple[Slot, ...] = field(compare=False)
    makes: tuple[Slot, ...] = field(compare=False)
    enabled_by: tuple[str, ...] = field(compare=False, default=())
    """Settings and extras that enable this kind; any one of them is enough."""
    _: KW_ONLY
    anew: bool = field(compare=False, default=False)
    """Never reuse an earlier result: people who ask again expect a different one."""

    def argument(self, name: str) -> Slot | None:
        return next((slot for slot in self.takes if slot.name == name), None)

    def output(self, name: str) -> Slot | None:
        return next((slot for slot in self.makes if slot.name == name), None)


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to an output of an earlier task, by slot name."""

    task: TaskId
    slot: str


Arg = Text | Media | Number | Ref
"""One piece of an argument: a literal value, a file, or the output of an earlier task."""


@dataclass(frozen=True, slots=True)
class Task:
    """One step of a plan.

    An argument is a tuple of pieces. A `many` slot takes each as a separate value; pieces of text
    for any other slot are joined in order.
    """

    id: TaskId
    kind: TaskKind
    args: Mapping[str, tuple[Arg, ...]]
    after: frozenset[TaskId] = frozenset()
    """Tasks that must finish first although no argument refers to them."""

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
    """Tasks in topological order: each comes after the tasks it depends on.

    Raises ValueError for a duplicate id, or a dependency or output that does not exist.
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

    def task(self, task_id: TaskId) -> Task:
        return next(task for task in self.tasks if task.id == task_id)

    @property
    def files(self) -> tuple[Media, ...]:
        """The input files of the plan, without duplicates."""
        return tuple(dict.fromkeys(file for task in self.tasks for file in task.files))

    @property
    def ends(self) -> tuple[Task, ...]:
        """The tasks whose outputs no other task uses."""
        used = {ref.task for task in self.tasks for ref in task.refs}
        return tuple(task for task in self.tasks if task.id not in used)


@dataclass(frozen=True, slots=True)
class Repair:
    """A change made to a plan while validating it. Always reported to the person."""

    what: LocalizedText
    task: TaskId | None = None
    dropped: bool = False


@dataclass(frozen=True, slots=True)
class Proposed:
    """From a planner: a task, and the model it suggests ("" for none)."""

    task: Task
    model: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Repaired:
    """From a planner: the plan was repaired."""

    repair: Repair


@dataclass(frozen=True, slots=True)
class Replanned:
    """From a planner: the plan starts over; what follows replaces everything proposed so far.

    A step already started continues if the new plan has an equal one (kind, arguments, occurrence);
    otherwise it is cancelled. Earlier repairs and an earlier reply are dropped.
    """


@dataclass(frozen=True, slots=True)
class Replied:
    """From a planner: no task is needed; this is the reply, or a question to the person."""

    text: str
    is_refusal: bool = False
    """The reply says why nothing is done, or asks back."""
    sentence: str = ""
    """The id of our own sentence, if the reply is one; "" for a model's words."""


@dataclass(frozen=True, slots=True)
class ReplyPart:
    """From a planner: a piece of the reply while it is being written. `Replied` has it all."""

    text: str


@dataclass(frozen=True, slots=True)
class Noticed:
    """From a planner: something the person should know about the planning."""

    notice: LocalizedText


@dataclass(frozen=True, slots=True)
class Unfinished:
    """From a planner: which tasks come next depends on the results of these."""


@dataclass(frozen=True, slots=True)
class Silent:
    """From a planner: the message is not meant for the bot; it gets no answer."""

    leaves_thread: bool = False
    """It says that the last answer was not wanted: stay out of the thread until mentioned."""


PlanPart = Proposed | Repaired | Replanned | ReplyPart | Replied | Noticed | Unfinished | Silent
"""What a planner yields, as soon as each part is known."""
