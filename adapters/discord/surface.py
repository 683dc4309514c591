"""Posts a run's messages and files in Discord with nonces, and finds them in the history."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeGuard

import discord
from discord.http import MultipartParameters, handle_message_parameters

from adapters.chat.board import format_label
from adapters.chat.rendering import Page
from adapters.chat.surface import FilesTooLarge
from adapters.chat.uploads import Upload, UploadLimits
from adapters.discord.calls import (
    ARCHIVED,
    LOCKED,
    MISSING_PERMISSIONS,
    UNKNOWN_CHANNEL,
    find_code,
    make_nonce,
    open_file,
    retry_call,
)
from adapters.discord.client import PROGRESS_RESERVE, DiscordClient
from adapters.discord.rendering import escape, format_button, render_text
from adapters.discord.threads import PostTarget, Room, find_room, parse_id, read_history
from adapters.discord.webhook import Webhook
from pipeline.domain import Action, Incoming, LocalizedText, RunId
from pipeline.errors import ChatGone
from pipeline.ports import Ledger, Posting
from pipeline.words import say

_REQUEST_BYTES = (25 << 20) - (64 << 10)
"""Discord accepts requests of 25 MiB, which include the text and the names of files."""
_HISTORY = 300
_SPEAKING = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True
)
_NO_PREVIEWS = discord.MessageFlags(suppress_embeds=True)
_ATTACHING = discord.Permissions(attach_files=True)
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
    webhook: Webhook | None = None
    """The place that comes first, where the bot may only respond to an interaction."""
    refresh: float | None = None
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
        refused: ChatGone | None = None
        async for target in self._find_targets():
            options: dict[str, Any] = {"view": view} if view else {}
            room = target.room
            if key == self._first_key and target.reply_to and _may_reply(room):
                replied_to: Any = room.get_partial_message(target.reply_to)
                options["reference"] = replied_to.to_reference(fail_if_not_exists=False)
            try:
                await self._explain(target, refused, _SPEAKING)
                posted = await self._send(target, key, render_text(page), **options)
            except ChatGone as gone:
                refused = refused or gone
                continue
            self._target = target
            return _format_receipt(posted)
        raise ChatGone("discord-nowhere")

    async def edit(self, receipt: str, page: Page) -> None:
        view = await self._make_view(page)
        await self._edit(self._find_message(receipt), content=render_text(page), view=view)

    async def finish(self, receipt: str, page: Page) -> None:
        await self.edit(receipt, page)

    async def delete(self, receipt: str) -> None:
        message = self._find_message(receipt)
        if webhook := self._find_webhook(message):
            await webhook.delete(message.id)
        else:
            await retry_call(message.delete)

    async def upload(
        self, key: str, files: Sequence[Upload], below: str, actions: Sequence[Action]
    ) -> str:
        """The first batch joins the answer's last message, together with the buttons."""
        target, joins = self._target, below and _is_first_batch(key)
        if target is None:
            raise ChatGone("discord-no-files", permission=self._name_permissions(_ATTACHING))
        receipt, view = below, await self._make_view(Page((), actions=tuple(actions)))
        try:
            if joins:
                await self._edit(self._find_message(below), files, view=view)
            else:
                receipt = _format_receipt(await self._send(target, key, files=files))
        except FilesTooLarge:
            raise
        except ChatGone as gone:
            receipt = await self._upload_aside(key, files, gone)
            if joins:
                with suppress(ChatGone):
                    await self._edit(self._find_message(below), view=view)
        if joins:
            await self.ledger.begin(self._buttons_key)
            await self.ledger.done(self._buttons_key, below)
        return receipt

    async def _upload_aside(self, key: str, files: Sequence[Upload], refused: ChatGone) -> str:
        """Send files to another place: where a permission is missing, to the person directly."""
        async for target in self._find_targets():
            is_same = self._target is not None and target.room.id == self._target.room.id
            if is_same or (target.room.guild and find_code(refused) == MISSING_PERMISSIONS):
                continue
            try:
                await self._explain(target, refused, _ATTACHING)
                return _format_receipt(await self._send(target, key, files=files))
            except FilesTooLarge:
                raise
            except ChatGone:
                continue
        names = self._name_permissions(_ATTACHING)
        raise ChatGone("discord-no-files", permission=names) from refused

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        if not isinstance(content, Page) and _is_first_batch(key):
            return ""  # it was an edit, which is idempotent
        start = parse_id(self.message.id) or parse_id(self.message.thread.root) or 0
        after = discord.Object(start)
        async for target in self._find_targets():
            if isinstance(target.room, Webhook):
                continue
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
            yield replace(last, is_aside=False)
        if self.webhook is not None and (last is None or last.room.id != self.webhook.id):
            yield PostTarget(self.webhook)
        async for target in self.client.threads.find_targets(self.client, self.message):
            if last is None or target.room.id != last.room.id:
                yield target

    def _find_message(self, receipt: str) -> discord.PartialMessage:
        channel, _, message = receipt.partition("/")
        known, unknown = self.client.get_channel, self.client.get_partial_messageable
        room: Any = known(int(channel)) or unknown(int(channel))
        posted: discord.PartialMessage = room.get_partial_message(int(message))
        self._target = self._target or PostTarget(self._find_webhook(posted) or room)
        return posted

    def _find_webhook(self, message: discord.PartialMessage) -> Webhook | None:
        """The webhook that a message was posted with."""
        is_through = self.webhook is not None and self.webhook.id == message.channel.id
        return self.webhook if is_through else None

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

    async def _explain(
        self, target: PostTarget, refused: ChatGone | None, needed: discord.Permissions
    ) -> None:
        """Say in another place why the answer comes there, once."""
        key = f"{self.run}:aside"
        if not target.is_aside or (await self.ledger.begin(key))[0] is Posting.POSTED:
            return
        room, code = self._room, find_code(refused) if refused else 0
        reason = LocalizedText("discord-aside-late" if self.webhook else "discord-aside-gone")
        if room is not None and code in (LOCKED, ARCHIVED):
            reason = LocalizedText("discord-aside-locked", {"channel": _name(room)})
        elif room is not None and code != UNKNOWN_CHANNEL:
            names = self._name_permissions(needed)
            args = {"channel": _name(room), "permission": names}
            reason = LocalizedText("discord-aside-permission", args)
        notice = await self._send(target, key, escape(say(self.message.person.locale, reason)))
        await self.ledger.done(key, _format_receipt(notice))

    @property
    def _room(self) -> Room | None:
        """The place where the person asked; None if it is gone."""
        thread = self.message.thread
        return find_room(self.client, thread.root) or find_room(self.client, thread.channel.id)

    def _name_permissions(self, needed: discord.Permissions) -> str:
        """The permissions that are missing here, as Discord names them in the person's language.

        If none is known to be missing, all that are needed.
        """
        room, locale = self._room, self.message.person.locale
        guild = room.guild if room else None
        known = room.permissions_for(guild.me) if room and guild else discord.Permissions.none()
        missing = needed & ~known or needed
        words = [LocalizedText(f"discord-permission-{name}") for name, on in missing if on]
        return ", ".join(say(locale, each) for each in words)

    # --- calls ---

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
    ) -> discord.Message | discord.PartialMessage:
        room = target.room
        if isinstance(room, Webhook):
            if content is not None:
                options["content"] = content
            make = partial(_make_parameters, files, **options)
            return await room.post(make, is_first=key == self._first_key)
        options |= {"suppress_embeds": True, "mention_author": False, "nonce": make_nonce(key)}
        return await retry_call(lambda: room.send(content, files=_open_files(files), **options))

    async def _edit(
        self,
        message: discord.PartialMessage,
        files: Sequence[Upload] = (),
        **options: Any,  # noqa: ANN401 - the library's own
    ) -> None:
        """Edit a message, after unarchiving its thread if needed. No files: keep the old ones.

        The library's own call cannot keep link previews away.
        """
        make = partial(_make_parameters, files, **options)
        if webhook := self._find_webhook(message):
            await webhook.edit(message.id, make)
            return

        async def edit() -> None:
            with make() as params:
                await self.client.http.edit_message(message.channel.id, message.id, params=params)

        try:
            await retry_call(edit)
        except ChatGone as gone:
            if find_code(gone) != ARCHIVED:
                raise
            channel = message.channel.id
            await retry_call(lambda: self.client.http.edit_channel(channel, archived=False))
            await retry_call(edit)


