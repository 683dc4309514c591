"""Trains the planner for everyday requests: `python -m benchmarks.planning.everyday`.

Each file of written rows has its own author. The rules for sets of kinds and all printed scores
come from authors whose rows the model has not seen. Training the network needs PyTorch.
"""

import argparse
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from adapters.embedded.planner import decision
from adapters.embedded.planner.decoding import kind_shapes
from adapters.embedded.planner.model import NONE, TALK, KindModel, Scores
from adapters.embedded.planner.reading import read
from benchmarks.planning import deepen, fit, train, wishes
from benchmarks.planning.compose import Row
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.mixing import mix
from benchmarks.planning.recipes import compose
from benchmarks.planning.rows import HERE, Rows, everyday, everyday_file, part
from pipeline.task_kinds import KINDS

WRITTEN = sorted(file.stem for file in (HERE / "written").glob("*.jsonl.xz"))
AUTHORS = ("everyday_dev.jsonl", *(f"written/{name}" for name in WRITTEN))
NAMED = (*AUTHORS, "wishes (one half)", "wishes (the other half)")
PARTS = (0, 0, 1, 1)
"""The part of each author, in turn: each part is scored by a model of the other part."""
NAMES = (*KINDS, TALK, NONE)
KEPT, LEAST, LEVELS = (7300, 6800), 4, 31
PENALTY, WEIGHT, ROUNDS = 2.0, 8.0, 8
COPIES, DEEP_ROUNDS = 2, 8
WISHED = 2.5
"""What a row of `wishes/` counts beside another written one."""
BESIDE = 3600
"""Wishes outside that are put beside other files and requests."""
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
    plan = train.Training(
        rows=rows,
        shapes=kind_shapes(NAMES),
        parts=parts,
        threshold=-1.0,
        lean=1.0,
        least=LEAST_LINK,
        sources=1,
    )
    models = _fold(written, composed, args.mixed)
    scores = [
        models[number].score(plan.rows.readings[at], plan.rows.tags[at])
        for at, number in enumerate(written.part.tolist())
    ]
    print(f"folds: {time.time() - began:.0f} s")
    answers = _answers(plan, scores, written.part)
    for at, name in enumerate(NAMED):
        print(f"\n## {name}, unseen\n")
        chosen = np.flatnonzero(written.author == at)
        show([answers[i] for i in chosen], part(plan.rows, chosen))
    print("\n## all, each author unseen\n")
    show(answers, plan.rows)
    doubt = _doubt(plan.rows, answers)
    if args.folds:
        for number, part_of in models.items():
            learned = train.rules(plan, scores, written.part != number).stored
            rules_of = {**learned, "doubt": doubt}
            _write(replace(part_of, rules=rules_of), args.folds / f"{number}.npz")
    rules = train.rules(plan, scores, np.ones(len(answers), bool)).stored
    model = _fit(written.rows, composed, args.mixed)
    _write(replace(model, rules={**rules, "doubt": doubt}), train.TARGET)
    print(f"{time.time() - began:.0f} s")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=8000, help="requests to compose of phrases")
    parser.add_argument("--folds", type=Path, help="keep the weights of each half of the authors")
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
    wished = [row for row in wishes.rows() if read(row.text).clauses]
    files += [[row for row in wished if wishes.half(row.text) == half] for half in (0, 1)]
    author = np.repeat(np.arange(len(files)), [len(rows) for rows in files])
    parts = np.array([*np.resize(PARTS, len(AUTHORS)), 0, 1])
    return Written([row for rows in files for row in rows], author, parts[author])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _fit(written: Sequence[Row], composed: Sequence[Row], mixed: int) -> KindModel:
    """Fit the linear model and the network on the same requests."""
    outside = wishes.beside(written, BESIDE)
    made = [row for row in (*composed, *mix(written, mixed), *outside) if read(row.text).clauses]
    rows = everyday([*written, *made], NAMES)
    own = np.arange(len(rows)) < len(written)
    wished = {row.text for row in wishes.rows()}
    more = np.array([WISHED if row.text in wished else 1.0 for row in written] + [1.0] * len(made))
    weight = np.where(own, WEIGHT, 1.0) * more
    known = fit.data(rows.readings, rows.tags, rows.wanted.astype(float), weight)
    model = fit.fit(
        known, NAMES, penalty=PENALTY, rounds=ROUNDS, rows=KEPT, least=LEAST, levels=LEVELS
    )
    copies = np.where(own, COPIES * more, 1).astype(int)
    network = deepen.fit(rows.readings, rows.tags, rows.wanted, copies, rounds=DEEP_ROUNDS)
    return replace(model, network=network)


def _fold(written: Written, composed: Sequence[Row], mixed: int) -> dict[int, KindModel]:
    """For each part, a model trained on the other part's authors."""
    return {
        number: _fit(
            [row for row, of in zip(written.rows, written.part, strict=True) if of != number],
            composed,
            mixed,
        )
        for number in sorted(set(PARTS))
    }


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


def _write(model: KindModel, target: Path) -> None:
    with np.load(train.TARGET) as old:
        kept = {name: part for name, part in old.items() if not name.startswith("everyday.")}
    network = {}
    if model.network is not None:
        network = deepen.pack(model.network, f"{decision.EVERYDAY}.network")
    parts = {**kept, **train.pack(model, decision.EVERYDAY), **network}
    np.savez_compressed(target, **parts)
    print(f"{target.name}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
