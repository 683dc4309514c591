"""Figures of an evaluation: rates and means with intervals, agreement, percentiles."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import quantiles

from pydantic_core import to_json

_SAMPLES = 1000
_Z = 1.959964
"""The normal distribution's quantile for 95 %."""

Fraction = tuple[float, float]
"""A numerator and a denominator; over many requests, both are summed."""


@dataclass(frozen=True, slots=True)
class Score:
    """A measure over a number of requests, with its 95 % interval."""

    value: float
    low: float
    high: float
    requests: int


def format_score(score: Score) -> str:
    return f"{score.value:.1f} [{score.low:.1f}, {score.high:.1f}]"


def format_rows(rows: Iterable[Sequence[str]]) -> str:
    """Rows of a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def format_json(value: object) -> str:
    return to_json(value, indent=2).decode()


Scores = Mapping[str, Mapping[str, Score]]
"""Group of requests (a shape, "all", a variant) → measure → score."""


def compute_rate(marks: Collection[bool]) -> Score:
    """The share of true marks in percent, with Wilson's interval. Raises ValueError if empty."""
    count = len(marks)
    if not count:
        raise ValueError("no marks")
    share, weight = sum(marks) / count, _Z**2 / count
    middle = (share + weight / 2) / (1 + weight)
    half = _Z / (1 + weight) * sqrt(share * (1 - share) / count + weight / (4 * count))
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Score(100 * share, 100 * low, 100 * high, count)


def compute_average(fractions: Sequence[Fraction]) -> Score:
    """The sum of numerators over that of denominators, with a bootstrap interval (seeded)."""
    rng = random.Random(0)  # noqa: S311 - no secret
    resampled = (rng.choices(fractions, k=len(fractions)) for _ in range(_SAMPLES))
    low, *_, high = quantiles(map(_divide, resampled), n=40)
    return Score(_divide(fractions), low, high, len(fractions))


def _divide(fractions: Sequence[Fraction]) -> float:
    return sum(top for top, _ in fractions) / max(sum(bottom for _, bottom in fractions), 1)


def compute_kappa(pairs: Collection[tuple[bool, bool]]) -> float | None:
    """Cohen's kappa of two annotators; None if chance alone explains full agreement."""
    count = len(pairs)
    first, second = (sum(marks) for marks in zip(*pairs, strict=True)) if pairs else (0, 0)
    by_chance = first * second + (count - first) * (count - second)
    if by_chance == count**2:
        return None
    agreed = sum(one == other for one, other in pairs) * count
    return (agreed - by_chance) / (count**2 - by_chance)


def compute_percentile(values: Collection[float], percent: int) -> float:
    """A percentile, interpolated between the nearest values. Raises StatisticsError if empty."""
    if len(values) == 1:
        return next(iter(values))
    return quantiles(values, n=100, method="inclusive")[percent - 1]
