"""Steps of a plan that nobody asked for and nobody uses: left out, and told. In doubt a step stays, since it may be what is wanted."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from pipeline.conversions import WITH_A_TASK
from pipeline.domain import (
    Arg,
    Media,
    Proposed,
    Ref,
    Repair,
    Repaired,
    Sentence,
    Task,
    TaskId,
    Type,
)
from pipeline.planning.reading import Reading

_ALOUD = "text-to-speech"
_MEANS = frozenset({WITH_A_TASK[Type.DOCUMENT, Type.TEXT]})
"""Kinds that are seldom wanted for their own sake."""


def needed(reading: Reading, likely: Collection[str]) -> Reading:
    """The plan without its needless steps. `likely` are the kinds that the request may ask for.

    Left out are: a step whose result would be another one each time, where the plan goes on with the same step once more; and a
    mere means, like taking the text out of a document, that the request does not speak of, beside a step that takes the document itself;
    and what was written down and is read aloud again, where the steps after that took the words.
    What is always the same is not made twice anyway, and its result may be wanted, so it stays.
    """
    proposed = [part for part in reading.parts if isinstance(part, Proposed)]
    used = {need for part in proposed for need in part.task.needs}
    told = {
        part.task.id: Repaired(Repair(sentence, part.task.id, dropped=True))
        for part in proposed
        if part.task.id not in used and (sentence := _why(part, proposed, used, likely))
    } | {
        id_: Repaired(Repair(Sentence("plan-detour", {"kind": _ALOUD}), id_, dropped=True))
        for id_ in _detours(reading) - used
    }
    if not told:
        return reading
    standing = (one for one in reading.parts if _task_of(one) not in told)
    return replace(reading, parts=(*standing, *told.values()))


def _detours(reading: Reading) -> set[TaskId]:
    """Steps that read aloud what was written down, and whose words a later step took in place of the sound."""
    tasks = {task.id: task for task in reading.plan.tasks}
    took = {
        ref
        for repair in reading.repairs
        if repair.what.id == "plan-passed-on" and repair.what.args["source"] == _ALOUD
        if repair.task in tasks
        for ref in tasks[repair.task].refs
    }
    return {
        task.id
        for task in tasks.values()
        if task.kind.name == _ALOUD
        and (args := task.args["text"])
        and all(arg in took and _writes(arg, tasks) for arg in args)
    }


def _writes(arg: Arg, tasks: Mapping[TaskId, Task]) -> bool:
    return isinstance(arg, Ref) and tasks[arg.task].kind.name == WITH_A_TASK[Type.AUDIO, Type.TEXT]


def _task_of(part: object) -> int | None:
    return part.task.id if isinstance(part, Proposed) else None


def _why(
    end: Proposed, proposed: Collection[Proposed], used: Collection[int], likely: Collection[str]
) -> Sentence | None:
    """Why a step that nobody uses is not needed."""
    task = end.task
    others = [one for one in proposed if one.task.id != task.id]
    doubles = (one for one in others if one.task.id in used and _same(one, end))
    if task.kind.anew and any(doubles):
        return Sentence("plan-double", {"kind": task.kind.name})
    if task.kind.name not in _MEANS or task.kind.name in likely:
        return None
    given = _material(task)
    if any(given & _material(one.task) for one in others if one.task.kind != task.kind):
        return Sentence("plan-needless", {"kind": task.kind.name})
    return None


def _same(one: Proposed, other: Proposed) -> bool:
    alike = (one.task.kind, one.task.args) == (other.task.kind, other.task.args)
    return alike and one.model == other.model


def _material(task: Task) -> set[Media | Ref]:
    return {arg for args in task.args.values() for arg in args if isinstance(arg, Media | Ref)}
