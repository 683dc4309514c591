"""Similarity of requests, by their words and character 4-grams."""

import re
import unicodedata
from collections.abc import Callable

from pipeline.text.names import FILE_ENDING

_RUN = re.compile(r"[A-Za-z0-9\u00c0-\u024f_.()-]++")
_WORD = re.compile(r"[^\W_]+")
_MOST_CHARACTERS = 400
_NGRAM = 4


def split_words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without punctuation and file names."""
    plain = unicodedata.normalize("NFKC", text)
    bare = _RUN.sub(lambda run: " " if FILE_ENDING.search(run[0].rstrip(".)")) else run[0], plain)
    return tuple(_WORD.findall(bare.casefold()))


def compare_to(text: str) -> Callable[[str], float]:
    """Returns a function that rates the similarity of another text, from 0 to 1 (same words)."""
    mine = _extract_features(text)

    def rate(other: str) -> float:
        theirs = _extract_features(other)
        return 2 * len(mine & theirs) / max(1, len(mine) + len(theirs))

    return rate


def _extract_features(text: str) -> frozenset[str]:
    """The words and their character n-grams."""
    words = split_words(text[:_MOST_CHARACTERS])
    padded = f" {' '.join(words)} "
    ngrams = (padded[start : start + _NGRAM] for start in range(len(padded) - _NGRAM + 1))
    return frozenset((*words, *ngrams))
