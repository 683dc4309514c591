"""Summaries of long threads, so that their context fits into a prompt."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from pipeline.domain import Incoming, RunId, Turn
from pipeline.errors import LlmError
from pipeline.ports import Llm, Message, Prompt, Summaries, stream_text
from pipeline.prompts import cut_middle, fence, format_turns, render, tokens

log = structlog.get_logger()

_SUMMARY_TOKENS = 400
"""Of a summary, at most."""
_FRAME_TOKENS = 60
"""For the titles and fences around the parts of the prompt."""


@dataclass(frozen=True, slots=True)
class Summarization:
    """Summarizes threads longer than `window` turns, if there is a language model."""

    summaries: Summaries
    llm: Llm | None
    window: int
    seconds: float = 20.0
    """Timeout of a summary; the thread's next message waits for it."""

    async def update(self, message: Incoming, run: RunId) -> None:
        """Summarize older turns. Called after an answer, before the thread's next message.

        Where the thread has branches, those of this run's. Makes one call for every `window` // 2
        turns. A failure is retried after the next answer.
        """
        if self.llm is None or self.window < 2:  # noqa: PLR2004 - nothing to halve
            return
        thread, end = message.thread, None if message.after is None else run
        pending = await self.summaries.find_pending(
            thread, end=end, most=self.window, keep=self.window // 2
        )
        if pending is None:
            return
        try:
            async with asyncio.timeout(self.seconds):
                summary = await summarize(self.llm, pending.summary, pending.turns)
        except (LlmError, TimeoutError) as error:
            log.info("not summarised", why=str(error))
            return
        if summary and not await self.summaries.save_summary(thread, pending, summary):
            log.info("not summarised", why="changed meanwhile")


async def summarize(llm: Llm, before: str, turns: Sequence[Turn]) -> str:
    """Fold turns into the summary so far. "" if the model writes nothing. Raises LlmError."""
    room = await llm.room()
    system = render("fold")
    budget = room - _SUMMARY_TOKENS - tokens(system) - tokens(before) - _FRAME_TOKENS
    parts = (("So far", before), ("Since then", format_turns(turns, budget)))
    material = "\n".join(f"{title}: {fence(words)}" for title, words in parts if words)
    messages = (Message("system", system), Message("user", material))
    prompt = Prompt(messages, max_tokens=_SUMMARY_TOKENS)
    summary = "".join([piece async for piece in stream_text(llm, prompt)])
    return cut_middle(summary.strip(), _SUMMARY_TOKENS)
