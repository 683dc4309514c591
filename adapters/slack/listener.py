"""Passes a workspace's messages to the conversation, also those missed while away."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from zlib import crc32

import structlog
from cachetools import TTLCache
from slack_bolt.async_app import AsyncApp

from adapters.chat.backfill import Backfill, Gap
from adapters.chat.dispatcher import Dispatcher
from adapters.chat.erasure import ask_to_erase, find_erasing
from adapters.chat.failures import contain
from adapters.chat.manners import is_expected
from adapters.chat.ports import ChatPorts
from adapters.slack.blocks import render_confirmation
from adapters.slack.client import FEWEST_CUT, PLATFORM, Json, SlackClient
from adapters.slack.contents import read_words
from adapters.slack.home import OPENED, name_thread
from adapters.slack.interactions import STOPPED
from adapters.slack.messages import (
    SHARED,
    SPOKEN,
    Directory,
    find_mentions,
    find_time,
    is_edited,
    is_empty,
    make_ts,
    read_message,
)
from adapters.slack.replies import Replies, ask_author
from pipeline.domain import Incoming, LocalizedText, Reply, RunId, Thread
from pipeline.errors import RequestError, is_passing
from pipeline.ports import Listener
from pipeline.words import say

log = structlog.get_logger()

_BEFORE = timedelta(days=1)
"""How much before a gap the threads begin that are read."""
_REMEMBERED = timedelta(days=30)
"""How much before a gap replies are read: free plans hide what is older than 90 days."""
_MOST_CHANNELS = 200
"""Channels that are read after a gap, those with the newest threads first."""
_MOST_THREADS = 100
"""Known threads that are read after a gap, the newest ones."""
_KINDS = "public_channel,private_channel,mpim,im"


@dataclass(frozen=True, slots=True)
class MissedMessages:
    """Reads what was written, edited and deleted in a workspace while the bot was away."""

    client: SlackClient
    pass_on: Callable[[Json, str], Awaitable[None]]
    """Handles an event of a channel as if Slack had sent it."""

    async def read(self, gap: Gap) -> None:
        """Read the channels, then the known threads with replies."""
        known = [thread for thread, last in gap.threads if last != thread.root][-_MOST_THREADS:]
        channels = dict.fromkeys(thread.channel.id for thread, _ in reversed(gap.threads))
        with gap.attempt():
            args: Json = {"types": _KINDS, "exclude_archived": True}
            async for each in self.client.read_pages("users.conversations", "channels", **args):
                channels.setdefault(str(each["id"]))
        for channel in [*channels][:_MOST_CHANNELS]:
            with gap.attempt():
                await self._read_channel(gap, channel, {thread.root for thread in known})
        for thread in known:
            with gap.attempt():
                await self._read_thread(gap, thread)

    async def _read_channel(self, gap: Gap, channel: str, known: set[str]) -> None:
        """Read what was said in a channel, and the unknown threads that were begun lately."""
        start = gap.since - _BEFORE
        args: Json = {"channel": channel, "oldest": make_ts(start)}
        await self.client.limits.reads.acquire()
        pages = self.client.read_pages("conversations.history", "messages", **args)
        messages = {str(each["ts"]): each async for each in pages}
        if len(messages) >= FEWEST_CUT:
            start = find_time(min(messages)) or start
        gap.spans[channel] = start, messages.keys()
        for ts, message in sorted(messages.items()):
            await self._handle(gap, channel, message)
            if ts not in known and _is_in(gap, {"ts": message.get("latest_reply")}):
                await self._read_thread(gap, self.client.find_thread(channel, ts))

    async def _read_thread(self, gap: Gap, thread: Thread) -> None:
        await self.client.limits.reads.acquire()
        start = gap.since - _REMEMBERED
        replies = self.client.read_thread(thread, oldest=make_ts(start))
        messages = {str(each["ts"]): each async for each in replies}
        if len(messages) < FEWEST_CUT:
            gap.spans[thread.root] = start, messages.keys()
        for ts, message in messages.items():
            if ts != thread.root:
                await self._handle(gap, thread.channel.id, message)

    async def _handle(self, gap: Gap, channel: str, message: Json) -> None:
        change = {"subtype": "message_changed", "message": message}
        if message.get("subtype") == "tombstone":
            await self.pass_on({**change, "previous_message": message}, channel)
            return
        if _is_in(gap, message):
            await self.pass_on(message, channel)
        if _is_in(gap, message.get("edited") or {}):  # it may have been taken before that
            await self.pass_on(change, channel)


def _is_in(gap: Gap, part: Json) -> bool:
    at = find_time(str(part.get("ts")))
    return at is not None and at > gap.since


_MESSAGES = ("message.channels", "message.groups", "message.im", "message.mpim")
EVENTS = (
    STOPPED,
    OPENED,
    "app_mention",
    "app_uninstalled",
    *_MESSAGES,
    "tokens_revoked",
)
"""The events that the app subscribes to."""
_MOST_KEPT = 100_000
"""Messages that are remembered."""
_HOUR = 3600
"""Seconds for which they are: no run should take longer."""
_LONGEST_HOLD = 300.0
"""Seconds of an outage after which events are acknowledged, and read later.

