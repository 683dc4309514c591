"""The port to what was said in a thread before the turns that a planner is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pipeline.domain import Thread, Turn


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A thread's summary so far ("" when there is none), the turns that are to go into it, and a stamp of exactly these."""

    summary: str
    turns: Sequence[Turn]
    stamp: str


class Summaries(Protocol):
    """One summary for each thread, given with its context. When a turn that went into it is changed, deleted, forgotten or pruned, it goes as a whole."""

    async def unfolded(self, thread: Thread, *, most: int, keep: int) -> Unfolded | None:
        """All turns that are in no summary but for the last `keep`; None while there are at most `most` such turns."""
        ...

    async def fold(self, thread: Thread, unfolded: Unfolded, summary: str) -> bool:
        """Keep a summary of these turns and of the summary before. False: something in it was changed or deleted meanwhile, and nothing is kept."""
        ...
