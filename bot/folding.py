"""Older turns of a thread go into its summary, when its last turns are more than a planner is told."""

import asyncio
from dataclasses import dataclass

import structlog

from pipeline.domain import Thread
from pipeline.errors import LlmError
from pipeline.folding import folded
from pipeline.ports import Llm, Summaries

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Folding:
    """Keeps a summary for each thread that grows longer than `window` turns. Without a language model there is none."""

    summaries: Summaries
    llm: Llm | None
    window: int
    patience: float = 20.0
    """Seconds that a summary may take; the thread's next message waits for it."""

    async def fold(self, thread: Thread) -> None:
        """Called when an answer stands in the chat, and before the thread's next message is looked at.

        Every `window` // 2 turns costs one call. What goes wrong is tried again after the next answer; so is what a crash broke off.
        """
        if self.llm is None or self.window < 2:  # noqa: PLR2004 - nothing to halve
            return
        found = await self.summaries.unfolded(thread, most=self.window, keep=self.window // 2)
        if found is None:
            return
        try:
            async with asyncio.timeout(self.patience):
                summary = await folded(self.llm, found.summary, found.turns)
        except (LlmError, TimeoutError) as error:
            log.info("not folded", why=str(error))
            return
        if summary and not await self.summaries.fold(thread, found, summary):
            log.info("not folded", why="changed meanwhile")
