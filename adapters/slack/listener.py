"""Passes a workspace's messages, commands and clicks to the conversation."""

import re
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import structlog
from cachetools import TTLCache
from slack_bolt.async_app import AsyncAck, AsyncApp
from slack_bolt.context.respond.async_respond import AsyncRespond

from adapters.chat.events import ChatPorts, Dispatcher, contain_reply
from adapters.chat.presenter import post_once
from adapters.chat.rendering import Page
from adapters.slack.blocks import PREFIX, render_content, split_messages
from adapters.slack.client import NO_ANSWER, Json, SlackClient, SlackGone
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
from adapters.slack.surface import SlackSurface
from pipeline.domain import (
    Action,
    ButtonClick,
    Channel,
    Command,
    Incoming,
    Invocation,
    LocalizedText,
    Person,
    Reply,
    RunId,
    Thread,
)
from pipeline.errors import ChatError, RequestError
from pipeline.ports import Listener
from pipeline.text import shorten
from pipeline.words import say

_MESSAGES = ("message.channels", "message.groups", "message.im", "message.mpim")
EVENTS = ("app_mention", "app_uninstalled", *_MESSAGES, "tokens_revoked")
"""The events that the app subscribes to."""
_BACKFILL = timedelta(days=1)
_MOST_THREADS, _MOST_CHANNELS = 100, 20
_MOST_KEPT, _HOUR = 100_000, 3600
_TS = re.compile(r"[0-9]+(\.[0-9]*)?")
_ASK, _HELP = "ask", "help"
_LONGEST_ROOT = 2000
_NOT_MEMBER = frozenset({"not_in_channel", "channel_not_found"})
_MOST_RESPONSES = 5
"""Slack's limit for responses to one command."""

log = structlog.get_logger()


