"""Several files where a task takes one: a task for each."""

from collections.abc import Mapping

from pipeline.domain import Arg, Ref, Slot, TaskKind, Text
from pipeline.planning.fitting import Tasks, bridge, takes_files, takes_words, types_of
from pipeline.planning.ground import Draft, Ground
from pipeline.planning.resolving import insert

Args = Mapping[str, tuple[Arg, ...]]
MOST = 16
"""How many tasks one may become."""


def unfolded(kind: TaskKind, given: Args, ground: Ground, draft: Draft) -> list[Args]:
    """The arguments of each of the tasks that one becomes; mostly just one."""
    slots = {slot.name: slot for slot in kind.takes}
    flat = {name: _single(slots[name], args, ground, draft) for name, args in given.items()}
    tasks = draft.known(ground)
    files = {
        slot.name
        for slot in kind.takes
        if len(args := flat.get(slot.name, ())) > 1
        and takes_files(slot)
        and not _all_words(slot, args, tasks)
    }
    count = max((len(flat[name]) for name in files), default=1)
    if count > MOST:
        draft.tell("plan-too-many", count=count, most=MOST)
    elif count > 1:
        draft.tell("plan-unfolded", count=count)
    count = min(count, MOST)
    spread = files | {name for name in flat if count > 1 and _one_for_each(flat[name], count)}
    return [
        {
            name: (values[at % len(values)],) if name in spread else values
            for name, values in flat.items()
        }
        for at in range(count)
    ]


def _one_for_each(values: tuple[Arg, ...], count: int) -> bool:
    return len(values) == count and all(isinstance(value, Ref) for value in values)


def _all_words(slot: Slot, args: tuple[Arg, ...], tasks: Tasks) -> bool:
    return all(_is_words(arg, slot, tasks) for arg in args)


def _is_words(arg: Arg, slot: Slot, tasks: Tasks) -> bool:
    types = types_of(arg, tasks)
    return isinstance(arg, Text) or not set(types) & (set(slot.types) - {"text"})


def _single(slot: Slot, args: tuple[Arg, ...], ground: Ground, draft: Draft) -> tuple[Arg, ...]:
    """One argument's pieces without a mixture: words among files go, files among words become words."""
    tasks = draft.known(ground)
    if len(args) < 2 or _all_words(slot, args, tasks):  # noqa: PLR2004
        return args
    if takes_files(slot):
        return (
            tuple(arg for arg in args if not isinstance(arg, Text)) if takes_words(slot) else args
        )
    return tuple(_as_words(arg, slot, ground, draft) for arg in args)


def _as_words(arg: Arg, slot: Slot, ground: Ground, draft: Draft) -> Arg:
    tasks = draft.known(ground)
    if _is_words(arg, slot, tasks):
        return arg
    words = Slot(slot.name, (slot.type,))
    kind = bridge(types_of(arg, tasks), words)
    return (insert(kind, arg, ground, draft) if kind else None) or arg
