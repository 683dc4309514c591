"""The shapes that whole plans of JSON come in: lists, objects that hold one, answers of servers around them."""

import re
from collections.abc import Iterator, Sequence

from pipeline.planning.calls import called
from pipeline.planning.names import kind_named
from pipeline.planning.rough import (
    LISTS,
    Rough,
    RoughPlan,
    is_task,
    label_of,
    name_of,
    opened,
    rough_task,
    unquoted,
    word,
)
from pipeline.planning.values import Json, is_object

_LINKS = ("task_links", "tool_links", "links", "edges")
_REPLIES = ("reply", "response", "answer", "message", "content")


def rough_plan(value: Json, depth: int = 0) -> RoughPlan:
    """The plan in a JSON value of any of the known shapes; empty when there is none in it."""
    if is_task(value) or not is_object(value):
        tasks = _tasks(value)
        return RoughPlan(tasks) if tasks else _within(value, depth)
    reply = next((value[key] for key in _REPLIES if isinstance(value.get(key), str)), "")
    written = next((value[key] for key in _LINKS if value.get(key)), ())
    listed = [plan for key in LISTS if (plan := _listed_plan(value.get(key), depth)).tasks]
    found = listed[0] if listed else _within(value, depth)
    links = rough_links(written) or found.links
    return RoughPlan(found.tasks, links, str(reply).strip() or found.reply)


def _listed_plan(value: Json, depth: int) -> RoughPlan:
    """The plan under a key that says that there is one: every task of it counts."""
    value = unquoted(value)
    if is_object(value) and not is_task(value) and (tasks := _tasks(value)):
        return RoughPlan(tasks)
    if depth > _DEEPEST or not isinstance(value, dict | list):
        return RoughPlan()
    return rough_plan(value, depth + 1)


def _within(value: Json, depth: int) -> RoughPlan:
    """The first plan in a value that is none itself: there must be a task in it that we know."""
    if depth >= _DEEPEST:
        return RoughPlan()
    if is_object(value) and _known(tasks := _tasks(value)):
        return RoughPlan(tasks)
    inner = value.values() if is_object(value) else value if isinstance(value, list) else ()
    for one in map(unquoted, inner):
        if isinstance(one, dict | list) and _known((plan := rough_plan(one, depth + 1)).tasks):
            return plan
    return RoughPlan()


_DEEPEST = 4
"""Levels in which a plan is looked for."""
AS_IT_IS = _DEEPEST
"""The depth at which nothing is looked for any more."""


def _known(tasks: Sequence[Rough]) -> bool:
    return any(kind_named(task.name) for task in tasks)


def rough_links(value: Json) -> tuple[tuple[str, str], ...]:
    """The links between tasks, by the names of their kinds or their ids; empty when there are none."""
    pairs: list[tuple[str, str]] = []
    for link in value if isinstance(value, list) else ():
        ends: Sequence[Json] = ()
        if is_object(link):
            ends = [next((link[key] for key in keys if key in link), "") for keys in _ENDS]
        elif isinstance(link, list):
            ends = link
        elif isinstance(link, str):
            ends = re.split(r"\s*(?:-+>|=>|→)\s*", link)
        if len(ends) == 2:  # noqa: PLR2004 - a pair
            pairs.append((_end(ends[0]), _end(ends[1])))
    return tuple((source, target) for source, target in pairs if source and target)


_ENDS = (("source", "from", "src"), ("target", "to", "dst"))


def _end(value: Json) -> str:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return label_of(value) if isinstance(value, int) else word(value)


def _tasks(value: Json) -> tuple[Rough, ...]:
    if is_task(value):
        return (rough_task(value, 0),)
    named = [task for item in _items(value) if is_object(task := item) and name_of(opened(task))]
    return tuple(rough_task(item, at) for at, item in enumerate(named))


def _items(value: Json) -> Iterator[Json]:
    """What may be tasks in a list, or in an object whose keys are their ids or names."""
    if is_object(value):
        for key, item in value.items():
            if is_object(item) and name_of(opened(item)):
                yield {"id": key, **item}
            elif kind_named(str(key)):
                yield {"task": str(key), "args": item}
    for item in value if isinstance(value, list | tuple) else ():
        if isinstance(item, list):
            yield from _listed_items(item)
        elif isinstance(item, str):
            yield from called(item) or (() if _is_given(item) else ({"task": item},))
        else:
            yield item


def _listed_items(items: Sequence[Json]) -> Iterator[Json]:
    """A list in a list of tasks: one task, its name first; or tasks that run side by side."""
    first = items[0] if items else None
    if isinstance(first, str) and len(items) > 1 and kind_named(first):
        yield {"task": first, "args": items[1:]}
    else:
        yield from _items(items)


def _is_given(value: Json) -> bool:
    """Whether a text is what a task is given, a step or a file, and so no name of a task."""
    return isinstance(value, str) and bool(re.search(r"[<>{}.]", value))
