"""The messages of one run: sent, edited and known again, with their files and buttons."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import discord

from adapters.chat.board_text import format_label
from adapters.chat.rendering import Page
from adapters.chat.surface import FilesTooLarge
from adapters.chat.uploads import Upload
from adapters.discord.showing.buttons import format_button
from adapters.discord.showing.files import ShownFile, identify, name_files, open_file
from adapters.discord.showing.layout import lay_out
from adapters.discord.showing.markdown import render_text
from adapters.discord.showing.targets import PostTarget
from adapters.discord.showing.webhook import ORIGINAL
from adapters.discord.web_api.calls import make_nonce, retry_call
from adapters.discord.web_api.components import read_texts
from adapters.discord.web_api.errors import ARCHIVED, find_code
from adapters.discord.web_api.rooms import Room
from adapters.discord.web_api.spoilers import has_spoilers
from pipeline.domain import Action, Incoming, RunId
from pipeline.errors import ChatGone, ChatRefused

_STYLES = {
    Action.STOP: discord.ButtonStyle.danger,
    Action.RETRY: discord.ButtonStyle.primary,
}
"""The colours of buttons that are not grey."""

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class RunPosts:
    """The messages of one run. Receipts are "{channel}/{message}"."""

    client: discord.Client
    message: Incoming
    run: RunId
    first_key: str
    """The key of the run's first message, which replies to the request or replaces "thinking"."""
    webhook: discord.Webhook | None
    """Where the bot may only respond to an interaction: what posts and edits there."""
    _shown: dict[str, tuple[ShownFile, ...]] = field(default_factory=dict)
    """The files that a message shows, by receipt: an edit keeps them instead of sending them."""
    _most_files: int = 10
    """How many files a message may show; fewer once Discord refused them."""

    async def post(self, target: PostTarget, key: str, page: Page) -> str:
        """Post a page with as many of its files as are taken; return its receipt.

        Raises PostUnsure, ChatGone, ChatRefused, ChatError.
        """

        async def post(files: Sequence[Upload]) -> str:
            shown = name_files(files, ())
            view = self._lay_out(page, shown)
            posted = await self.send(target, key, files=shown, view=view)
            receipt = format_receipt(posted)
            self._shown[receipt] = identify(shown, posted)
            return receipt

        return await self._try_files(page, post)

    async def show(self, receipt: str, page: Page) -> None:
        """Edit a message into a page, with as many of its files as are taken."""
        await self._try_files(page, partial(self._show, receipt, page))

    async def delete(self, receipt: str) -> None:
        """Delete a message. Raises ChatGone, ChatError."""
        message = self.find(receipt)
        if self.webhook and self._is_through_webhook(message):
            await retry_call(partial(self.webhook.delete_message, message.id))
        else:
            await retry_call(message.delete)

    async def send(
        self,
        target: PostTarget,
        key: str,
        content: str | None = None,
        files: Sequence[Upload | ShownFile] = (),
        **options: Any,  # noqa: ANN401 - the library's own
    ) -> discord.Message:
        """Send a message. Its nonce, made from the key, keeps Discord from posting it twice."""
        room = target.room
        if isinstance(room, discord.Webhook):
            if key == self.first_key:  # in place of "thinking", so repeats do no harm
                return await retry_call(
                    lambda: room.edit_message(
                        ORIGINAL, attachments=self._open_files(files), **options
                    )
                )
            return await retry_call(
                lambda: room.send(files=self._open_files(files), wait=True, **options)
            )
        options |= {"mention_author": False, "nonce": make_nonce(key)}
        options["suppress_embeds"] = "view" not in options
        if key == self.first_key and target.reply_to and _may_reply(room):
            replied_to: Any = room.get_partial_message(target.reply_to)
            options["reference"] = replied_to.to_reference(fail_if_not_exists=False)
        return await retry_call(
            lambda: room.send(content, files=self._open_files(files), **options)
        )

    def find(self, receipt: str) -> discord.PartialMessage:
        """The message of a receipt, without looking it up."""
        channel, _, message = receipt.partition("/")
        known, unknown = self.client.get_channel, self.client.get_partial_messageable
        room: Any = known(int(channel)) or unknown(int(channel))
        posted: discord.PartialMessage = room.get_partial_message(int(message))
        return posted

    def find_target(self, receipt: str) -> PostTarget:
        """The place that took a message."""
        posted = self.find(receipt)
        room: Any = self.webhook if self._is_through_webhook(posted) else posted.channel
        return PostTarget(room)

    def list_files(self, receipt: str) -> Sequence[Upload] | None:
        """The files that a message shows; None if that is not known, as after a restart."""
        shown = self._shown.get(receipt)
        return None if shown is None else [each.upload for each in shown]

    def is_same(self, message: discord.Message, content: Page | Sequence[Upload], key: str) -> bool:
        """Whether a message was posted with this content and key.

        Contents are compared; a progress message changes, but its buttons name the run.
        """
        if not isinstance(content, Page):
            sizes = [len(each.blob.data) for each in content]
            return [each.size for each in message.attachments] == sizes
        has_run = key == self.first_key and any(
            f":{self.run}'" in str(row.to_dict()) for row in message.components
        )
        words = " ".join([message.content, *read_texts(message)]).split()
        return has_run or words == render_text(content).split()

    async def _try_files(self, page: Page, show: Callable[[Sequence[Upload]], Awaitable[T]]) -> T:
        """Show a page with its files; if they are refused, with the first one or none."""
        most = self._most_files
        while True:
            files = page.files[:most]
            try:
                shown = await show(files)
            except (ChatGone, ChatRefused) as refused:
                if not files:
                    raise
                is_large = isinstance(refused, FilesTooLarge) and len(files) > 1
                most = 1 if is_large else 0
            else:
                self._most_files = most
                return shown

    def _lay_out(self, page: Page, files: Sequence[ShownFile]) -> discord.ui.LayoutView:
        """The ids of the buttons hold all state: the library need not remember the view."""
        buttons: list[discord.ui.Button[discord.ui.LayoutView]] = [
            discord.ui.Button(
                label=format_label(action, self.message.person.locale),
                custom_id=format_button(action, self.run),
                style=_STYLES.get(action, discord.ButtonStyle.secondary),
            )
            for action in page.actions
        ]
        return lay_out(page, buttons, files, hidden=has_spoilers(self.message))

    async def _show(self, receipt: str, page: Page, files: Sequence[Upload]) -> None:
        """Edit a message into a page with these files; those that it shows are not sent again."""
        known = self._shown.get(receipt, ())
        shown = name_files(files, known)
        view = self._lay_out(page, shown)
        try:
            edited = await self._edit(self.find(receipt), view, shown)
        except ChatRefused:
            if not known:
                raise
            del self._shown[receipt]  # send all files again, as keeping them is refused
            await self._show(receipt, page, files)
            return
        self._shown[receipt] = identify(shown, edited)

    async def _edit(
        self,
        message: discord.PartialMessage,
        view: discord.ui.LayoutView,
        files: Sequence[ShownFile],
    ) -> discord.Message:
        """Edit a message, after unarchiving its thread if needed.

        All that the message shall show is listed. That also makes a message of components of one
        that an earlier version posted as text.
        """

        async def edit() -> discord.Message:
            whole: Any = {"content": None, "view": view, "attachments": self._open_files(files)}
            if self.webhook and self._is_through_webhook(message):
                return await self.webhook.edit_message(message.id, **whole)
            return await message.edit(**whole)

        try:
            return await retry_call(edit)
        except ChatGone as gone:
            if find_code(gone) != ARCHIVED:
                raise
            thread = await retry_call(partial(self.client.fetch_channel, message.channel.id))
            if isinstance(thread, discord.Thread):
                await retry_call(lambda: thread.edit(archived=False))
            return await retry_call(edit)

    def _is_through_webhook(self, message: discord.PartialMessage) -> bool:
        return self.webhook is not None and self.webhook.channel_id == message.channel.id

    def _open_files(self, files: Sequence[Upload | ShownFile]) -> list[Any]:
        """The files to send; those that the message has are named instead."""
        hidden = has_spoilers(self.message)
        return [
            each
            if isinstance(each, ShownFile) and each.id
            else open_file(
                each.blob.data,
                each.name,
                each.file.alt,
                hidden=hidden and isinstance(each, Upload),  # a component is hidden with its box
            )
            for each in files
        ]


def format_receipt(message: discord.Message | discord.PartialMessage) -> str:
    """By which a message is found again, also after a restart."""
    return f"{message.channel.id}/{message.id}"


def _may_reply(room: Room) -> bool:
    """Discord accepts a reply only if the bot may read the message it replies to."""
    guild = room.guild
    return guild is None or room.permissions_for(guild.me).read_message_history
