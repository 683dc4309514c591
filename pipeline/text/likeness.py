"""How much two requests are alike: by their words, and the letters of these in fours."""

import re
import unicodedata
from collections.abc import Callable

_RUN = re.compile(r"[A-Za-z0-9\u00c0-\u024f_.()-]++")
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|webp|bmp|tiff?|svg|heic|wav|mp3|ogg|oga|opus|flac|m4a|aac|mp4|mov|webm|mkv|avi|"
    r"pdf|docx?|xlsx?|pptx?|csv|tsv|txt|md|json|html?|zip)[.)]*$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_READ = 400
"""How many characters of a request are compared."""
_LETTERS = 4


def split_words(text: str) -> tuple[str, ...]:
    """Words without case, punctuation and file names: equal for near-identical requests."""
    plain = unicodedata.normalize("NFKC", text)
    bare = _RUN.sub(lambda run: " " if _FILE.search(run[0]) else run[0], plain)
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
