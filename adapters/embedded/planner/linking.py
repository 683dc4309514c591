"""Decides what feeds what: a learned prior for each pair of kinds, the order in the text, and words that tie clauses together."""

# ruff: noqa: RUF001 - what people type, in many scripts

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.choosing import Rules
from adapters.embedded.planner.features import stem
from adapters.embedded.planner.model import Floats, Scores
from adapters.embedded.planner.reading import Reading
from adapters.embedded.planner.shapes import Bits

_CUES: Mapping[str, str] = {
    "then": "then next finally lastly after afterwards dann danach luego después puis ensuite poi depois daarna потом 再 后",
    "this": "it this that these them result resulting es das daraus lo la le ça l' それ 它 dat het это его",
    "based": "based using from with according of aus von de du from",
    "also": "also too both separately plus additionally auch außerdem además también aussi anche também ook ещё 另 也 と 도",
    "original": "original originally same whole entire ganze todo tout 原 元",
    "before": "before first initially zuerst primero abord 先",
    "end": "answer text output translated summary image video audio speech",
}
_GROUPS: Mapping[str, tuple[int, ...]] = {
    stem(word): tuple(
        at for at, words in enumerate(_CUES.values()) if stem(word) in map(stem, words.split())
    )
    for words in _CUES.values()
    for word in words.split()
}
_SHARP = 1.5
_NEEDED = 20.0
"""Log-odds that a link is given without which a task would lack its file."""


@dataclass(frozen=True, slots=True)
class Linking:
    """What was learned about links of everyday requests: the weight of each feature of a pair."""

    weights: Floats
    bias: float
    threshold: float


def linking(stored: Mapping[str, Any]) -> Linking:
    """The weights out of the model's file."""
    return Linking(
        np.array(stored["link_weights"], np.float32),
        float(stored["link_bias"]),
        float(stored["link_threshold"]),
    )


def links(
    seen: Floats, chosen: Sequence[int], rules: Rules, learned: Linking, needy: Sequence[int] = ()
) -> list[tuple[int, int]]:
    """The best forest, out of the features of pairs: each kind has at most one source, and one if it is needy."""
    odds = possible(seen @ learned.weights + learned.bias, chosen, rules)
    odds[:, needy] += np.where(odds[:, needy] > -np.inf, _NEEDED, 0)
    return surest(odds, least=learned.threshold, sources=1)


def pairs(
    reading: Reading, scores: Scores, chosen: Sequence[int], rules: Rules
) -> npt.NDArray[np.float32]:
    """The features of each ordered pair of the chosen kinds: (n, n, features)."""
    n = len(chosen)
    prior = rules.feeding[np.ix_(chosen, chosen)].copy()
    np.fill_diagonal(prior, -9)
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
    seen = np.empty((n, n, len(flat) + 3 * len(_CUES)), np.float32)
    for at, feature in enumerate(flat):
        seen[:, :, at] = feature
    seen[:, :, len(flat) :] = said.reshape(n, n, -1)
    return seen


def possible(odds: Floats, chosen: Sequence[int], rules: Rules) -> Floats:
    """The odds, with nothing for links that no slot could take."""
    return np.asarray(np.where(rules.shapes.feeds[np.ix_(chosen, chosen)], odds, -np.inf))


def needy(chosen: Sequence[int], rules: Rules, given: Bits) -> list[int]:
    """The places of those kinds for which no file of a type they take is there."""
    shape = rules.shapes
    return [
        at
        for at, kind in enumerate(chosen)
        if not (shape.slots[shape.owner == kind] & given).any(axis=1).all()
    ]


def surest(odds: Floats, *, least: float, sources: int) -> list[tuple[int, int]]:
    """The links above the least odds, the surest first, without circles; each kind has at most so many sources."""
    n = len(odds)
    order = [divmod(int(at), n) for at in np.argsort(-odds, axis=None)]
    fed = dict.fromkeys(range(n), 0)
    behind = {at: {at} for at in range(n)}
    found = []
    for source, target in order:
        if odds[source, target] <= least:
            break
        if source in behind[target] or fed[target] == sources:
            continue
        fed[target] += 1
        found.append((source, target))
        for above in behind.values():
            if source in above:
                above.update(behind[target])
    return found


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
        return np.full_like(prior, -9)
    top = np.sort(prior, axis=0)
    best, second = top[-1], top[-2]
    return np.asarray(np.where(prior == best[None], second[None], best[None]))


def _cues(reading: Reading) -> npt.NDArray[np.bool_]:
    found = np.zeros((len(reading.clauses), len(_CUES)), bool)
    for at, clause in enumerate(reading.clauses):
        for word in clause:
            for group in _GROUPS.get(stem(word.text), ()):
                found[at, group] = True
    return found
