"""Trains the planner for everyday requests: `python -m benchmarks.planning.everyday`.

Each file of written rows has its own author. The rules for sets of kinds and all printed scores
come from authors whose rows the model has not seen. Training the network needs PyTorch.
"""

import argparse
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from adapters.embedded.planner import decision
from adapters.embedded.planner.decoding import kind_shapes
from adapters.embedded.planner.model import TALK, KindModel, Scores
from adapters.embedded.planner.reading import read
from benchmarks.planning import deepen, fit, train
from benchmarks.planning.compose import Row
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.mixing import mix
from benchmarks.planning.recipes import compose
from benchmarks.planning.rows import HERE, Rows, everyday, everyday_file, part
from pipeline.task_kinds import KINDS

WRITTEN = sorted(file.stem for file in (HERE / "written").glob("*.jsonl.xz"))
AUTHORS = ("everyday_dev.jsonl", *(f"written/{name}" for name in WRITTEN))
PARTS = (0, 0, 1, 1)
"""The part of each author, in turn: each part is scored by a model of the other part."""
NAMES = (*KINDS, TALK)
KEPT, LEAST, LEVELS = (7300, 6800), 4, 31
PENALTY, WEIGHT, ROUNDS = 2.0, 8.0, 8
COPIES, DEEP_ROUNDS = 2, 8
LEAST_LINK = 0.4
DOUBT = 0.4
"""Ask back when fewer plans than this share are right."""


@dataclass
class Written:
    """The written rows with the author and the part of each."""

    rows: list[Row]
    author: np.ndarray
    part: np.ndarray


def main() -> None:
    args = _arguments()
    began = time.time()
    written = _written()
    composed = list(compose(args.rows))
    rows = everyday(written.rows, NAMES)
    parts = np.random.RandomState(0).randint(4, size=len(rows))
    plan = train.Training(rows, kind_shapes(NAMES), parts, -1.0, 1.0, LEAST_LINK, 1)
    scores = _unseen(written, composed, args.mixed, plan.rows)
    print(f"folds: {time.time() - began:.0f} s")
    answers = _answers(plan, scores, written.part)
    for at, name in enumerate(AUTHORS):
        print(f"\n## {name}, unseen\n")
        chosen = np.flatnonzero(written.author == at)
        show([answers[i] for i in chosen], part(plan.rows, chosen))
    print("\n## all, each author unseen\n")
    show(answers, plan.rows)
    rules = train.rules(plan, scores, np.ones(len(answers), bool)).stored
    model = _fit(written.rows, composed, args.mixed)
    model = replace(model, rules={**rules, "doubt": _doubt(plan.rows, answers)})
    _write(model)
    print(f"{time.time() - began:.0f} s")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=6000, help="requests to compose of phrases")
    parser.add_argument("--mixed", type=int, default=5000, help="requests to mix of written ones")
    return parser.parse_args()


def _written() -> Written:
    """The rows of all authors, without wordless ones and texts of the test half."""
    tested = {_plain(row.text) for row in everyday_file("everyday_test.jsonl")}
    files = [
        [
            row
            for row in everyday_file(name)
            if read(row.text).clauses and _plain(row.text) not in tested
        ]
        for name in AUTHORS
    ]
    author = np.repeat(np.arange(len(files)), [len(rows) for rows in files])
    return Written(
        [row for rows in files for row in rows], author, np.resize(PARTS, len(files))[author]
    )


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _fit(written: Sequence[Row], composed: Sequence[Row], mixed: int) -> KindModel:
    """Fit the linear model and the network on the same requests."""
    rows = everyday([*written, *composed, *mix(written, mixed)], NAMES)
    own = np.arange(len(rows)) < len(written)
    weight = np.where(own, WEIGHT, 1.0)
    known = fit.data(rows.readings, rows.tags, rows.wanted.astype(float), weight)
    model = fit.fit(
        known, NAMES, penalty=PENALTY, rounds=ROUNDS, rows=KEPT, least=LEAST, levels=LEVELS
    )
    copies = np.where(own, COPIES, 1)
    network = deepen.fit(rows.readings, rows.tags, rows.wanted, copies, rounds=DEEP_ROUNDS)
    return replace(model, network=network)


def _unseen(written: Written, composed: Sequence[Row], mixed: int, rows: Rows) -> list[Scores]:
    """Score each row with a model trained on the other part's authors."""
    scores = {}
    for number in sorted(set(PARTS)):
        others = [row for row, of in zip(written.rows, written.part, strict=True) if of != number]
        model = _fit(others, composed, mixed)
        for at in np.flatnonzero(written.part == number).tolist():
            scores[at] = model.score(rows.readings[at], rows.tags[at])
    return [scores[at] for at in range(len(rows))]


def _answers(plan: train.Training, scores: list[Scores], parts: np.ndarray) -> list[Answer]:
    """Plan each row with rules learned on the other part's authors."""
    answers: list[Answer] = [Answer((), (), 0.0)] * len(scores)
    for number in sorted(set(PARTS)):
        learned = train.rules(plan, scores, parts != number)
        for at in np.flatnonzero(parts == number).tolist():
            answers[at] = learned(at)
    return answers


def _doubt(rows: Rows, answers: Sequence[Answer]) -> float:
    """The highest confidence around which fewer than `DOUBT` plans are right."""
    right = np.array([set(a.kinds) == rows.names(at) for at, a in enumerate(answers)])
    sure = np.array([a.confidence for a in answers])
    edges = np.arange(0.1, 0.7, 0.02)
    near = [right[abs(sure - edge) < 0.06] for edge in edges]
    low = [
        edge for edge, hits in zip(edges, near, strict=True) if len(hits) and hits.mean() < DOUBT
    ]
    return round(float(max(low, default=0.0)), 2)


def _write(model: KindModel) -> None:
    with np.load(train.TARGET) as old:
        kept = {name: part for name, part in old.items() if not name.startswith("everyday.")}
    network = {}
    if model.network is not None:
        network = deepen.pack(model.network, f"{decision.EVERYDAY}.network")
    parts = {**kept, **train.pack(model, decision.EVERYDAY), **network}
    np.savez_compressed(train.TARGET, **parts)
    print(f"{train.TARGET.name}: {train.TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