@dataclass(slots=True)
class Reactions:
    """Shows that a message was accepted: Slack's status line, or a 👀 reaction."""

    client: SlackClient
    _eyes: TTLCache[str, bool] = field(default_factory=lambda: TTLCache(_MOST_KEPT, _HOUR))
    """By message: True if it has the reaction, False if the run ended before it got one."""

    async def show(self, message: Incoming) -> None:
        status = await self.client.try_call(
            "assistant.threads.setStatus",
            channel_id=message.thread.channel.id,
            thread_ts=message.thread.root,
            status=say(message.person.locale, LocalizedText("slack-status")),
        )
        if status is None and await self.react("reactions.add", message, "eyes"):
            is_over = self._eyes.setdefault(message.key, True) is False
            if is_over:
                await self.react("reactions.remove", message, "eyes")

    async def clear(self, message: Incoming) -> None:
        """Remove the reaction; the status goes by itself when something is posted."""
        if self._eyes.setdefault(message.key, False):
            del self._eyes[message.key]
            await self.react("reactions.remove", message, "eyes")

    async def react(self, method: str, message: Incoming, name: str) -> bool:
        args = {"channel": message.thread.channel.id, "timestamp": message.id, "name": name}
        return await self.client.try_call(method, **args) is not None


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who gets a reply, and where: in a thread, or at the response URL of a command."""

    id: str
    person: Person
    thread: Thread
    response_url: str = ""


@dataclass(frozen=True, slots=True)
class SlackListener:
    """Bolt's listeners: they turn what Slack sends into calls of the conversation's listener."""

    listener: Listener
    client: SlackClient
    directory: Directory
    reactions: Reactions
    ports: ChatPorts
    dispatcher: Dispatcher

    def register(self, app: AsyncApp) -> None:
        """Register the handlers. An event is stored durably before it is acknowledged."""
        for event in ("message", "app_mention"):
            app.event(event)(self._on_event)
        for event in ("app_uninstalled", "tokens_revoked"):
            app.event(event)(self._on_token_lost)
        app.command(re.compile("^/"))(self._on_command)  # each app may name its command
        app.block_action(re.compile(f"^{PREFIX}"))(self._on_click)

    async def backfill(self) -> None:
        """Take messages missed while the bot was offline, where it was active lately."""
        since = datetime.now(UTC) - _BACKFILL
        newest: dict[str, str] = {}
        threads = await self.ports.chat_log.active_threads(PLATFORM, since=since)
        for thread, message in threads[:_MOST_THREADS]:
            if thread.channel.workspace == self.client.me.team and _TS.fullmatch(thread.root):
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
        """Take the mentions among missed messages; all of them if `is_followed`."""
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
        channel, subtype = str(event.get("channel") or ""), event.get("subtype")
        async with self.dispatcher.lock(channel):
            if event.get("type") == "app_mention":  # also sent when an edit adds the mention
                await self._take(channel, event, is_again="edited" in event)
            elif subtype in SPOKEN:
                await self._take(channel, event)
            elif not self.dispatcher.is_new(str(body.get("event_id"))):
                return
            elif subtype == "message_changed":
                await self._on_change(event, channel)
            elif subtype == "message_deleted":
                await self._on_delete(event, channel)

    async def _on_token_lost(self, event: Json) -> None:
        log.error("slack revoked a token", why=event["type"])
        self.client.token_lost.set()

    async def _on_command(self, ack: AsyncAck, body: Json) -> None:
        self.dispatcher.start(self._take_command(body))
        await ack()

    async def _on_click(self, ack: AsyncAck, body: Json) -> None:
        self.dispatcher.start(self._take_click(body))
        await ack()

    async def _take(self, channel: str, message: Json, *, is_again: bool = False) -> None:
        """Pass on a message. `is_again`: even if it came before, without its mention."""
        is_valid = channel and _TS.fullmatch(str(message.get("ts")))
        if not is_valid or is_by_bot(message, self.client.me):
            return
        key, known = f"{channel}:{message['ts']}", self.dispatcher.known
        if key in known and not is_again:
            return
        incoming = await read_message(self.directory, channel, message)
        try:
            run = await self.listener.on_message(incoming)
        except RequestError as error:
            run = None
            if incoming.addressing.mentioned or incoming.addressing.direct:
                asker = _Asker("", incoming.person, incoming.thread)
                await self._send(asker, Reply(say(asker.person.locale, error.sentence)))
        known[key] = True
        if run is not None:
            self.dispatcher.start(self.reactions.show(incoming))

    async def _on_change(self, event: Json, channel: str) -> None:
        new: Json = event.get("message") or {}
        if is_by_bot(new, self.client.me) or not (channel and new.get("ts")):
            return
        if new.get("subtype") == "tombstone":
            await self._on_delete(event, channel)
        elif is_edited(event):
            was_mentioned = self._is_mentioned(event.get("previous_message") or {})
            if self._is_mentioned(new) and not was_mentioned:
                await self._take(channel, new, is_again=True)
            await self.listener.on_edit(await read_message(self.directory, channel, new))

    async def _on_delete(self, event: Json, channel: str) -> None:
        old: Json = event.get("previous_message") or {}
        ts = str(event.get("deleted_ts") or old.get("ts") or "")
        if ts and channel and not is_by_bot(old, self.client.me):
            thread = find_thread(self.client.me, channel, {**old, "ts": ts})
            await self.listener.on_delete(thread, ts)

    def _is_mentioned(self, message: Json) -> bool:
        return self.client.me.user in find_mentions(read_words(message))

    # --- commands and buttons ---

    async def _take_command(self, payload: Json) -> None:
        """Run a slash command: its first word names the command; other text is a request."""
        person = await self.directory.find_person(str(payload["user_id"]))
        channel = Channel(PLATFORM, self.client.me.team, str(payload["channel_id"]))
        response_url = str(payload.get("response_url") or "")
        id_ = str(payload.get("trigger_id") or response_url)
        asker = _Asker(id_, person, Thread(channel, ""), response_url)
        text = await self.directory.resolve(str(payload.get("text") or ""))
        await self._answer(asker, self._run_command(asker, text.strip()))

    async def _take_click(self, payload: Json) -> None:
        """Handle a click on a button of one of the bot's messages."""
        button: Json = payload["actions"][0]
        name = str(button.get("action_id", "")).removeprefix(PREFIX)
        if name not in set(Action):
            return
        container: Json = payload.get("container") or {}
        channel = str((payload.get("channel") or container).get("id") or container["channel_id"])
        message = {"ts": container.get("message_ts"), **container, **(payload.get("message") or {})}
        thread = find_thread(self.client.me, channel, message)
        person = await self.directory.find_person(str(payload["user"]["id"]))
        id_ = f"{person.id}:{message['ts']}:{button.get('action_ts')}"
        click = ButtonClick(id_, Action(name), RunId(str(button["value"])), person, thread)
        await self._answer(_Asker(id_, person, thread), self.listener.on_click(click))

    async def _run_command(self, asker: _Asker, text: str) -> Reply:
        first, _, rest = text.partition(" ")
        known = {command.name: command for command in self.listener.commands}
        if first.lower() not in known:
            first, rest = (_ASK, text) if text else (_HELP, "")
        command = known[first.lower()]
        args = parse_arguments(command, rest)
        missing = [each.name for each in command.options if each.required and each.name not in args]
        if missing:
            raise RequestError("slack-missing-option", command=command.name, option=missing[0])
        thread = asker.thread
        if command.name == _ASK:
            thread = await self._begin_thread(asker, args["text"])
        invocation = Invocation(asker.id, command.name, args, asker.person, thread)
        reply = await self.listener.on_command(invocation)
        return replace(reply, private=command.private or reply.private)

    async def _begin_thread(self, asker: _Asker, text: str) -> Thread:
        """Post the message that begins the answer's thread, as a slash command leaves none."""
        intro = LocalizedText("slack-asked", {"name": asker.person.name, "text": ""})
        root_text = f"{say(asker.person.locale, intro).strip()} {shorten(text, _LONGEST_ROOT)}"
        try:
            root = await self._post(asker, "asked", Page(split_messages(root_text)[0]))
        except SlackGone as gone:
            if gone.code in _NOT_MEMBER:
                raise RequestError("slack-not-in-channel") from gone
            raise
        return Thread(asker.thread.channel, root)

    async def _answer(self, asker: _Asker, work: Awaitable[Reply]) -> None:
        await self._send(asker, await contain_reply(work, asker.person.locale))

    async def _send(self, asker: _Asker, reply: Reply) -> None:
        """Send a reply, in as many messages as it needs; a private one is shown to the asker."""
        for number, parts in enumerate(split_messages(reply.text)):
            page = Page(parts)
            content = render_content(page, RunId(asker.id), asker.person.locale)
            if not reply.private and asker.thread.root:
                await self._post(asker, f"reply:{number}", page)
            elif asker.response_url and number < _MOST_RESPONSES:
                await _respond(asker.response_url, content, is_private=reply.private)
            else:
                await self.client.try_call(
                    "chat.postEphemeral",
                    channel=asker.thread.channel.id,
                    user=asker.person.id,
                    thread_ts=asker.thread.root or None,
                    **content,
                )

    async def _post(self, asker: _Asker, part: str, page: Page) -> str:
        run, locale, ledger = RunId(asker.id), asker.person.locale, self.ports.ledger
        surface = SlackSurface(self.client, ledger, asker.thread, run, locale)
        receipt, _ = await post_once(ledger, surface, f"{asker.id}:{part}", page)
        return receipt


def parse_arguments(command: Command, words: str) -> dict[str, str]:
    """Assign the words of a command to its options; the last option takes the rest."""
    options = [option.name for option in command.options if not option.file]
    parts = words.strip().split(maxsplit=max(0, len(options) - 1))
    return dict(zip(options, parts, strict=False))


async def _respond(url: str, content: Json, *, is_private: bool) -> None:
    kind = "ephemeral" if is_private else "in_channel"
    try:
        respond = AsyncRespond(response_url=url)
        response = await respond(**content, response_type=kind, replace_original=False)
        log.info("responded to a command", status=response.status_code)
    except NO_ANSWER as error:
        log.warning("could not respond to a command", error=str(error))
