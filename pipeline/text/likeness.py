"""How much two requests are alike: by their words, and the letters of these in fours."""

import re
import unicodedata
from collections.abc import Callable

from pipeline.text.names import FILE_ENDING

_RUN = re.compile(r"[A-Za-z0-9\u00c0-\u024f_.()-]++")
_WORD = re.compile(r"[^\W_]+")
_READ = 400
"""How many characters of a request are compared."""
_LETTERS = 4


def split_words(text: str) -> tuple[str, ...]:
    """Words without case, punctuation and file names: equal for near-identical requests."""
    plain = unicodedata.normalize("NFKC", text)
    bare = _RUN.sub(lambda run: " " if FILE_ENDING.search(run[0].rstrip(".)")) else run[0], plain)
    return tuple(_WORD.findall(bare.casefold()))


def compare_to(text: str) -> Callable[[str], float]:
    """How much others are like a text, from 0 (nothing in common) to 1 (the same words)."""
    mine = _features(text)

    def of(other: str) -> float:
        theirs = _features(other)
        return 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))

    return of


def _features(text: str) -> frozenset[str]:
    """The words, and their letters in fours."""
    words = split_words(text[:_READ])
    edged = f" {' '.join(words)} "
    fours = (edged[at : at + _LETTERS] for at in range(len(edged) - _LETTERS + 1))
    return frozenset((*words, *fours))
