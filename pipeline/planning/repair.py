"""Typed repair: from pieces as written to arguments that each slot takes. Each change is told."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count

from pipeline.domain import (
    Arg,
    LocalizedText,
    Media,
    NamedFile,
    Ref,
    Repair,
    Request,
    Slot,
    Task,
    TaskId,
    TaskKind,
    Text,
    Type,
)
from pipeline.planning.arguments import (
    Piece,
    StepReference,
    WrittenArgument,
    find_bridge,
    find_output,
    is_address,
    is_suitable,
)
from pipeline.text import shorten

Args = Mapping[str, tuple[Arg, ...]]

MOST_COPIES = 16
"""How many tasks one may become, for as many files."""
_FIRST_OWN_ID = 101
"""Tasks that repair adds are numbered from here on."""
LONGEST_TOLD = 60
"""Characters of a text of the plan that is told."""


@dataclass(slots=True)
class PlanContext:
    """The tasks understood so far; grows with each."""

    request: Request
    kinds: Mapping[str, TaskKind]
    tasks: dict[TaskId, Task] = field(default_factory=dict)
    families: dict[str, tuple[TaskId, ...]] = field(default_factory=dict)
    """The tasks that each label stands for: several where one was done for each file, none where
    the step was left out.
    """

    def ids(self, labels: Iterable[str]) -> list[TaskId]:
        return [id_ for label in labels for id_ in self.families.get(label, ())]

    def family(self, label: str) -> list[Task]:
        return [self.tasks[id_] for id_ in self.ids([label])]

    def offers(self, reference: StepReference) -> tuple[Type, ...]:
        outputs = (out for task in self.family(reference.label) for out in task.kind.makes)
        return tuple(type_ for out in outputs for type_ in out.types)

    def free_id(self, *, wanted: int = _FIRST_OWN_ID, but: Iterable[TaskId] = ()) -> TaskId:
        """The number wanted, or else a free one of our own."""
        taken = {*self.tasks, *but}
        return TaskId(next(at for at in chain((wanted,), count(_FIRST_OWN_ID)) if at not in taken))


@dataclass(slots=True)
class TaskDraft:
    """The work on one task: what is added before it, what it uses, and what is told."""

    kind: TaskKind
    id: TaskId
    context: PlanContext
    used: set[TaskId] = field(default_factory=set)
    """Tasks whose outputs it uses, directly or by way of others."""
    misnamed: set[str] = field(default_factory=set)
    """Arguments for which a file was named that does not exist."""
    before: list[Task] = field(default_factory=list)
    """Tasks that are added before it."""
    repairs: list[Repair] = field(default_factory=list)

    def tell(self, what: str, **args: str | float) -> None:
        """Note a repair, once."""
        sentence = LocalizedText(what, {"kind": self.kind.name, **args})
        if all(repair.what != sentence for repair in self.repairs):
            self.repairs.append(Repair(sentence, self.id))


def resolve(written: Sequence[WrittenArgument], slot: Slot, draft: TaskDraft) -> tuple[Arg, ...]:
    """The pieces of one argument, each of a type that the slot takes; the rest is told."""
    args: list[Arg] = []
    for argument in written:
        resolved = [arg for piece in argument.pieces for arg in _resolve_piece(piece, slot, draft)]
        if args and resolved and not slot.many and isinstance(args[-1], Text):
            args.append(Text("\n"))
        args += [part for arg in resolved for part in _split_labels(arg, slot)]
    if slot.is_file:  # files stay alone, each once
        args = [*dict.fromkeys(arg for arg in args if not isinstance(arg, Text))] or args
    elif len(args) > 1:  # files among words become words
        args = [_to_words(arg, slot, draft) for arg in args]
    if all(isinstance(arg, Text) and not arg.text.strip() for arg in args):
        return ()
    return tuple(args)


def _to_words(arg: Arg, slot: Slot, draft: TaskDraft) -> Arg:
    """A file among words is read or described."""
    if not isinstance(arg, Media):
        return arg
    kind = find_bridge((arg.attachment.type,), Slot(slot.name, (Type.TEXT,)))
    return insert_task(kind, arg, draft) or arg


def _split_labels(arg: Arg, slot: Slot) -> Iterable[Arg]:
    """Labels written as a list in one text, each by itself."""
    if slot.name != "labels" or not slot.many or not isinstance(arg, Text):
        return (arg,)
    parts = re.split(r"[,;|/\n]", arg.text)
    return tuple(Text(word) for part in parts if (word := part.strip(" .?!'\"")))


def _resolve_piece(piece: Piece, slot: Slot, draft: TaskDraft) -> Iterable[Arg]:
    match piece:
        case str(text):
            return _resolve_words(text, slot, draft)
        case StepReference():
            return _resolve_reference(piece, slot, draft)
        case Media(attachment):
            if is_suitable((attachment.type,), slot):
                return (piece,)
            kind = find_bridge((attachment.type,), slot) if slot.required else ""
            if inserted := insert_task(kind, piece, draft):
                return (inserted,)
            draft.tell("plan-extra", extra=attachment.name)
            return ()


def _resolve_words(text: str, slot: Slot, draft: TaskDraft) -> Iterable[Arg]:
    if slot.takes_words:
        return (Text(text),)
    if any(sign.isalnum() for sign in text):
        draft.misnamed.add(slot.name)
        told = "plan-url" if is_address(text) else "plan-unknown-file"
        draft.tell(told, file=shorten(text, LONGEST_TOLD))
    return ()


def _resolve_reference(reference: StepReference, slot: Slot, draft: TaskDraft) -> list[Arg]:
    family = draft.context.family(reference.label)
    if not family:
        draft.tell("plan-reference-dropped", label=shorten(reference.label, LONGEST_TOLD))
        return []
    outputs = (use_output(task, slot, draft, wanted=reference.output) for task in family)
    args = [arg for arg in outputs if arg is not None]
    if not args:
        draft.tell("plan-reference-unfit", slot=slot.name, source=family[0].kind.name)
    return args


def use_output(task: Task, slot: Slot, draft: TaskDraft, *, wanted: str = "") -> Arg | None:
    """What a task makes, as an argument takes it: as it is, converted, or by a task in between."""
    draft.used.add(task.id)
    if output := find_output(task.kind, slot, wanted):
        return Ref(task.id, output.name)
    for made in task.kind.makes if slot.required else ():
        if inserted := insert_task(find_bridge(made.types, slot), Ref(task.id, made.name), draft):
            return inserted
    return None


def insert_task(kind_name: str, source: Arg, draft: TaskDraft) -> Ref | None:
    """The output of a task put in between, which turns one piece into what the argument takes."""
    kind = draft.context.kinds.get(kind_name)
    if kind is None:
        return None
    args = {kind.takes[0].name: (source,)}
    known = (*draft.context.tasks.values(), *draft.before)
    id_ = next((task.id for task in known if (task.kind, task.args) == (kind, args)), None)
    if id_ is None:
        id_ = draft.context.free_id(but=(draft.id, *(task.id for task in draft.before)))
        draft.before.append(Task(id_, kind, args))
        draft.tell("plan-inserted", inserted=kind_name)
    draft.used.add(id_)
    return Ref(id_, kind.makes[0].name)


def fill_missing(slot: Slot, needs: Iterable[TaskId], draft: TaskDraft) -> tuple[Arg, ...]:
    """A required argument that was not given, from the one source that makes sense, or nothing.

    The output of a step it waits for; else the files of that type; else the latest earlier
    output; else the words of the request.
    """
    tasks = draft.context.tasks
    files = _find_files(slot, draft)
    waited_for = [tasks[id_] for id_ in needs if id_ not in draft.used]
    fitting = [task for task in tasks.values() if find_output(task.kind, slot) and not files]
    for task in (*reversed(waited_for), *fitting[-1:]) if slot.name != "question" else ():
        if arg := use_output(task, slot, draft):
            draft.tell("plan-filled-output", slot=slot.name, source=task.kind.name)
            return (arg,)
    if files:
        told = ", ".join(file.name for file in files)
        draft.tell("plan-filled-file", slot=slot.name, file=told)
        return tuple(Media(file.attachment) for file in files)
    text = draft.context.request.text.strip()
    if not text or not slot.takes_words or slot.many:
        return ()
    draft.tell("plan-filled-request", slot=slot.name)
    return (Text(text),)


def _find_files(slot: Slot, draft: TaskDraft) -> Sequence[NamedFile]:
    """The files that a missing argument may mean: the message's, else the thread's last one."""
    if not slot.is_file:
        return ()
    request = draft.context.request
    sent = [file for file in request.files if file.attachment.type in slot.types]
    earlier = [file for file in request.context.files if file.attachment.type in slot.types]
    files = sent or earlier[-1:]
    return () if slot.name in draft.misnamed and len(files) > 1 else files


def fan_out(args: Args, draft: TaskDraft) -> list[Args]:
    """The arguments of each task that one becomes: several files where one is taken."""
    slots = (slot.name for slot in draft.kind.takes if slot.is_file and slot.name in args)
    files = {name for name in slots if not all(isinstance(arg, Text) for arg in args[name])}
    most = max((len(args[name]) for name in files), default=1)
    if most == 1:
        return [args]
    copies = min(most, MOST_COPIES)
    draft.tell("plan-unfolded" if copies == most else "plan-too-many", count=most, most=copies)

    def give(name: str, at: int) -> tuple[Arg, ...]:
        values = args[name]
        is_row = len(values) == most and all(isinstance(value, Ref) for value in values)
        return (values[at % len(values)],) if name in files or is_row else values

    return [{name: give(name, at) for name in args} for at in range(copies)]
