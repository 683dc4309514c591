"""What is learned from runs and from what people think of them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """How a model has done here with one kind of task: attempts, failures, median seconds, and votes on what it made."""

    attempts: int = 0
    failures: int = 0
    median_took: float = 0.0
    ups: int = 0
    downs: int = 0
    liking: float = 0.0
    """Votes for less votes against, each shared by all models that had a part in the run: nobody said which one was meant."""


Records = Mapping[tuple[str, str], TrackRecord]
"""Model id and kind of task → how it has done here lately."""
