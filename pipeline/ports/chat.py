"""The ports to chat platforms."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime
from typing import Protocol

from pipeline.domain import (
    Blob,
    ButtonClick,
    Command,
    Event,
    Incoming,
    Invocation,
    Link,
    Reply,
    RunId,
    Thread,
)


class Listener(Protocol):
    """The conversation, as a chat adapter sees it. Every entry passes the same gate and limits."""

    @property
    def commands(self) -> Sequence[Command]: ...

    async def on_message(self, message: Incoming) -> RunId | None:
        """Take a message durably. Returns None if it is not for the bot, or known already."""

    async def on_edit(self, message: Incoming) -> None: ...
    async def on_delete(self, thread: Thread, message: str) -> None: ...
    async def on_click(self, press: ButtonClick) -> Reply: ...
    async def on_command(self, invocation: Invocation) -> Reply: ...
    async def completions(
        self, command: str, option: str, typed: str, thread: Thread
    ) -> Sequence[str]:
        """At most 25, each at most 100 characters."""


class Chat(Protocol):
    """A place where people talk to the bot."""

    @property
    def platform(self) -> str: ...

    async def listen(self, listener: Listener) -> None:
        """Hand over events until cancelled, those missed first. Raises SettingsError."""

    async def download(self, link: Link) -> Blob:
        """A file that was sent. Raises FetchError."""

    async def history(self, thread: Thread, *, before: str) -> Sequence[Incoming]:
        """At most some 50 messages of a thread before one, oldest first."""

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        """Show a run's events and deliver its answer under keys of the run; then return.

        Called again for the same run after a restart; what is there already is not posted again.
        Never keeps the events waiting: what cannot be shown in time is merged into what comes next.
        Raises ChatError.
        """


Clock = Callable[[], datetime]
Emit = Callable[[Event], None]
"""Where a run puts its events. Never waits."""