By then Slack has sent an event for the last time; it disables an app that fails for an hour.
"""


@dataclass(slots=True)
class Reactions:
    """Shows that a message was taken: Slack's status line, or a 👀 reaction."""

    client: SlackClient
    _signs: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """By message: True if it has a sign, False if the run ended before it got one."""
    _eyes: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """The messages whose sign is the reaction."""

    async def show(self, message: Incoming) -> None:
        if self._signs.setdefault(message.key, True) is False:
            return
        working = say(message.person.locale, LocalizedText("slack-status"))
        if await self._show_status(message, working):
            if self._signs.get(message.key) is False:
                await self._show_status(message, "")
        elif await self.react("reactions.add", message, "eyes"):
            self._eyes[message.key] = True
            if self._signs.get(message.key) is False:
                await self.clear(message)

    async def clear(self, message: Incoming) -> None:
        """Remove the reaction; the status goes by itself when something is posted."""
        had_sign = self._signs.get(message.key)
        self._signs[message.key] = False
        if had_sign is not None and self._eyes.pop(message.key, False):
            await self.react("reactions.remove", message, "eyes")

    async def withdraw(self, message: Incoming) -> None:
        """Remove reaction and status: nothing is posted that would end it."""
        had_sign = self._signs.get(message.key) is not None
        await self.clear(message)
        if had_sign:
            await self._show_status(message, "")

    async def _show_status(self, message: Incoming, status: str) -> bool:
        thread = message.thread
        place: Json = {"channel_id": thread.channel.id, "thread_ts": thread.root}
        if status:
            loading = say(message.person.locale, LocalizedText("slack-loading")).splitlines()
            place["loading_messages"] = loading
        method = "assistant.threads.setStatus"
        return await self.client.try_call(method, **place, status=status) is not None

    async def react(self, method: str, message: Incoming, name: str) -> bool:
        args = {"channel": message.thread.channel.id, "timestamp": message.id, "name": name}
        return await self.client.try_call(method, **args) is not None


