"""What the contract of chats needs of each: a scene with a person in front of the adapter."""

import importlib
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, cast

from pipeline.domain import Blob, FileHash, Incoming, RunId
from pipeline.ports import Chat
from tests.fakes.chat import FakeListener


@dataclass(frozen=True)
class Post:
    """An answer as it stands before the person, put together again where the platform needs several
    messages.
    """

    text: str
    files: tuple[tuple[str, str, bytes], ...] = ()
    """Name, alternative text, bytes."""


class Scene(Protocol):
    """A chat adapter that listens, the conversation behind it, and the person in front of it."""

    chat: Chat
    listener: FakeListener

    async def keep(self, data: bytes) -> FileHash:
        """Put a file where the adapter finds the files of answers."""
        ...

    async def say(self, text: str, *files: Blob) -> tuple[Incoming, RunId]:
        """The person writes, and the listener has heard it."""
        ...

    async def sees(self, words: str) -> None:
        """Returns when the words stand before the person, in a plan, an answer or an apology."""
        ...

    async def posts(self) -> Sequence[Post]:
        """The answers that stand in the thread, oldest first."""
        ...


SCENES = {
    "discord": "tests.adapters.discord.scene:discord_scene",
    "slack": "tests.adapters.slack.scene:slack_scene",
    "fake": "tests.fakes.scene:fake_scene",
    "web": "tests.adapters.web.scene:web_scene",
    "console": "tests.adapters.console.scene:console_scene",
}
"""Each chat's scene: the module and the function that opens it. A new adapter adds its line here."""  # noqa: E501


@asynccontextmanager
async def open_scene(name: str) -> AsyncIterator[Scene]:
    module, _, function = SCENES[name].partition(":")
    opened = getattr(importlib.import_module(module), function)()
    async with cast("AbstractAsyncContextManager[Scene]", opened) as scene:
        yield scene
