"""What the trainings of the planner share: rules learned from out-of-fold scores, links, and the file of weights."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from adapters.embedded.planner import choosing, deciding, linking
from adapters.embedded.planner.choosing import Rules
from adapters.embedded.planner.model import Model, Scores
from adapters.embedded.planner.shapes import TALK, Shapes
from benchmarks.planning import learn
from benchmarks.planning.measure import Answer
from benchmarks.planning.rows import Rows

LEARNED_ON = 2500
"""Rows that the choice of sets is learned on; more take long and change nothing."""
PARTS = 4
"""Parts of the rows: what is used for one is counted on the others."""
TARGET = Path(deciding.__file__).parent / deciding.WEIGHTS


@dataclass(frozen=True)
class Plan:
    """How one vocabulary is trained: rows to learn from beside those that are folded, and how they are decided on."""

    name: str
    folded: Rows
    shapes: Shapes
    threshold: float = -1.0
    lean: float = 0.0


@dataclass
class Decider:
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


def rules(plan: Plan, scores: list[Scores], keep: np.ndarray) -> Decider:
    """Learn to choose and to link on the kept rows; what is counted never holds the row it is used for."""
    rows, kept = plan.folded, np.random.RandomState(0).permutation(np.flatnonzero(keep))
    parts = np.resize(np.arange(PARTS), len(kept))
    stated = [_counted(plan, kept[parts != number]) for number in range(PARTS)]
    of = dict(zip(kept.tolist(), parts.tolist(), strict=True))
    some = kept[:LEARNED_ON]
    weights = learn.weights(
        [stated[of[at]] for at in some.tolist()],
        np.array([scores[at].odds for at in some]),
        rows.wanted[some],
        rows.given[some],
        rows.sent[some],
    )
    link = _links(plan, scores, kept, lambda at: stated[of[at]])
    total = _counted(plan, kept)
    stored = {
        "weights": [round(float(w), 4) for w in weights],
        "together": np.round(total.together, 2).tolist(),
        "feeding": np.round(total.feeding, 2).tolist(),
        "threshold": plan.threshold,
        "lean": plan.lean,
        "link_weights": [round(float(w), 4) for w in link.coef_[0]],
        "link_bias": round(float(link.intercept_[0]), 4),
        "link_threshold": 0.0,
    }
    return Decider(plan, scores, choosing.rules(rows.kinds, plan.shapes, stored), stored)


def _counted(plan: Plan, chosen: np.ndarray) -> Rules:
    rows = plan.folded
    links = [rows.links[at] for at in chosen]
    together, feeding = learn.counted(rows.wanted[chosen], links, plan.shapes.feeds)
    stored = {"weights": [], "together": together, "feeding": feeding, "threshold": plan.threshold}
    return choosing.rules(rows.kinds, plan.shapes, stored)


def _links(
    plan: Plan, scores: Sequence[Scores], kept: np.ndarray, stated: Callable[[int], Rules]
) -> LogisticRegression:
    """What links kinds."""
    found = [
        pair for at in kept.tolist() for pair in _pairs(plan.folded, at, scores[at], stated(at))
    ]
    features, linked = zip(*found, strict=True)
    return LogisticRegression(C=1.0, max_iter=3000).fit(np.array(features), linked)


def _pairs(rows: Rows, at: int, scores: Scores, rules: Rules) -> list[tuple[np.ndarray, bool]]:
    places = [p for p in np.flatnonzero(rows.wanted[at]).tolist() if rows.kinds[p] != TALK]
    if len(places) < 2:
        return []
    pairs = linking.pairs(rows.readings[at], scores, places, rules)
    open_ = linking.possible(np.zeros(pairs.shape[:2]), places, rules) == 0
    return [
        (pairs[a, b], (source, target) in rows.links[at])
        for a, source in enumerate(places)
        for b, target in enumerate(places)
        if a != b and open_[a, b]
    ]


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
        gaps = np.diff(hashes, prepend=0)
        out[f"{name}.{part}.gaps"] = gaps.astype(np.uint16 if gaps.max() < 2**16 else np.uint32)
        out[f"{name}.{part}.scale"] = np.round(view.scale[order] * 32).astype(np.uint8)
        out[f"{name}.{part}.weights"] = np.ascontiguousarray(view.weights[order].T)
        out[f"{name}.{part}.step"] = view.step.astype(np.float16)
    return out
