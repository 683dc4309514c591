"""What happens in a workspace, handed to the conversation: each message once, in channel order."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import structlog
from cachetools import TTLCache
from slack_bolt.async_app import AsyncAck, AsyncApp

from adapters.chat.events import ChatPorts, Dispatcher
from adapters.slack.blocks import PREFIX
from adapters.slack.client import BotIdentity, Json, SlackClient
from adapters.slack.commands import SlackCommands
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
from pipeline.ports import Listener
from pipeline.words import say

EVENTS = (
    "app_mention",
    "app_uninstalled",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "tokens_revoked",
)
"""Every event that is subscribed to."""
_BACKFILL = timedelta(days=1)
_MOST_THREADS, _MOST_CHANNELS = 100, 20
_MOST_KEPT, _HOUR = 100_000, 3600
_EYES, _WARNING = "eyes", "warning"
_TS = re.compile(r"[0-9]+(\.[0-9]*)?")

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


@dataclass(frozen=True, slots=True)
class SlackListener:
    """Bolt's listeners: they turn what Slack sends into calls of the conversation's listener."""

    me: BotIdentity
    listener: Listener
    directory: Directory
    client: SlackClient
    reactions: Reactions
    ports: ChatPorts
    dispatcher: Dispatcher

    def register(self, app: AsyncApp) -> None:
        """Take what is subscribed to. An event was taken durably before it is acknowledged."""
        for event in ("message", "app_mention"):
            app.event(event)(self._on_event)
        for event in ("app_uninstalled", "tokens_revoked"):
            app.event(event)(self._on_token_lost)
        app.command(re.compile("^/"))(self._on_command)  # whatever the app calls its command
        app.block_action(re.compile(f"^{PREFIX}"))(self._on_click)

    async def backfill(self) -> None:
        """Take what was said while the bot was away, where it is active."""
        since = datetime.now(UTC) - _BACKFILL
        newest: dict[str, str] = {}
        threads = await self.ports.chat_log.active_threads(PLATFORM, since=since)
        for thread, message in threads[:_MOST_THREADS]:
            if thread.channel.workspace == self.me.team and _TS.fullmatch(thread.root):
                last = message if _TS.fullmatch(message) else thread.root
                channel = thread.channel.id
                newest[channel] = max(last, newest.get(channel, ""))
                missed = self.client.read_thread(thread, oldest=last)
                await self._backfill(channel, last, missed, is_followed=True)
        for channel, last in list(newest.items())[:_MOST_CHANNELS]:
            args: Json = {"channel": channel, "oldest": last}
            missed = self.client.read_pages("conversations.history", "messages", 1, **args)
            await self._backfill(channel, last, missed, is_followed=channel.startswith("D"))

    async def _backfill(
        self, channel: str, last: str, missed: AsyncIterator[Json], *, is_followed: bool
    ) -> None:
        """Take mentions; everything where the bot follows the conversation."""
        try:
            messages = [each async for each in missed if str(each["ts"]) > last]
        except ChatError as error:
            log.warning("could not backfill", error=str(error))
            return
        for message in sorted(messages, key=lambda each: str(each["ts"])):
            is_meant = is_followed or self._is_mentioned(message)
            if is_meant and message.get("subtype") in SPOKEN:
                await self._take(channel, message)

    # --- events ---

    async def _on_event(self, body: Json) -> None:
        event: Json = {SHARED: body.get(SHARED), **body["event"]}
        channel = str(event.get("channel") or "")
        async with self.dispatcher.lock(channel):
            await self._on_message(event, channel, str(body.get("event_id") or ""))

    async def _on_token_lost(self, event: Json) -> None:
        log.error("slack took a token away", why=event["type"])
        self.client.token_lost.set()

    async def _on_command(self, ack: AsyncAck, body: Json) -> None:
        self.dispatcher.begin(self._commands.on_command(body))
        await ack()

    async def _on_click(self, ack: AsyncAck, body: Json) -> None:
        self.dispatcher.begin(self._commands.on_click(body))
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
        is_whole = channel and _TS.fullmatch(str(message.get("ts")))
        if not is_whole or is_by_bot(message, self.me):
            return
        key, known = f"{channel}:{message['ts']}", self.dispatcher.known
        if key in known and not is_again:
            return
        incoming = await read_message(self.me, self.directory, channel, message)
        try:
            run = await self.listener.on_message(incoming)
        except RequestError as error:
            run = None
            if incoming.addressing.mentioned or incoming.addressing.direct:
                await self._commands.whisper(incoming.thread, incoming.person, error.sentence)
        known[key] = True
        if run is not None:
            self.dispatcher.begin(self.reactions.show(incoming))

    async def _on_change(self, event: Json, channel: str, event_id: str) -> None:
        new: Json = event.get("message") or {}
        if is_by_bot(new, self.me) or not (channel and new.get("ts")):
            return
        if new.get("subtype") == "tombstone":
            await self._on_delete(event, channel, event_id)
        elif is_edited(event) and await self.ports.seen.first(f"slack:{event_id}"):
            was_mentioned = self._is_mentioned(event.get("previous_message") or {})
            if self._is_mentioned(new) and not was_mentioned:
                await self._take(channel, new, is_again=True)
            await self.listener.on_edit(await read_message(self.me, self.directory, channel, new))

    async def _on_delete(self, event: Json, channel: str, event_id: str) -> None:
        old: Json = event.get("previous_message") or {}
        ts = str(event.get("deleted_ts") or old.get("ts") or "")
        if is_by_bot(old, self.me) or not (ts and channel):
            return
        if await self.ports.seen.first(f"slack:{event_id}"):
            await self.listener.on_delete(find_thread(self.me, channel, {**old, "ts": ts}), ts)

    def _is_mentioned(self, message: Json) -> bool:
        return self.me.user in find_mentions(read_words(message))

    @property
    def _commands(self) -> SlackCommands:
        ledger = self.ports.ledger
        return SlackCommands(self.me, self.listener, self.directory, self.client, ledger)
