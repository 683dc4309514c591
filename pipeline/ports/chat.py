"""The ports to chat platforms."""

from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from typing import Protocol

from pipeline.domain import (
    Blob,
    ButtonClick,
    Command,
    Event,
    Incoming,
    InputForm,
    Invocation,
    Link,
    LocalizedText,
    Overview,
    Person,
    Reply,
    RunId,
    Thread,
)


class Listener(Protocol):
    """The conversation as a chat adapter sees it. Access rules and limits apply to all methods."""

    @property
    def commands(self) -> Sequence[Command]: ...

    async def on_message(self, message: Incoming) -> RunId | None:
        """Accept a message durably. Returns None if it is not for the bot or already accepted."""

    async def on_edit(self, message: Incoming) -> None: ...
    async def on_delete(self, thread: Thread, message: str) -> None: ...
    async def on_retract(self, run: RunId) -> None:
        """Somebody deleted a message of a run's answer."""

    async def on_click(self, press: ButtonClick) -> Reply: ...
    async def on_command(self, invocation: Invocation) -> Reply: ...
    async def form(self, invocation: Invocation) -> InputForm | None:
        """The form for a command without arguments; None if the person may not fill it in."""

    async def completions(
        self, command: str, option: str, typed: str, locale: str
    ) -> Sequence[str]:
        """Complete the value of an option; at most 25 values of up to 100 characters each."""

    async def overview(self, person: Person, thread: Thread) -> Overview:
        """List every kind of task, and what this person may do in the thread's channel."""


class Chat(Protocol):
    """A chat platform."""

    @property
    def platform(self) -> str: ...

    async def listen(self, listener: Listener) -> None:
        """Pass events to the listener until cancelled, missed ones first. Raises SettingsError."""

    async def is_connected(self) -> bool:
        """Whether the platform's events reach us at the moment, as far as we can tell."""

    async def download(self, link: Link) -> Blob:
        """Download a file of a message. Raises FetchError."""

    async def history(self, thread: Thread, *, before: str, most: int) -> Sequence[Incoming]:
        """The last messages of a thread before this message id, oldest first. Raises ChatError.

        A thread without a root is the channel, outside of its threads: without waiting, and without
        the files of messages that begin a thread of their own.
        """

    async def reread(self, message: Incoming) -> Incoming | None:
        """The message as it stands now; None if it was deleted. Raises ChatError for an outage."""

    async def follow(self, message: Incoming, run: RunId, events: AsyncIterator[Event]) -> None:
        """Show a run's events until its answer is delivered.

        After a restart this is called again for the same run and must not repeat earlier posts.
        Must not delay the events: updates that cannot be shown in time are merged. Raises
        ChatError.
        """

    async def notify(self, message: Incoming, run: RunId, sentence: LocalizedText) -> None:
        """Tell the author of a message that its run has to wait, or why nothing can be told later.

        Works without the database, so it may be told again after a restart. Never raises.
        """


Clock = Callable[[], datetime]
"""Says what time it is, in UTC: see `read_clock`."""
Emit = Callable[[Event], None]
"""Publishes an event of a run. Never blocks."""


def read_clock() -> datetime:
    """The `Clock` of this machine."""
    return datetime.now(UTC)
