"""Tasks as a language model wrote them: the shapes that plans come in, before anything is understood."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

Json = object
"""What a JSON text holds: str, int, float, bool, None, list or dict."""

_NAMES = ("task", "name", "kind", "tool", "task_name", "type", "action")
_ARGS = ("args", "arguments", "inputs", "input", "parameters")
_DEPS = ("dep", "deps", "depends_on", "dependencies", "after")
_LISTS = ("tasks", "plan", "task_nodes", "nodes", "steps")
_REPLIES = ("reply", "response", "answer", "message")


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


def rough_plan(value: Json) -> RoughPlan:
    """The plan in a JSON value of any of the known shapes; empty when there is none in it."""
    if is_object(value) and not is_task(value):
        listed = next((value[key] for key in _LISTS if isinstance(value.get(key), list | dict)), ())
        links = value.get("task_links") or value.get("links") or ()
        reply = next((value[key] for key in _REPLIES if isinstance(value.get(key), str)), "")
        return RoughPlan(_tasks(listed), rough_links(links), str(reply).strip())
    return RoughPlan(_tasks(value))


def is_object(value: Json) -> TypeGuard[Mapping[str, Json]]:
    return isinstance(value, dict)


def is_task(value: Json) -> TypeGuard[Mapping[str, Json]]:
    """Whether this is one task: it names one, and holds no list of tasks."""
    return (
        is_object(value)
        and bool(_name(value))
        and not any(isinstance(value.get(key), list | dict) for key in _LISTS)
    )


def rough_task(written: Mapping[str, Json], position: int) -> Rough:
    value = {str(key): _settled(item) for key, item in written.items()}
    label = value.get("id", "")
    args = next((value[key] for key in _ARGS if value.get(key) is not None), ())
    deps = next((value[key] for key in _DEPS if value.get(key) is not None), ())
    return Rough(
        position,
        label_of(label),
        _name(value),
        tuple(_args(args)),
        tuple(label for dep in _listed(deps) if (label := label_of(dep)) not in ("", "-1")),
        _word(value.get("model")),
        _word(value.get("reason")),
    )


def rough_links(value: Json) -> tuple[tuple[str, str], ...]:
    """The links between tasks, by the names of their kinds; empty when there are none."""
    pairs: list[tuple[str, str]] = []
    for link in value if isinstance(value, list) else ():
        if is_object(link):
            pairs.append((_word(link.get("source")), _word(link.get("target"))))
        elif isinstance(link, list) and len(link) == 2:  # noqa: PLR2004 - a pair
            pairs.append((_word(link[0]), _word(link[1])))
    return tuple((source, target) for source, target in pairs if source and target)


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
_HALVES = re.compile(r"[\ud800-\udfff]")
"""Halves of characters, which JSON can write and nothing else."""
_DEEPEST = 12


def _settled(value: Json, depth: int = 0) -> Json:
    """A value with nothing in it but what JSON has: Python's own texts have sets, too, and keys that are no words."""
    if is_object(value) and depth < _DEEPEST:
        return {
            str(_settled(key, _DEEPEST)): _settled(one, depth + 1) for key, one in value.items()
        }
    if isinstance(value, list | tuple | set) and depth < _DEEPEST:
        found = sorted(value, key=repr) if isinstance(value, set) else value
        return [_settled(one, depth + 1) for one in found]
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int) and value.bit_length() < 1000:  # noqa: PLR2004 - Python writes no longer ones
        return value
    return _HALVES.sub("\ufffd", value) if isinstance(value, str) else "…"


def _tasks(value: Json) -> tuple[Rough, ...]:
    if is_task(value):
        return (rough_task(value, 0),)
    if is_object(value):  # {"1": {...}, "2": {...}}
        listed: Sequence[Json] = [
            {"id": key, **item} for key, item in value.items() if is_object(item)
        ]
    else:
        listed = value if isinstance(value, list | tuple) else ()
    named = [item if is_object(item) else {"task": item} for item in listed if not _is_given(item)]
    return tuple(rough_task(item, at) for at, item in enumerate(named) if _name(item))


def _is_given(value: Json) -> bool:
    """Whether a text is what a task is given, a step or a file, and so no name of a task."""
    return isinstance(value, str) and bool(re.search(r"[<>{}.]", value))


def _name(value: Mapping[str, Json]) -> str:
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
        return list(value.items())
    found: list[tuple[str, Json]] = []
    for item in _listed(value):
        if is_object(item):
            found += [_pair(item)] if _is_pair(item) else list(item.items())
        else:
            found.append(("", item))
    return found


def _is_pair(value: Mapping[str, Json]) -> bool:
    return "value" in value or set(value) == {"name"}


def _pair(value: Mapping[str, Json]) -> tuple[str, Json]:
    """A named argument; a name alone is what TaskBench's plans write for a value."""
    if "value" not in value:
        return "", value["name"]
    return _word(value.get("name") or value.get("type")), value["value"]


def _listed(value: Json) -> Sequence[Json]:
    if isinstance(value, list | tuple):
        return value
    return () if value is None else (value,)


def _word(value: Json) -> str:
    return value.strip() if isinstance(value, str) else ""


def as_words(value: Json) -> str:
    """A plain value or a stray object as the text it stands for."""
    if is_object(value):
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
