"""A fake language model."""

import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from pipeline.errors import LlmError
from pipeline.ports import Prompt, Usage


@dataclass
class FakeLlm:
    """Says its replies one after the other, in pieces; an error is raised, in the middle when it
    follows a text in a tuple.
    """

    replies: list[str | LlmError | tuple[str, LlmError]] = field(default_factory=list)
    name: str = "fake"
    context_size: int = 16_000
    sees_images: bool = True
    prompts: list[Prompt] = field(default_factory=list)
    left: int = 0
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
            self.left += 1
            raise
        if error is not None:
            raise error
        yield Usage(len(self.asked), len(text))

    @property
    def asked(self) -> str:
        """What it was asked last."""
        return "\n".join(message.text for message in self.prompts[-1].messages)
