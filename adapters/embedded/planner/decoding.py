"""From scores to a set of kinds: likely sets are weighed by what they need and leave unused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.model import TALK, Floats, Scores
from pipeline.domain import TaskKind, Type

TYPES = (Type.TEXT, Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.DOCUMENT, Type.TABLE)
READERS = ("document-to-text",)
"""Kinds that only turn a file into text, for another kind to work on."""
_READ_AS_TEXT = (Type.LABELS, Type.BOXES, Type.MASKS, Type.SPANS, Type.NUMBER)
_UNSURE, _NEAR, _KEPT = 8, 4.5, 64
_LOW = -9.0

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class KindShapes:
    """For a list of kinds: the types each makes, what each slot takes, which may feed which."""

    makes: Bits
    slots: Bits
    owner: npt.NDArray[np.int64]
    """The kind that each slot belongs to."""
    feeds: Bits


@dataclass(frozen=True, slots=True)
class SetRules:
    """What was learned about sets of kinds."""

    shapes: KindShapes
    weights: Floats
    """One for each feature of a set."""
    together: Floats
    feeding: Floats
    """Log-probability that the first hands its output to the second, when both are there."""
    threshold: float
    lean: float
    """Above 0: take every kind at least this likely over all sets; else the likeliest set."""
    talk: int
    readers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChosenSet:
    """A set of kinds, how likely it is among those weighed, and the next best."""

    kinds: tuple[str, ...]
    confidence: float
    second: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LikelySets:
    """Sets of kinds, and how likely each is among them."""

    sets: Bits
    share: Floats


def kind_shapes(kinds: Sequence[str], table: Mapping[str, TaskKind]) -> KindShapes:
    """The shapes of kinds in this order; plain talk, not in the table, takes and makes nothing."""
    makes = np.zeros((len(kinds), len(TYPES)), bool)
    slots: list[list[bool]] = []
    owner: list[int] = []
    for at, name in enumerate(kinds):
        if name not in table:
            continue
        for slot in table[name].makes:
            as_text = (Type.TEXT,) if slot.type in _READ_AS_TEXT else ()
            makes[at] |= [kind in (*slot.types, *as_text) for kind in TYPES]
        for slot in table[name].takes:
            if slot.required:
                slots.append([kind in slot.types for kind in TYPES])
                owner.append(at)
    return shapes_of(makes, np.array(slots, bool), owner)


def shapes_of(makes: Bits, slots: Bits, owner: Sequence[int]) -> KindShapes:
    """The shapes, with which kind may feed which."""
    feeds = np.zeros((len(makes), len(makes)), bool)
    for row, at in zip(slots, owner, strict=True):
        feeds[:, at] |= (makes & row).any(axis=1)
    np.fill_diagonal(feeds, val=False)
    return KindShapes(makes, slots, np.array(owner), feeds)


def type_bits(types: Sequence[Type]) -> Bits:
    """Types as bits; there always are words."""
    return np.array([kind is Type.TEXT or kind in types for kind in TYPES], bool)


def set_rules(kinds: tuple[str, ...], shapes: KindShapes, stored: Mapping[str, Any]) -> SetRules:
    """The rules out of the model's file."""
    return SetRules(
        shapes,
        np.array(stored["weights"], np.float32),
        np.array(stored["together"], np.float32),
        np.array(stored["feeding"], np.float32),
        float(stored["threshold"]),
        float(stored.get("lean", 0)),
        kinds.index(TALK) if TALK in kinds else -1,
        tuple(kinds.index(name) for name in READERS if name in kinds),
    )


def find_likely_sets(scores: Scores, rules: SetRules, given: Bits, sent: Bits) -> LikelySets:
    """The sets that may be meant.

    `given`: types there are to work on; `sent`: types of the files of this message.
    """
    sets = candidate_sets(scores.odds, rules)
    value = set_features(sets, scores.odds, rules, given, sent) @ rules.weights
    share = np.exp(value - value.max())
    return LikelySets(sets, share / share.sum())


def choose_set(scores: Scores, likely: LikelySets, rules: SetRules) -> ChosenSet:
    """The best of the sets that may be meant."""
    order = np.argsort(-likely.share)
    best = [_names(likely.sets[at], scores.kinds) for at in order[:2]]
    if rules.lean > 0:
        each = likely.share @ likely.sets
        best[0] = _names(each >= min(rules.lean, each.max()), scores.kinds)
    return ChosenSet(best[0], float(likely.share[order[0]]), best[1] if len(best) > 1 else ())


