"""Where the messages of a run go on Discord: the first place that takes them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

import discord

from adapters.chat.rendering import Page
from adapters.chat.surface import FilesTooLarge
from adapters.chat.uploads import Upload, UploadLimits
from adapters.discord.showing.markdown import escape
from adapters.discord.showing.posts import RunPosts, format_receipt
from adapters.discord.showing.targets import PostTarget, Targets
from adapters.discord.web_api.errors import (
    ARCHIVED,
    LOCKED,
    MISSING_PERMISSIONS,
    MODERATED,
    find_code,
)
from adapters.discord.web_api.limits import PROGRESS_RESERVE, RateLimit
from adapters.discord.web_api.rooms import Room, find_room, parse_id, read_history
from pipeline.domain import Incoming, LocalizedText, RunId, Type
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
"""What an answer needs."""
_ATTACHING = discord.Permissions(attach_files=True)
"""What its files need."""
_APART = frozenset({Type.AUDIO})
"""Only plain messages play sounds in place: components show them as a box with a name."""

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
    _posts: RunPosts = field(init=False)

    def __post_init__(self) -> None:
        self._posts = RunPosts(
            client=self.client,
            message=self.message,
            run=self.run,
            first_key=f"{self.run}:{self.key}:0",
            webhook=self.webhook,
        )

    @property
    def limits(self) -> UploadLimits:
        guild = getattr(self._target.room, "guild", None) if self._target else None
        size = guild.filesize_limit if guild else discord.utils.DEFAULT_FILE_SIZE_LIMIT_BYTES
        return UploadLimits(size, _REQUEST_BYTES, apart=_APART)

    def explain_no_files(self) -> LocalizedText | None:
        target = self._target
        room = target.room if target else self._find_asked_room()
        if room is None or isinstance(room, discord.Webhook) or room.guild is None:
            return None
        if room.permissions_for(room.guild.me).attach_files:
            return None
        names = self._name_missing(_ATTACHING)
        return LocalizedText("discord-files-aside", {"permission": names})

    async def has_room(self) -> bool:
        return self.calls.has_room(PROGRESS_RESERVE)

    async def post(self, key: str, page: Page, *, may_repeat: bool) -> str:  # noqa: ARG002 - the nonce prevents repeats
        sent = await self._try_targets(
            _SPEAKING, lambda target: self._posts.post(target, key, page)
        )
        if sent is None:
            raise ChatGone("discord-nowhere")
        self._target, receipt = sent
        return receipt

    async def edit(self, receipt: str, page: Page) -> None:
        self._target = self._target or self._posts.find_target(receipt)
        await self._posts.show(receipt, page)

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
        await self._posts.delete(receipt)

    async def upload(self, key: str, files: Sequence[Upload], below: str, page: Page) -> str:
        """Send the files that the answer's last message does not show."""
        if below and self._posts.list_files(below) is None:  # posted before a restart
            with suppress(ChatGone, ChatRefused):
                await self.edit(below, page)
        shown = self._posts.list_files(below) or ()
        files = [each for each in files if each not in shown]
        if not files:
            return below
        try:
            sent = await self._try_targets(
                _ATTACHING, lambda target: self._posts.send(target, key, files=files)
            )
        except ChatRefused as refused:
            raise ChatGone(refused.sentence.id, **refused.sentence.args) from refused
        if sent is None:
            raise ChatGone("discord-no-files", permission=self._name_missing(_ATTACHING))
        return format_receipt(sent[1])

    async def ping(self, key: str) -> None:
        """Not where the bot may only respond: Discord tells of the response itself."""
        person = parse_id(self.message.person.id)
        if self._target is None or person is None or isinstance(self._target.room, discord.Webhook):
            return
        words = LocalizedText("run-ended", {"who": f"<@{person}>"})
        allowed = discord.AllowedMentions(users=[discord.Object(person)])
        text = say(self.message.person.locale, words)
        await self._posts.send(self._target, key, text, allowed_mentions=allowed)

    async def look_up(self, key: str, content: Page | Sequence[Upload]) -> str:
        start = parse_id(self.message.id) or parse_id(self.message.thread.root) or 0
        after = discord.Object(start)
        async for target in self._find_targets():
            if isinstance(target.room, discord.Webhook):
                continue
            with suppress(ChatGone):
                for message in await read_history(target.room, limit=_HISTORY, after=after):
                    is_own = message.author == self.client.user
                    if is_own and self._posts.is_same(message, content, key):
                        self._target = target
                        return format_receipt(message)
        return ""

    async def _try_targets(
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
                if target.is_aside:
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

    async def _explain(
        self, target: PostTarget, refused: ChatGone | None, needed: discord.Permissions
    ) -> None:
        """Say in another place why the answer comes there, once."""
        key = f"{self.run}:aside"
        if (await self.ledger.begin(key))[0] is Posting.POSTED:
            return
        words = escape(say(self.message.person.locale, self._find_reason(refused, needed)))
        notice = await self._posts.send(target, key, words)
        await self.ledger.done(key, format_receipt(notice))

    def _find_reason(self, refused: ChatGone | None, needed: discord.Permissions) -> LocalizedText:
        """Why nothing is posted where the person asked.

        `refused`: Discord's first refusal, if it has refused anything. `needed`: the permissions
        for what was to be posted.
        """
        room, code = self._find_asked_room(), find_code(refused) if refused else 0
        if isinstance(room, discord.Thread) and code in (LOCKED, ARCHIVED):
            return LocalizedText("discord-aside-locked", {"channel": room.name})
        if room is not None and refused and isinstance(refused.__cause__, discord.Forbidden):
            channel = room.parent if isinstance(room, discord.Thread) else room
            args = {"channel": f"#{channel}", "permission": self._name_missing(needed)}
            return LocalizedText("discord-aside-permission", args)
        return LocalizedText("discord-aside-late" if self.webhook else "discord-aside-gone")

    def _find_asked_room(self) -> Room | None:
        """The place where the person asked; None if it is gone."""
        thread = self.message.thread
        return find_room(self.client, thread.root) or find_room(self.client, thread.channel.id)

    def _name_missing(self, needed: discord.Permissions) -> str:
        """The permissions that are missing there, as Discord names them in the person's language.

        If none is known to be missing, all that are needed.
        """
        room = self._find_asked_room()
        guild = room.guild if room else None
        known = room.permissions_for(guild.me) if room and guild else discord.Permissions.none()
        missing = needed & ~known or needed
        words = [LocalizedText(f"discord-permission-{name}") for name, on in missing if on]
        return ", ".join(say(self.message.person.locale, each) for each in words)
