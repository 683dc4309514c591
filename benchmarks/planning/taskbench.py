"""Trains for TaskBench's tools: `python -m benchmarks.planning.taskbench --data FOLDER`.

`--multimedia` measures the same method on the other domain and saves nothing.
"""

import argparse
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from adapters.embedded.planner import decision
from adapters.embedded.planner.decoding import KindShapes, kind_shapes
from adapters.embedded.planner.model import KindModel, Scores
from benchmarks.planning import fit
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.rows import HERE, Rows, bench, tool_shapes
from benchmarks.planning.train import TARGET, Training, doubt, pack, rules

FOLDS = 5
PENALTY, ROUNDS, KEPT, LEVELS = 0.5, 40, (9000, 12000), 31
THRESHOLD, LEAN, LEAST, SOURCES = -0.7, 0.43, 0.22, 2
WRITTEN = 0.5
"""Weight of a request written for training, relative to one of TaskBench's."""
WARY = 0.8
"""Ask back when fewer plans than this share are right."""


@dataclass(frozen=True)
class Domain:
    """TaskBench's rows of a domain, its tools' types, and extra rows for training only."""

    rows: Rows
    shapes: KindShapes
    written: Rows | None = None


def main() -> None:
    args = _arguments()
    began = time.time()
    domain = multimedia(args.data) if args.multimedia else hugging_face(args.data)
    model, answers = train(domain)
    print(f"{len(domain.rows)} rows, {time.time() - began:.0f} s\n")
    show(answers, domain.rows)
    if args.multimedia or args.keep:
        return
    with np.load(TARGET) as old:
        stored = dict(old) | pack(model, decision.BENCH)
    np.savez_compressed(TARGET, **stored)
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--multimedia", action="store_true")
    parser.add_argument("--keep", action="store_true", help="only measure, keep the weights")
    return parser.parse_args()


def hugging_face(data: Path) -> Domain:
    rows = bench(data / "hf_gold_dev.jsonl")
    written = bench(HERE / "written_bench.jsonl", rows.kinds)
    return Domain(rows, kind_shapes(rows.kinds), written)


def multimedia(data: Path) -> Domain:
    rows = bench(data / "mm_gold_dev.jsonl")
    return Domain(rows, tool_shapes(data / "multimedia_tool_desc.json", rows.kinds))


def train(domain: Domain) -> tuple[KindModel, list[Answer]]:
    """Train on all rows. Returns the model with its rules, and out-of-fold answers."""
    rows, count = domain.rows, len(domain.rows)
    fold = np.random.RandomState(0).permutation(count) % FOLDS
    scores = out_of_fold(domain, fold)
    training = Training(
        rows=rows,
        shapes=domain.shapes,
        parts=fold,
        threshold=THRESHOLD,
        lean=LEAN,
        least=LEAST,
        sources=SOURCES,
    )
    answers: list[Answer] = [Answer((), (), 0.0)] * count
    for k in range(FOLDS):
        answer = rules(training, scores, fold != k)
        for at in np.flatnonzero(fold == k):
            answers[at] = answer(at)
    final = rules(training, scores, np.ones(count, bool))
    model = fitted(domain, np.ones(count, bool))
    right = np.array([set(a.kinds) == rows.names(at) for at, a in enumerate(answers)])
    wary = doubt(np.array([a.confidence for a in answers]), right, WARY)
    return replace(model, rules={**final.stored, "doubt": wary}), answers


def out_of_fold(domain: Domain, fold: np.ndarray) -> list[Scores]:
    """Score each row with a model that has not seen it."""
    scores: dict[int, Scores] = {}
    for k in range(FOLDS):
        model = fitted(domain, fold != k)
        for at in np.flatnonzero(fold == k).tolist():
            scores[at] = model.score(domain.rows.readings[at])
    return [scores[at] for at in range(len(fold))]


def fitted(domain: Domain, keep: np.ndarray) -> KindModel:
    """Fit a model on the kept rows and all written ones."""
    rows, written = domain.rows, domain.written
    chosen = np.flatnonzero(keep)
    readings = [rows.readings[at] for at in chosen]
    wanted, weight = rows.wanted[chosen], np.ones(len(chosen))
    if written is not None:
        readings += written.readings
        wanted = np.vstack([wanted, written.wanted])
        weight = np.concatenate([weight, np.full(len(written), WRITTEN)])
    data = fit.data(readings, [[]] * len(readings), wanted.astype(float), weight)
    return fit.fit(data, rows.kinds, penalty=PENALTY, rounds=ROUNDS, rows=KEPT, levels=LEVELS)


if __name__ == "__main__":
    main()
