"""Passes a workspace's messages to the conversation, also those missed while away."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from zlib import crc32

import structlog
from cachetools import TTLCache
from slack_bolt.async_app import AsyncApp

from adapters.chat.events import Dispatcher, find_erasing, is_outage
from adapters.chat.ports import ChatPorts
from adapters.slack.blocks import render_confirmation
from adapters.slack.client import MOST_READ, PLATFORM, Json, SlackClient
from adapters.slack.home import OPENED, name_thread
from adapters.slack.interactions import STOPPED
from adapters.slack.messages import (
    SHARED,
    SPOKEN,
    Directory,
    find_mentions,
    is_by_bot,
    is_edited,
    is_empty,
    read_message,
    read_words,
)
from adapters.slack.replies import Replies, ask_author
from pipeline.domain import Incoming, LocalizedText, Reply, Thread
from pipeline.errors import ChatError, RequestError
from pipeline.ports import Listener
from pipeline.words import say

log = structlog.get_logger()

_LONGEST, _BEFORE = timedelta(days=3), timedelta(days=1)
"""How old a missed message may be, and how much before the gap the threads begin that are read."""
_SKEW = timedelta(minutes=5)
"""How far our clock may be ahead of Slack's when it sets the first mark."""
_STEP = 10.0
"""Seconds by which the mark moves at least."""
_MOST_CHANNELS, _MOST_THREADS, _MOST_LOGGED = 200, 100, 100
_KINDS = "public_channel,private_channel,mpim,im"


@dataclass(slots=True)
class SlackBackfill:
    """Takes missed messages, edits and deletions of a workspace.

    The mark, kept in the cache, is the time up to which everything was taken. It stands still from
    the loss of the connection until the workspace was read up.
    """

    client: SlackClient
    ports: ChatPorts
    dispatcher: Dispatcher
    take: Callable[[str, Json], Awaitable[None]]
    """Handles a message of a channel as if it had just come."""
    change: Callable[[str, Json], Awaitable[None]]
    """Handles a message that was edited."""
    delete: Callable[[Thread, str], Awaitable[None]]
    """Handles the deletion of a message of a thread."""
    _gaps: int = 1
    """How often the connection was lost; 0 once what came meanwhile is read."""
    _mark: float = 0.0
    _newest: float = 0.0
    """The time of the newest message that was read."""
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def suspend(self) -> None:
        """Leave the mark where it is until `read`."""
        self._gaps += 1

    def advance(self, ts: str) -> None:
        """Move the mark to an event that was taken, which need not wait for that."""
        if not self._gaps and float(ts) >= self._mark + _STEP:
            self._mark = float(ts)
            self.dispatcher.start(self._save(self._mark))

    async def read(self) -> None:
        """Catch up. What Slack refuses is left out; while it is down, the mark stays."""
        async with self._reading:
            gaps, now = self._gaps, datetime.now(UTC)
            active = await self._list_active(now - _LONGEST)
            cached = await self.ports.cache.get(self._name)
            ids = (id_ for thread, last in active for id_ in (thread.root, last) if is_ts(id_))
            mark = float(cached.value) if cached else max(map(float, ids), default=0.0)
            since = max(mark, (now - _LONGEST).timestamp())
            if mark and not await self._read_all(active, since):
                return
            if self._gaps == gaps:  # else the connection was lost again meanwhile
                self._gaps = 0
                await self._save(max(mark, self._newest) or (now - _SKEW).timestamp())

    async def _list_active(self, since: datetime) -> Sequence[tuple[Thread, str]]:
        """The workspace's threads in which somebody wrote lately, with the id of the last turn."""
        active = await self.ports.chat_log.active_threads(PLATFORM, since=since)
        team = self.client.me.team
        return [
            (thread, last)
            for thread, last in active
            if thread.channel.workspace == team and is_ts(thread.root)
        ]

    async def _read_all(self, active: Sequence[tuple[Thread, str]], since: float) -> bool:
        """Read the channels, then the known threads with replies; whether all were read."""
        roots = [thread for thread, _ in active]
        known = [thread for thread, last in active if last != thread.root][-_MOST_THREADS:]
        channels = dict.fromkeys(thread.channel.id for thread in reversed(roots))
        is_whole = await self._try(self._add_channels(channels))
        for channel in list(channels)[:_MOST_CHANNELS]:
            here = {thread.root for thread in roots if thread.channel.id == channel}
            read_later = here & {thread.root for thread in known}
            is_whole &= await self._try(self._read_channel(channel, here, read_later, since))
        for thread in known:
            is_whole &= await self._try(self._read_thread(thread, since))
        return is_whole

    async def _try(self, reading: Awaitable[None]) -> bool:
        """Whether it worked, or never will."""
        try:
            await reading
        except ChatError as error:
            log.warning("could not backfill", error=str(error))
            return not is_outage(error)
        return True

    async def _add_channels(self, channels: dict[str, None]) -> None:
        args: Json = {"types": _KINDS, "exclude_archived": True}
        async for channel in self.client.read_pages("users.conversations", "channels", **args):
            channels.setdefault(str(channel["id"]))

    async def _read_channel(
        self, channel: str, logged: set[str], known: set[str], since: float
    ) -> None:
        """Read what was said in a channel, and the unknown threads that were begun lately."""
        start = since - _BEFORE.total_seconds()
        args: Json = {"channel": channel, "oldest": f"{start:.6f}"}
        await self.client.limits.reads.take()
        pages = self.client.read_pages("conversations.history", "messages", **args)
        messages = sorted([each async for each in pages], key=lambda each: str(each["ts"]))
        if len(messages) >= MOST_READ:
            start = float(messages[0]["ts"])
        for message in messages:
            thread = self.client.find_thread(channel, message["ts"])
            await self._handle(thread, message, since)
            has_news = float(message.get("latest_reply") or 0) > since
            if has_news and message["ts"] not in known:
                await self._read_thread(thread, since)
        gone = logged - {str(each["ts"]) for each in messages}
        for ts in (each for each in gone if float(each) > start):
            await self.delete(self.client.find_thread(channel, ts), ts)

    async def _read_thread(self, thread: Thread, since: float) -> None:
        """Read the replies in a thread, and find out which of the logged ones are deleted."""
        context = await self.ports.chat_log.context(thread, turns=_MOST_LOGGED, tail=0)
        keys = (turn.key.removeprefix(f"{thread.channel.key}:") for turn in context.turns)
        logged = {key for key in keys if is_ts(key)}  # before reading, as more may come
        await self.client.limits.reads.take()
        seen = {str(each["ts"]): each async for each in self.client.read_thread(thread)}
        for ts, message in seen.items():
            if ts != thread.root:
                await self._handle(thread, message, since)
        for ts in logged - seen.keys() if len(seen) < MOST_READ else ():
            await self.delete(thread, ts)

    async def _handle(self, thread: Thread, message: Json, since: float) -> None:
        edited = message.get("edited") or {}
        self._newest = max(self._newest, float(message["ts"]))
        if message.get("subtype") == "tombstone":
            await self.delete(thread, str(message["ts"]))
            return
        if float(message["ts"]) > since:
            await self.take(thread.channel.id, message)
        if float(edited.get("ts") or 0) > since:  # it may have been taken before that
            await self.change(thread.channel.id, message)

    @property
    def _name(self) -> str:
        return f"{PLATFORM}:{self.client.me.team}:read"

    async def _save(self, mark: float) -> None:
        self._mark = mark
        await self.ports.cache.put(self._name, f"{mark:.6f}")


