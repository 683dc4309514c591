"""A language model whose calls and tokens are counted."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field

from pipeline.ports import Llm, Prompt, Usage
from pipeline.prompts import Room


@dataclass
class Meter:
    """Hands everything on to another, and counts. Tokens are those that the server told."""

    llm: Llm
    calls: int = 0
    used: list[Usage] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.llm.name

    @property
    def context_size(self) -> int:
        return self.llm.context_size

    @property
    def sees_images(self) -> bool:
        return self.llm.sees_images

    async def room(self) -> Room:
        return await self.llm.room()

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        self.calls += 1
        async with aclosing(self.llm.stream(prompt)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    self.used.append(piece)
                yield piece

    @property
    def spent(self) -> dict[str, int]:
        """Calls, and the tokens of all of them where each told its own."""
        told = {
            "prompt_tokens": [usage.prompt_tokens for usage in self.used],
            "completion_tokens": [usage.completion_tokens for usage in self.used],
        }
        known = {
            name: sum(counts)
            for name, counts in told.items()
            if len(counts) == self.calls and min(counts, default=0) >= 0
        }
        return {"calls": self.calls, **known}
