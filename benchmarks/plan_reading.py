"""How well plans as language models really write them are read.

    python -m benchmarks.plan_reading [--data FOLDER]

Prints how many of the real plans can run as they stand and after reading, what was mended, how many links the type
graph knows before and after, node and edge F1 against gold where a gold row has the same id, and the time per plan.
The data (TaskBench, GNN4TaskPlan) need not be there.
"""

import argparse
import json
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pipeline.planning.batch import read_row
from pipeline.planning.names import TASKBENCH

Row = Mapping[str, Any]
Pairs = set[tuple[str, ...]]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("../shared/planning-data"))
    options = parser.parse_args()
    plans = options.data / "llm_plans_codellama13b_huggingface.jsonl"
    if plans.exists():
        _real(_rows(plans), options.data)
    else:
        print(f"{plans} is not there; real plans were not measured.")


def _real(rows: list[Row], data: Path) -> None:
    read = [read_row(row, words="taskbench") for row in rows]
    graph = json.loads((data / "huggingface_graph_desc.json").read_text())
    known = {(link["source"], link["target"]) for link in graph["links"]}
    print(f"plans                      {len(rows)}")
    print(f"runnable as written        {_share(_valid(row, known) for row in rows)}")
    print(f"runnable after reading     {_share(bool(row['task_nodes']) for row in read)}")
    print(f"  with no step left out    {_share(not _dropped(row) for row in read)}")
    print(f"links of the type graph    {_in(rows, known)} as written, {_in(read, known)} after")
    times = sorted(row["ms"] for row in read)
    print(f"ms a plan                  {statistics.median(times):.2f} (max {times[-1]:.2f})")
    gold = {row["id"]: row for row in _rows(data / "hf_gold_dev.jsonl")}
    joined = [
        (before, after, gold[before["id"]])
        for before, after in zip(rows, read, strict=True)
        if before["id"] in gold
    ]
    print(f"rows with gold             {len(joined)}")
    for name, pairs in (("node F1", _nodes), ("edge F1", _edges)):
        if joined:
            before = _f1([(pairs(one), pairs(gold)) for one, _, gold in joined])
            after = _f1([(pairs(one), pairs(gold)) for _, one, gold in joined])
            print(f"{name}                    {before:.1f} as written, {after:.1f} after")


def _valid(row: Row, known: Pairs) -> bool:
    """Every name known, every reference to an earlier step, every link in the type graph."""
    nodes = row["task_nodes"]
    names = set(TASKBENCH.values())
    return (
        bool(nodes)
        and all(node["task"] in names for node in nodes)
        and all(
            f"<node-{other}>" not in json.dumps(node)
            for at, node in enumerate(nodes)
            for other in range(at, at + 9)
        )
        and _edges(row) <= known
    )


def _dropped(row: Row) -> bool:
    return any(repair["dropped"] for repair in row["repairs"])


def _in(rows: Iterable[Row], known: Pairs) -> str:
    return _share(edge in known for row in rows for edge in _edges(row))


def _share(found: Iterable[bool]) -> str:
    counted = Counter(found)
    return f"{100 * counted[True] / max(1, counted.total()):.1f} %"


def _nodes(row: Row) -> Pairs:
    if "nodes" in row:
        return {(name,) for name in row["nodes"]}
    return {(node["task"],) for node in row["task_nodes"]}


def _edges(row: Row) -> Pairs:
    if "links" in row:
        return {tuple(link) for link in row["links"]}
    return {(link["source"], link["target"]) for link in row["task_links"]}


def _f1(pairs: list[tuple[Pairs, Pairs]]) -> float:
    right = sum(len(found & gold) for found, gold in pairs)
    return 200 * right / max(1, sum(len(found) + len(gold) for found, gold in pairs))


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]


if __name__ == "__main__":
    main()