def is_ts(id_: str) -> bool:
    """Whether the id of a message is Slack's, and not that of a run or a command."""
    whole, _, part = id_.partition(".")
    return whole.isdecimal() and part.isdecimal()


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
_MOST_KEPT, _HOUR = 100_000, 3600


@dataclass(slots=True)
class Reactions:
    """Shows that a message was accepted: Slack's status line, or a 👀 reaction."""

    client: SlackClient
    _eyes: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """By message: True if it has the reaction, False if the run ended before it got one."""

    async def show(self, message: Incoming) -> None:
        if message.addressing.is_overheard:  # it may not be for the bot
            return
        working = say(message.person.locale, LocalizedText("slack-status"))
        if await self._show_status(message, working):
            if self._eyes.get(message.key) is False:
                await self._show_status(message, "")
        elif await self.react("reactions.add", message, "eyes"):
            is_over = self._eyes.setdefault(message.key, True) is False
            if is_over:
                await self.react("reactions.remove", message, "eyes")

    async def clear(self, message: Incoming) -> None:
        """Remove the reaction; the status goes by itself when something is posted."""
        if self._eyes.setdefault(message.key, False):
            del self._eyes[message.key]
            await self.react("reactions.remove", message, "eyes")

    async def withdraw(self, message: Incoming) -> None:
        """Remove the reaction and the status: nothing is posted that would end it."""
        await self.clear(message)
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
    backfill: SlackBackfill = field(init=False)

    def __post_init__(self) -> None:
        self.backfill = SlackBackfill(
            self.client,
            self.ports,
            self.dispatcher,
            take=self._take_missed,
            change=self._change_missed,
            delete=self.listener.on_delete,
        )

    def register(self, app: AsyncApp) -> None:
        """Register the handlers. An event is stored durably before it is acknowledged."""
        for event in ("message", "app_mention"):
            app.event(event)(self._on_event)
        for event in ("app_uninstalled", "tokens_revoked"):
            app.event(event)(self._on_token_lost)

    # --- events ---

    async def _on_event(self, body: Json) -> None:
        event: Json = {SHARED: body.get(SHARED), **body["event"]}
        channel, subtype = str(event.get("channel") or ""), event.get("subtype")
        author = "" if is_by_bot(event, self.client.me) else str(event.get("user") or "")
        async with asyncio.TaskGroup() as tasks:
            if author and subtype in SPOKEN:  # beside the lookups for messages before it
                tasks.create_task(self.directory.find_person(author))
            async with self.dispatcher.lock(channel):
                await self._pass_on(body, event, channel)
        if is_ts(str(event.get("event_ts"))):
            self.backfill.advance(str(event["event_ts"]))

    async def _pass_on(self, body: Json, event: Json, channel: str) -> None:
        """Pass on an event once those before it are passed on; Slack repeats it if that fails."""
        id_, known = str(body.get("event_id")), self.dispatcher.known
        if event.get("type") == "app_mention":  # also sent when an edit adds the mention
            await self._take(channel, event, is_again="edited" in event)
        elif event.get("subtype") in SPOKEN:
            await self._take(channel, event)
        elif id_ not in known:
            await self._on_correction(event, channel)
            known[id_] = True

    async def _on_correction(self, event: Json, channel: str) -> None:
        """Pass on an edit or a deletion, which leaves a tombstone at the root of a thread."""
        kind, new = event.get("subtype"), event.get("message") or {}
        if kind == "message_deleted" or new.get("subtype") == "tombstone":
            await self._on_delete(event, channel)
        elif kind == "message_changed":
            await self._on_change(event, new, channel)

    async def _on_token_lost(self, event: Json) -> None:
        log.error("slack revoked a token", why=event["type"])
        self.client.token_lost.set()

    async def _take(self, channel: str, message: Json, *, is_again: bool = False) -> None:
        """Pass on a message. `is_again`: even if it came before, without its mention."""
        is_valid = channel and is_ts(str(message.get("ts")))
        if not is_valid or is_by_bot(message, self.client.me):
            return
        key, known = f"{channel}:{message['ts']}", self.dispatcher.known
        if key in known and not is_again:
            return
        incoming = await read_message(self.directory, channel, message)
        if words := find_erasing(incoming, self.listener.commands):
            await self._confirm(incoming, words)
            known[key] = True
            return
        try:
            run = await self.listener.on_message(incoming)
        except RequestError as error:
            run = None
            if incoming.addressing.mentioned or incoming.addressing.direct:
                self._explain(incoming, error)
        known[key] = True
        if run is not None:
            self.dispatcher.start(self.reactions.show(incoming))
            if incoming.addressing.direct and incoming.id == incoming.thread.root:
                self.dispatcher.start(name_thread(self.client, incoming.thread, _title(incoming)))

    async def _confirm(self, message: Incoming, words: str) -> None:
        """Ask privately whether to carry out a command that deletes. Raises ChatError."""
        locale, root = message.person.locale, message.thread.root
        question = say(locale, LocalizedText("erase", {"what": words}))
        asker = ask_author(f"confirm:{message.key}", message)
        await self.replies.send(asker, Reply(question), render_confirmation(words, locale, root))

    def _explain(self, message: Incoming, error: RequestError) -> None:
        """Tell the person why a message, as it stands now, could not be taken."""
        asker = ask_author(f"refused:{message.key}:{crc32(message.text.encode())}", message)
        reply = Reply(say(message.person.locale, error.sentence))
        self.dispatcher.start(self.client.retry(partial(self.replies.send, asker, reply)))

    async def _on_change(self, event: Json, new: Json, channel: str) -> None:
        is_valid = channel and new.get("ts") and not is_by_bot(new, self.client.me)
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
        if is_by_bot(old, self.client.me):
            ledger = self.ports.ledger
            if run := await ledger.find_run(ts) or await ledger.find_run(f"{channel}/{ts}"):
                await self.listener.on_retract(run)
        else:
            self.dispatcher.known[f"{channel}:{ts}"] = True  # Slack may repeat its event later
            thread = self.client.find_thread(channel, old.get("thread_ts") or ts)
            await self.listener.on_delete(thread, ts)

    async def _take_missed(self, channel: str, message: Json) -> None:
        if message.get("subtype") in SPOKEN:
            async with self.dispatcher.lock(channel):
                await self._take(channel, message)

    async def _change_missed(self, channel: str, message: Json) -> None:
        async with self.dispatcher.lock(channel):
            await self._on_change({"message": message}, message, channel)

    def _is_mentioned(self, message: Json) -> bool:
        return self.client.me.user in find_mentions(read_words(message))


def _title(message: Incoming) -> str:
    """What to name the thread of a message after: its words, or its files."""
    return message.text or ", ".join(file.name for file in message.files)
