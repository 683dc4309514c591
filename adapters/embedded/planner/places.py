"""Where in the text kinds are spoken of, word by word, and which comes before which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from adapters.embedded.planner.model import Floats, Model, Scores
from adapters.embedded.planner.reading import Reading

_NONE = 1.0
"""Log-odds of a clause that speaks of no kind."""
_CLAUSE, _WORD, _SHARED = 1.2, 0.6, 0.3
"""How much the clause and the word count, and how much a word that speaks of several kinds counts less for each."""
_SURE = 1e-3


@dataclass(frozen=True, slots=True)
class Spoken:
    """What each word of a request says for each kind, and the number of the word's clause."""

    words: Floats
    clause: npt.NDArray[np.int64]


def spoken(model: Model, reading: Reading) -> Spoken:
    """A model's view of the words of a request."""
    sizes = [len(clause) for clause in reading.clauses]
    words = [model.clause.score_words(clause) for clause in reading.clauses]
    return Spoken(np.concatenate(words), np.repeat(np.arange(len(sizes)), sizes))


def before(said: Spoken, scores: Scores, chosen: Sequence[int]) -> tuple[Floats, Floats]:
    """Log-odds that a chosen kind is spoken of before another, and by how many places: (n, n) each."""
    clauses = scores.by_clause[:, chosen]
    taken = np.logaddexp(np.logaddexp.reduce(clauses, axis=1), _NONE)
    words = said.words[:, chosen]
    near = words.copy()
    near[1:] += words[:-1] / 2
    near[:-1] += words[1:] / 2
    near -= _SHARED * np.logaddexp.reduce(near, axis=1)[:, None]
    said_here = _CLAUSE * (clauses - taken[:, None])[said.clause] + _WORD * near
    share = np.exp(said_here - said_here.max(axis=0))
    share /= share.sum(axis=0)
    earlier = np.clip((np.cumsum(share, axis=0) - share / 2).T @ share, _SURE, 1 - _SURE)
    odds = np.log(earlier / (1 - earlier))
    np.fill_diagonal(odds, 0)
    rank = np.argsort(np.argsort(np.arange(len(share)) @ share))
    return odds.astype(np.float32), (rank[None] - rank[:, None]).astype(np.float32)
