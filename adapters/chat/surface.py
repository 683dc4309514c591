"""What a chat platform brings for the presenter: a place for messages and files."""

from collections.abc import Sequence
from typing import Protocol

from aiolimiter import AsyncLimiter

from adapters.chat.rendering import Page
from adapters.chat.uploads import Upload, UploadLimits
from pipeline.errors import ChatError, ChatGone


class PostUnsure(ChatError):
    """The response to a call was lost: it may have taken effect."""


class FilesTooLarge(ChatGone):
    """A batch of files is too large for one message, although it keeps to the known limits."""


class Budget:
    """So many calls within some seconds, of which those that can wait leave room for the others."""

    def __init__(self, calls: int, seconds: float) -> None:
        self._calls = AsyncLimiter(calls, seconds)

    async def take(self) -> None:
        """Wait until a call may be made."""
        await self._calls.acquire()

    async def take_if_free(self, leaving: int) -> bool:
        """Count a call, where that leaves room for so many others at once. Never waits."""
        is_free = self._calls.has_capacity(leaving + 1)
        if is_free:
            await self._calls.acquire()
        return is_free


class Surface(Protocol):
    """Where the messages of one run go: a thread, a direct message, a terminal.

    Made for each run. A *receipt* is what the platform calls a message; it is kept in the ledger
    and handed back after a restart. All calls repeat by themselves what does no harm twice, and
    wait as long as the platform says. They raise `ChatError` when it is not reached for now, and
    `ChatGone` when it will never take this: a channel, thread or permission is gone.
    """

    @property
    def key(self) -> str:
        """Second part of the ledger's keys for messages: "{run}:{key}:{number}"."""
        ...

    @property
    def limits(self) -> UploadLimits:
        """What files this place takes."""
        ...

    async def has_room(self) -> bool:
        """Whether the rate limits leave room for an edit that only shows progress.

        Never waits for room. True counts as that edit, so `edit` must not count it again.
        """
        ...

    async def post(self, key: str, page: Page, *, may_repeat: bool) -> str:
        """Post a message and give its receipt.

        `key` is put where `look_up` finds it. `may_repeat`: an earlier post under this key may
        stand there and cannot be looked up; say so in the message. The surface may move on to its
        next-best place (a reply, a direct message) when the first message is refused.
        Raises PostUnsure when the response was lost, ChatGone, ChatError.
        """
        ...

    async def edit(self, receipt: str, page: Page) -> None:
        """Show progress in a message that was posted. Not repeated by the presenter.

        Raises ChatGone when this message takes no more edits: it is deleted, too old, or the
        content is refused. Raises ChatError.
        """
        ...

    async def finish(self, receipt: str, page: Page) -> None:
        """Make a message that showed progress say the end of the run. Waits for its turn.

        Raises ChatGone when the message cannot be edited: the page is then posted anew.
        Raises ChatError.
        """
        ...

    async def upload(self, key: str, files: Sequence[Upload], below: str) -> str:
        """Put a batch of files up, in order, with their alternative texts; gives a receipt.

        The batch keeps to `limits`. `below` is the receipt of the answer's last message ("" when
        it has none). Raises PostUnsure when the response was lost, FilesTooLarge (the presenter
        then tries smaller batches and smaller files), ChatGone when this place takes no files
        (the files are then given as links), ChatError.
        """
        ...

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        """The receipt of the message or upload that was made under a key; "" when there is none.

        Raises ChatGone where the bot may not look, ChatError.
        """
        ...
