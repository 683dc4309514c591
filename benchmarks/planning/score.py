"""Scores the shipped planner: `python -m benchmarks.planning.score [everyday_test.jsonl]`.

Only this script uses the test half; nobody reads it, and nothing is tuned on it.
"""

import argparse
import time
from collections import defaultdict

import numpy as np

from adapters.embedded.planner.decision import (
    EVERYDAY,
    Decision,
    FileTypes,
    decide,
    predictor,
)
from adapters.embedded.planner.model import NONE, TALK
from adapters.embedded.planner.reading import read
from benchmarks.planning.compose import Row
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.rows import everyday, everyday_file
from pipeline.domain import Type
from pipeline.task_kinds import KINDS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default="everyday_dev.jsonl")
    parser.add_argument(
        "--wrong", action="store_true", help="print what was wrong (never for the test half)"
    )
    args = parser.parse_args()
    rows = everyday_file(args.file)
    by = predictor(EVERYDAY)
    decisions, took = [], []
    for row in rows:
        began = time.perf_counter()
        decisions.append(decide(read(row.text), _files(row)))
        took.append((time.perf_counter() - began) * 1000)
    show([_answer(d) for d in decisions], everyday(rows, (*KINDS, TALK, NONE)))
    _languages(rows, decisions)
    asked = [d.confidence < by.rules.doubt and bool(d.kinds) for d in decisions]
    print(f"asks instead of guessing (below {by.rules.doubt}): {np.mean(asked):.1%} of rows")
    right = [set(row.kinds) == set(d.kinds) for row, d in zip(rows, decisions, strict=True)]
    told = [hit for hit, ask in zip(right, asked, strict=True) if not ask]
    print(f"exact set over the {len(told)} rows in which it does not ask: {np.mean(told):.1%}")
    print(f"ms: median {np.median(took):.2f}, 95 % {np.percentile(took, 95):.2f}")
    if args.wrong and "test" not in args.file:
        _wrong(rows, decisions)


def _files(row: Row) -> FileTypes:
    return FileTypes(tuple(map(Type, row.files)), tuple(map(Type, row.thread_files)))


def _answer(decision: Decision) -> Answer:
    links = tuple((decision.kinds[a], decision.kinds[b]) for a, b in decision.links)
    return Answer(decision.kinds, links, decision.confidence)


def _languages(rows: list[Row], decisions: list[Decision]) -> None:
    right = defaultdict(list)
    for row, decision in zip(rows, decisions, strict=True):
        right[row.language].append(set(row.kinds) == set(decision.kinds))
    print("\n| language | rows | exact set |\n| --- | --- | --- |")
    for language, hits in sorted(right.items(), key=lambda pair: -len(pair[1])):
        print(f"| {language} | {len(hits)} | {np.mean(hits):.0%} |")


def _wrong(rows: list[Row], decisions: list[Decision]) -> None:
    for row, decision in zip(rows, decisions, strict=True):
        if set(row.kinds) != set(decision.kinds):
            print(row.text, row.files, "wanted", row.kinds, "found", decision.kinds)


if __name__ == "__main__":
    main()
