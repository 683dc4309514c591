"""Passes a workspace's messages to the conversation, also those missed while away."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from zlib import crc32

import structlog
from cachetools import TTLCache
from slack_bolt.async_app import AsyncApp

from adapters.chat.backfill import Backfill
from adapters.chat.dispatcher import Dispatcher
from adapters.chat.erasure import ask_to_erase, find_erasing
from adapters.chat.failures import contain
from adapters.chat.manners import is_expected
from adapters.chat.ports import ChatPorts
from adapters.slack.acting.replies import SlackReplies, ask_author
from adapters.slack.reading.contents import read_words
from adapters.slack.reading.directory import Directory
from adapters.slack.reading.entities import find_mentions
from adapters.slack.reading.messages import (
    SHARED,
    SPOKEN,
    find_time,
    is_edited,
    is_empty,
    make_ts,
    read_message,
)
from adapters.slack.reading.missed import MissedMessages
from adapters.slack.showing.controls import render_confirmation
from adapters.slack.showing.reactions import Reactions
from adapters.slack.showing.surface import find_shown_run
from adapters.slack.showing.threads import name_after, name_thread
from adapters.slack.web_api.client import PLATFORM, Json, SlackClient
from pipeline.domain import Incoming, LocalizedText, Reply, RunId
from pipeline.errors import RequestError, is_passing
from pipeline.ports import Listener
from pipeline.words import say

_MOST_KEPT = 100_000
"""Messages that are remembered."""
_HOUR = 3600
"""Seconds for which they are: no run should take longer."""
_LONGEST_HOLD = 300.0
"""Seconds of an outage after which events are acknowledged, and read later.

By then Slack has sent an event for the last time; it disables an app that fails for an hour.
"""

log = structlog.get_logger()


@dataclass(slots=True, kw_only=True)
class SlackListener:
    """Bolt's listeners: they turn what Slack sends into calls of the conversation's listener."""

    listener: Listener
    client: SlackClient
    directory: Directory
    reactions: Reactions
    replies: SlackReplies
    ports: ChatPorts
    dispatcher: Dispatcher
    backfill: Backfill = field(init=False)
    _told: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """Messages whose authors know that they have to wait."""

    def __post_init__(self) -> None:
        missed, known = MissedMessages(self.client, self._take_missed), self.dispatcher.known
        self.backfill = Backfill(
            platform=PLATFORM,
            ports=self.ports,
            find_time=find_time,
            make_id=make_ts,
            read_rooms=missed.read,
            skip=lambda thread, ts: known.update({f"{thread.channel.id}:{ts}": True}),
            delete=self.listener.on_delete,
            shared=True,
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
                title = name_after(incoming.text, [file.name for file in incoming.files])
                self.dispatcher.start(name_thread, self.client, incoming.thread, title)

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
                key = f"refused:{message.key}:{crc32(message.text.encode())}"  # as it stands now
                reply = Reply(say(message.person.locale, error.sentence))
                send = partial(self.replies.send, ask_author(key, message), reply)
                self.dispatcher.start(self.client.retry, send)
        return None

    async def _confirm(self, message: Incoming, words: str) -> None:
        """Ask privately whether to carry out a command that deletes. Raises ChatError."""
        locale, root = message.person.locale, message.thread.root
        question = say(locale, ask_to_erase(words))
        asker = ask_author(f"confirm:{message.key}", message)
        await self.replies.send(asker, Reply(question), render_confirmation(words, locale, root))

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
            if run := await find_shown_run(self.ports.ledger, channel, ts):
                await self.listener.on_retract(run)
        else:
            self.dispatcher.known[f"{channel}:{ts}"] = True  # Slack may repeat its event later
            thread = self.client.find_thread(channel, old.get("thread_ts") or ts)
            await self.listener.on_delete(thread, ts)

    async def _take_missed(self, event: Json, channel: str) -> None:
        async with self.dispatcher.lock(channel):
            await contain(self._pass_on(event, channel))

    def _is_mentioned(self, message: Json) -> bool:
        return self.client.me.user in find_mentions(read_words(message))
