"""A second language model, for when the account of the first has no credit."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

import structlog

from adapters.openai.llm import OpenAiLlm
from pipeline.errors import LlmRefused
from pipeline.ports import Prompt, Usage

log = structlog.get_logger()


@dataclass(slots=True)
class SpareLlm:
    """A language model, and a second one for when the account of the first has no credit."""

    first: OpenAiLlm
    open_second: Callable[[], Awaitable[OpenAiLlm | None]]
    """Called once, when it is needed."""
    _second: OpenAiLlm | None = None
    _is_opened: bool = False
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def name(self) -> str:
        return self._current.name

    @property
    def sees_images(self) -> bool:
        return self._current.sees_images

    @property
    def _current(self) -> OpenAiLlm:
        return self._second if self._second and self.first.lacks_credit else self.first

    async def room(self) -> int:
        return await self._current.room()

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        """Raises LlmUnavailable, LlmRefused, LlmGarbled."""
        current = self._current
        try:
            async with aclosing(current.stream(prompt)) as pieces:
                async for piece in pieces:
                    yield piece
        except LlmRefused:
            is_broke = current is self.first and self.first.lacks_credit
            if not is_broke or not await self._open():
                raise
            async with aclosing(self._current.stream(prompt)) as pieces:
                async for piece in pieces:
                    yield piece

    async def _open(self) -> bool:
        """Open the second one, if there is one."""
        async with self._lock:
            if not self._is_opened:
                log.warning("no credit left: another language model stands in", model=self.name)
                self._second, self._is_opened = await self.open_second(), True
        return self._second is not None
