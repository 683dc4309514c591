"""What happens in a workspace, handed to the conversation: each message once, in channel order."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from weakref import WeakValueDictionary

import structlog
from cachetools import TTLCache
from slack_bolt.async_app import AsyncAck, AsyncApp

from adapters.slack.client import BotIdentity, Json, SlackClient
from adapters.slack.commands import ANY_COMMAND, OUR_BUTTONS, SlackCommands
from adapters.slack.messages import (
    PLATFORM,
    SHARED,
    SPOKEN,
    Directory,
    find_mentions,
    find_thread,
    is_by_bot,
    is_edited,
    read_message,
    read_words,
)
from pipeline.domain import Incoming, LocalizedText, Thread
from pipeline.errors import ChatError, RequestError
from pipeline.ports import Listener, SeenEvents
from pipeline.words import say

Active = Callable[[str, datetime], Awaitable[Sequence[tuple[Thread, str]]]]
"""Threads with a turn since a moment, and the last message seen in each."""
EVENTS: Mapping[str, tuple[str, ...]] = {
    "app_mention": ("app_mentions:read",),
    "app_uninstalled": (),
    "message.channels": ("channels:history",),
    "message.groups": ("groups:history",),
    "message.im": ("im:history",),
    "message.mpim": ("mpim:history",),
    "tokens_revoked": (),
}
"""Every event that is subscribed to, and the scopes it needs."""
_MOST_KEPT, _HOUR = 100_000, 3600
_BACKFILL = timedelta(days=1)
_MOST_THREADS, _MOST_CHANNELS, _PAGE = 100, 20, 200
_EYES, _WARNING = "eyes", "warning"

log = structlog.get_logger()


@dataclass(slots=True)
class Reactions:
    """The sign that a message was heard: Slack's status line, or a pair of eyes on the message."""

    client: SlackClient
    _eyes: set[str] = field(default_factory=set)
    _over: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))

    async def show(self, message: Incoming) -> None:
        status = await self.client.try_call(
            "assistant.threads.setStatus",
            channel_id=message.thread.channel.id,
            thread_ts=message.thread.root,
            status=say(message.person.locale, LocalizedText("slack-status")),
        )
        if status is None and await self._react("reactions.add", message, _EYES):
            self._eyes.add(message.key)
            if message.key in self._over:
                await self.clear(message)

    async def warn(self, message: Incoming) -> None:
        """The last resort where nothing can be said."""
        await self._react("reactions.add", message, _WARNING)

    async def clear(self, message: Incoming) -> None:
        """Take the eyes away; the status goes by itself when something is posted."""
        self._over[message.key] = True
        if message.key in self._eyes:
            self._eyes.discard(message.key)
            await self._react("reactions.remove", message, _EYES)

    async def _react(self, method: str, message: Incoming, name: str) -> bool:
        channel = message.thread.channel.id
        args = {"channel": channel, "timestamp": message.id, "name": name}
        return await self.client.try_call(method, **args) is not None


