"""From pieces as written to typed arguments: references to outputs, conversions by a task put in between."""

import re
from collections.abc import Iterable, Sequence

from pipeline.domain import Arg, Media, Ref, Slot, Task, TaskId, Text
from pipeline.planning.fitting import (
    bridge,
    offered,
    sources,
    suits,
    takes_files,
    takes_words,
    types_of,
)
from pipeline.planning.ground import Draft, Ground
from pipeline.planning.mentions import Mention, Piece, is_blank, is_placeholder, is_url
from pipeline.planning.slots import Group
from pipeline.table import KINDS

_LIST = re.compile(r"[,;/|\n]|\b(?:or|and)\b")
_COUNTED = re.compile(r"(?:the )?[a-z]+[\s_-]*#?(\d{1,2})", re.IGNORECASE)
_SPOKEN = "text-to-speech"
_MAPS = frozenset({"depth-estimation", *(name for name in KINDS if name.endswith("-control"))})
"""Kinds that make a picture for the next task, not to look at."""


def resolved(groups: Sequence[Group], slot: Slot, ground: Ground, draft: Draft) -> tuple[Arg, ...]:
    """The pieces of one argument, each of a type that it takes; what cannot be is left out and told."""
    args: list[Arg] = []
    for group in groups:
        found = [
            arg for piece in group.pieces for arg in _resolved_piece(piece, slot, ground, draft)
        ]
        if args and found and not slot.many and _runs_on(args[-1], found[0]):
            args.append(Text("\n"))
        args += [part for arg in found for part in _apart(arg, slot)]
    if not any(arg for arg in args if not isinstance(arg, Text) or arg.text.strip()):
        return ()
    return tuple(args)


def _apart(arg: Arg, slot: Slot) -> Iterable[Arg]:
    """Labels written as a list in one text, each by itself."""
    if slot.name == "labels" and slot.many and isinstance(arg, Text):
        return tuple(
            Text(word) for part in _LIST.split(arg.text) if (word := part.strip(" .?!'\""))
        )
    return (arg,)


def _runs_on(last: Arg, following: Arg) -> bool:
    """Whether two neighbours would be read as one word: two references get a line each by themselves."""
    words = isinstance(last, Text | Ref) and isinstance(following, Text | Ref)
    return words and not (isinstance(last, Ref) and isinstance(following, Ref))


def _resolved_piece(piece: Piece, slot: Slot, ground: Ground, draft: Draft) -> Iterable[Arg]:
    match piece:
        case str():
            return _words(piece, slot, ground, draft)
        case Mention():
            return _outputs(piece, slot, ground, draft)
        case Media():
            arg = _suited(piece, slot, ground, draft)
            if arg is None:
                draft.misfits.append(piece.attachment.type)
                draft.tell("plan-extra", extra=piece.attachment.name)
            return () if arg is None else (arg,)


def _words(text: str, slot: Slot, ground: Ground, draft: Draft) -> Iterable[Arg]:
    if is_placeholder(text):
        return ()
    if takes_words(slot):
        return () if slot.required and not slot.many and is_blank(text) else (Text(text),)
    if not text.strip(" \t\n.,;:&+-'\"()[]"):
        return ()
    if counted := _counted(text, slot, ground):
        return (counted,)
    draft.misnamed.add(slot.name)
    if is_url(text):
        draft.tell("plan-url")
    else:
        draft.tell("plan-unknown-file", file=_short(text))
    return ()


def _counted(text: str, slot: Slot, ground: Ground) -> Media | None:
    """The file that a name with a number means, counted among the message's files of that type ("photo 2")."""
    match = _COUNTED.fullmatch(text.strip())
    files = [file for file in ground.request.files if file.attachment.type in slot.types]
    at = int(match[1]) if match else 0
    return Media(files[at - 1].attachment) if 1 <= at <= len(files) else None


def _outputs(mention: Mention, slot: Slot, ground: Ground, draft: Draft) -> list[Arg]:
    family = ground.family(mention)
    if not family:
        return _replaced(mention, slot, ground, draft)
    found = (output_of(task, slot, ground, draft, wanted=mention.slot) for task in family)
    args = [arg for arg in found if arg is not None]
    if not args:
        draft.misfits += ground.offers(mention)
        draft.tell("plan-reference-unfit", slot=slot.name, source=family[0].kind.name)
    return args


