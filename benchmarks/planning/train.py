"""Trains the embedded planner for everyday requests and writes its weights: `python -m benchmarks.planning.train`.

Those for TaskBench's names stay as they are; `benchmarks.planning.taskbench` trains them.
"""

import argparse
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from adapters.embedded.planner import choosing, deciding, linking
from adapters.embedded.planner.choosing import Rules
from adapters.embedded.planner.model import Model, Scores
from adapters.embedded.planner.shapes import TALK, Shapes, shapes
from benchmarks.planning import fit, learn
from benchmarks.planning.measure import Answer, show
from benchmarks.planning.recipes import compose
from benchmarks.planning.rows import Rows, everyday, everyday_file
from pipeline.table import KINDS

DRAWN = 2500
"""Composed requests that links are learned from too."""
TARGET = Path(deciding.__file__).parent / deciding.WEIGHTS


@dataclass(frozen=True)
class Plan:
    """How one vocabulary is trained: rows to learn from beside those that are folded, sizes and strengths."""

    name: str
    folded: Rows
    shapes: Shapes
    extra: Rows | None = None
    weight: float = 1.0
    penalty: float = 0.5
    rounds: int = 40
    kept: tuple[int, int] = (6000, 8000)
    threshold: float = -1.0
    lean: float = 0.0
    folds: int = 5
    wary: float = 0.8
    """Share of right plans below which it is better to ask."""


@dataclass
class Learned:
    """What came out: the model with its rules, and the out-of-fold answers."""

    model: Model
    answers: list[Answer] = field(default_factory=list)


def main() -> None:
    args = _arguments()
    began = time.time()
    stored: dict[str, np.ndarray] = {}
    if TARGET.exists():
        with np.load(TARGET) as old:
            stored = dict(old)
    plan = _everyday(args.rows)
    if args.keep_rules:
        model = _fit(plan, np.ones(len(plan.folded), bool))
        rules = _stored_rules(args.rules, stored, plan.name)
        stored |= pack(replace(model, rules=rules), plan.name)
    else:
        learned = train(plan)
        print(f"## {plan.name}: {time.time() - began:.0f} s")
        show(learned.answers, plan.folded)
        stored |= pack(learned.model, plan.name)
    np.savez_compressed(TARGET, **stored)  # type: ignore[arg-type]
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20000, help="everyday requests to compose")
    parser.add_argument("--keep-rules", action="store_true", help="fit the weights, keep the rules")
    parser.add_argument("--rules", type=Path, help="with --keep-rules: rules that `held` learned")
    return parser.parse_args()


def _stored_rules(
    file: Path | None, stored: Mapping[str, np.ndarray], name: str
) -> dict[str, object]:
    return json.loads(file.read_bytes() if file else bytes(stored[f"{name}.about"]))["rules"]


def _everyday(count: int) -> Plan:
    kinds = (*KINDS, TALK)
    return Plan(
        deciding.EVERYDAY,
        everyday(everyday_file("everyday_dev.jsonl"), kinds),
        shapes(kinds, KINDS),
        everyday(list(compose(count)), kinds),
        weight=6.0,
        penalty=2.0,
        rounds=10,
        kept=(15000, 14000),
        folds=4,
    )


def train(plan: Plan) -> Learned:
    """Out-of-fold scores, rules learned on them, and a model of all rows."""
    rows = plan.folded
    fold = np.random.RandomState(0).permutation(len(rows)) % plan.folds
    scores: list[Scores] = [Scores((), *[np.zeros(0)] * 3)] * len(rows)  # type: ignore[arg-type]
    for k in range(plan.folds):
        model = _fit(plan, fold != k)
        for at in np.flatnonzero(fold == k):
            scores[at] = model.score(rows.readings[at], rows.tags[at])
    drawn: list[Scores] = []
    if plan.extra is not None:
        some = plan.extra.readings[:DRAWN], plan.extra.tags[:DRAWN]
        drawn = [model.score(reading, tag) for reading, tag in zip(*some, strict=True)]
    answers: list[Answer] = [Answer((), (), 0.0)] * len(rows)
    for k in range(plan.folds):
        learned = _rules(plan, scores, drawn, fold, fold != k)
        for at in np.flatnonzero(fold == k):
            answers[at] = learned(at)
    final = _rules(plan, scores, drawn, fold, np.ones(len(rows), bool))
    model = _fit(plan, np.ones(len(rows), bool))
    right = np.array([set(a.kinds) == set(_names(rows, i)) for i, a in enumerate(answers)])
    wary = doubt(np.array([a.confidence for a in answers]), right, plan.wary)
    return Learned(replace(model, rules={**final.stored, "doubt": wary}), answers)


def _fit(plan: Plan, keep: np.ndarray) -> Model:
    rows, extra = plan.folded, plan.extra
    chosen = np.flatnonzero(keep)
    readings = [rows.readings[i] for i in chosen]
    tags = [rows.tags[i] for i in chosen]
    wanted, weight = rows.wanted[chosen], np.full(len(chosen), plan.weight)
    if extra is not None:
        readings, tags = readings + extra.readings, tags + extra.tags
        wanted = np.vstack([wanted, extra.wanted])
        weight = np.concatenate([weight, np.ones(len(extra))])
    data = fit.data(readings, tags, wanted.astype(float), weight)
    return fit.fit(data, rows.kinds, penalty=plan.penalty, rounds=plan.rounds, rows=plan.kept)


