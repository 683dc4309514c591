"""The JSON schema of a plan, and what a plan may do."""

from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.domain import TaskKind
from pipeline.prompts.schemas import BOOLEAN, INTEGER, TEXT, array, enum, strict_object

ASK = "ask"
"""To ask the person back."""
DECLINE = "decline"
"""To say that nothing of what is wanted is possible."""
SILENT = "silent"
"""To say nothing now."""
LEAVE = "leave"
"""To say nothing from now on."""
ACTIONS = ("tasks", "reply", ASK, DECLINE, SILENT, LEAVE)
"""What a plan may do: run tasks, reply without any, or one of the above."""


def plan_schema(kinds: Iterable[TaskKind]) -> Mapping[str, Any]:
    """The strict JSON schema of a plan with these kinds.

    Arguments are a list, since strict schemas forbid arbitrary keys. File names are not in it: the
    schema would differ from request to request, and servers compile each one anew.
    """
    kinds = tuple(kinds)
    names = sorted({slot.name for kind in kinds for slot in kind.takes})
    argument = strict_object(name=enum(*names), value=TEXT)
    task = strict_object(
        id=INTEGER,
        task=enum(*(kind.name for kind in kinds)),
        dep=array(INTEGER),
        args=array(argument),
        model=TEXT,
    )
    fields = {"thought": TEXT, "action": enum(*ACTIONS), "say": TEXT, "tasks": array(task)}
    return strict_object(**fields, **{"continue": BOOLEAN})
