"""Typed repair: make the pieces of arguments fit the slots of a kind. Each change is recorded.

No kind is exchanged for another: what nothing converts is quoted to the language model.
"""

import re
from collections.abc import Iterable, Sequence

from pipeline.domain import Arg, Media, NamedFile, Number, Ref, Slot, Task, TaskId, Text, Type
from pipeline.parameters import parse_parameter
from pipeline.planning.arguments import WrittenArgument
from pipeline.planning.pieces import Piece, StepReference, is_address
from pipeline.planning.plan_context import TaskDraft
from pipeline.planning.type_fit import find_bridge, find_output, is_suitable
from pipeline.text import shorten

MOST_QUOTED = 60
"""Characters of the plan's text quoted in a message."""


def resolve(written: Sequence[WrittenArgument], slot: Slot, draft: TaskDraft) -> tuple[Arg, ...]:
    """The values for one slot, converted to its types; what does not fit is reported."""
    if slot.form:
        return _resolve_parameter(written, slot, draft)
    if sum(len(argument.pieces) for argument in written) == 1:
        draft.apart.add(slot.name)
    args: list[Arg] = []
    for argument in written:
        resolved = [arg for piece in argument.pieces for arg in _resolve_piece(piece, slot, draft)]
        if args and resolved and not slot.many and isinstance(args[-1], Text):
            args.append(Text("\n"))
        args += [part for arg in resolved for part in _split_labels(arg, slot)]
    if slot.is_file:  # only files, without duplicates
        args = [*dict.fromkeys(arg for arg in args if not isinstance(arg, Text))] or args
    elif len(args) > 1:  # files in a text are converted to words
        args = [_to_words(arg, slot, draft) for arg in args]
    if all(isinstance(arg, Text) and not arg.text.strip() for arg in args):
        return ()
    return tuple(args)


def _resolve_parameter(
    written: Sequence[WrittenArgument], slot: Slot, draft: TaskDraft
) -> tuple[Arg, ...]:
    """The value of a parameter; reports one that cannot be read or was beyond its bounds."""
    text = " ".join(argument.text for argument in written)
    pieces = (piece for argument in written for piece in argument.pieces)
    refers = any(isinstance(piece, StepReference) for piece in pieces)
    value = None if refers else parse_parameter(slot, text)
    if value is None:
        draft.report_parameter("plan-parameter-unread", slot, shorten(text, MOST_QUOTED))
        return ()
    if isinstance(value, Number):
        bounded = Number(min(max(value.value, slot.bounds[0]), slot.bounds[1]))
        if bounded != value:
            draft.report_parameter("plan-parameter-bounded", slot, bounded.value)
        return (bounded,)
    return (value,)


def _to_words(arg: Arg, slot: Slot, draft: TaskDraft) -> Arg:
    """Insert a task that reads or describes a file; other values are returned unchanged."""
    if not isinstance(arg, Media):
        return arg
    return _convert(arg, (arg.attachment.type,), Slot(slot.name, (Type.TEXT,)), draft) or arg


def _split_labels(arg: Arg, slot: Slot) -> Iterable[Arg]:
    """Split labels that were written as a list in one text."""
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
            if converted := _convert(piece, (attachment.type,), slot, draft):
                return (converted,)
            draft.report("plan-extra", extra=attachment.name)
            return ()


def _resolve_words(text: str, slot: Slot, draft: TaskDraft) -> Iterable[Arg]:
    if slot.takes_words:
        return (Text(text),)
    if any(sign.isalnum() for sign in text):
        draft.misnamed.add(slot.name)
        message = "plan-url" if is_address(text) else "plan-unknown-file"
        draft.report(message, file=shorten(text, MOST_QUOTED))
    return ()


def _resolve_reference(reference: StepReference, slot: Slot, draft: TaskDraft) -> list[Arg]:
    family = draft.context.find_family(reference.label)
    if not family:
        draft.report("plan-reference-dropped", label=shorten(reference.label, MOST_QUOTED))
        return []
    outputs = (_use_output(task, slot, draft, name=reference.output) for task in family)
    args = [arg for arg in outputs if arg is not None]
    if not args:
        draft.report("plan-reference-unfit", slot=slot.name, source=family[0].kind.name)
    return args


def _use_output(task: Task, slot: Slot, draft: TaskDraft, *, name: str = "") -> Arg | None:
    """A reference to the output of a task that fits a slot, or of a task inserted to convert it."""
    draft.used.add(task.id)
    if output := find_output(task.kind, slot, name):
        return Ref(task.id, output.name)
    sources = ((Ref(task.id, out.name), out.types) for out in task.kind.makes)
    converted = (_convert(source, types, slot, draft) for source, types in sources)
    return next(filter(None, converted), None)


def _convert(source: Arg, types: Iterable[Type], slot: Slot, draft: TaskDraft) -> Ref | None:
    """The output of a task that converts a source of these types for a slot.

    The task is inserted before the draft, unless there is an equal one. None for a slot that may
    stay empty, or if no kind of task converts it.
    """
    kind = draft.context.kinds.get(find_bridge(types, slot)) if slot.required else None
    if kind is None:
        return None
    args = {kind.takes[0].name: (source,)}
    earlier = (*draft.context.tasks.values(), *draft.before)
    id_ = next((task.id for task in earlier if (task.kind, task.args) == (kind, args)), None)
    if id_ is None:
        id_ = draft.context.choose_id(but=(draft.id, *(task.id for task in draft.before)))
        draft.before.append(Task(id_, kind, args))
        draft.report("plan-inserted", inserted=kind.name)
    draft.used.add(id_)
    return Ref(id_, kind.makes[0].name)


def fill_missing(slot: Slot, needs: Iterable[TaskId], draft: TaskDraft) -> tuple[Arg, ...]:
    """Fill a required argument that the plan lacks; empty if nothing fits.

    In order: an output of a step that the task depends on, files of the slot's type, the latest
    suitable output, the text of the request.
    """
    tasks = draft.context.tasks
    files = _find_files(slot, draft)
    waited_for = [tasks[id_] for id_ in needs if id_ not in draft.used]
    fitting = [task for task in tasks.values() if find_output(task.kind, slot) and not files]
    for task in (*reversed(waited_for), *fitting[-1:]) if slot.name != "question" else ():
        if arg := _use_output(task, slot, draft):
            draft.report("plan-filled-output", slot=slot.name, source=task.kind.name)
            return (arg,)
    if files:
        draft.apart.add(slot.name)
        names = ", ".join(file.name for file in files)
        draft.report("plan-filled-file", slot=slot.name, file=names)
        return tuple(Media(file.attachment) for file in files)
    text = draft.context.request.text.strip()
    if not text or not slot.takes_words or slot.many:
        return ()
    draft.report("plan-filled-request", slot=slot.name)
    return (Text(text),)


def _find_files(slot: Slot, draft: TaskDraft) -> Sequence[NamedFile]:
    """Files for a missing argument: the message's, or else the latest of the thread."""
    if not slot.is_file:
        return ()
    request = draft.context.request
    sent = [file for file in request.files if file.attachment.type in slot.types]
    earlier = [file for file in request.context.files if file.attachment.type in slot.types]
    files = sent or earlier[-1:]
    return () if slot.name in draft.misnamed and len(files) > 1 else files
