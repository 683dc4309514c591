"""From scores to a plan: which set of kinds, and which of them feeds which.

Likely sets are weighed by what they need and leave unused; in each, every kind has a source among
the others, or none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.model import TALK, Floats, Scores
from pipeline.domain import Type
from pipeline.task_kinds import KINDS

TYPES = (Type.TEXT, Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.DOCUMENT, Type.TABLE)
_READ_AS_TEXT = (Type.LABELS, Type.BOXES, Type.MASKS, Type.SPANS, Type.NUMBER)
_UNSURE = 8
"""Kinds that a set may have or not."""
_NEAR = 4.5
"""Log-odds from the threshold within which a kind is unsure."""
_KEPT = 64
"""Sets that are weighed: the likeliest."""
_SETS = 8
"""Sets that links are looked for in."""
_RARE = 0.02
"""How likely each of these must be."""
_NO_LINK = -9.0
"""Log-odds of a link of a kind to itself, or beside no other."""
_SHARP = 1.5
"""How much more the clauses count that speak most of a kind, for its place in the text."""

Bits = npt.NDArray[np.bool_]
Link = tuple[int, int]
"""Places of the source and the target among the chosen kinds."""


@dataclass(frozen=True, slots=True)
class KindShapes:
    """For a list of kinds: the types each makes, what each slot takes, which may feed which."""

    makes: Bits
    slots: Bits
    owner: npt.NDArray[np.int64]
    """The kind that each slot belongs to."""
    feeds: Bits


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodingWeights:
    """What was learned about sets of kinds and their links."""

    shapes: KindShapes
    talk: int
    sets: Floats
    """One weight for each feature of a set."""
    links: Floats
    """One weight for each feature of a pair."""
    feeding: Floats
    """Log-probability that the first hands its output to the second, when both are there."""
    none: Floats
    """Log-odds that a kind has no source, and how they grow with the number of kinds."""
    threshold: float
    lean: float
    """Take every kind at least this likely over all sets; 1: those of the likeliest set."""
    least: float
    """How likely a link must be."""
    sources: int
    """How many sources a kind may have."""
    doubt: float = 0.0
    """Confidence below which it is better to ask."""


@dataclass(frozen=True, slots=True)
class LikelySets:
    """Sets of kinds, and how likely each is among them."""

    sets: Bits
    share: Floats


def load_rules(
    kinds: Sequence[str], shapes: KindShapes, stored: Mapping[str, Any]
) -> DecodingWeights:
    """The rules out of the model's file."""
    values: dict[str, Any] = {
        name: np.array(value, np.float32) if isinstance(value, list) else value
        for name, value in stored.items()
    }
    return DecodingWeights(shapes=shapes, talk=kinds.index(TALK) if TALK in kinds else -1, **values)


def kind_shapes(kinds: Sequence[str]) -> KindShapes:
    """The shapes of kinds in this order; plain talk takes and makes nothing."""
    makes = np.zeros((len(kinds), len(TYPES)), bool)
    slots: list[list[bool]] = []
    owner: list[int] = []
    for at, name in enumerate(kinds):
        for slot in KINDS[name].makes if name in KINDS else ():
            as_text = (Type.TEXT,) if slot.type in _READ_AS_TEXT else ()
            makes[at] |= [kind in (*slot.types, *as_text) for kind in TYPES]
        for slot in KINDS[name].takes if name in KINDS else ():
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


def find_likely_sets(scores: Scores, rules: DecodingWeights, given: Bits, sent: Bits) -> LikelySets:
    """The sets that may be meant.

    `given`: types there are to work on; `sent`: types of the files of this message.
    """
    sets = candidate_sets(scores.odds, rules)
    value = set_features(sets, scores.odds, rules, given, sent) @ rules.sets
    share = np.exp(value - value.max())
    return LikelySets(sets, share / share.sum())


def choose_kinds(scores: Scores, likely: LikelySets, rules: DecodingWeights) -> tuple[str, ...]:
    """The kinds that are likely over all sets, or of the likeliest, in the order of the text."""
    best = likely.sets[likely.share.argmax()].astype(np.float32)
    each = likely.share @ likely.sets if rules.lean < 1 else best
    chosen = np.flatnonzero(each >= min(rules.lean, each.max()))
    in_order = sorted(chosen.tolist(), key=lambda at: float(scores.where[at]))
    return tuple(scores.kinds[at] for at in in_order if at != rules.talk)


def candidate_sets(odds: Floats, rules: DecodingWeights) -> Bits:
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


