"""Scores the shipped planner on everyday requests: `python -m benchmarks.planning.score [everyday_test.jsonl] [--wrong]`.

The test half is for this script only; nobody looks into it, and nothing is tuned on it.
"""

import argparse
import time
from collections import defaultdict

import numpy as np

from adapters.embedded.planner.called import File
from adapters.embedded.planner.deciding import EVERYDAY, Decision, decide, likeliest, mind
from adapters.embedded.planner.shapes import TALK
from adapters.embedded.planner.view import View
from benchmarks.planning.compose import Row
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.rows import everyday, everyday_file
from pipeline.domain import Attachment, FileHash
from pipeline.table import KINDS

_MEDIA = {
    "image": "image/png",
    "audio": "audio/wav",
    "video": "video/mp4",
    "document": "application/pdf",
    "table": "text/csv",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default="everyday_dev.jsonl")
    parser.add_argument(
        "--wrong", action="store_true", help="print what was wrong (never for the test half)"
    )
    args = parser.parse_args()
    rows = everyday_file(args.file)
    thinking = mind(EVERYDAY)
    decisions, took = [], []
    for row in rows:
        began = time.perf_counter()
        decisions.append(decide(_view(row), thinking))
        took.append((time.perf_counter() - began) * 1000)
    show([_answer(d) for d in decisions], everyday(rows, (*KINDS, TALK)))
    _languages(rows, decisions)
    inside = [
        set(row.kinds) <= set(likeliest(d, thinking, 10))
        for row, d in zip(rows, decisions, strict=True)
    ]
    print(f"\nneeded kinds among the ten likeliest: {np.mean(inside):.1%} of rows")
    asked = [d.confidence < thinking.doubt and bool(d.kinds) for d in decisions]
    print(f"asks instead of guessing (below {thinking.doubt}): {np.mean(asked):.1%} of rows")
    right = [set(row.kinds) == set(d.kinds) for row, d in zip(rows, decisions, strict=True)]
    told = [hit for hit, ask in zip(right, asked, strict=True) if not ask]
    print(f"exact set over the {len(told)} rows in which it does not ask: {np.mean(told):.1%}")
    print(f"ms: median {np.median(took):.2f}, 95 % {np.percentile(took, 95):.2f}")
    if args.wrong and "test" not in args.file:
        _wrong(rows, decisions)


def _view(row: Row) -> View:
    def file(kind: str, at: int) -> File:
        return File(f"{kind} {at}", Attachment(FileHash(str(at)), _MEDIA[kind], f"{at}.bin", 1))

    sent = tuple(file(kind, at) for at, kind in enumerate(row.files))
    before = tuple(file(kind, at) for at, kind in enumerate(row.thread_files))
    return View(row.text, sent, before)


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
