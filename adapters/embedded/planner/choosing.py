"""Chooses the set of kinds: likely sets are listed, and weighed by what they would need, leave unused and hold together."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.model import Floats, Scores
from adapters.embedded.planner.shapes import TALK, Bits, Shapes, idle, missing, unused

READERS = ("document-to-text",)
_UNSURE, _NEAR, _KEPT = 8, 4.5, 64
_LOW = -9.0


@dataclass(frozen=True, slots=True)
class Rules:
    """What was learned about sets of kinds: a weight for each feature, how kinds go together, what feeds what."""

    shapes: Shapes
    weights: Floats
    together: Floats
    feeding: Floats
    """Log-probability that the first hands its output to the second, when both are there."""
    threshold: float
    lean: float
    """Above 0: every kind that is at least so likely over all sets, which misses fewer; else the likeliest set."""
    talk: int
    readers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A set of kinds, how likely it is among those weighed, and the next best."""

    kinds: tuple[str, ...]
    confidence: float
    second: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Likely:
    """Sets of kinds, and how likely each is among them."""

    sets: Bits
    share: Floats


def rules(kinds: tuple[str, ...], shapes: Shapes, stored: Mapping[str, Any]) -> Rules:
    """The rules out of the model's file."""
    return Rules(
        shapes,
        np.array(stored["weights"], np.float32),
        np.array(stored["together"], np.float32),
        np.array(stored["feeding"], np.float32),
        float(stored["threshold"]),
        float(stored.get("lean", 0)),
        kinds.index(TALK) if TALK in kinds else -1,
        tuple(kinds.index(name) for name in READERS if name in kinds),
    )


def choose(scores: Scores, learned: Rules, given: Bits, sent: Bits) -> Chosen:
    """The best set. `given`: types there are to work on; `sent`: types of the files of this message."""
    return pick(scores, likely(scores, learned, given, sent), learned)


def likely(scores: Scores, learned: Rules, given: Bits, sent: Bits) -> Likely:
    """The sets that may be meant, and how likely each is."""
    sets = likely_sets(scores.odds, learned)
    value = weigh(sets, scores.odds, learned, given, sent) @ learned.weights
    share = np.exp(value - value.max())
    return Likely(sets, share / share.sum())


def pick(scores: Scores, found: Likely, learned: Rules) -> Chosen:
    """The best of sets that may be meant."""
    order = np.argsort(-found.share)
    named = [_names(found.sets[at], scores.kinds) for at in order[:2]]
    if learned.lean > 0:
        each = found.share @ found.sets
        named[0] = _names(each >= min(learned.lean, each.max()), scores.kinds)
    return Chosen(named[0], float(found.share[order[0]]), named[1] if len(named) > 1 else ())


def likely_sets(odds: Floats, learned: Rules) -> Bits:
    """The sets that differ from the obvious one in kinds that are in doubt, the likeliest first. Plain talk stands alone."""
    far = np.abs(odds - learned.threshold)
    doubtful = [at for at in np.argsort(far)[:_UNSURE].tolist() if far[at] < _NEAR]
    sure = odds > learned.threshold
    best = int(np.argmax(np.where(np.arange(len(odds)) == learned.talk, -np.inf, odds)))
    doubtful = sorted({*doubtful, best} - {learned.talk})
    sure[doubtful] = False
    sets = np.repeat(sure[None], 2 ** len(doubtful), axis=0)
    sets[:, doubtful] = _subsets(len(doubtful))
    if learned.talk >= 0:
        sets[:, learned.talk] = False
        sets[:, learned.talk] = ~sets.any(axis=1)
        if sets[:, learned.talk].sum() == 0:
            sets = np.vstack([sets, np.arange(len(odds)) == learned.talk])
    else:
        sets = sets[sets.any(axis=1)]
    plain = _plain(sets, odds)
    return np.asarray(sets[np.argsort(-plain)[:_KEPT]])


def weigh(sets: Bits, odds: Floats, learned: Rules, given: Bits, sent: Bits) -> Floats:
    """The features of each set."""
    n = sets.sum(axis=1)
    bare = sets.copy()
    if learned.talk >= 0:
        n = n - sets[:, learned.talk]
        bare[:, learned.talk] = False
    f = bare.astype(np.float32)
    guess = float((1 / (1 + np.exp(-odds))).sum())
    pairs = np.einsum("ci,ij,cj->c", f, learned.together, f) / 2 / np.maximum(n - 1, 1)
    feeding = np.maximum(learned.feeding, _LOW)
    source = np.where(bare[:, :, None], feeding[None], _LOW).max(axis=1)
    target = np.where(bare[:, None, :], feeding[None], _LOW).max(axis=2)
    weakest = np.where(bare, odds[None], np.inf).min(axis=1, initial=4.0).clip(-4, 4)
    strongest_left = np.where(bare, -np.inf, odds[None]).max(axis=1, initial=-4.0).clip(-4, 4)
    parted = np.maximum(n - 1 - (bare & (f @ learned.shapes.feeds > 0)).sum(axis=1), 0)
    columns = [
        _plain(sets, odds),
        np.abs(n - guess),
        n - guess,
        pairs,
        _but_worst(source, bare),
        _but_worst(target, bare),
        missing(learned.shapes, bare, given),
        unused(learned.shapes, bare, sent),
        idle(learned.shapes, bare, learned.readers) if learned.readers else np.zeros(len(n)),
        np.where(n > 1, parted, 0),
        *(n == size for size in range(6)),
        weakest,
        strongest_left,
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _but_worst(best: npt.NDArray[Any], sets: Bits) -> npt.NDArray[Any]:
    """The sum over each set of the best link of each kind, without the kind that has the poorest (a chain has one end)."""
    inside = np.where(sets, best, 0.0)
    return np.where(sets.sum(axis=1) > 1, inside.sum(axis=1) - inside.min(axis=1), 0.0)


def _plain(sets: Bits, odds: Floats) -> Floats:
    yes, no = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    return np.asarray(sets @ (yes - no) + no.sum(), np.float32)


def _names(row: Bits, kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kinds[at] for at in np.flatnonzero(row) if kinds[at] != TALK)


@lru_cache(maxsize=16)
def _subsets(count: int) -> Bits:
    return np.array([[n >> bit & 1 for bit in range(count)] for n in range(2**count)], bool)
