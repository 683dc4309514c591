"""The rows to train and measure on: everyday requests of ours, and TaskBench's where they are at hand."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adapters.embedded.planner.deciding import spoken_of
from adapters.embedded.planner.reading import Reading, read
from adapters.embedded.planner.shapes import TALK, TYPES, Shapes, available
from adapters.embedded.planner.view import tags
from benchmarks.planning.compose import Row
from pipeline.domain import Type
from pipeline.planning.names import TASKBENCH

HERE = Path(__file__).parent


@dataclass
class Rows:
    """Requests read, what they need as bits, their links, the files there are, and how each is called and typed."""

    kinds: tuple[str, ...]
    readings: list[Reading]
    tags: list[list[str]]
    wanted: np.ndarray
    links: list[list[tuple[int, int]]]
    given: np.ndarray
    sent: np.ndarray
    shape: list[str]
    known: np.ndarray
    """Whether the links of a row are known."""

    def __len__(self) -> int:
        return len(self.readings)

    def names(self, at: int) -> set[str]:
        """The kinds that a row needs."""
        named = zip(self.kinds, self.wanted[at], strict=True)
        return {kind for kind, yes in named if yes and kind != TALK}


def part(rows: Rows, chosen: np.ndarray) -> Rows:
    """These rows of all."""
    return Rows(
        rows.kinds,
        [rows.readings[at] for at in chosen],
        [rows.tags[at] for at in chosen],
        rows.wanted[chosen],
        [rows.links[at] for at in chosen],
        rows.given[chosen],
        rows.sent[chosen],
        [rows.shape[at] for at in chosen],
        rows.known[chosen],
    )


def everyday_file(name: str) -> list[Row]:
    """The rows of `everyday_dev.jsonl` or, for scoring only, `everyday_test.jsonl`."""
    lines = (HERE / name).read_text("utf-8").splitlines()
    return [
        Row(
            row["text"],
            row["language"],
            tuple(row["files"]),
            tuple(row["thread_files"]),
            tuple(row["kinds"]),
            tuple((a, b) for a, b in row["edges"]),
        )
        for row in map(json.loads, filter(None, lines))
    ]


def everyday(rows: Sequence[Row], kinds: tuple[str, ...]) -> Rows:
    at = {kind: place for place, kind in enumerate(kinds)}
    sent = [tuple(Type(file) for file in row.files) for row in rows]
    before = [tuple(Type(file) for file in row.thread_files) for row in rows]
    return Rows(
        kinds,
        [read(row.text) for row in rows],
        [tags(s, b) for s, b in zip(sent, before, strict=True)],
        np.array(
            [[k in row.kinds or (k == TALK and not row.kinds) for k in kinds] for row in rows]
        ),
        [[(at[a], at[b]) for a, b in row.edges] for row in rows],
        np.array([available((*s, *b)) for s, b in zip(sent, before, strict=True)]),
        np.array([available(s) for s in sent]),
        [_shape(row) for row in rows],
        np.ones(len(rows), bool),
    )


def _shape(row: Row) -> str:
    if len(row.kinds) < 2:
        return "talk" if not row.kinds else "single"
    sources, targets = [a for a, _ in row.edges], [b for _, b in row.edges]
    chained = len(row.edges) == len(row.kinds) - 1
    straight = len(set(sources)) == len(sources) and len(set(targets)) == len(targets)
    return "chain" if chained and straight else "graph"


def tool_shapes(path: Path, kinds: tuple[str, ...]) -> Shapes:
    """What TaskBench's tools take and make, out of their descriptions; addresses count as words."""
    ours = {name: kind for kind, name in TASKBENCH.items()}
    listed = json.loads(path.read_text("utf-8"))["nodes"]
    tools = {ours.get(tool["id"], tool["id"]): tool for tool in listed}

    def bits(names: list[str]) -> list[bool]:
        known = {"text" if name == "url" else name for name in names}
        return [kind.value in known for kind in TYPES]

    makes = np.array([bits(tools[kind]["output-type"]) for kind in kinds], bool)
    slots = [(at, bits([t])) for at, k in enumerate(kinds) for t in tools[k]["input-type"]]
    takes, owner = np.array([s for _, s in slots], bool), np.array([at for at, _ in slots])
    feeds = np.zeros((len(kinds), len(kinds)), bool)
    for row, at in zip(takes, owner, strict=True):
        feeds[:, at] |= (makes & row).any(axis=1)
    np.fill_diagonal(feeds, val=False)
    return Shapes(makes, takes, owner, feeds)


def bench(path: Path, kinds: tuple[str, ...] = ()) -> Rows:
    """TaskBench's rows. Names are kinds' where we have them, else the tools' own."""
    ours = {name: kind for kind, name in TASKBENCH.items()}
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    sets = [{ours.get(n, n) for n in row.get("nodes") or row["gold_set"]} for row in rows]
    kinds = kinds or tuple(sorted(set().union(*sets)))
    at = {kind: place for place, kind in enumerate(kinds)}
    readings = [read(row["user_request"], pastes=False) for row in rows]
    spoken = [spoken_of(reading) for reading in readings]
    return Rows(
        kinds,
        readings,
        [[] for _ in rows],
        np.array([[k in found for k in kinds] for found in sets]),
        [[(at[ours.get(a, a)], at[ours.get(b, b)]) for a, b in row["links"] or ()] for row in rows],
        np.array([available(meant) for meant, _ in spoken]),
        np.array([available(named) for _, named in spoken]),
        [row["type"] for row in rows],
        np.array([row["links"] is not None for row in rows]),
    )