def set_features(
    sets: Bits, odds: Floats, rules: DecodingWeights, given: Bits, sent: Bits
) -> Floats:
    """The features of each set."""
    bare = sets & (np.arange(len(odds)) != rules.talk)
    n = bare.sum(axis=1)
    guess = float(np.exp(-np.logaddexp(0, -odds)).sum())
    columns = [
        _log_likelihood(sets, odds),
        np.abs(n - guess),
        n - guess,
        _missing_inputs(rules.shapes, bare, given),
        _unused_types(rules.shapes, bare, sent),
        *(n == size for size in range(6)),
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def expected_links(scores: Scores, likely: LikelySets, rules: DecodingWeights) -> Floats:
    """How likely each link between two kinds is, over the likely sets."""
    sure = np.zeros((len(scores.kinds), len(scores.kinds)), np.float32)
    for at in np.argsort(-likely.share)[:_SETS]:
        kinds = np.flatnonzero(likely.sets[at])
        if likely.share[at] >= _RARE and len(kinds) > 1:
            pairs = pair_features(scores, kinds.tolist(), rules)
            shares = source_shares(pairs @ rules.links, rules.none)
            sure[np.ix_(kinds, kinds)] += likely.share[at] * shares
    return sure


def source_shares(odds: npt.NDArray[Any], none: npt.NDArray[Any]) -> Floats:
    """How likely each link is if every kind has one source or none, whatever the others have."""
    odds = odds.copy()
    np.fill_diagonal(odds, -np.inf)
    first = np.full((1, len(odds)), none[0] + none[1] * len(odds))
    share = np.exp(np.concatenate([odds, first]))
    return np.asarray(share[:-1] / share.sum(axis=0), np.float32)


def surest_links(sure: Floats, rules: DecodingWeights) -> tuple[Link, ...]:
    """The links that are likely enough, without circles, by their targets."""
    n = len(sure)
    fed = dict.fromkeys(range(n), 0)
    behind = {at: {at} for at in range(n)}
    found: list[Link] = []
    for flat in np.argsort(-sure, axis=None):
        source, target = divmod(int(flat), n)
        if sure[source, target] <= rules.least:
            break
        if source in behind[target] or fed[target] == rules.sources:
            continue
        fed[target] += 1
        found.append((source, target))
        for above in behind.values():
            if source in above:
                above.update(behind[target])
    return tuple(sorted(found, key=lambda link: link[1]))


def pair_features(scores: Scores, chosen: Sequence[int], rules: DecodingWeights) -> Floats:
    """The features of each ordered pair of the chosen kinds: (n, n, features)."""
    n = len(chosen)
    prior = rules.feeding[np.ix_(chosen, chosen)].copy()
    np.fill_diagonal(prior, _NO_LINK)
    spoken = scores.by_clause[:, chosen]
    share = np.exp(_SHARP * (spoken - spoken.max(axis=0)))
    place = (share * np.arange(len(spoken))[:, None]).sum(axis=0) / share.sum(axis=0)
    rank = np.argsort(np.argsort(place + 1e-4 * np.arange(n)))
    step = rank[None, :] - rank[:, None]
    features = [
        prior,
        rules.shapes.feeds[np.ix_(chosen, chosen)],
        prior - _best_other(prior),
        prior - _best_other(prior.T).T,
        np.tanh(place[None, :] - place[:, None]),
        *(step == by for by in (1, -1, 2)),
        step > 2,  # noqa: PLR2004 - beyond those above
        step < -1,
    ]
    return np.stack(features, axis=2).astype(np.float32)


def _missing_inputs(shape: KindShapes, sets: Bits, given: Bits) -> npt.NDArray[np.int64]:
    """How many inputs of each set nothing given and nothing made could fill."""
    made = sets.astype(np.int64) @ shape.makes.astype(np.int64)
    by_others = made[:, None, :] - shape.makes[shape.owner][None] > 0
    filled = (shape.slots[None] & (given[None, None] | by_others)).any(axis=2)
    return np.asarray((sets[:, shape.owner] & ~filled).sum(axis=1))


def _unused_types(shape: KindShapes, sets: Bits, sent: Bits) -> npt.NDArray[np.int64]:
    """How many types of the files that were sent no kind of each set takes."""
    wanted = sets[:, shape.owner] @ shape.slots
    return np.asarray((sent[None] & ~wanted)[:, 1:].sum(axis=1))


def _log_likelihood(sets: Bits, odds: Floats) -> Floats:
    yes, no = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    return np.asarray(sets @ (yes - no) + no.sum(), np.float32)


@lru_cache(maxsize=16)
def _subsets(count: int) -> Bits:
    return np.array([[n >> bit & 1 for bit in range(count)] for n in range(2**count)], bool)


def _best_other(prior: Floats) -> Floats:
    """For each pair the best prior of another source of the same target."""
    if len(prior) <= 2:  # noqa: PLR2004 - there is no other
        return np.full_like(prior, _NO_LINK)
    second, best = np.sort(prior, axis=0)[-2:]
    return np.asarray(np.where(prior == best[None], second[None], best[None]))
