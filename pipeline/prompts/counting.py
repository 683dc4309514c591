"""How many tokens a text has: a careful guess."""

import re
from collections.abc import Callable
from dataclasses import dataclass

Count = Callable[[str], int]
"""Counts the tokens of a text."""

_SMALL = b"abcdefghijklmnopqrstuvwxyz "
_LARGE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = b"0123456789"
_PLAIN = bytes(range(0x80))
_TWO, _THREE, _FOUR = (bytes(range(*first)) for first in ((0xC2, 0xE0), (0xE0, 0xF0), (0xF0, 0xF8)))
"""First bytes in UTF-8 of accented and Cyrillic letters; of CJK and Indic scripts; of emoji."""
_LONG = re.compile(r"[A-Za-z0-9+/=_-]{32,}")
_EACH = {"small": 0.31, "large": 0.6, "digit": 0.7, "sign": 0.75, "random": 0.75}
_ACCENTED, _WIDE, _EMOJI = 1.0, 1.5, 3.2


def tokens(text: str) -> int:
    """A careful guess for any model: for ordinary text, code and keys rather too many."""
    written, random = _without_random(text)
    small, large, digits, plain, two, three, four = (
        len(written) - len(written.translate(None, some))
        for some in (_SMALL, _LARGE, _DIGITS, _PLAIN, _TWO, _THREE, _FOUR)
    )
    signs = plain - small - large - digits
    guess = _EACH["small"] * small + _EACH["large"] * large + _EACH["digit"] * digits
    guess += _EACH["sign"] * signs + _EACH["random"] * random
    guess += _ACCENTED * two + _WIDE * three + _EMOJI * four
    return int(guess) + 1


def _without_random(text: str) -> tuple[bytes, int]:
    """A text without hashes, keys and base64, which take a token a letter; and their length."""
    rest = _LONG.sub(lambda run: run[0] if run[0].isalpha() and run[0].islower() else "", text)
    return rest.encode("utf-8", "surrogatepass"), len(text) - len(rest)


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens a model's context holds, and how they are counted."""

    size: int
    count: Count = tokens