def _name(room: Room) -> str:
    return room.name if isinstance(room, discord.Thread) else f"#{room}"


def _make_parameters(files: Sequence[Upload], **options: Any) -> MultipartParameters:  # noqa: ANN401 - the library's own
    """The content of a message, without link previews and pings. No files: keep the old ones."""
    attached: dict[str, Any] = {"attachments": _open_files(files)} if files else {}
    nobody = discord.AllowedMentions.none()
    return handle_message_parameters(
        flags=_NO_PREVIEWS, allowed_mentions=nobody, **options, **attached
    )


def _may_reply(room: Room | Webhook) -> TypeGuard[Room]:
    """Discord accepts a reply only if the bot may read the message it replies to."""
    if isinstance(room, Webhook):
        return False
    guild = room.guild
    return guild is None or room.permissions_for(guild.me).read_message_history


def _is_first_batch(key: str) -> bool:
    """Whether an upload is the first batch, its first half (":0") or a shrunk file (":small")."""
    return set(key.rpartition(":files:")[2].split(":")) <= {"0", "small"}


def _format_receipt(message: discord.Message | discord.PartialMessage) -> str:
    return f"{message.channel.id}/{message.id}"


def _open_files(files: Sequence[Upload]) -> list[discord.File]:
    return [open_file(each.blob.data, each.name, each.file.alt) for each in files]