@dataclass(slots=True)
class SlackListener:
    """Bolt's listeners: they turn what Slack sends into calls of the conversation's listener."""

    me: BotIdentity
    listener: Listener
    directory: Directory
    client: SlackClient
    commands: SlackCommands
    reactions: Reactions
    seen: SeenEvents
    active: Active
    tasks: asyncio.TaskGroup
    _taken: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    def register(self, app: AsyncApp) -> None:
        """Take what is subscribed to. An event was taken durably before it is acknowledged."""
        app.event("message")(self._on_event)
        app.event("app_mention")(self._on_event)
        app.event("app_uninstalled")(self._on_token_lost)
        app.event("tokens_revoked")(self._on_token_lost)
        app.command(ANY_COMMAND)(self._on_command)
        app.block_action(OUR_BUTTONS)(self._on_click)

    async def backfill(self) -> None:
        """Take what was said while the bot was away, where it is active."""
        since = datetime.now(UTC) - _BACKFILL
        threads = [
            (thread, last if _is_ts(last) else thread.root)
            for thread, last in await self.active(PLATFORM, since)
            if thread.channel.workspace == self.me.team and _is_ts(thread.root)
        ][:_MOST_THREADS]
        newest: dict[str, str] = {}
        for thread, last in threads:
            newest[thread.channel.id] = max(last, newest.get(thread.channel.id, ""))
            await _try_backfill(self._backfill_thread(thread, last))
        for channel, last in list(newest.items())[:_MOST_CHANNELS]:
            await _try_backfill(self._backfill_channel(channel, last))

    # --- events ---

    async def _on_event(self, body: Json) -> None:
        event: Json = {SHARED: body.get(SHARED), **body["event"]}
        channel = str(event.get("channel") or "")
        async with self._locks.setdefault(channel, asyncio.Lock()):
            await self._on_message(event, channel, str(body.get("event_id") or ""))

    async def _on_token_lost(self, event: Json) -> None:
        log.error("slack took a token away", why=event["type"])
        self.client.token_lost.set()

    async def _on_command(self, ack: AsyncAck, body: Json) -> None:
        self._begin(self.commands.on_command(body))
        await ack()

    async def _on_click(self, ack: AsyncAck, body: Json) -> None:
        self._begin(self.commands.on_click(body))
        await ack()

    async def _on_message(self, event: Json, channel: str, event_id: str) -> None:
        subtype = event.get("subtype")
        if event.get("type") == "app_mention":  # also sent when an edit adds the mention
            await self._take(channel, event, is_again="edited" in event)
        elif subtype == "message_deleted":
            await self._on_delete(event, channel, event_id)
        elif subtype == "message_changed":
            await self._on_change(event, channel, event_id)
        elif subtype in SPOKEN:
            await self._take(channel, event)

    async def _take(self, channel: str, message: Json, *, is_again: bool = False) -> None:
        """A message that somebody wrote. `is_again`: it was only overheard before."""
        if not channel or not _is_ts(str(message.get("ts"))) or is_by_bot(message, self.me):
            return
        key = f"{channel}:{message['ts']}"
        if key in self._taken and not is_again:
            return
        incoming = await read_message(self.me, self.directory, channel, message)
        try:
            run = await self.listener.on_message(incoming)
        except RequestError as error:
            run = None
            if incoming.addressing.mentioned or incoming.addressing.direct:
                await self.commands.whisper(incoming.thread, incoming.person, error.sentence)
        self._taken[key] = True
        if run is not None:
            self._begin(self.reactions.show(incoming))

    async def _on_change(self, event: Json, channel: str, event_id: str) -> None:
        new: Json = event.get("message") or {}
        if is_by_bot(new, self.me) or not (channel and new.get("ts")):
            return
        if new.get("subtype") == "tombstone":
            await self._on_delete(event, channel, event_id)
        elif is_edited(event) and await self.seen.first(f"slack:{event_id}"):
            was_mentioned = self._is_mentioned(event.get("previous_message") or {})
            if self._is_mentioned(new) and not was_mentioned:
                await self._take(channel, new, is_again=True)
            await self.listener.on_edit(await read_message(self.me, self.directory, channel, new))

    async def _on_delete(self, event: Json, channel: str, event_id: str) -> None:
        old: Json = event.get("previous_message") or {}
        ts = str(event.get("deleted_ts") or old.get("ts") or "")
        if is_by_bot(old, self.me) or not (ts and channel):
            return
        if await self.seen.first(f"slack:{event_id}"):
            await self.listener.on_delete(find_thread(self.me, channel, {**old, "ts": ts}), ts)

    def _is_mentioned(self, message: Json) -> bool:
        return self.me.user in find_mentions(read_words(message))

    # --- backfill ---

    async def _backfill_thread(self, thread: Thread, last: str) -> None:
        async for message in self.client.read_thread(thread, oldest=last):
            if str(message["ts"]) > last and message.get("subtype") in SPOKEN:
                await self._take(thread.channel.id, message)

    async def _backfill_channel(self, channel: str, last: str) -> None:
        """Mentions, and everything in a direct message, that began a thread of their own."""
        page = await self.client.call(
            "conversations.history", channel=channel, oldest=last, limit=_PAGE
        )
        for message in reversed(page.get("messages") or ()):
            is_meant = channel.startswith("D") or self._is_mentioned(message)
            if is_meant and message.get("subtype") in SPOKEN:
                await self._take(channel, message)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        """Do something beside the next event; it ends with the listening."""
        self.tasks.create_task(_contain(work))


async def _contain(work: Coroutine[None, None, None]) -> None:
    """The boundary of work beside the events: a bug in it ends nothing else."""
    try:
        await work
    except Exception:
        log.exception("slack: work beside the events broke")


async def _try_backfill(work: Awaitable[None]) -> None:
    try:
        await work
    except ChatError as error:
        log.warning("could not backfill", error=str(error))


def _is_ts(value: str) -> bool:
    """Whether this is Slack's time stamp of a message: digits, a point, digits."""
    seconds, _, number = value.partition(".")
    return seconds.isascii() and seconds.isdigit() and (not number or number.isdigit())
