"""Tasks as a language model wrote them: the shapes that plans come in, before anything is understood."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from pipeline.planning.names import kind_named
from pipeline.planning.values import Json, is_object, parse_object, settled
from pipeline.table import KINDS

_NAMES = (
    *("task", "name", "kind", "tool", "task_name", "tool_name", "task_type", "function"),
    *("function_name", "action", "type"),
)
_ARGS = (
    *("args", "arguments", "inputs", "input", "parameters", "params", "kwargs"),
    *("action_input", "tool_input", "task_args"),
)
_DEPS = (
    *("dep", "deps", "depends_on", "dependencies", "after", "depends", "requires"),
    *("prerequisites", "dependency"),
)
_IDS = ("id", "task_id", "step_id", "node_id", "step", "number", "index")
LISTS = (
    *("tasks", "plan", "task_nodes", "tool_nodes", "nodes", "steps", "tool_calls", "subtasks"),
    *("function_calls", "calls", "actions", "task_list", "workflow", "pipeline"),
)
_POINTERS = frozenset(
    {"task", "task_id", "step", "step_id", "node", "node_id", "ref", "from", "source", "id"}
)
"""Keys of an object that says no more than which step is meant, and under what name it has its output."""
_OUTPUTS = frozenset({"output", "output_name", "slot", "field", "type", "key"})
_SLOTS = frozenset(slot.name for kind in KINDS.values() for slot in kind.takes)


@dataclass(frozen=True, slots=True)
class Rough:
    """One task as written. `label` is its id as written ("" if none), `deps` the labels it says it waits for."""

    position: int
    label: str
    name: str
    args: tuple[tuple[str, Json], ...]
    deps: tuple[str, ...] = ()
    model: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoughPlan:
    """What a language model wrote: tasks, links between tasks by name (TaskBench), or a reply."""

    tasks: tuple[Rough, ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    reply: str = ""
    cut_short: bool = False


def unquoted(value: Json) -> Json:
    """What JSON in a string holds; anything else as it is."""
    if isinstance(value, str) and re.match(r"\s*(?:\[|\{(?!\{))", value):
        return parse_object(value.strip()) or value
    return value


def is_task(value: Json) -> TypeGuard[Mapping[str, Json]]:
    """Whether this is one task: it names one, and holds no list of tasks."""
    return (
        is_object(value)
        and bool(name_of(opened(value)))
        and not any(isinstance(value.get(key), list | dict) for key in LISTS)
    )


def opened(value: Mapping[str, Json]) -> Mapping[str, Json]:
    """A task without the object in which it is wrapped: {"function": {"name", "arguments"}}, {"translation": {…}}."""
    for key in _NAMES:
        inner = value.get(key)
        if is_object(inner) and name_of(inner):
            rest = {other: item for other, item in value.items() if other not in (key, "type")}
            return {**rest, **inner}
    if len(value) == 1:
        ((key, inner),) = value.items()
        if not name_of(value) and kind_named(str(key)):
            return {"task": key, "args": inner}
        if is_object(inner) and key not in LISTS and kind_named(name_of(inner)):
            return inner
    return value


def rough_task(written: Mapping[str, Json], position: int) -> Rough:
    value = {str(key): settled(item) for key, item in opened(written).items()}
    label = next((value[key] for key in _IDS if isinstance(value.get(key), str | int | float)), "")
    args = next((value[key] for key in _ARGS if value.get(key) is not None), None)
    if args is None:
        args = {key: item for key, item in value.items() if key in _SLOTS}
    deps = next((value[key] for key in _DEPS if value.get(key) is not None), ())
    return Rough(
        position,
        label_of(label),
        name_of(value),
        tuple(_args(unquoted(args))),
        tuple(label for dep in _waits(deps) if (label := label_of(dep)) not in _NO_STEP),
        word(value.get("model")),
        word(value.get("reason")),
    )


_NO_STEP = ("", "-1", "none", "null", "n/a", "no", "[]")


def _waits(value: Json) -> Iterator[Json]:
    for item in _listed(value):
        if isinstance(item, str):
            yield from re.split(r"\s*[,;&]\s*|\s+and\s+", item)
        else:
            yield item


def label_of(value: Json) -> str:
    """An id as it is compared: digits alone where they stand behind a word ("task-2", "<node-2>")."""
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    label = str(value).strip().strip("<>#").casefold()[:_LONGEST_LABEL]
    word, _, digits = label.replace(" ", "-").replace("_", "-").replace(">", "").rpartition("-")
    if digits.isdecimal() and (digits == label or word.strip("-").isalpha()):
        return str(int(digits))
    return label


_LONGEST_LABEL = 40


def name_of(value: Mapping[str, Json]) -> str:
    if "value" in value and "task" not in value:  # an argument, not a task
        return ""
    for key in _NAMES:
        name = value.get(key)
        if isinstance(name, list) and len(name) == 1:
            name = name[0]
        if isinstance(name, str) and name.strip():
            return name.strip()
    return ""


def _args(value: Json) -> list[tuple[str, Json]]:
    if is_object(value):
        if _is_pair(value):
            return [_pair(value)]
        return [("", value)] if _points(value) else [*value.items()]
    found: list[tuple[str, Json]] = []
    for item in _listed(value):
        found += _args(item) if is_object(item) else [("", item)]
    return found


def _is_pair(value: Mapping[str, Json]) -> bool:
    return "value" in value or set(value) == {"name"}


def _pair(value: Mapping[str, Json]) -> tuple[str, Json]:
    """A named argument; a name alone is what TaskBench's plans write for a value."""
    if "value" not in value:
        return "", value["name"]
    return word(value.get("name") or value.get("type")), value["value"]


def _points(value: Mapping[str, Json]) -> str:
    """The label of the step that an object means, if it says nothing else; else ""."""
    pointing = [key for key in value if key in _POINTERS]
    if len(pointing) != 1 or not set(value) <= _POINTERS | _OUTPUTS:
        return ""
    label = value[pointing[0]]
    return label_of(label) if isinstance(label, str | int) and label_of(label).isdecimal() else ""


def _listed(value: Json) -> Sequence[Json]:
    if isinstance(value, list | tuple):
        return value
    return () if value is None else (value,)


def word(value: Json) -> str:
    return value.strip() if isinstance(value, str) else ""


def as_words(value: Json) -> str:
    """A plain value or a stray object as the text it stands for."""
    if is_object(value):
        if label := _points(value):
            return f"<GENERATED>-{label}"
        inner = value.get("text", value.get("value"))
        if len(value) == 1:
            inner = next(iter(value.values()))
        if isinstance(inner, str) or len(value) == 1:
            return as_words(inner)
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case str() | int() | float():
            return str(value)
        case _:
            return json.dumps(value, ensure_ascii=False, default=str)
