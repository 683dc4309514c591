"""Shared by both trainings: rules learned from out-of-fold scores, and the weights file."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from adapters.embedded.planner import decision, decoding
from adapters.embedded.planner.decoding import DecodingWeights, KindShapes
from adapters.embedded.planner.model import TALK, KindModel, Scores
from benchmarks.planning import learn
from benchmarks.planning.learn_links import Linked
from benchmarks.planning.learn_links import learn as learn_links
from benchmarks.planning.measure import Answer
from benchmarks.planning.rows import Rows

LEARNED_ON = 2500
"""Rows for learning to choose sets; more are slow and change nothing."""
TARGET = Path(decision.__file__).parent / decision.WEIGHTS


@dataclass(frozen=True)
class Training:
    """How one vocabulary is trained.

    `parts` has the part of each row: statistics for a row are counted on the other parts.
    """

    rows: Rows
    shapes: KindShapes
    parts: np.ndarray
    threshold: float
    lean: float
    least: float
    sources: int
    """`least`: how likely a link must be; `sources`: how many sources a kind may have."""


@dataclass
class Decider:
    """Applies learned rules to a row."""

    training: Training
    scores: list[Scores]
    rules: DecodingWeights
    stored: Mapping[str, Any]

    def __call__(self, at: int) -> Answer:
        rows, scores = self.training.rows, self.scores[at]
        likely = decoding.find_likely_sets(scores, self.rules, rows.given[at], rows.sent[at])
        kinds = decoding.choose_kinds(scores, likely, self.rules)
        places = [rows.kinds.index(kind) for kind in kinds]
        sure = decoding.expected_links(scores, likely, self.rules)
        links = decoding.surest_links(sure[np.ix_(places, places)], self.rules)
        named = tuple((kinds[a], kinds[b]) for a, b in links)
        return Answer(kinds, named, float(likely.share.max()))


def rules(training: Training, scores: list[Scores], keep: np.ndarray) -> Decider:
    """Learn to choose kinds and links on the kept rows."""
    rows, parts = training.rows, training.parts
    stated = {k: _counted(training, keep & (parts != k)) for k in {*parts[keep].tolist()}}
    kept = np.flatnonzero(keep)
    some = np.random.RandomState(0).permutation(kept)[:LEARNED_ON]
    weights = learn.weights(
        [stated[parts[at]] for at in some],
        np.array([scores[at].odds for at in some]),
        rows.wanted[some],
        rows.given[some],
        rows.sent[some],
    )
    total = _counted(training, keep)
    stored = {
        "sets": [round(float(w), 4) for w in weights],
        "feeding": np.round(total.feeding, 2).tolist(),
        "threshold": training.threshold,
        "lean": training.lean,
        "least": training.least,
        "sources": training.sources,
        **_links(training, scores, kept, lambda at: stated[parts[at]]),
    }
    return Decider(
        training, scores, decoding.load_rules(rows.kinds, training.shapes, stored), stored
    )


def _counted(training: Training, keep: np.ndarray) -> DecodingWeights:
    rows, chosen = training.rows, np.flatnonzero(keep)
    links = [rows.links[at] for at in chosen]
    stored = {
        **{name: list[float]() for name in ("sets", "links", "none")},
        "feeding": learn.counted(rows.wanted[chosen], links, training.shapes.feeds),
        "threshold": training.threshold,
        "lean": training.lean,
        "least": training.least,
        "sources": training.sources,
    }
    return decoding.load_rules(rows.kinds, training.shapes, stored)


def _links(
    training: Training,
    scores: list[Scores],
    kept: np.ndarray,
    stated: Callable[[int], DecodingWeights],
) -> dict[str, object]:
    rows, linked = training.rows, []
    for at in kept.tolist():
        kinds = [p for p in np.flatnonzero(rows.wanted[at]).tolist() if rows.kinds[p] != TALK]
        if len(kinds) > 1 and rows.known[at]:
            pairs = decoding.pair_features(scores[at], kinds, stated(at))
            links = [(kinds.index(source), kinds.index(to)) for source, to in rows.links[at]]
            linked.append(Linked(pairs, tuple(links)))
    return learn_links(linked)


def doubt(confidence: np.ndarray, right: np.ndarray, wary: float) -> float:
    """The highest confidence around which the share of right plans is below `wary` - 0.35."""
    best = 0.0
    for edge in np.arange(0.1, 0.9, 0.02):
        near = (confidence >= edge - 0.1) & (confidence < edge + 0.1)
        if near.sum() >= 8 and right[near].mean() < wary - 0.35:
            best = max(best, float(edge))
    return round(best, 2)


def pack(model: KindModel, name: str) -> dict[str, np.ndarray]:
    """The model as arrays for the weights file."""
    about = json.dumps({"kinds": model.kinds, "rules": model.rules}, separators=(",", ":"))
    out = {f"{name}.about": np.frombuffer(about.encode(), np.uint8), f"{name}.bias": model.bias}
    for part, view in (("request", model.request), ("clause", model.clause)):
        gaps = np.diff(view.hashes, prepend=0)
        out[f"{name}.{part}.gaps"] = gaps.astype(np.uint16 if gaps.max() < 2**16 else np.uint32)
        out[f"{name}.{part}.scale"] = np.round(view.scale * 32).astype(np.uint8)
        out[f"{name}.{part}.weights"] = np.ascontiguousarray(view.weights.T)
        out[f"{name}.{part}.step"] = view.step.astype(np.float16)
    return out
