"""Labelled requests: TaskBench's own files, and those made of them, as they are."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.rows import Row
from pipeline.planning.names import TASKBENCH

Links = frozenset[tuple[str, str]]

_REQUESTS = ("user_request", "instruction", "request", "query")
_NODES = ("sequence", "nodes", "task_nodes", "tool_nodes", "sampled_nodes", "gold_set", "tasks")
_LINKS = ("links", "task_links", "tool_links", "sampled_links")
_SHAPES: Mapping[str, str] = {
    "single": "single",
    "node": "single",
    "chain": "sequential",
    "sequential": "sequential",
    "dag": "graph",
    "graph": "graph",
}
SHAPES = ("single", "sequential", "graph")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A request and the tasks it needs, in an order that their links allow."""

    id: object
    request: str
    shape: str
    nodes: tuple[str, ...]
    links: Links


def labelled(row: Row) -> Labelled | None:
    """A row of a labelled file; None when it is none."""
    request = next((row[name] for name in _REQUESTS if isinstance(row.get(name), str)), "")
    listed = _first(row, _NODES)
    nodes = tuple(dict.fromkeys(filter(None, map(_name, listed))))
    if not isinstance(request, str) or not request.strip() or not nodes:
        return None
    links = frozenset(
        link
        for link in map(_link, _first(row, _LINKS))
        if link is not None and set(link) <= {*nodes}
    )
    told = str(row.get("type") or row.get("sampled_type") or "").casefold()
    shape = _SHAPES.get(told) or _shape(nodes, links)
    return Labelled(row.get("id", ""), request, shape, _ordered(nodes, links), links)


def in_taskbench_names(rows: Sequence[Labelled]) -> bool:
    """Whether the names are TaskBench's, and not our own."""
    names = {name for row in rows for name in row.nodes}
    return len(names & set(TASKBENCH.values())) > len(names & TASKBENCH.keys())


def _first(row: Row, names: Sequence[str]) -> list[object]:
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, list):
            return value
    return []


def _name(node: object) -> str:
    if isinstance(node, dict):
        node = node.get("task") or node.get("name") or node.get("kind")
    return node.strip() if isinstance(node, str) else ""


def _link(link: object) -> tuple[str, str] | None:
    match link:
        case {"source": str(source), "target": str(target)} | [str(source), str(target)]:
            return source, target
        case _:
            return None


def _shape(nodes: Sequence[str], links: Links) -> str:
    if len(nodes) == 1:
        return "single"
    fans = max(
        (sum(end == node for end in ends) for node in nodes for ends in zip(*links, strict=True)),
        default=0,
    )
    return "graph" if fans > 1 else "sequential"


def _ordered(nodes: Sequence[str], links: Links) -> tuple[str, ...]:
    """Each after those that feed it; the rest as listed."""
    left, order = list(nodes), list[str]()
    while left:
        free = (one for one in left if not any(s in left for s, target in links if target == one))
        one = next(free, left[0])
        left.remove(one)
        order.append(one)
    return tuple(order)
