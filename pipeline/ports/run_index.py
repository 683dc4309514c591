"""The port to the runs of all platforms, for whoever runs the program."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.domain import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFilter:
    """Which runs are meant. What is empty excludes none."""

    state: str = ""
    platform: str = ""
    place: str = ""
    """A channel or a thread: its key ("slack:T1:C1"), or the end of it ("C1")."""
    person: str = ""
    """An id."""
    kind: str = ""
    """Of one of its tasks."""
    model: str = ""
    """A part of the name of one that worked on a task, or wrote the answer."""
    since: datetime | None = None
    until: datetime | None = None
    failed: bool = False
    words: str = ""
    """Of what went wrong, or the beginning of a run's id, as references are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRun:
    """A run that has ended, when it was kept, and what went wrong in it, a line each."""

    run: Run
    channel: str
    at: datetime
    problems: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class RunPage:
    """Some of the runs that a filter finds, newest first; `next` finds those after them.

    A page may have few runs, or none, and still another after it: one search reads only so many.
    """

    runs: Sequence[ListedRun]
    next: str = ""
    """"" at the end."""


class RunIndex(Protocol):
    """Finds runs. Unreadable ones are left out."""

    async def find_runs(self, wanted: RunFilter, *, after: str = "", limit: int) -> RunPage:
        """The newest runs that a filter finds, or those after a page.

        Raises ValueError if `after` is not from a page.
        """

    async def find_run(self, reference: str) -> ListedRun | None:
        """The newest run whose id is a reference or begins with it; None if there is none."""
