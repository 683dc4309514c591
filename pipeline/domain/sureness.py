"""How sure an expert is, in three words: the one place that says from which score on. Whoever puts a score in words asks here."""

from collections.abc import Mapping
from enum import StrEnum


class Sureness(StrEnum):
    """What is said of a score."""

    VERY = "very sure"
    FAIRLY = "fairly sure"
    NOT = "not sure"


_USUAL = (0.85, 0.6)
_SCALES: Mapping[str, tuple[float, float]] = {
    "automatic-speech-recognition": (0.95, 0.8),
    "optical-character-recognition": (0.95, 0.85),
}
"""Kinds whose scores are means over words or lines, which are high long before all is right: from which on very, from which on fairly sure."""
_STEP = 0.01


def how_sure(score: float, kind: str) -> Sureness:
    """What a score from 0 to 1 means for this kind of task."""
    very, fairly = _SCALES.get(kind, _USUAL)
    if score >= very:
        return Sureness.VERY
    return Sureness.FAIRLY if score >= fairly else Sureness.NOT


def no_surer(score: float, kind: str, than: Sureness) -> float:
    """A score that is no surer than what it stands on: lowered where it must be."""
    very, fairly = _SCALES.get(kind, _USUAL)
    most = {Sureness.VERY: 1.0, Sureness.FAIRLY: very - _STEP, Sureness.NOT: fairly - _STEP}
    return min(score, most[than])
