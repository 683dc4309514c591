"""The rows for training and scoring: everyday requests, and TaskBench's if available."""

import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adapters.embedded.planner.decision import FileTypes, find_named_types
from adapters.embedded.planner.decoding import TYPES, KindShapes, shapes_of, type_bits
from adapters.embedded.planner.model import TALK
from adapters.embedded.planner.reading import Reading, read
from benchmarks.planning.compose import Row
from evaluation.taskbench import TASKBENCH
from pipeline.domain import Type

HERE = Path(__file__).parent


@dataclass
class Rows:
    """Parsed requests: needed kinds as bits, links, files and shapes."""

    kinds: tuple[str, ...]
    readings: list[Reading]
    tags: list[list[str]]
    wanted: np.ndarray
    links: list[list[tuple[int, int]]]
    given: np.ndarray
    sent: np.ndarray
    shape: list[str]
    known: np.ndarray
    """Whether the links of each row are known."""

    def __len__(self) -> int:
        return len(self.readings)

    def names(self, at: int) -> set[str]:
        """The kinds that a row needs."""
        named = zip(self.kinds, self.wanted[at], strict=True)
        return {kind for kind, yes in named if yes and kind != TALK}


def part(rows: Rows, chosen: np.ndarray) -> Rows:
    """The chosen rows."""
    return Rows(
        kinds=rows.kinds,
        readings=[rows.readings[at] for at in chosen],
        tags=[rows.tags[at] for at in chosen],
        wanted=rows.wanted[chosen],
        links=[rows.links[at] for at in chosen],
        given=rows.given[chosen],
        sent=rows.sent[chosen],
        shape=[rows.shape[at] for at in chosen],
        known=rows.known[chosen],
    )


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSONL file, compressed (.xz) or not."""
    packed = path.with_name(f"{path.name}.xz")
    with lzma.open(packed, "rt") if packed.exists() else path.open() as lines:
        return [json.loads(line) for line in lines if line.strip()]


def everyday_file(name: str) -> list[Row]:
    """The rows of `everyday_dev.jsonl` or, for scoring only, `everyday_test.jsonl`."""
    return [
        Row(
            text=row["text"],
            language=row["language"],
            files=tuple(row["files"]),
            thread_files=tuple(row["thread_files"]),
            kinds=tuple(row["kinds"]),
            edges=tuple((a, b) for a, b in row["edges"]),
        )
        for row in read_lines(HERE / name)
    ]


def everyday(rows: Sequence[Row], kinds: tuple[str, ...]) -> Rows:
    at = {kind: place for place, kind in enumerate(kinds)}
    sent = [tuple(Type(file) for file in row.files) for row in rows]
    before = [tuple(Type(file) for file in row.thread_files) for row in rows]
    return Rows(
        kinds=kinds,
        readings=[read(row.text) for row in rows],
        tags=[FileTypes(s, b).tags for s, b in zip(sent, before, strict=True)],
        wanted=np.array(
            [[k in row.kinds or (k == TALK and not row.kinds) for k in kinds] for row in rows]
        ),
        links=[[(at[a], at[b]) for a, b in row.edges] for row in rows],
        given=np.array([type_bits((*s, *b)) for s, b in zip(sent, before, strict=True)]),
        sent=np.array([type_bits(s) for s in sent]),
        shape=[_shape(row) for row in rows],
        known=np.ones(len(rows), bool),
    )


def _shape(row: Row) -> str:
    if len(row.kinds) < 2:
        return "talk" if not row.kinds else "single"
    sources, targets = [a for a, _ in row.edges], [b for _, b in row.edges]
    chained = len(row.edges) == len(row.kinds) - 1
    straight = len(set(sources)) == len(sources) and len(set(targets)) == len(targets)
    return "chain" if chained and straight else "graph"


def tool_shapes(path: Path, kinds: tuple[str, ...]) -> KindShapes:
    """Input and output types of TaskBench's tools, from their descriptions; URLs are text."""
    ours = {name: kind for kind, name in TASKBENCH.items()}
    listed = json.loads(path.read_text("utf-8"))["nodes"]
    tools = {ours.get(tool["id"], tool["id"]): tool for tool in listed}

    def bits(names: list[str]) -> list[bool]:
        known = {"text" if name == "url" else name for name in names}
        return [kind.value in known for kind in TYPES]

    makes = np.array([bits(tools[kind]["output-type"]) for kind in kinds], bool)
    slots = [(at, bits([t])) for at, k in enumerate(kinds) for t in tools[k]["input-type"]]
    takes, owner = np.array([s for _, s in slots], bool), [at for at, _ in slots]
    return shapes_of(makes, takes, owner)


def bench(path: Path, kinds: tuple[str, ...] = ()) -> Rows:
    """TaskBench's rows, with our names of kinds where there are any, else the tools'."""
    ours = {name: kind for kind, name in TASKBENCH.items()}
    rows = read_lines(path)
    sets = [{ours.get(n, n) for n in row.get("nodes") or row["gold_set"]} for row in rows]
    kinds = kinds or tuple(sorted(set().union(*sets)))
    at = {kind: place for place, kind in enumerate(kinds)}
    readings = [read(row["user_request"], pastes=False) for row in rows]
    return Rows(
        kinds=kinds,
        readings=readings,
        tags=[[] for _ in rows],
        wanted=np.array([[k in found for k in kinds] for found in sets]),
        links=[
            [(at[ours.get(a, a)], at[ours.get(b, b)]) for a, b in row["links"] or ()]
            for row in rows
        ],
        given=np.ones((len(rows), len(TYPES)), bool),
        sent=np.array([type_bits(find_named_types(reading)) for reading in readings]),
        shape=[row["type"] for row in rows],
        known=np.array([row["links"] is not None for row in rows]),
    )
