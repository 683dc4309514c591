"""The ports to the records of runs and their results."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from pipeline.domain import (
    Attachment,
    Outcome,
    Run,
    RunId,
    SentPrompt,
    Source,
    Thread,
    Turn,
)


class Runs(Protocol):
    """The records of runs. Unreadable ones are left out."""

    async def keep(
        self,
        run: Run,
        thread: Thread,
        turn: Turn | None = None,
        events: Sequence[tuple[int, str]] = (),
        attachments: Sequence[Attachment] = (),
    ) -> None:
        """Store a run, its turn and its events (number, JSON) in one transaction.

        The attachments become files of the turn: see `ChatLog.log`.
        """

    async def load(self, run: RunId) -> Run | None: ...

    async def load_all(self, runs: Sequence[RunId]) -> Sequence[Run]:
        """The records of several runs, in any order; those that are not known are left out."""

    async def runs(self, thread: Thread, *, limit: int) -> Sequence[Run]:
        """The thread's runs, newest first."""

    async def takes_part(self, thread: Thread, *, before: str = "") -> bool:
        """Whether the bot has a run in the thread, and was not sent away by the last one.

        `before`: the key of a message, so that only runs of earlier ones and of commands count,
        whose ids tell no order; "": all count.
        """

    async def events(self, *runs: RunId) -> Mapping[RunId, Sequence[str]]:
        """The events of each run, as JSON; none for a run that is unknown."""

    async def keep_prompts(self, run: RunId, prompts: Sequence[SentPrompt]) -> None:
        """Store what language models were asked for a run, in place of what was stored of it."""

    async def prompts(self, run: RunId) -> Sequence[SentPrompt]:
        """What is stored of a run, in order. Deleted with the run."""


class Results(Protocol):
    """The results of a thread's runs by cache key (`Done.key`). Deleted with their run."""

    async def find_results(self, thread: Thread) -> Mapping[str, Source]:
        """Cache key → the newest task with it. Runs with a 👎 are left out."""

    async def load_outcome(self, source: Source) -> Outcome | None:
        """None if it is gone, unreadable, or was reused from a run with a 👎."""
