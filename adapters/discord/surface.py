"""Posts a run's messages and files in Discord with nonces, and finds them in the history."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import discord

from adapters.chat.board import format_label
from adapters.chat.rendering import ANSWERED_ACTIONS, Page
from adapters.chat.surface import FilesTooLarge
from adapters.chat.uploads import Upload, UploadLimits
from adapters.discord.calls import ARCHIVED, find_code, make_nonce, open_file, retry_call
from adapters.discord.client import PROGRESS_RESERVE, DiscordClient
from adapters.discord.rendering import format_button, render_text
from adapters.discord.threads import PostTarget, Room, parse_id, read_history
from pipeline.domain import Action, Incoming, RunId
from pipeline.errors import ChatGone
from pipeline.ports import Ledger, Posting

_REQUEST_BYTES = (25 << 20) - (64 << 10)
"""Discord accepts requests of 25 MiB, which include the text and the names of files."""
_HISTORY = 300
_STYLES = {
    Action.STOP: discord.ButtonStyle.danger,
    Action.RETRY: discord.ButtonStyle.primary,
}


@dataclass(slots=True)
class DiscordSurface:
    """The first place that accepts the answer: a thread, a reply, a direct message.

    Receipts are "{channel}/{message}". Posts carry a nonce made from their key, by which Discord
    recognises a repeated post for some minutes; after that, the history is searched.
    """

    client: DiscordClient
    ledger: Ledger
    message: Incoming
    run: RunId
    key: str = "page"
    _target: PostTarget | None = None
    """The place that took the last message."""

    @property
    def limits(self) -> UploadLimits:
        guild = getattr(self._target.room, "guild", None) if self._target else None
        size = guild.filesize_limit if guild else discord.utils.DEFAULT_FILE_SIZE_LIMIT_BYTES
        return UploadLimits(size, _REQUEST_BYTES)

    async def has_room(self) -> bool:
        return await self.client.calls.take_if_free(PROGRESS_RESERVE)

    async def post(self, key: str, page: Page, *, may_repeat: bool) -> str:  # noqa: ARG002 - the nonce prevents repeats
        view = await self._make_view(page)
        async for target in self._find_targets():
            options: dict[str, Any] = {"view": view} if view else {}
            if key == self._first_key and target.reply_to and _may_reply(target.room):
                replied_to: Any = target.room.get_partial_message(target.reply_to)
                options["reference"] = replied_to.to_reference(fail_if_not_exists=False)
            with suppress(ChatGone):
                if target.notice:
                    await self._post_notice(target)
                posted = await self._send(target, key, render_text(page), **options)
                self._target = target
                return _format_receipt(posted)
        raise ChatGone("discord-nowhere")

    async def edit(self, receipt: str, page: Page) -> None:
        view = await self._make_view(page)
        await self._edit(self._find_message(receipt), content=render_text(page), view=view)

    async def finish(self, receipt: str, page: Page) -> None:
        await self.edit(receipt, page)

    async def upload(self, key: str, files: Sequence[Upload], below: str) -> str:
        """The first batch joins the answer's last message, together with the buttons."""
        target = self._target
        if target is None:
            raise ChatGone("discord-no-files")
        try:
            if not (below and _is_first_batch(key)):
                return _format_receipt(await self._send(target, key, files=files))
            view = await self._make_view(Page((), actions=ANSWERED_ACTIONS))
            await self._edit(self._find_message(below), files, view=view)
        except FilesTooLarge:
            raise
        except ChatGone as gone:
            raise ChatGone("discord-no-files") from gone
        await self.ledger.begin(self._buttons_key)
        await self.ledger.done(self._buttons_key, below)
        return below

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        if not isinstance(content, Page) and _is_first_batch(key):
            return ""  # it was an edit, which is idempotent
        start = parse_id(self.message.id) or parse_id(self.message.thread.root) or 0
        after = discord.Object(start)
        async for target in self._find_targets():
            with suppress(ChatGone):
                for message in await read_history(target.room, limit=_HISTORY, after=after):
                    is_own = message.author == self.client.user
                    if is_own and self._is_same(message, content, key):
                        self._target = target
                        return _format_receipt(message)
        return ""

    # --- places ---

    @property
    def _first_key(self) -> str:
        return f"{self.run}:{self.key}:0"

    @property
    def _buttons_key(self) -> str:
        return f"{self.run}:buttons"

    async def _find_targets(self) -> AsyncIterator[PostTarget]:
        """The place of the last message, then the others in case it is closed by now."""
        last = self._target
        if last is not None:
            yield replace(last, notice="")
        async for target in self.client.threads.find_targets(self.client, self.message):
            if last is None or target.room.id != last.room.id:
                yield target

    def _find_message(self, receipt: str) -> discord.PartialMessage:
        channel, _, message = receipt.partition("/")
        known, unknown = self.client.get_channel, self.client.get_partial_messageable
        room: Any = known(int(channel)) or unknown(int(channel))
        self._target = self._target or PostTarget(room)
        partial: discord.PartialMessage = room.get_partial_message(int(message))
        return partial

    def _is_same(
        self, message: discord.Message, content: Page | Sequence[Upload], key: str
    ) -> bool:
        """Compare contents; a progress message changes, but its buttons name the run."""
        if not isinstance(content, Page):
            sizes = [len(each.blob.data) for each in content]
            return [each.size for each in message.attachments] == sizes
        has_run = key == self._first_key and any(
            f":{self.run}'" in str(row.to_dict()) for row in message.components
        )
        return has_run or message.content.strip() == render_text(content).strip()

    # --- calls ---

    async def _post_notice(self, target: PostTarget) -> None:
        key = f"{self.run}:aside"
        state, _ = await self.ledger.begin(key)
        if state is not Posting.POSTED:
            notice = await self._send(target, key, target.notice)
            await self.ledger.done(key, _format_receipt(notice))

    async def _make_view(self, page: Page) -> discord.ui.View | None:
        """Buttons whose ids hold all state: the library need not remember the view."""
        actions = page.actions
        if page.awaits_files:  # after a restart the files may be posted already
            state, _ = await self.ledger.begin(self._buttons_key)
            actions = page.actions if state is Posting.POSTED else ()
        if not actions:
            return None
        view = discord.ui.View(timeout=None)
        for action in actions:
            label = format_label(action, self.message.person.locale)
            style = _STYLES.get(action, discord.ButtonStyle.secondary)
            id_ = format_button(action, self.run)
            view.add_item(discord.ui.Button(label=label, custom_id=id_, style=style))
        view.stop()
        return view

    async def _send(
        self,
        target: PostTarget,
        key: str,
        content: str | None = None,
        files: Sequence[Upload] = (),
        **options: Any,  # noqa: ANN401 - the library's own
    ) -> discord.Message:
        options |= {"suppress_embeds": True, "mention_author": False, "nonce": make_nonce(key)}
        room = target.room
        return await retry_call(lambda: room.send(content, files=_open_files(files), **options))

    async def _edit(
        self,
        message: discord.PartialMessage,
        files: Sequence[Upload] = (),
        **options: Any,  # noqa: ANN401 - the library's own
    ) -> None:
        """Edit a message, after unarchiving its thread if needed. No files: keep the old ones."""

        async def edit() -> None:
            attached: dict[str, Any] = {"attachments": _open_files(files)} if files else {}
            await message.edit(**options, **attached)

        try:
            await retry_call(edit)
        except ChatGone as gone:
            if find_code(gone) != ARCHIVED:
                raise
            channel = message.channel.id
            await retry_call(lambda: self.client.http.edit_channel(channel, archived=False))
            await retry_call(edit)


def _may_reply(room: Room) -> bool:
    """Discord accepts a reply only if the bot may read the message it replies to."""
    guild = room.guild
    return guild is None or room.permissions_for(guild.me).read_message_history


def _is_first_batch(key: str) -> bool:
    """Whether an upload is the first batch, its first half (":0") or a shrunk file (":small")."""
    return set(key.rpartition(":files:")[2].split(":")) <= {"0", "small"}


def _format_receipt(message: discord.Message) -> str:
    return f"{message.channel.id}/{message.id}"


def _open_files(files: Sequence[Upload]) -> list[discord.File]:
    return [open_file(each.blob.data, each.name, each.file.alt) for each in files]
