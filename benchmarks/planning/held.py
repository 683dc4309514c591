"""Learns the everyday rules on requests out of phrases that the model has not seen: `python -m benchmarks.planning.held`.

The development half alone flatters: its author's phrases are near to it. `train --keep-rules --rules FILE` takes what comes out.
"""

import argparse
import json
from dataclasses import replace

import numpy as np

from adapters.embedded.planner import deciding
from adapters.embedded.planner.model import Scores
from adapters.embedded.planner.shapes import TALK, shapes
from benchmarks.planning import train
from benchmarks.planning.compose import HELD, KNOWN
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.recipes import compose
from benchmarks.planning.rows import Rows, everyday, everyday_file
from pipeline.table import KINDS

FOLDS = 4
DOUBT = 0.36
"""Confidence below which it is better to ask: about there two of five plans are right."""


def main() -> None:
    args = _arguments()
    kinds = (*KINDS, TALK)
    dev = everyday_file("everyday_dev.jsonl")
    unseen = everyday([*dev, *compose(args.held, 7, HELD)], kinds)
    known = everyday(list(compose(args.rows, 1, KNOWN)), kinds)
    plan = train.Plan(
        deciding.EVERYDAY,
        unseen,
        shapes(kinds, KINDS),
        known,
        penalty=2.0,
        rounds=8,
        kept=(15000, 14000),
    )
    model = train._fit(plan, np.zeros(len(unseen), bool))  # noqa: SLF001
    scores = [model.score(r, t) for r, t in zip(unseen.readings, unseen.tags, strict=True)]
    fold = np.random.RandomState(0).permutation(len(unseen)) % FOLDS
    answers = _folded(plan, scores, fold)
    print("## development half\n")
    show(answers[: len(dev)], _first(unseen, len(dev)))
    print("\n## requests out of phrases that were held back\n")
    show(answers[len(dev) :], _first(unseen, -args.held))
    final = train._rules(plan, scores, [], fold, np.ones(len(unseen), bool))  # noqa: SLF001
    args.out.write(json.dumps({"rules": {**final.stored, "doubt": DOUBT}}))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=14000, help="requests the model is fitted on")
    parser.add_argument("--held", type=int, default=1500, help="requests the rules are learned on")
    parser.add_argument("--out", type=argparse.FileType("w"), default="rules.json")
    return parser.parse_args()


def _folded(plan: train.Plan, scores: list[Scores], fold: np.ndarray) -> list[Answer]:
    answers: list[Answer] = [Answer((), (), 0.0)] * len(scores)
    for k in range(FOLDS):
        learned = train._rules(plan, scores, [], fold, fold != k)  # noqa: SLF001
        for at in np.flatnonzero(fold == k):
            answers[at] = learned(at)
    return answers


def _first(rows: Rows, count: int) -> Rows:
    """The first rows, or with a number below 0 the last."""
    part = slice(count) if count > 0 else slice(count, None)
    return replace(
        rows,
        readings=rows.readings[part],
        tags=rows.tags[part],
        wanted=rows.wanted[part],
        links=rows.links[part],
        given=rows.given[part],
        sent=rows.sent[part],
        shape=rows.shape[part],
        known=rows.known[part],
    )


if __name__ == "__main__":
    main()