@dataclass
class _Decider:
    """Rules learned on some rows, to be tried on others."""

    plan: Plan
    scores: list[Scores]
    rules: Rules
    stored: Mapping[str, Any]

    def __call__(self, at: int) -> Answer:
        rows = self.plan.folded
        chosen = choosing.choose(self.scores[at], self.rules, rows.given[at], rows.sent[at])
        places = [rows.kinds.index(kind) for kind in chosen.kinds]
        if len(places) < 2:
            return Answer(chosen.kinds, (), chosen.confidence)
        pairs = linking.pairs(rows.readings[at], self.scores[at], places, self.rules)
        found = linking.links(pairs, places, self.rules, linking.linking(self.stored))
        names = [rows.kinds[place] for place in places]
        return Answer(
            chosen.kinds, tuple((names[a], names[b]) for a, b in found), chosen.confidence
        )


def _rules(
    plan: Plan, scores: list[Scores], drawn: list[Scores], fold: np.ndarray, keep: np.ndarray
) -> _Decider:
    """Learn to choose and to link on the kept rows; what is counted never holds the row it is used for."""
    rows = plan.folded
    stated = {k: _counted(plan, keep & (fold != k)) for k in sorted(set(fold[keep].tolist()))}
    kept = np.flatnonzero(keep)
    weights = learn.weights(
        [stated[fold[i]] for i in kept],
        np.array([scores[i].odds for i in kept]),
        rows.wanted[kept],
        rows.given[kept],
        rows.sent[kept],
    )
    link = _links(plan, scores, kept, lambda at: stated[fold[at]], drawn)
    total = _counted(plan, keep)
    stored = {
        "weights": [round(float(w), 4) for w in weights],
        "together": np.round(total.together, 2).tolist(),
        "feeding": np.round(total.feeding, 2).tolist(),
        "threshold": plan.threshold,
        "lean": plan.lean,
        "link_weights": [round(float(w), 4) for w in link.coef_[0]],
        "link_bias": round(float(link.intercept_[0]), 4),
        "link_threshold": -1.0,
    }
    return _Decider(plan, scores, choosing.rules(rows.kinds, plan.shapes, stored), stored)


def _counted(plan: Plan, keep: np.ndarray) -> Rules:
    rows = plan.folded
    chosen = np.flatnonzero(keep)
    wanted, links = rows.wanted[chosen], [rows.links[i] for i in chosen]
    if plan.extra is not None:
        share = max(1, len(plan.extra) // (5 * len(rows)))
        wanted = np.vstack([*[wanted] * share, plan.extra.wanted])
        links = links * share + plan.extra.links
    together, feeding = learn.counted(wanted, links, plan.shapes.feeds)
    stored = {"weights": [], "together": together, "feeding": feeding, "threshold": plan.threshold}
    return choosing.rules(rows.kinds, plan.shapes, stored)


def _links(
    plan: Plan,
    scores: Sequence[Scores],
    kept: np.ndarray,
    stated: Callable[[int], Rules],
    drawn: Sequence[Scores],
) -> LogisticRegression:
    """What links kinds, from rows of the fold and some of the composed ones (which weigh less)."""
    rows = plan.folded
    found = [_pairs(rows, at, scores[at], stated(at), plan.weight) for at in kept.tolist()]
    if plan.extra is not None:
        rules = stated(int(kept[0]))
        found += [_pairs(plan.extra, at, score, rules, 1.0) for at, score in enumerate(drawn)]
    features, linked, weight = zip(*(one for pairs in found for one in pairs), strict=True)
    model = LogisticRegression(C=0.1, max_iter=3000)
    return model.fit(np.array(features), linked, sample_weight=np.array(weight))


def _pairs(
    rows: Rows, at: int, scores: Scores, rules: Rules, weight: float
) -> list[tuple[np.ndarray, bool, float]]:
    places = [p for p in np.flatnonzero(rows.wanted[at]).tolist() if rows.kinds[p] != TALK]
    if len(places) < 2:
        return []
    pairs = linking.pairs(rows.readings[at], scores, places, rules)
    open_ = linking.possible(np.zeros(pairs.shape[:2]), places, rules) == 0
    return [
        (pairs[a, b], (source, target) in rows.links[at], weight)
        for a, source in enumerate(places)
        for b, target in enumerate(places)
        if a != b and open_[a, b]
    ]


def _names(rows: Rows, at: int) -> list[str]:
    return [k for k, yes in zip(rows.kinds, rows.wanted[at], strict=True) if yes and k != TALK]


def doubt(confidence: np.ndarray, right: np.ndarray, wary: float) -> float:
    """The confidence below which fewer plans than `wary` minus a half of the rest are right, on out-of-fold answers."""
    best = 0.0
    for edge in np.arange(0.1, 0.9, 0.02):
        near = (confidence >= edge - 0.1) & (confidence < edge + 0.1)
        if near.sum() >= 8 and right[near].mean() < wary - 0.35:
            best = max(best, float(edge))
    return round(best, 2)


def pack(model: Model, name: str) -> dict[str, np.ndarray]:
    """A model as arrays for the file of weights."""
    about = json.dumps({"kinds": model.kinds, "rules": model.rules}, separators=(",", ":"))
    out = {f"{name}.about": np.frombuffer(about.encode(), np.uint8), f"{name}.bias": model.bias}
    for part, view in (("request", model.request), ("clause", model.clause)):
        hashes = np.flatnonzero(view.index >= 0)
        order = view.index[hashes]
        out[f"{name}.{part}.gaps"] = np.diff(hashes, prepend=0).astype(np.uint16)
        out[f"{name}.{part}.scale"] = np.round(view.scale[order] * 32).astype(np.uint8)
        out[f"{name}.{part}.weights"] = np.ascontiguousarray(view.weights[order].T)
        out[f"{name}.{part}.step"] = view.step.astype(np.float16)
        assert np.diff(hashes, prepend=0).max() < 2**16
    return out


if __name__ == "__main__":
    main()
