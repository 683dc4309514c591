"""Links of TaskBench's requests: how likely each is over all likely sets of kinds and all orders in which they may run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner import linking, places
from adapters.embedded.planner.choosing import Likely, Rules
from adapters.embedded.planner.model import Floats, Model, Scores
from adapters.embedded.planner.places import Spoken
from adapters.embedded.planner.reading import Reading

LONGEST = 6
"""Kinds up to which all orders are weighed."""
_SETS, _RARE = 8, 0.02
_ITSELF = -30.0


@dataclass(frozen=True, slots=True)
class Order:
    """What was learned: weights of a link in a chain and of a source among sources, when there is none, what is a link."""

    chain: Floats
    source: Floats
    none: tuple[float, float]
    """Log-odds that a kind has no source, and how they grow with the number of kinds."""
    chained: float
    """How much chains count beside sources."""
    least: float
    """How likely a link must be."""


@dataclass(frozen=True, slots=True)
class Text:
    """A request as it is read, clause by clause and word by word."""

    reading: Reading
    scores: Scores
    said: Spoken


def order(stored: Mapping[str, Any]) -> Order:
    """The weights out of the model's file."""
    first, more = stored["none"]
    return Order(
        np.array(stored["chain"], np.float32),
        np.array(stored["source"], np.float32),
        (float(first), float(more)),
        float(stored["chained"]),
        float(stored["least"]),
    )


def text(model: Model, reading: Reading, scores: Scores) -> Text:
    """A request as it is read by a model."""
    return Text(reading, scores, places.spoken(model, reading))


def links(
    read: Text, likely: Likely, chosen: Sequence[int], rules: Rules, learned: Order
) -> list[tuple[int, int]]:
    """The links between chosen kinds (places in `chosen`) that are likely enough, the surest first, without circles."""
    sure = expected(read, likely, rules, learned)[np.ix_(chosen, chosen)]
    return linking.surest(sure, least=learned.least, sources=len(chosen))


def expected(read: Text, likely: Likely, rules: Rules, learned: Order) -> Floats:
    """How likely each link between two kinds is, over the likely sets."""
    count = len(read.scores.kinds)
    sure = np.zeros((count, count), np.float32)
    for at in np.argsort(-likely.share)[:_SETS]:
        kinds = np.flatnonzero(likely.sets[at])
        if likely.share[at] >= _RARE and len(kinds) > 1:
            linked = within(pairs(read, kinds.tolist(), rules), learned)
            sure[np.ix_(kinds, kinds)] += likely.share[at] * linked
    return sure


def within(seen: Floats, learned: Order) -> Floats:
    """How likely each link of a set of kinds is, out of the features of its pairs."""
    single = sourced(seen @ learned.source, learned.none)
    if len(seen) > LONGEST:
        return single
    return learned.chained * chained(seen @ learned.chain) + (1 - learned.chained) * single


def pairs(read: Text, kinds: Sequence[int], rules: Rules) -> Floats:
    """The features of each ordered pair of kinds: those of clauses, and the order of the words that speak of them."""
    seen = linking.pairs(read.reading, read.scores, kinds, rules)
    odds, step = places.before(read.said, read.scores, kinds)
    prior, following = seen[:, :, 0], step == 1
    flat = [
        odds,
        1 / (1 + np.exp(-odds)),
        np.tanh(odds),
        following,
        step > 1,
        step == -1,
        step < -1,
        prior * following,
        odds * following,
    ]
    return np.concatenate([seen, np.stack(flat, axis=2)], axis=2, dtype=np.float32)


def chained(value: npt.NDArray[Any]) -> Floats:
    """How likely each link is if all kinds run one after the other, in any order."""
    every = every_order(len(value))
    score = value.ravel()[every].sum(axis=1)
    share = np.exp(score - score.max())
    each = np.repeat(share / share.sum(), every.shape[1])
    return np.bincount(every.ravel(), each, value.size).reshape(value.shape).astype(np.float32)


def sourced(value: npt.NDArray[Any], none: tuple[float, float]) -> Floats:
    """How likely each link is if every kind has one source or none, whatever the others have."""
    value = value.copy()
    np.fill_diagonal(value, _ITSELF)
    first = np.full((1, len(value)), none[0] + none[1] * len(value))
    share = np.exp(np.concatenate([value, first]))
    return np.asarray(share[:-1] / share.sum(axis=0), np.float32)


@lru_cache(maxsize=LONGEST)
def every_order(count: int) -> npt.NDArray[np.int64]:
    """The links of all orders of so many kinds, each as its place among all pairs."""
    every = np.array(list(permutations(range(count))))
    return np.asarray(every[:, :-1] * count + every[:, 1:])
