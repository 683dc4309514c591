"""The port to results that were made before."""

from collections.abc import Mapping
from typing import Protocol

from pipeline.domain import Outcome, Source, Thread


class Results(Protocol):
    """What the runs of a thread made, found again by what it was made from. Forgotten with its run."""

    async def made(self, thread: Thread) -> Mapping[str, Source]:
        """By the keys of the outcomes: where the newest of each is; left out where somebody thinks badly of that one's run."""
        ...

    async def outcome(self, source: Source) -> Outcome | None:
        """None when it is gone, or was taken over from a run of which somebody thinks badly."""
        ...


class NoResults:
    """Where nothing is kept."""

    async def made(self, thread: Thread) -> Mapping[str, Source]:  # noqa: ARG002 - the port's
        return {}

    async def outcome(self, source: Source) -> Outcome | None:  # noqa: ARG002 - the port's
        return None