def candidate_sets(odds: Floats, rules: SetRules) -> Bits:
    """The sets that differ from the obvious one in doubtful kinds, the likeliest first."""
    far = np.abs(odds - rules.threshold)
    doubtful = [at for at in np.argsort(far)[:_UNSURE].tolist() if far[at] < _NEAR]
    sure = odds > rules.threshold
    best = int(np.argmax(np.where(np.arange(len(odds)) == rules.talk, -np.inf, odds)))
    doubtful = sorted({*doubtful, best} - {rules.talk})
    sure[doubtful] = False
    sets = np.repeat(sure[None], 2 ** len(doubtful), axis=0)
    sets[:, doubtful] = _subsets(len(doubtful))
    if rules.talk >= 0:  # plain talk stands alone
        sets[:, rules.talk] = False
        sets[:, rules.talk] = ~sets.any(axis=1)
        if sets[:, rules.talk].sum() == 0:
            sets = np.vstack([sets, np.arange(len(odds)) == rules.talk])
    else:
        sets = sets[sets.any(axis=1)]
    return np.asarray(sets[np.argsort(-_log_likelihood(sets, odds))[:_KEPT]])


def set_features(sets: Bits, odds: Floats, rules: SetRules, given: Bits, sent: Bits) -> Floats:
    """The features of each set."""
    n = sets.sum(axis=1)
    bare = sets.copy()
    if rules.talk >= 0:
        n = n - sets[:, rules.talk]
        bare[:, rules.talk] = False
    f = bare.astype(np.float32)
    guess = float((1 / (1 + np.exp(-odds))).sum())
    pairs = np.einsum("ci,ij,cj->c", f, rules.together, f) / 2 / np.maximum(n - 1, 1)
    feeding = np.maximum(rules.feeding, _LOW)
    source = np.where(bare[:, :, None], feeding[None], _LOW).max(axis=1)
    target = np.where(bare[:, None, :], feeding[None], _LOW).max(axis=2)
    weakest = np.where(bare, odds[None], np.inf).min(axis=1, initial=4.0).clip(-4, 4)
    strongest_left = np.where(bare, -np.inf, odds[None]).max(axis=1, initial=-4.0).clip(-4, 4)
    parted = np.maximum(n - 1 - (bare & (f @ rules.shapes.feeds > 0)).sum(axis=1), 0)
    columns = [
        _log_likelihood(sets, odds),
        np.abs(n - guess),
        n - guess,
        pairs,
        _sum_but_worst(source, bare),
        _sum_but_worst(target, bare),
        _missing_inputs(rules.shapes, bare, given),
        _unused_types(rules.shapes, bare, sent),
        _unread_texts(rules.shapes, bare, rules.readers) if rules.readers else np.zeros(len(n)),
        np.where(n > 1, parted, 0),
        *(n == size for size in range(6)),
        weakest,
        strongest_left,
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def _missing_inputs(shape: KindShapes, sets: Bits, given: Bits) -> npt.NDArray[np.int64]:
    """How many inputs of each set nothing given and nothing made could fill."""
    made = sets.astype(np.int64) @ shape.makes.astype(np.int64)
    by_others = made[:, None, :] - shape.makes[shape.owner][None] > 0
    filled = (shape.slots[None] & (given[None, None] | by_others)).any(axis=2)
    return np.asarray((sets[:, shape.owner] & ~filled).sum(axis=1))


def _unused_types(shape: KindShapes, sets: Bits, sent: Bits) -> npt.NDArray[np.int64]:
    """How many types of the files that were sent no kind of each set takes."""
    wanted = np.zeros((len(sets), len(TYPES)), bool)
    for row, at in zip(shape.slots, shape.owner, strict=True):
        wanted |= sets[:, at, None] & row[None]
    return np.asarray((sent[None] & ~wanted)[:, 1:].sum(axis=1))


def _unread_texts(shape: KindShapes, sets: Bits, readers: Sequence[int]) -> npt.NDArray[np.int64]:
    """How many kinds of a set turn a file into a text that no kind of the set reads."""
    takes_text = np.zeros(shape.makes.shape[0], bool)
    takes_text[shape.owner[shape.slots[:, 0]]] = True
    takes_text[list(readers)] = False
    read = (sets & takes_text).any(axis=1)
    return np.asarray(sets[:, list(readers)].sum(axis=1) * ~read)


def _sum_but_worst(best: npt.NDArray[Any], sets: Bits) -> npt.NDArray[Any]:
    """The sum of the best link of each kind of a set, without the poorest (a chain has an end)."""
    inside = np.where(sets, best, 0.0)
    return np.where(sets.sum(axis=1) > 1, inside.sum(axis=1) - inside.min(axis=1), 0.0)


def _log_likelihood(sets: Bits, odds: Floats) -> Floats:
    yes, no = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    return np.asarray(sets @ (yes - no) + no.sum(), np.float32)


def _names(row: Bits, kinds: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(kinds[at] for at in np.flatnonzero(row) if kinds[at] != TALK)


@lru_cache(maxsize=16)
def _subsets(count: int) -> Bits:
    return np.array([[n >> bit & 1 for bit in range(count)] for n in range(2**count)], bool)
