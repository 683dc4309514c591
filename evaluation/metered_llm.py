"""A language model whose calls and tokens are counted: the controller's, or the judge's."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pipeline.ports import Llm, Prompt, Usage


class MeteredLlm:
    """A language model that counts its calls and tokens."""

    def __init__(self, llm: Llm) -> None:
        self._llm, self._used = llm, list[Usage]()
        self.room = llm.room

    @property
    def name(self) -> str:
        return self._llm.name

    @property
    def sees_images(self) -> bool:
        return self._llm.sees_images

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        call = len(self._used)
        self._used.append(Usage())
        async with aclosing(self._llm.stream(prompt)) as pieces:
            async for piece in pieces:
                if isinstance(piece, Usage):
                    self._used[call] = piece
                yield piece

    @property
    def spent(self) -> dict[str, int]:
        """The number of calls, and their total tokens if the server reported all of them."""
        counts = {
            "prompt_tokens": [usage.prompt_tokens for usage in self._used],
            "completion_tokens": [usage.completion_tokens for usage in self._used],
        }
        known = {name: sum(each) for name, each in counts.items() if min(each, default=-1) >= 0}
        return {"calls": len(self._used), **known}
