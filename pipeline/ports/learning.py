"""What is learned from runs and from what people think of them."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pipeline.domain import Plan, Request, RunId, Thread, Type


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
    median_cost: float | None = None
    """US dollars for a good attempt, where they were told."""


Records = Mapping[tuple[str, str], TrackRecord]
"""Model id and kind of task → how it has done here lately. Responder and ANSWERING → how long it takes to write."""

ANSWERING = "answering"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A request whose run was liked: its words, the types of the files that came with it, and its plan."""

    run: RunId
    text: str
    sent: tuple[Type, ...]
    plan: Plan
    here: bool = True
    """Taught in the very channel that asks, not elsewhere in its workspace."""


Taught = Callable[[Request], Awaitable[Sequence[Lesson]]]
"""What a request may be planned after, the newest first."""


async def untaught(_request: Request) -> Sequence[Lesson]:
    """For those who learn nothing."""
    return ()


class Lessons(Protocol):
    """What people taught by their votes. Nothing is kept of it but the runs and the votes themselves."""

    async def taught(self, thread: Thread, *, reach: str) -> Sequence[Lesson]:
        """What may be used in a thread, the newest first: runs with a 👍 and no 👎, and no later 👎 on the same words and kinds.

        `reach` is how far it goes at most; channels may set less (`ChannelSettings.learn`). What was taught in another channel is
        only given where both reach over the workspace and both are known to be open to all of it;
        what was taught in a closed thread, only there.
        """
        ...

    async def unteach(self, runs: Sequence[RunId]) -> None:
        """Take back all that was said for these runs."""
        ...
