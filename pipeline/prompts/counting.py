"""How many tokens a text has: a careful guess, corrected by the server's own counts."""

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
_SLOW, _FAST = 0.3, 1.0
_LEAST, _MOST = 0.5, 3.0
_WORTH_LEARNING = 150
"""Tokens: shorter texts say too little about a tokenizer."""

Parts = tuple[float, float, float]
"""Tokens of a text by script: alphabets and code, wide scripts, emoji."""


def tokens(text: str) -> int:
    """A careful guess for any model: for ordinary text, code and keys rather too many."""
    return int(sum(_parts(text))) + 1


@dataclass(frozen=True, slots=True)
class Measure:
    """How a model's own counts compare with the guess, for each kind of script."""

    factors: Parts = (1.0, 1.0, 1.0)

    def count(self, text: str) -> int:
        parts = zip(_parts(text), self.factors, strict=True)
        return int(sum(guess * factor for guess, factor in parts)) + 1

    def learn(self, text: str, counted: int) -> "Measure":
        """The measure after the server counted this text.

        Guesses that were too low are corrected at once, those too high little by little.
        """
        guesses = [guess * factor for guess, factor in zip(_parts(text), self.factors, strict=True)]
        expected = sum(guesses)
        if expected < _WORTH_LEARNING or counted <= 0:
            return self
        ratio = counted / expected
        speed = _FAST if ratio > 1 else _SLOW
        first, second, third = (
            factor * ratio ** (speed * share / expected)
            for factor, share in zip(self.factors, guesses, strict=True)
        )
        return Measure((first, second, third)).within_bounds

    @property
    def within_bounds(self) -> "Measure":
        """The same, limited to what real tokenizers do."""
        first, second, third = (min(_MOST, max(_LEAST, factor)) for factor in self.factors)
        return Measure((first, second, third))


@dataclass(frozen=True, slots=True)
class Room:
    """How many tokens a model's context holds, and how they are counted."""

    size: int
    count: Count = tokens


def _parts(text: str) -> Parts:
    written, random = _without_random(text)
    small, large, digits, plain, two, three, four = (
        len(written) - len(written.translate(None, some))
        for some in (_SMALL, _LARGE, _DIGITS, _PLAIN, _TWO, _THREE, _FOUR)
    )
    signs = plain - small - large - digits
    latin = _EACH["small"] * small + _EACH["large"] * large + _EACH["digit"] * digits
    latin += _EACH["sign"] * signs + _EACH["random"] * random + _ACCENTED * two
    return latin, _WIDE * three, _EMOJI * four


def _without_random(text: str) -> tuple[bytes, int]:
    """A text without hashes, keys and base64, which take a token a letter; and their length."""
    rest = _LONG.sub(lambda run: run[0] if run[0].isalpha() and run[0].islower() else "", text)
    return rest.encode("utf-8", "surrogatepass"), len(text) - len(rest)
