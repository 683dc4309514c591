"""A task repeated: once for each of several files, and as often as it was asked for."""

from collections.abc import Mapping

from pipeline.domain import Arg, Number, Ref, Text
from pipeline.planning.plan_context import TaskDraft
from pipeline.task_kinds import MOST_SEED

Args = Mapping[str, tuple[Arg, ...]]
MOST_COPIES = 16
"""Copies of a task that is repeated for each of several files."""


def fan_out(args: Args, draft: TaskDraft) -> list[Args]:
    """Repeat a task for each of several files, and as often as its count says.

    Returns the arguments of each copy, at most `MOST_COPIES`; what is left out becomes a repair of
    the draft. Copies of a count get consecutive seeds. For example, a task that takes one image:

        {"image": (cat, dog), "prompt": (text,)}   → {"image": (cat,), "prompt": (text,)},
                                                     {"image": (dog,), "prompt": (text,)}
        {"prompt": (text,), "count": (2,), "seed": (7,)}
                                                   → {"prompt": (text,), "seed": (7,)},
                                                     {"prompt": (text,), "seed": (8,)}
    """
    copies = _repeat_for_files(args, draft)
    wanted = _find_number(args, "count")
    count = min(int(wanted or 1), MOST_COPIES // len(copies))
    slot = draft.kind.argument("count")
    if slot and wanted and count < wanted:
        draft.report_parameter("plan-parameter-bounded", slot, count)
    return [_vary_seed(copy, index) for copy in copies for index in range(count)]


def _vary_seed(args: Args, index: int) -> Args:
    """The arguments of a copy by its index, without the count."""
    rest = {name: values for name, values in args.items() if name != "count"}
    seed = _find_number(args, "seed")
    return rest if seed is None else {**rest, "seed": (Number((seed + index) % (MOST_SEED + 1)),)}


def _find_number(args: Args, name: str) -> float | None:
    return next((arg.value for arg in args.get(name, ()) if isinstance(arg, Number)), None)


def _repeat_for_files(args: Args, draft: TaskDraft) -> list[Args]:
    """The arguments of a copy for each file of a slot that takes one, or whose files are apart."""
    slots = (slot for slot in draft.kind.takes if slot.is_file and slot.name in args)
    names = (slot.name for slot in slots if not slot.many or slot.name in draft.apart)
    files = {name for name in names if not all(isinstance(arg, Text) for arg in args[name])}
    most = max((len(args[name]) for name in files), default=1)
    if most == 1:
        return [args]
    copies = min(most, MOST_COPIES)
    draft.report("plan-unfolded" if copies == most else "plan-too-many", count=most, most=copies)

    def select(name: str, index: int) -> tuple[Arg, ...]:
        values = args[name]
        is_row = len(values) == most and all(isinstance(value, Ref) for value in values)
        return (values[index % len(values)],) if name in files or is_row else values

    return [{name: select(name, index) for name in args} for index in range(copies)]
