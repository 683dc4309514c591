"""How many tokens a text has: guessed rather too high at first, then as the server's own counts teach; our own words closely."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

Count = Callable[[str], int]
"""Counts the tokens of a text."""

_SMALL = b"abcdefghijklmnopqrstuvwxyz "
_LARGE = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = b"0123456789"
_PLAIN = bytes(range(0x80))
_TWO, _THREE, _FOUR = (bytes(range(*leads)) for leads in ((0xC2, 0xE0), (0xE0, 0xF0), (0xF0, 0xF8)))
"""First bytes of letters with accents and alphabets; of Chinese, Japanese, Korean, Indian …; of emoji."""
_LONG = re.compile(r"[A-Za-z0-9+/=_-]{32,}")
_EACH = {"small": 0.31, "large": 0.6, "digit": 0.7, "sign": 0.75, "random": 0.75}
_ACCENTED, _WIDE, _EMOJI = 1.0, 1.5, 3.2
_SLOW, _FAST = 0.3, 1.0
_LEAST, _MOST = 0.5, 3.0
_WORTH = 150
_CLOSE = (
    (re.compile(r"[^\W\d_]+"), 1.0),  # words
    (re.compile(r"(?<=[^\W\d_]{7})[^\W\d_]"), 0.15),  # letters beyond seven
    (re.compile(r"(?<=[^\W\d_])[A-Z]"), 0.45),  # capitals within
    (re.compile(r"\d{1,3}"), 1.5),  # figures
    (re.compile(r"[^\w\s]+|_"), 1.0),  # signs
    (re.compile(r"(?<![^\w\s])[^\w\s](?=[A-Za-z])|_"), -0.65),  # of these, what leads into a word
    (re.compile(r"\n\s*"), 1.5),  # lines
)
"""What a text is made of, and how many tokens of cl100k_base each is: by least squares on planning prompts and model cards."""

_LINES = re.compile(r"(?<=\n)(?=\S)")
"""Where a text can be parted and nothing is counted otherwise."""

Parts = tuple[float, float, float]
"""Of a text's tokens: those of the Latin and other alphabets and of code, those of wide scripts, those of emoji."""


def tokens(text: str) -> int:
    """A careful guess for any model: for ordinary text, code and keys rather too many than too few."""
    return int(sum(_parts(text))) + 1


def closely(text: str, *, recurring: bool = False) -> int:
    """As near as can be, for English, JSON and the names of models: within some 2 % of cl100k_base for a planning prompt.

    `recurring`: its lines come again with every prompt, so their counts are remembered; never for people's own words.
    """
    if recurring:
        return round(sum(map(_remembered, _LINES.split(text))))
    return round(_near(text))


def _near(text: str) -> float:
    return sum(each * len(part.findall(text)) for part, each in _CLOSE)


_remembered = lru_cache(maxsize=4096)(_near)


@dataclass(frozen=True, slots=True)
class Measure:
    """How a model's own counts compare with the guess, for each kind of script."""

    factors: Parts = (1.0, 1.0, 1.0)

    def count(self, text: str) -> int:
        parts = zip(_parts(text), self.factors, strict=True)
        return int(sum(guess * factor for guess, factor in parts)) + 1

    def taught(self, text: str, counted: int) -> "Measure":
        """After the server counted this text. What was guessed too low is put right at once, what was too high little by little."""
        told = [guess * factor for guess, factor in zip(_parts(text), self.factors, strict=True)]
        expected = sum(told)
        if expected < _WORTH or counted <= 0:
            return self
        ratio = counted / expected
        speed = _FAST if ratio > 1 else _SLOW
        first, second, third = (
            factor * ratio ** (speed * share / expected)
            for factor, share in zip(self.factors, told, strict=True)
        )
        return Measure((first, second, third)).within_bounds

    @property
    def within_bounds(self) -> "Measure":
        """The same with nothing in it that no tokenizer does."""
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
    """A text without hashes, keys and files in base64, and their length: hardly any two of their letters are one token."""
    rest = _LONG.sub(lambda run: run.group() if _is_word(run.group()) else "", text)
    return rest.encode("utf-8", "surrogatepass"), len(text) - len(rest)


def _is_word(run: str) -> bool:
    return run.isalpha() and run.islower()
