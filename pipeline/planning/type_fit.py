"""Which outputs of tasks fit which slots, by their types."""

from collections.abc import Iterable

from pipeline.domain import Slot, TaskKind, Type
from pipeline.domain.conversions import WITH_A_TASK, is_convertible


def find_output(kind: TaskKind, slot: Slot, name: str = "") -> Slot | None:
    """The output of a kind to pass to a slot: one of the same type, or else a convertible one.

    `name`: the name or type of output that the plan refers to ("" if none).
    """
    named = tuple(out for out in kind.makes if name and name in (out.name, *out.types))
    outputs = named or kind.makes
    same = (out for target in slot.types for out in outputs if target in out.types)
    suitable = (out for out in outputs if is_suitable(out.types, slot))
    return next(same, None) or next(suitable, None)


def find_bridge(types: Iterable[Type], slot: Slot) -> str:
    """The kind of task that converts one of these types for a slot; "" if there is none."""
    pairs = [(source, target) for source in types for target in slot.types]
    return next((WITH_A_TASK[pair] for pair in pairs if pair in WITH_A_TASK), "")


def is_suitable(types: Iterable[Type], slot: Slot) -> bool:
    """Whether a slot takes one of the types, or one that converts without a task."""
    return any(is_convertible(source, target) for source in types for target in slot.types)