@dataclass(slots=True)
class SlackListener:
    """Bolt's listeners: they turn what Slack sends into calls of the conversation's listener."""

    listener: Listener
    client: SlackClient
    directory: Directory
    reactions: Reactions
    replies: Replies
    ports: ChatPorts
    dispatcher: Dispatcher
    backfill: Backfill = field(init=False)
    _told: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """Messages whose authors know that they have to wait."""

    def __post_init__(self) -> None:
        missed = MissedMessages(self.client, self._take_missed)
        self.backfill = Backfill(
            platform=PLATFORM,
            ports=self.ports,
            find_time=find_time,
            make_id=make_ts,
            read_rooms=missed.read,
            skip=self._skip,
            delete=self.listener.on_delete,
        )

    def suspend(self) -> None:
        """The connection is lost: messages may be missed."""
        self.backfill.suspend(self.client.me.team)

    def catch_up(self) -> None:
        """Take what was missed, which must not hold up what comes."""
        self.dispatcher.start(self.backfill.read, self.client.me.team)

    def register(self, app: AsyncApp) -> None:
        """Register the handlers. An event is stored durably before it is acknowledged."""
        for event in ("message", "app_mention"):
            app.event(event)(self._on_event)
        for event in ("app_uninstalled", "tokens_revoked"):
            app.event(event)(self._on_token_lost)

    # --- events ---

    async def _on_event(self, body: Json) -> None:
        """Pass on an event once those before it are passed on; Slack repeats it if that fails.

        One that waits for the database is not acknowledged, so that Slack repeats it if we end. In
        a long outage Slack would send no events any more; then the channels are read afterwards.
        """
        event: Json = {SHARED: body.get(SHARED), **body["event"]}
        id_, known = str(body.get("event_id")), self.dispatcher.known
        channel, subtype = str(event.get("channel") or ""), event.get("subtype")
        author = "" if self.client.me.wrote(event) else str(event.get("user") or "")
        tell = partial(self._tell, event, channel)
        if self.dispatcher.is_full or self.ports.outage.seconds > _LONGEST_HOLD:
            self.backfill.read_later(self.client.me.team, self.dispatcher)
            self.dispatcher.start(tell, self.ports.outage.notice)
            return
        async with asyncio.TaskGroup() as tasks:
            if author and subtype in SPOKEN:  # beside the lookups for messages before it
                tasks.create_task(self.directory.find_person(author))
            async with self.dispatcher.hold(channel, tell):
                if id_ not in known:
                    await self._pass_on(event, channel)
                    known[id_] = True
        self.dispatcher.start(
            self.backfill.advance, self.client.me.team, str(event.get("event_ts"))
        )

    async def _tell(self, event: Json, channel: str, sentence: LocalizedText) -> None:
        """Tell the author of a message to the bot something that concerns it, once."""
        is_message = event.get("type") == "app_mention" or event.get("subtype") in SPOKEN
        if not is_message or self.client.me.wrote(event) or not event.get("user"):
            return
        key = f"told:{channel}:{event['ts']}"
        if key in self._told or not (channel.startswith("D") or self._is_mentioned(event)):
            return
        self._told[key] = True
        message = await read_message(self.directory, channel, event)
        await self.replies.notify(ask_author(key, message), sentence)

    async def _pass_on(self, event: Json, channel: str) -> None:
        """Pass on an event. A deletion at the root of a thread leaves a tombstone."""
        subtype, new = event.get("subtype"), event.get("message") or {}
        if event.get("type") == "app_mention":  # also sent when an edit adds the mention
            await self._take(channel, event, is_again="edited" in event)
        elif subtype in SPOKEN:
            await self._take(channel, event)
        elif subtype == "message_deleted" or new.get("subtype") == "tombstone":
            await self._on_delete(event, channel)
        elif subtype == "message_changed":
            await self._on_change(event, new, channel)

    async def _on_token_lost(self, event: Json) -> None:
        log.error("slack revoked a token", why=event["type"])
        self.client.token_lost.set()

    async def _take(self, channel: str, message: Json, *, is_again: bool = False) -> None:
        """Pass on a message. `is_again`: even if it came before, without its mention."""
        is_valid = channel and find_time(str(message.get("ts")))
        if not is_valid or self.client.me.wrote(message):
            return
        key, known = f"{channel}:{message['ts']}", self.dispatcher.known
        if key in known and not is_again:
            return
        incoming = await read_message(self.directory, channel, message)
        if words := find_erasing(incoming, self.listener.commands):
            await self._confirm(incoming, words)
            known[key] = True
            return
        run = await self._accept(incoming)
        known[key] = True
        if run is not None:
            self.dispatcher.start(self._show_taken, incoming)
            if incoming.addressing.direct and incoming.id == incoming.thread.root:
                self.dispatcher.start(name_thread, self.client, incoming.thread, _title(incoming))

    async def _show_taken(self, message: Incoming) -> None:
        if await is_expected(message, self.ports.chat_log):
            await self.reactions.show(message)

    async def _accept(self, message: Incoming) -> RunId | None:
        """Pass on a message. Raises an error that passes; the person is told of others."""
        try:
            return await self.listener.on_message(message)
        except RequestError as error:
            if is_passing(error):
                raise
            if message.addressing.mentioned or message.addressing.direct:
                self._explain(message, error)
        return None

    async def _confirm(self, message: Incoming, words: str) -> None:
        """Ask privately whether to carry out a command that deletes. Raises ChatError."""
        locale, root = message.person.locale, message.thread.root
        question = say(locale, ask_to_erase(words))
        asker = ask_author(f"confirm:{message.key}", message)
        await self.replies.send(asker, Reply(question), render_confirmation(words, locale, root))

    def _explain(self, message: Incoming, error: RequestError) -> None:
        """Tell the person why a message, as it stands now, could not be taken."""
        asker = ask_author(f"refused:{message.key}:{crc32(message.text.encode())}", message)
        reply = Reply(say(message.person.locale, error.sentence))
        self.dispatcher.start(self.client.retry, partial(self.replies.send, asker, reply))

    async def _on_change(self, event: Json, new: Json, channel: str) -> None:
        is_valid = channel and new.get("ts") and not self.client.me.wrote(new)
        if is_valid and is_empty(new):
            await self._on_delete({"previous_message": new}, channel)
        elif is_valid and is_edited(event):
            was_mentioned = self._is_mentioned(event.get("previous_message") or {})
            if self._is_mentioned(new) and not was_mentioned:
                await self._take(channel, new, is_again=True)
            await self.listener.on_edit(await read_message(self.directory, channel, new))

    async def _on_delete(self, event: Json, channel: str) -> None:
        old: Json = event.get("previous_message") or {}
        ts = str(event.get("deleted_ts") or old.get("ts") or "")
        if not (ts and channel):
            return
        if self.client.me.wrote(old):
            ledger = self.ports.ledger
            if run := await ledger.find_run(ts) or await ledger.find_run(f"{channel}/{ts}"):
                await self.listener.on_retract(run)
        else:
            self.dispatcher.known[f"{channel}:{ts}"] = True  # Slack may repeat its event later
            thread = self.client.find_thread(channel, old.get("thread_ts") or ts)
            await self.listener.on_delete(thread, ts)

    def _skip(self, thread: Thread, ts: str) -> None:
        self.dispatcher.known[f"{thread.channel.id}:{ts}"] = True

    async def _take_missed(self, event: Json, channel: str) -> None:
        async with self.dispatcher.lock(channel):
            await contain(self._pass_on(event, channel))

    def _is_mentioned(self, message: Json) -> bool:
        return self.client.me.user in find_mentions(read_words(message))


def _title(message: Incoming) -> str:
    """What to name the thread of a message after: its words, or its files."""
    return message.text or ", ".join(file.name for file in message.files)
