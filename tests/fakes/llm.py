"""A fake language model."""

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from pipeline.errors import LlmError
from pipeline.ports import Prompt, Usage


@dataclass
class FakeLlm:
    """Streams one reply per call. An error is raised; in a tuple, after streaming the text."""

    replies: list[str | LlmError | tuple[str, LlmError]] = field(default_factory=list)
    name: str = "fake"
    context_size: int = 16_000
    sees_images: bool = True
    prompts: list[Prompt] = field(default_factory=list)
    closed_early: int = 0
    """Replies that were closed before their end."""

    async def room(self) -> int:
        return self.context_size

    async def stream(self, prompt: Prompt) -> AsyncGenerator[str | Usage]:
        self.prompts.append(prompt)
        reply = self.replies.pop(0)
        text, error = reply if isinstance(reply, tuple) else ("", None)
        if isinstance(reply, LlmError):
            error = reply
        elif isinstance(reply, str):
            text = reply
        try:
            for piece in re.findall(r".{1,7}", text, re.DOTALL):
                yield piece
        except GeneratorExit:
            self.closed_early += 1
            raise
        if error is not None:
            raise error
        yield Usage(len(self.last_prompt), len(text))

    @property
    def last_prompt(self) -> str:
        return "\n".join(message.text for message in self.prompts[-1].messages)
