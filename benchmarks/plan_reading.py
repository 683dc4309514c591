"""How well the reader handles plans that language models really wrote.

    python -m benchmarks.plan_reading [--data FOLDER]

Prints how many plans can run before and after reading, how many of their links are in the type
graph, the time per plan, and node and edge F1 before and after with 95 % intervals (1,000 bootstrap
samples). F1 is against TaskBench's gold row with the same id (the development half has none), else
against `planning/read_labels.jsonl`: our own labels for 300 of the requests. Two labellers wrote
150 each; they saw the requests, the tools with their types and 80 of TaskBench's solutions, but no
plan and no program output. The reader was developed on the first 150; the last 150 were the check,
and influenced what was kept.

Then reads plans built from gold rows, valid in every link and argument: they must not change. The
data (TaskBench, GNN4TaskPlan) is optional.
"""

import argparse
import json
import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from evaluation.taskbench import TASKBENCH, read_row

Row = Mapping[str, Any]
Pairs = set[tuple[str, ...]]
Joined = tuple[Row, Row, Row]
"""A plan as written and as read, and its labels."""
LABELS = Path(__file__).parent / "planning" / "read_labels.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/planning-data"))
    options = parser.parse_args()
    plans = options.data / "llm_plans_codellama13b_huggingface.jsonl"
    if plans.exists():
        _real(_rows(plans), options.data)
        _made_of_gold(options.data)
    else:
        print(f"{plans} is not there; real plans were not measured.")


def _real(rows: list[Row], data: Path) -> None:
    read: list[Row] = [read_row(row, words="taskbench") for row in rows]
    graph = json.loads((data / "huggingface_graph_desc.json").read_text())
    known: Pairs = {(link["source"], link["target"]) for link in graph["links"]}
    print(f"plans                      {len(rows)}")
    print(f"runnable as written        {_share(_valid(row, known) for row in rows)}")
    print(f"runnable after reading     {_share(bool(row['task_nodes']) for row in read)}")
    print(f"  with no step left out    {_share(not _dropped(row) for row in read)}")
    print(f"links of the type graph    {_in(rows, known)} as written, {_in(read, known)} after")
    times = sorted(row["ms"] for row in read)
    print(f"ms a plan                  {statistics.median(times):.2f} (max {times[-1]:.2f})")
    gold = {row["id"]: row for row in (*_rows(LABELS), *_rows(data / "hf_gold_dev.jsonl"))}
    pairs = {before["id"]: (before, after) for before, after in zip(rows, read, strict=True)}
    labelled = [(*pairs[id_], gold[id_]) for id_ in gold if id_ in pairs]
    half = len(labelled) // 2
    for name, part in (
        ("all", labelled),
        ("first half", labelled[:half]),
        ("second half", labelled[half:]),
    ):
        print(f"rows with labels, {name:11} {len(part)}")
        _compared("node", part, _nodes)
        _compared("edge", part, _edges)


def _compared(name: str, rows: Sequence[Joined], of: Callable[[Row], Pairs]) -> None:
    """Print F1 before and after, the difference, and how many rows got better or worse."""
    before = [_counts(of(row), of(gold)) for row, _, gold in rows]
    after = [_counts(of(row), of(gold)) for _, row, gold in rows]
    gains = [_f1([new]) - _f1([old]) for old, new in zip(before, after, strict=True)]
    rng = random.Random(0)
    samples = [rng.choices(range(len(rows)), k=len(rows)) for _ in range(1000)]
    first = [_f1([before[at] for at in sample]) for sample in samples]
    second = [_f1([after[at] for at in sample]) for sample in samples]
    added = [new - old for old, new in zip(first, second, strict=True)]
    print(
        f"  {name} F1                  {_f1(before):.1f} {_interval(first)} as written, "
        f"{_f1(after):.1f} {_interval(second)} after: {_f1(after) - _f1(before):+.1f} "
        f"{_interval(added)}; {sum(gain > 0 for gain in gains)} rows better, "
        f"{sum(gain < 0 for gain in gains)} worse"
    )


def _interval(values: Sequence[float]) -> str:
    cuts = statistics.quantiles(values, n=40)
    return f"[{cuts[0]:.1f}, {cuts[-1]:.1f}]"


def _made_of_gold(data: Path) -> None:
    """Read correct plans; none may change."""
    tools = json.loads((data / "huggingface_tool_desc.json").read_text())["nodes"]
    graph = json.loads((data / "huggingface_graph_desc.json").read_text())
    known: Pairs = {(link["source"], link["target"]) for link in graph["links"]}
    rows = (row for row in _rows(data / "hf_gold_dev.jsonl") if _edges(row) <= known)
    made = (_valid_plan(row, {tool["id"]: tool for tool in tools}) for row in rows)
    plans = [plan for plan in made if plan]
    changed = [plan for plan in plans if not _same(plan, read_row(plan, words="taskbench"))]
    print(f"valid plans of gold rows   {len(plans)}, {len(changed)} changed")
    for plan in changed[:5]:
        print(json.dumps(plan["task_nodes"]))


def _same(plan: Row, read: Row) -> bool:
    return bool(plan["task_nodes"] == read["task_nodes"]) and not read["repairs"]


def _valid_plan(row: Row, tools: Mapping[str, Row]) -> Row:
    """A plan for a gold row: inputs are earlier outputs, else samples. Empty if impossible."""
    before = {name: [one for one, other in row["links"] if other == name] for name in row["nodes"]}
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError:
        return {}
    nodes = []
    for name in order:
        wanted = list(tools[name]["input-type"])
        args = [f"<node-{order.index(one)}>" for one in before[name]]
        for one in before[name]:
            made = tools[one]["output-type"][0]
            if made not in wanted:  # two sources for one input
                return {}
            wanted.remove(made)
        nodes.append({"task": name, "arguments": [*args, *(_OWN[type_] for type_ in wanted)]})
    links = [{"source": one, "target": other} for one, other in row["links"]]
    return {**row, "task_nodes": nodes, "task_links": links}


_OWN = {"text": "What is the tallest tower there?", "image": "example.jpg", "audio": "example.wav"}


def _valid(row: Row, known: Pairs) -> bool:
    """All names known, references only to earlier steps, all links in the type graph."""
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


def _counts(found: Pairs, gold: Pairs) -> tuple[int, int]:
    """The number of matches, and the total of both sets."""
    return len(found & gold), len(found) + len(gold)


def _f1(counts: Sequence[tuple[int, int]]) -> float:
    return 200 * sum(right for right, _ in counts) / max(1, sum(both for _, both in counts))


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]


if __name__ == "__main__":
    main()