def _replaced(mention: Mention, slot: Slot, ground: Ground, draft: Draft) -> list[Arg]:
    """A reference to itself or to nothing, when counting by one less, or the step before, makes sense of it."""
    less = str(int(mention.label) - 1) if mention.label.isdecimal() else ""
    counted = ground.families.get(less, ())
    nearest = sorted(ground.tasks, reverse=True, key=lambda id_: _place(id_, ground))
    for id_ in (*counted, *nearest):
        task = ground.tasks[id_]
        if id_ not in draft.used and offered(task.kind, slot):
            arg = output_of(task, slot, ground, draft)
            if arg is not None:
                draft.tell("plan-reference-replaced", source=task.kind.name)
                return [arg]
    draft.tell("plan-reference-dropped", label=_short(mention.label))
    return []


def _place(id_: TaskId, ground: Ground) -> int:
    return list(ground.tasks).index(id_)


def output_of(
    task: Task, slot: Slot, ground: Ground, draft: Draft, *, wanted: str = ""
) -> Arg | None:
    """What a task makes, as an argument takes it: as it is, converted, by a task in between, or what it was made from."""
    draft.used.add(task.id)
    if output := offered(task.kind, slot, wanted):
        return Ref(task.id, output.name)
    if task.kind.name == _SPOKEN and (passed := _passed_on(task, slot, ground, draft)):
        return passed
    if task.kind.name in _MAPS and (seen := _described(task, slot, ground, draft)):
        return seen
    for output in task.kind.makes if slot.required else ():
        if kind := bridge(output.types, slot):
            inserted = insert(kind, Ref(task.id, output.name), ground, draft)
            if inserted is not None:
                return inserted
    return _passed_on(task, slot, ground, draft)


def _described(task: Task, slot: Slot, ground: Ground, draft: Draft) -> Arg | None:
    """The picture that a map was made of, in words: a description of the map itself says nothing."""
    picture = task.args["image"][0]
    kind = bridge(types_of(picture, ground.tasks), slot) if slot.required else ""
    words = insert(kind, picture, ground, draft) if kind else None
    if words:
        draft.tell("plan-passed-on", source=task.kind.name)
    return words


def _passed_on(task: Task, slot: Slot, ground: Ground, draft: Draft) -> Arg | None:
    """What a task itself was given, when that is of the type that is needed; of a file also what its words were made of."""
    tasks = draft.known(ground)
    for earlier in sources(task, tasks, until=_makes_a_file) if takes_files(slot) else (task,):
        for arg in (arg for args in earlier.args.values() for arg in args):
            types = types_of(arg, tasks)
            if isinstance(arg, Text) and not takes_words(slot):
                continue
            if set(types) & set(slot.types) or (suits(types, slot) and isinstance(arg, Ref)):
                draft.tell("plan-passed-on", source=earlier.kind.name)
                return arg
    return None


def _makes_a_file(task: Task) -> bool:
    return any(takes_files(output) for output in task.kind.makes)


def _suited(file: Media, slot: Slot, ground: Ground, draft: Draft) -> Arg | None:
    types = (file.attachment.type,)
    if suits(types, slot):
        return file
    kind = bridge(types, slot) if slot.required else ""
    return insert(kind, file, ground, draft) if kind else None


def insert(kind_name: str, source: Arg, ground: Ground, draft: Draft) -> Ref | None:
    """The output of a task put in between, which makes of one piece what the argument takes."""
    kind = ground.kinds.get(kind_name)
    if kind is None:
        return None
    draft.misfits += types_of(source, draft.known(ground))
    name = kind.takes[0].name
    there = (*ground.tasks.values(), *draft.before)
    known = next((t.id for t in there if t.kind == kind and t.args.get(name) == (source,)), None)
    if known is None:
        known = ground.fresh_id()
        draft.before.append(Task(known, kind, {name: (source,)}))
        draft.tell("plan-inserted", inserted=kind_name)
    draft.used.add(known)
    return Ref(known, kind.makes[0].name)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"  # noqa: PLR2004 - fits a line
