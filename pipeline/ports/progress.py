"""The port to the progress of runs, for readers at other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from pipeline.domain import Event, RunId

ENDED = "end"
"""In a notification, instead of a number: this was the last part, with how the run ended."""


@dataclass(frozen=True, slots=True)
class Position:
    """How far somebody has read: the number of the telling, and of the last part of it."""

    telling: int = 0
    number: int = 0


class Progress(Protocol):
    """What happens in runs under way, in numbered parts of some events each.

    A run that another program takes over is told anew: that is another telling, with a higher
    number than all before, which then count no more. Nothing is kept for good: see `Runs.keep`.
    """

    async def tell(self, run: RunId, after: Position, events: Sequence[Event]) -> Position:
        """Store the next part of a telling, or the first of a new one after `Position()`.

        Every program is notified of it (`Topic.PROGRESS`). Returns where the part is. It may be
        lost if the database dies at this moment. Raises LeaseLost instead of beginning to tell what
        another program has.
        """

    async def read(self, run: RunId, after: Position) -> tuple[Position, Sequence[Event]]:
        """The events after a position, and where they end: that position if there are none.

        All of them from the beginning, if there is a newer telling.
        """

    async def clear(self, older_than: timedelta) -> None:
        """Delete the parts of finished runs that are older."""
