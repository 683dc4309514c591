"""A required argument that was not given: the one source that makes sense, or none."""

from collections.abc import Iterable

from pipeline.domain import Arg, Ref, Slot, Task, TaskId, Text
from pipeline.planning.fitting import bridge, offered, takes_files, takes_words
from pipeline.planning.ground import Draft, Ground, media
from pipeline.planning.resolving import insert, output_of


def filled(slot: Slot, deps: Iterable[TaskId], ground: Ground, draft: Draft) -> tuple[Arg, ...]:
    """The prerequisite's output; else the files of that type; else the only earlier output; else the request's words."""
    if slot.name == "question" and ground.request.text.strip():
        return _from_request(slot, ground, draft)
    for id_ in reversed([dep for dep in deps if dep not in draft.used]):
        if draft.kind.name in _FREE and not offered(ground.tasks[id_].kind, slot):
            continue
        if arg := output_of(ground.tasks[id_], slot, ground, draft):
            draft.tell("plan-filled-output", slot=slot.name, source=ground.tasks[id_].kind.name)
            return (arg,)
    return _from_files(slot, ground, draft) or _from_before(slot, ground, draft)


def _from_files(slot: Slot, ground: Ground, draft: Draft) -> tuple[Arg, ...]:
    if not takes_files(slot):
        return ()
    files = ground.files(slot)
    if slot.name in draft.misnamed and len(files) > 1:
        return ()
    if files:
        draft.tell("plan-filled-file", slot=slot.name, file=", ".join(file.name for file in files))
    return media(files)


def _from_before(slot: Slot, ground: Ground, draft: Draft) -> tuple[Arg, ...]:
    makers = [task for task in ground.tasks.values() if offered(task.kind, slot)]
    if len(makers) == 1 or (makers and takes_files(slot)):
        arg = output_of(makers[-1], slot, ground, draft)
        assert arg is not None
        draft.tell("plan-filled-output", slot=slot.name, source=makers[-1].kind.name)
        return (arg,)
    if not takes_words(slot) or slot.many:
        return ()
    return _from_a_file(slot, ground, draft) or _from_request(slot, ground, draft)


def _from_a_file(slot: Slot, ground: Ground, draft: Draft) -> tuple[Arg, ...]:
    """The words in the only file of the message, where a task can get them out."""
    files = ground.request.files
    kind = bridge((files[0].attachment.type,), slot) if len(files) == 1 else ""
    if not kind or draft.kind.name in _FREE:
        return ()
    arg = insert(kind, media(files)[0], ground, draft)
    return () if arg is None else (arg,)


_FREE = frozenset({"text-to-image", "text-generation", "text-to-video", "image-text-to-image"})
"""Kinds whose words are the person's wish, not material: no file and no picture is put into words for them unasked."""


def _from_request(slot: Slot, ground: Ground, draft: Draft) -> tuple[Arg, ...]:
    text = ground.request.text.strip()
    if not text:
        return ()
    draft.tell("plan-filled-request", slot=slot.name)
    return (Text(text),)


def second_sentence(slot: Slot, given: tuple[Arg, ...], ground: Ground, draft: Draft) -> Arg | None:
    """Something to compare the only given text with: the nearest earlier text, else the request's words."""
    refs = {arg.task for arg in given if isinstance(arg, Ref)}
    for task in reversed(list(ground.tasks.values())):
        if task.id not in refs and (output := offered(task.kind, slot)):
            draft.tell("plan-filled-output", slot=slot.name, source=task.kind.name)
            return Ref(task.id, output.name)
    words = _from_request(slot, ground, draft)
    return words[0] if words else None


def compares(task_kind_slot: Slot) -> bool:
    """Whether an argument is worth nothing with a single value."""
    return task_kind_slot.name == "sentences"


def missing(task: Task) -> Slot | None:
    """The first required argument that a task lacks."""
    return next(
        (slot for slot in task.kind.takes if slot.required and not task.args.get(slot.name)), None
    )
