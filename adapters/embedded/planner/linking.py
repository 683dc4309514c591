"""Decides which kind feeds which: each kind has a source among the others, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.decoding import Bits, LikelySets, SetRules
from adapters.embedded.planner.features import stem
from adapters.embedded.planner.lexicon import lexicon
from adapters.embedded.planner.model import Floats, Scores
from adapters.embedded.planner.reading import Reading

CUES = ("then", "this", "based", "also", "original", "before", "end")
"""Groups of words that tie clauses together, in the order of their weights."""
_NO_LINK = -9.0
_SHARP = 1.5
_NEEDED = 20.0
"""Log-odds that are added to a link without which a task would lack its file."""
_SETS, _RARE = 8, 0.02

Link = tuple[int, int]
"""Places of the source and the target among the chosen kinds."""


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """What was learned about links."""

    weights: Floats
    """One for each feature of a pair."""
    none: tuple[float, float]
    """Log-odds that a kind has no source, and how they grow with the number of kinds."""
    least: float
    """How likely a link must be."""
    sources: int
    """How many sources a kind may have."""


def link_weights(stored: Mapping[str, Any]) -> LinkWeights:
    """The weights out of the model's file."""
    first, more = stored["none"]
    weights = np.array(stored["source"], np.float32)
    none = (float(first), float(more))
    return LinkWeights(weights, none, float(stored["least"]), int(stored["sources"]))


def expected_links(
    reading: Reading, scores: Scores, likely: LikelySets, rules: SetRules, learned: LinkWeights
) -> Floats:
    """How likely each link between two kinds is, over the likely sets."""
    sure = np.zeros((len(scores.kinds), len(scores.kinds)), np.float32)
    for at in np.argsort(-likely.share)[:_SETS]:
        kinds = np.flatnonzero(likely.sets[at])
        if likely.share[at] >= _RARE and len(kinds) > 1:
            pairs = pair_features(reading, scores, kinds.tolist(), rules)
            shares = source_shares(pairs @ learned.weights, learned.none)
            sure[np.ix_(kinds, kinds)] += likely.share[at] * shares
    return sure


def source_shares(odds: npt.NDArray[Any], none: tuple[float, float]) -> Floats:
    """How likely each link is if every kind has one source or none, whatever the others have."""
    odds = odds.copy()
    np.fill_diagonal(odds, -np.inf)
    first = np.full((1, len(odds)), none[0] + none[1] * len(odds))
    share = np.exp(np.concatenate([odds, first]))
    return np.asarray(share[:-1] / share.sum(axis=0), np.float32)


def needed_links(
    odds: Floats, chosen: Sequence[int], rules: SetRules, needy: Sequence[int]
) -> Floats:
    """The odds, with those of impossible links and of links that a kind cannot do without."""
    odds = np.where(rules.shapes.feeds[np.ix_(chosen, chosen)], odds, -np.inf)
    odds[:, needy] += np.where(odds[:, needy] > -np.inf, _NEEDED, 0)
    return np.asarray(odds)


def needy_kinds(chosen: Sequence[int], rules: SetRules, given: Bits) -> list[int]:
    """The places of those kinds for which no file of a type they take is there."""
    shape = rules.shapes
    return [
        at
        for at, kind in enumerate(chosen)
        if not (shape.slots[shape.owner == kind] & given).any(axis=1).all()
    ]


def surest_links(sure: Floats, learned: LinkWeights) -> list[Link]:
    """The links that are likely enough, the surest first, without circles."""
    n = len(sure)
    fed = dict.fromkeys(range(n), 0)
    behind = {at: {at} for at in range(n)}
    found: list[Link] = []
    for flat in np.argsort(-sure, axis=None):
        source, target = divmod(int(flat), n)
        if sure[source, target] <= learned.least:
            break
        if source in behind[target] or fed[target] == learned.sources:
            continue
        fed[target] += 1
        found.append((source, target))
        for above in behind.values():
            if source in above:
                above.update(behind[target])
    return found


def pair_features(
    reading: Reading, scores: Scores, chosen: Sequence[int], rules: SetRules
) -> Floats:
    """The features of each ordered pair of the chosen kinds: (n, n, features)."""
    n = len(chosen)
    prior = rules.feeding[np.ix_(chosen, chosen)].copy()
    np.fill_diagonal(prior, _NO_LINK)
    place, clause = _places(scores, chosen)
    rank = np.argsort(np.argsort(place + 1e-4 * np.arange(n)))
    step = rank[None, :] - rank[:, None]
    ahead = np.tanh(place[None, :] - place[:, None])
    following = step == 1
    cues = _cues(reading)[clause]
    flat = [
        prior,
        rules.shapes.feeds[np.ix_(chosen, chosen)],
        prior.T,
        prior - _best_other(prior),
        prior - _best_other(prior.T).T,
        np.sign(ahead),
        ahead,
        clause[None, :] == clause[:, None],
        *(step == by for by in (1, -1, 2)),
        step > 2,  # noqa: PLR2004 - beyond those above
        step < -1,
        (rank == 0)[:, None],
        (rank == 0)[None],
        (rank == n - 1)[None],
        n == 2,  # noqa: PLR2004
        n >= 5,  # noqa: PLR2004
        prior * following,
        prior * (step < 0),
    ]
    ways = np.stack([following, step > 1, step < 0], axis=2)
    said = cues[None, :, :, None] & ways[:, :, None, :]
    pairs = np.empty((n, n, len(flat) + 3 * len(CUES)), np.float32)
    for at, feature in enumerate(flat):
        pairs[:, :, at] = feature
    pairs[:, :, len(flat) :] = said.reshape(n, n, -1)
    return pairs


def _places(scores: Scores, chosen: Sequence[int]) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Where in the text each kind is spoken of, as a mean over clauses and as the one clause."""
    spoken = scores.by_clause[:, chosen]
    share = np.exp(_SHARP * (spoken - spoken.max(axis=0)))
    share /= share.sum(axis=0)
    place = (share * np.arange(len(spoken))[:, None]).sum(axis=0)
    return place.astype(np.float32), spoken.argmax(axis=0)


def _best_other(prior: Floats) -> Floats:
    """For each pair the best prior of another source of the same target."""
    if len(prior) <= 2:  # noqa: PLR2004 - there is no other
        return np.full_like(prior, _NO_LINK)
    second, best = np.sort(prior, axis=0)[-2:]
    return np.asarray(np.where(prior == best[None], second[None], best[None]))


def _cues(reading: Reading) -> Bits:
    """Which groups of cue words stand in each clause."""
    found = np.zeros((len(reading.clauses), len(CUES)), bool)
    for at, clause in enumerate(reading.clauses):
        for word in clause:
            found[at, _cue_groups().get(stem(word.text), [])] = True
    return found


@cache
def _cue_groups() -> Mapping[str, list[int]]:
    """Stem → the groups that it belongs to."""
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(CUES):
        for word in lexicon().words[f"cue.{name}"]:
            groups.setdefault(stem(word), []).append(at)
    return groups
