"""Numbers as people write them: 1,234.50 and 1.234,50, 87 %, 10:30."""

# ruff: noqa: RUF001 - signs that people type

import re
from collections.abc import Iterable, Iterator

from pipeline.response.vocabulary import PERCENT

NUMBER = re.compile(
    r"(?<![^\W×x\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?<!第)(?<!\w[-–])(?<!\d[.,])"
    r"(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,:/]\d+)*)"
)
_PARTS = re.compile(r"[:/]")
_DATE = re.compile(r"(?<![\d.-])(\d{4}|\d{1,2})[-.](\d{1,2})[-.](\d{4}|\d{1,2})(?![\d-]|\.\d)")
_GROUPS = re.compile(r"[ \u00a0\u202f'’]")
CENTS = re.compile(
    r"(\d[\d.,'’ \u00a0\u202f]{0,20}?)\s?(?:euros?|dollars?|pounds?|francs?|Franken|dólares|€|\$|£)\s?(?:and|und|et|y|con|e|en)?\s(\d\d?) ?(?:cents?|pence|céntimos|centimes|centesimi)\b",
    re.IGNORECASE,
)

Reading = tuple[float, int]
"""A value, and how many decimals it was written with."""


def written(text: str) -> Iterator[re.Match[str]]:
    """Every number in a text, as it stands there."""
    return NUMBER.finditer(text)


def parts(token: str) -> tuple[str, ...]:
    """10:30 and 3/4 are two numbers each."""
    return tuple(_PARTS.split(token))


def readings(token: str) -> tuple[Reading, ...]:
    """What a number may mean: 1,234 is a thousand or a little more than one."""
    plain = _GROUPS.sub("", token)
    separators = [sign for sign in plain if sign in ".,"]
    if not separators:
        return ((float(plain), 0),)
    last = separators[-1]
    whole, _, decimals = plain.rpartition(last)
    as_decimal = (float(f"{re.sub('[.,]', '', whole)}.{decimals}"), len(decimals))
    as_whole = (float(re.sub("[.,]", "", plain)), 0)
    if separators.count(last) > 1:
        return (as_whole,)
    if len(decimals) == 3 and len(set(separators)) == 1:  # noqa: PLR2004 - groups of thousands
        return (as_decimal, as_whole)
    return (as_decimal,)


def values(texts: Iterable[str]) -> frozenset[float]:
    """Everything that the numbers in some texts may mean, and the parts of dates."""
    said = tuple(texts)
    dated = (float(part) for text in said for date in _DATE.findall(text) for part in date)
    paid = (
        value + int(cents) / 100
        for text in said
        for whole, cents in CENTS.findall(text)
        for value, _ in readings(whole.rstrip(" .,"))
    )
    return (
        frozenset(dated)
        | frozenset(paid)
        | frozenset(
            value
            for text in said
            for found in written(text)
            for part in parts(found.group())
            for value, _ in readings(part)
        )
    )


def shares_in(texts: Iterable[str]) -> frozenset[float]:
    """The numbers that stand before a percent sign."""
    return frozenset(
        value
        for text in texts
        for found in written(text)
        if PERCENT.match(text, found.end())
        for value, _ in readings(parts(found.group())[-1])
    )


def rounds_to(exact: float, reading: Reading) -> bool:
    """Whether a number was written as an exact one rounded."""
    value, decimals = reading
    return bool(abs(exact - value) <= 0.5 * 10.0**-decimals + 1e-9)
