"""What a chat platform implements for the presenter: posting messages and files."""

from collections.abc import Sequence
from typing import Protocol

from adapters.chat.rendering import Page
from adapters.chat.uploads import Upload, UploadLimits
from pipeline.domain import LocalizedText
from pipeline.errors import ChatError, ChatGone


class PostUnsure(ChatError):
    """The response to a call was lost: it may have taken effect."""


class FilesTooLarge(ChatGone):
    """A batch of files is too large for one message, although it keeps to the known limits."""


class Surface(Protocol):
    """Where the messages of one run go: a thread, a direct message, a terminal.

    Made for each run. A *receipt* is the platform's id of a message; it is kept in the ledger and
    passed back after a restart. Where files join a message, those of a page are shown with it, as
    far as they are accepted; each is uploaded once. All calls retry what is idempotent, and wait
    as long as the platform asks. They raise `ChatError` if the platform is unreachable for now,
    and `ChatGone` if it will never accept the call: a channel, thread or permission is gone.
    """

    @property
    def key(self) -> str:
        """Second part of the ledger's keys for messages: "{run}:{key}:{number}"."""
        ...

    @property
    def limits(self) -> UploadLimits:
        """The size limits for files here."""
        ...

    @property
    def refresh(self) -> float | None:
        """In how many seconds an unchanged page must be drawn again with `edit`; None: never."""
        ...

    def explain_no_files(self) -> LocalizedText | None:
        """Why files cannot be shown here and where they come instead; None if they can.

        As far as it is known before: the answer says so, instead of pointing to what is not there.
        """
        ...

    async def has_room(self) -> bool:
        """Whether the rate limits leave room for an edit that only shows progress.

        Never waits. If True, one edit may follow, for which `edit` does not ask again.
        """
        ...

    async def post(self, key: str, page: Page, *, may_repeat: bool) -> str:
        """Post a message and return its receipt.

        `key` is stored where `look_up` finds it. `may_repeat`: an earlier post with this key may
        exist but cannot be looked up; say so in the message. If the first message is refused, the
        surface may fall back to another place (a reply, a direct message).
        Raises PostUnsure if the response was lost, ChatGone, ChatError.
        """
        ...

    async def edit(self, receipt: str, page: Page) -> None:
        """Show progress in a posted message. The presenter does not retry it.

        Raises ChatGone if the message takes no more edits: it is deleted, too old, or the
        content is refused. Raises ChatError.
        """
        ...

    async def finish(self, receipt: str, page: Page) -> None:
        """Edit the progress message into the end of the run. Waits for the rate limit.

        Raises ChatGone if the message cannot be edited: the page is then posted as a new message.
        Raises ChatError.
        """
        ...

    async def delete(self, receipt: str) -> None:
        """Delete a message of this run, if it is still there. Raises ChatGone, ChatError."""
        ...

    async def upload(self, key: str, files: Sequence[Upload], below: str, page: Page) -> str:
        """Upload a batch of files, in order, with their alt texts; return a receipt.

        The batch keeps to `limits`. `below` is the receipt of the answer's last message ("" if
        it has none) and `page` what stands in it: files that it shows are left out. Raises
        PostUnsure if the response was lost, FilesTooLarge (the presenter then tries smaller
        batches and smaller files), ChatGone if files cannot be sent here (links are then posted
        instead), ChatError.
        """
        ...

    async def ping(self, key: str) -> None:
        """Tell the person who asked, in a short message that notifies them, that the run has ended.

        Raises PostUnsure, ChatGone, ChatError.
        """
        ...

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        """The receipt of the message or upload with a key; "" if there is none.

        Raises ChatGone if the bot may not read here, ChatError.
        """
        ...
