"""Posts a run's messages and files in Discord with nonces, and finds them in the history."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import discord

from adapters.chat.board import format_label
from adapters.chat.rendering import Page
from adapters.chat.surface import FilesTooLarge
from adapters.chat.uploads import Upload, UploadLimits
from adapters.discord.showing.buttons import format_button
from adapters.discord.showing.files import ShownFile, identify, name_files, open_file
from adapters.discord.showing.layout import lay_out
from adapters.discord.showing.markdown import escape, render_text
from adapters.discord.showing.targets import PostTarget, Targets
from adapters.discord.showing.webhook import ORIGINAL
from adapters.discord.web_api.calls import make_nonce, retry_call
from adapters.discord.web_api.components import read_texts
from adapters.discord.web_api.errors import (
    ARCHIVED,
    LOCKED,
    MISSING_PERMISSIONS,
    MODERATED,
    find_code,
)
from adapters.discord.web_api.limits import PROGRESS_RESERVE, RateLimit
from adapters.discord.web_api.rooms import Room, find_room, parse_id, read_history
from adapters.discord.web_api.spoilers import has_spoilers
from pipeline.domain import Action, Incoming, LocalizedText, RunId, Type
from pipeline.errors import ChatError, ChatGone, ChatRefused
from pipeline.ports import Ledger, Posting
from pipeline.words import say

_REQUEST_BYTES = (25 << 20) - (64 << 10)
"""Discord accepts requests of 25 MiB, which include the text and the names of files."""
_HISTORY = 300
"""Messages after the request that are searched for a post."""
_SPEAKING = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True
)
_APART = frozenset({Type.AUDIO})
"""Only plain messages play sounds in place: components show them as a box with a name."""
_ATTACHING = discord.Permissions(attach_files=True)
_STYLES = {
    Action.STOP: discord.ButtonStyle.danger,
    Action.RETRY: discord.ButtonStyle.primary,
}

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class DiscordSurface:
    """The first place that accepts the answer: a thread, a reply, a direct message.

    Receipts are "{channel}/{message}". Posts carry a nonce made from their key, by which Discord
    recognises a repeated post for some minutes; after that, the history is searched.
    """

    client: discord.Client
    calls: RateLimit
    targets: Targets
    ledger: Ledger
    message: Incoming
    run: RunId
    key: str = "page"
    webhook: discord.Webhook | None = None
    """The place that comes first, where the bot may only respond to an interaction."""
    refresh: float | None = None
    _target: PostTarget | None = None
    """The place that took the last message."""
    _shown: dict[str, tuple[ShownFile, ...]] = field(default_factory=dict)
    """The files that a message shows, by receipt: an edit keeps them instead of sending them."""
    _most_files: int = 10
    """How many files a message may show; fewer once Discord refused them."""

    @property
    def limits(self) -> UploadLimits:
        guild = getattr(self._target.room, "guild", None) if self._target else None
        size = guild.filesize_limit if guild else discord.utils.DEFAULT_FILE_SIZE_LIMIT_BYTES
        return UploadLimits(size, _REQUEST_BYTES, apart=_APART)

    def explain_no_files(self) -> LocalizedText | None:
        room = self._target.room if self._target else self._room
        if room is None or isinstance(room, discord.Webhook) or room.guild is None:
            return None
        if room.permissions_for(room.guild.me).attach_files:
            return None
        names = self._name_permissions(_ATTACHING)
        return LocalizedText("discord-files-aside", {"permission": names})

    async def has_room(self) -> bool:
        return self.calls.has_room(PROGRESS_RESERVE)

    async def post(self, key: str, page: Page, *, may_repeat: bool) -> str:  # noqa: ARG002 - the nonce prevents repeats
        sent = await self._try_places(
            _SPEAKING, lambda target: self._try_files(page, partial(self._post, target, key, page))
        )
        if sent is None:
            raise ChatGone("discord-nowhere")
        self._target, receipt = sent
        return receipt

    async def edit(self, receipt: str, page: Page) -> None:
        await self._try_files(page, partial(self._show, receipt, page))

    async def finish(self, receipt: str, page: Page) -> None:
        """A message that takes no edit any more is deleted: the end becomes a new one."""
        try:
            await self.edit(receipt, page)
        except ChatRefused as refused:
            if find_code(refused) == MODERATED:
                raise
            with suppress(ChatError):
                await self.delete(receipt)
            raise ChatGone(refused.sentence.id, **refused.sentence.args) from refused

    async def delete(self, receipt: str) -> None:
        message = self._find_message(receipt)
        if webhook := self._find_webhook(message):
            await retry_call(lambda: webhook.delete_message(message.id))
        else:
            await retry_call(message.delete)

    async def upload(self, key: str, files: Sequence[Upload], below: str, page: Page) -> str:
        """Send the files that the answer's last message does not show."""
        if below and below not in self._shown:  # posted before a restart
            with suppress(ChatGone, ChatRefused):
                await self.edit(below, page)
        shown = [each.upload for each in self._shown.get(below, ())]
        files = [each for each in files if each not in shown]
        if not files:
            return below
        try:
            sent = await self._try_places(
                _ATTACHING, lambda target: self._send(target, key, files=files)
            )
        except ChatRefused as refused:
            raise ChatGone(refused.sentence.id, **refused.sentence.args) from refused
        if sent is None:
            raise ChatGone("discord-no-files", permission=self._name_permissions(_ATTACHING))
        return _format_receipt(sent[1])

    async def ping(self, key: str) -> None:
        """Not where the bot may only respond: Discord tells of the response itself."""
        person = parse_id(self.message.person.id)
        if self._target is None or person is None or isinstance(self._target.room, discord.Webhook):
            return
        words = LocalizedText("run-ended", {"who": f"<@{person}>"})
        allowed = discord.AllowedMentions(users=[discord.Object(person)])
        text = say(self.message.person.locale, words)
        await self._send(self._target, key, text, allowed_mentions=allowed)

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        start = parse_id(self.message.id) or parse_id(self.message.thread.root) or 0
        after = discord.Object(start)
        async for target in self._find_targets():
            if isinstance(target.room, discord.Webhook):
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

    async def _try_places(
        self, needed: discord.Permissions, send: Callable[[PostTarget], Awaitable[T]]
    ) -> tuple[PostTarget, T] | None:
        """Send something to the first place that takes it; None if there is none.

        Files that may not be attached here are sent to the person directly.
        """
        refused: ChatGone | None = None
        async for target in self._find_targets():
            is_barred = refused and find_code(refused) == MISSING_PERMISSIONS
            if is_barred and needed == _ATTACHING and target.room.guild:
                continue
            try:
                await self._explain(target, refused, needed)
                return target, await send(target)
            except FilesTooLarge:
                raise
            except ChatGone as gone:
                refused = refused or gone
        return None

    async def _find_targets(self) -> AsyncIterator[PostTarget]:
        """The place of the last message, then the others in case it is closed by now."""
        last = self._target
        if last is not None:
            yield replace(last, is_aside=False)
        if self.webhook is not None and (last is None or last.channel != self.webhook.channel_id):
            yield PostTarget(self.webhook)
        async for target in self.targets.find(self.message):
            if last is None or target.channel != last.channel:
                yield target

    def _find_message(self, receipt: str) -> discord.PartialMessage:
        channel, _, message = receipt.partition("/")
        known, unknown = self.client.get_channel, self.client.get_partial_messageable
        room: Any = known(int(channel)) or unknown(int(channel))
        posted: discord.PartialMessage = room.get_partial_message(int(message))
        self._target = self._target or PostTarget(self._find_webhook(posted) or room)
        return posted

    def _find_webhook(self, message: discord.PartialMessage) -> discord.Webhook | None:
        """The webhook that a message was posted with."""
        is_through = self.webhook is not None and self.webhook.channel_id == message.channel.id
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
        words = " ".join([message.content, *read_texts(message)]).split()
        return has_run or words == render_text(content).split()

    async def _explain(
        self, target: PostTarget, refused: ChatGone | None, needed: discord.Permissions
    ) -> None:
        """Say in another place why the answer comes there, once."""
        key = f"{self.run}:aside"
        if not target.is_aside or (await self.ledger.begin(key))[0] is Posting.POSTED:
            return
        room, code = self._room, find_code(refused) if refused else 0
        reason = LocalizedText("discord-aside-late" if self.webhook else "discord-aside-gone")
        if isinstance(room, discord.Thread) and code in (LOCKED, ARCHIVED):
            reason = LocalizedText("discord-aside-locked", {"channel": room.name})
        elif room is not None and refused and isinstance(refused.__cause__, discord.Forbidden):
            channel = room.parent if isinstance(room, discord.Thread) else room
            names = self._name_permissions(needed)
            args = {"channel": f"#{channel}", "permission": names}
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

    async def _post(self, target: PostTarget, key: str, page: Page, files: Sequence[Upload]) -> str:
        """Post a page with these files; return its receipt."""
        shown = name_files(files, ())
        posted = await self._send(target, key, files=shown, view=self._lay_out(page, shown))
        receipt = _format_receipt(posted)
        self._shown[receipt] = identify(shown, posted)
        return receipt

    async def _show(self, receipt: str, page: Page, files: Sequence[Upload]) -> None:
        """Edit a message into a page with these files; those that it shows are not sent again."""
        known = self._shown.get(receipt, ())
        shown = name_files(files, known)
        view = self._lay_out(page, shown)
        try:
            edited = await self._edit(self._find_message(receipt), view, shown)
        except ChatRefused:
            if not known:
                raise
            del self._shown[receipt]  # send all files again, as keeping them is refused
            await self._show(receipt, page, files)
            return
        self._shown[receipt] = identify(shown, edited)

    async def _send(
        self,
        target: PostTarget,
        key: str,
        content: str | None = None,
        files: Sequence[Upload | ShownFile] = (),
        **options: Any,  # noqa: ANN401 - the library's own
    ) -> discord.Message:
        room = target.room
        if isinstance(room, discord.Webhook):
            if key == self._first_key:  # in place of "thinking", so repeats do no harm
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
        if key == self._first_key and target.reply_to and _may_reply(room):
            replied_to: Any = room.get_partial_message(target.reply_to)
            options["reference"] = replied_to.to_reference(fail_if_not_exists=False)
        return await retry_call(
            lambda: room.send(content, files=self._open_files(files), **options)
        )

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
        webhook = self._find_webhook(message)

        async def edit() -> discord.Message:
            whole: Any = {"content": None, "view": view, "attachments": self._open_files(files)}
            if webhook:
                return await webhook.edit_message(message.id, **whole)
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


def _may_reply(room: Room) -> bool:
    """Discord accepts a reply only if the bot may read the message it replies to."""
    guild = room.guild
    return guild is None or room.permissions_for(guild.me).read_message_history


def _format_receipt(message: discord.Message | discord.PartialMessage) -> str:
    return f"{message.channel.id}/{message.id}"
