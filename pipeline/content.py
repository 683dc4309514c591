"""What a task does, whatever its number and the names of its files: to be known again by."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from pipeline.codec import dump
from pipeline.domain import Arg, Mask, Masks, Media, Ref, Task, TaskId, Text, Value

_FORM = 1
"""Raised when the same key would mean something else."""


def fingerprint(task: Task, handed_on: Callable[[Ref], object], *more: str) -> str:
    """The same for tasks that do the same; `handed_on` says what a reference stands for."""

    def piece(arg: Arg) -> object:
        return handed_on(arg) if isinstance(arg, Ref) else content(arg)

    args = {name: [piece(arg) for arg in args] for name, args in task.args.items()}
    text = json.dumps([_FORM, task.kind.name, args, *more], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def content(value: Value) -> object:
    """What is in a value, without the names of files."""
    match value:
        case Text(text):
            return text.strip()
        case Media(attachment):
            return ["file", attachment.hash]
        case Masks(items):
            return ["masks", [_region(item) for item in items]]
        case _:
            return dump(value)


def _region(mask: Mask) -> object:
    where = mask.image.attachment.hash if isinstance(mask.image, Media) else ""
    return [mask.label, mask.score, where]


@dataclass(slots=True)
class StepNames:
    """The names under which the outcomes of a plan's tasks are remembered: what each does, and how often that was there before.

    Never the order of calls, nor the number in the plan: a plan that is written anew after a restart may number its tasks otherwise.
    """

    _names: dict[TaskId, str] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)

    def of(self, task: Task) -> str:
        """The name of a task of the plan. Each is first asked for in the order of the plan, also where it was taken back."""
        if task.id in self._names:
            return self._names[task.id]
        after = sorted(self._names[need] for need in task.after)
        does = fingerprint(task, lambda ref: [self._names[ref.task], ref.slot], *after)[:16]
        self._names[task.id] = name = f"task:{does}:{self._times[does]}"
        self._times[does] += 1
        return name
