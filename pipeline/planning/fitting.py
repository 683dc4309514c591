"""What fits where: outputs to arguments, by the types of the task table and the table of conversions."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from pipeline.conversions import WITH_A_TASK, convertible
from pipeline.domain import FILE_TYPES, Arg, Media, Ref, Slot, Task, TaskId, TaskKind, Text, Type
from pipeline.domain.values import Number

Tasks = Mapping[TaskId, Task]


def offered(kind: TaskKind, slot: Slot, wanted: str = "") -> Slot | None:
    """The output of a kind that an argument takes as it is, or else one that becomes what it takes."""
    asked = tuple(out for out in kind.makes if wanted and wanted in (out.name, *out.types))
    outputs = asked or kind.makes
    return next(
        (
            out
            for suits in (lambda source, target: source == target, convertible)
            for target in slot.types
            for out in outputs
            if any(suits(source, target) for source in out.types)
        ),
        None,
    )


def bridge(types: Iterable[Type], slot: Slot) -> str:
    """The kind of task that makes of one of these types what an argument takes; "" when there is none."""
    for source in types:
        for target in slot.types:
            if kind := WITH_A_TASK.get((source, target)):
                return kind
            if (source, target) == (Type.VIDEO, Type.TEXT):
                return WITH_A_TASK[Type.AUDIO, Type.TEXT]
    return ""


def types_of(arg: Arg, tasks: Tasks) -> tuple[Type, ...]:
    """The types that a piece of an argument may have: one, but for what media conversion makes."""
    match arg:
        case Text():
            return (Type.TEXT,)
        case Number():
            return (Type.NUMBER,)
        case Media(attachment):
            return (attachment.type,)
        case Ref(task, name):
            slot = tasks[task].kind.output(name)
            return slot.types if slot else ()


def suits(types: Iterable[Type], slot: Slot) -> bool:
    """Whether one of the types is what an argument takes, or becomes it."""
    return any(convertible(source, target) for source in types for target in slot.types)


def sources(
    task: Task, tasks: Tasks, *, until: Callable[[Task], bool] = lambda _task: False
) -> Iterator[Task]:
    """A task and all that it was made of, directly or by way of others: each once, the nearest first.

    What tasks of which `until` holds were made of is left out.
    """
    found = {task.id: task}
    waiting = deque((task,))
    while waiting:
        yield (one := waiting.popleft())
        for ref in () if until(one) else one.refs:
            if ref.task not in found:
                found[ref.task] = tasks[ref.task]
                waiting.append(tasks[ref.task])


def takes(kind: TaskKind, type_: Type) -> bool:
    """Whether any argument of a kind takes a type."""
    return any(suits((type_,), slot) for slot in kind.takes)


def takes_files(slot: Slot) -> bool:
    """Whether an argument is a file in the first place."""
    return slot.type in FILE_TYPES


def takes_words(slot: Slot) -> bool:
    return Type.TEXT in slot.types
