"""How much two requests are alike: by their words, and by hashed n-grams of words and letters."""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from zlib import crc32

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
_BUCKETS = 1 << 18


def split_words(text: str) -> tuple[str, ...]:
    """Words without case, punctuation and file names: equal for near-identical requests."""
    plain = unicodedata.normalize("NFKC", text)
    bare = _RUN.sub(lambda run: " " if _FILE.search(run[0]) else run[0], plain)
    return tuple(_WORD.findall(bare.casefold()))


def compare_to(text: str) -> Callable[[str], float]:
    """How much others are like a text, from 0 (nothing in common) to 1 (the same words)."""
    mine = _features(text[:_READ])
    length = _length(mine)

    def of(other: str) -> float:
        theirs = _features(other[:_READ])
        shared = sum(count * theirs[feature] for feature, count in mine.items())
        return shared / (length * _length(theirs)) if shared else 0.0

    return of


def _features(text: str) -> Counter[int]:
    words = split_words(text)
    edged = f" {' '.join(words)} "
    names = [*words, *(f"{first} {second}" for first, second in pairwise(words))]
    names += [edged[at : at + _LETTERS] for at in range(len(edged) - _LETTERS + 1)]
    return Counter(crc32(name.encode("utf-8", "surrogatepass")) % _BUCKETS for name in names)


def _length(features: Counter[int]) -> float:
    return sqrt(sum(count * count for count in features.values()))
