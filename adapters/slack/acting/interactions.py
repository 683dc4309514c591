"""Commands, clicks and shortcuts: stored, acknowledged, carried out and answered, each once."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import structlog
from cachetools import TTLCache
from slack_bolt.async_app import AsyncAck, AsyncApp, AsyncBoltContext

from adapters.chat.dispatcher import Dispatcher
from adapters.chat.erasure import ask_to_erase
from adapters.chat.failures import contain_reply
from adapters.chat.interactions import InteractionQueue
from adapters.chat.ports import ChatPorts
from adapters.chat.rendering import Page
from adapters.slack.acting.commands import ASK, parse_command
from adapters.slack.acting.forms import open_form
from adapters.slack.acting.payloads import (
    drop_token,
    find_claim,
    find_here,
    find_id,
    find_person,
    find_place,
    find_url,
)
from adapters.slack.acting.replies import Asker, SlackReplies, is_one_message, render_reply
from adapters.slack.acting.requests import (
    ASK_BUTTON,
    FORM,
    MESSAGE_SHORTCUT,
    SUBMISSION,
    Asked,
    name_mistakes,
    read_channel,
    read_request,
    render_request_form,
)
from adapters.slack.acting.settings import SETTINGS, render_settings
from adapters.slack.acting.shortcuts import name_wish_once, read_wish
from adapters.slack.reading.directory import Directory
from adapters.slack.showing.controls import (
    PREFIX,
    Pressed,
    read_click,
    read_command,
    render_confirmation,
    render_more,
    render_select,
    render_thread_select,
)
from adapters.slack.showing.mrkdwn import render_words
from adapters.slack.showing.splitting import split_messages
from adapters.slack.showing.surface import find_shown_run
from adapters.slack.showing.threads import name_thread, open_direct
from adapters.slack.web_api.client import Json, SlackClient
from adapters.slack.web_api.errors import SlackGone
from pipeline.domain import (
    Action,
    ButtonClick,
    Channel,
    Command,
    LocalizedText,
    Person,
    Reply,
    Thread,
)
from pipeline.errors import ChatError, RequestError, TroupeError
from pipeline.outage import limit_patience
from pipeline.ports import Listener, ThreadOverview
from pipeline.text import shorten
from pipeline.words import say

STOPPED = "agent_session_stopped"
"""The event of Slack's own Stop button, which a thread has while a run is streamed there."""
_LONGEST_ROOT = 2000
"""Characters of a request that are quoted above its answer."""
_NOT_MEMBER = frozenset({"not_in_channel", "channel_not_found"})
"""Error codes for a channel that the bot is not in."""
_MOST_THREADS = 25
"""Threads of a channel to choose from."""
_SEARCHED_THREADS = 200
"""The newest of the workspace, among which those of the channel are looked for."""
_MOST_KEPT = 10_000
_DOUBLE_CLICK_SECONDS = 10.0
_STORE_SECONDS = 0.5
"""How long a form may wait for the database."""
_CHECK_SECONDS = 1.0
"""Slack waits three seconds for the answer to a form."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlackInteractions:
    """Bolt's listeners for slash commands, buttons, selects, shortcuts and the form."""

    listener: Listener
    client: SlackClient
    directory: Directory
    replies: SlackReplies
    ports: ChatPorts
    dispatcher: Dispatcher
    queue: InteractionQueue
    _wishes: TTLCache[str, bool] = field(
        default_factory=lambda: TTLCache(_MOST_KEPT, _DOUBLE_CLICK_SECONDS)
    )
    """The latest wishes from the menus of messages: a second click gets a new id from Slack."""

    def register(self, app: AsyncApp) -> None:
        """Register the handlers. An interaction is stored durably before it is acknowledged."""
        app.command(re.compile("^/"))(self._on_interaction)  # each app may name its command
        app.block_action(re.compile(f"^{PREFIX}"))(self._on_interaction)
        app.message_shortcut(re.compile(f"^{PREFIX}"))(self._on_wish)
        app.global_shortcut(FORM)(self._open_form)
        app.block_action(ASK_BUTTON)(self._open_form)
        app.view_submission(FORM)(self._on_form)
        app.event(STOPPED)(self._on_stopped)

    async def _on_interaction(self, ack: AsyncAck, body: Json) -> None:
        """Acknowledge a click; a command with its reply, if that is there in time."""
        payload = drop_token(body)
        if "actions" in payload:
            await self.queue.accept(payload)
            await ack()
            return
        if await self._open_typed(payload):
            await ack()
            return
        seconds = self.client.limits.acknowledge_seconds
        reply = await self.queue.accept_and_wait(payload, seconds=seconds, fits=is_one_message)
        if reply is None or not reply.text:
            await ack()
        else:
            asker = await self._find_asker(payload)
            controls = await self._controls(asker, payload, reply)
            page = Page(split_messages(reply.text)[0])
            await ack(**render_reply(asker, page, controls), response_type="ephemeral")

    async def _on_wish(self, ack: AsyncAck, body: Json) -> None:
        """Acknowledge a shortcut about a message; a double click is one."""
        key = name_wish_once(body)
        async with self.dispatcher.lock(key):
            if key not in self._wishes:
                await self.queue.accept(drop_token(body))
                self._wishes[key] = True
        await ack()

    async def _open_form(self, ack: AsyncAck, body: Json) -> None:
        """Open the form. If that fails, Slack shows it, as there is no acknowledgement."""
        person = await self.directory.find_person(str(body["user"]["id"]))
        await open_form(self.client, body, render_request_form(person.locale))
        await ack()

    async def _open_typed(self, payload: Json) -> bool:
        """Open the form of a command that was typed alone.

        False if it has none here or it does not open: then the command is answered in words.
        """
        words = str(payload.get("text") or "").strip().lower()
        if not any(command.form and command.name == words for command in self.listener.commands):
            return False
        try:
            asker = await self._find_asker(payload)
            channel, locale = asker.thread.channel.id, asker.person.locale
            invocation = asker.invoke(words)
            with limit_patience(_STORE_SECONDS):
                form = await self.listener.form(invocation)
                if form is None:
                    return False
                if words == SETTINGS:
                    reply = await self.listener.on_command(invocation)
                    view = render_settings(form, reply.text, channel, locale)
                else:
                    view = render_request_form(locale, channel)
            await open_form(self.client, payload, view)
        except (TroupeError, TimeoutError) as error:
            log.info("form not opened", error=str(error))
            return False
        return True

    async def _on_form(self, ack: AsyncAck, body: Json) -> None:
        """Acknowledge a form that was sent, or show what is wrong with it."""
        person, channel = await self.directory.find_person(find_person(body)), read_channel(body)
        is_member = not channel or await self._is_member(person, channel)
        most = self.client.access.max_download
        mistakes = name_mistakes(body, person.locale, is_member=is_member, max_bytes=most)
        if mistakes:
            await ack(response_action="errors", errors=mistakes)
            return
        await self.queue.accept(drop_token(body))
        await ack()

    async def _is_member(self, person: Person, channel: str) -> bool:
        """Whether the bot is in a channel that a person may read, as far as Slack says at once."""
        try:
            async with asyncio.timeout(_CHECK_SECONDS):
                return await self.directory.may_read(person.id, channel, with_bot=True)
        except (ChatError, TimeoutError):
            return True

    async def _on_stopped(self, body: Json, event: Json, context: AsyncBoltContext) -> None:
        """Somebody pressed Slack's own Stop button in a thread."""
        payload = {"type": STOPPED, "event_id": body["event_id"], "user_id": event["user"]}
        payload |= {"channel_id": event["channel"], "thread_ts": event.get("thread_ts", "")}
        payload |= {"team_id": self.client.me.team, "enterprise_id": context.enterprise_id}
        await self.queue.accept(payload)

    async def execute(self, payload: Json) -> Reply:
        """Carry out an interaction. Raises ChatError if Slack is down."""
        asker = await self._find_asker(payload)
        return await contain_reply(self._carry_out(asker, payload), asker.person.locale)

    async def _carry_out(self, asker: Asker, payload: Json) -> Reply:
        kind, claimed = payload.get("type"), find_claim(payload)
        if claimed and not await self.directory.may_read(asker.person.id, claimed):
            raise RequestError("slack-not-your-channel")
        if kind == STOPPED:
            await self.listener.on_command(asker.invoke(Action.STOP))
            return Reply("")  # the message of the run says that it was stopped
        if kind == SUBMISSION:
            return await self._ask(asker, read_request(payload))
        if kind == MESSAGE_SHORTCUT:
            asked = await read_wish(self.directory, payload, asker.person.locale)
            return await self._ask(asker, asked)
        if "actions" not in payload or read_command(payload["actions"][0]):
            return await self._run_command(asker, payload)
        if pressed := read_click(payload["actions"][0]):
            return await self.listener.on_click(await self._read_click(asker, payload, pressed))
        return Reply("")

    async def _read_click(self, asker: Asker, payload: Json, pressed: Pressed) -> ButtonClick:
        """A click, with the run of which Slack's message is a part."""
        channel, ts = find_here(payload), str((payload.get("container") or {}).get("message_ts"))
        return ButtonClick(
            id=asker.id,
            action=pressed.action,
            run=pressed.run,
            person=asker.person,
            thread=asker.thread,
            value=pressed.value,
            shown=await find_shown_run(self.ports.ledger, channel, ts),
            direct=channel.startswith("D"),
        )

    async def notify(self, payload: Json, sentence: LocalizedText) -> None:
        """Tell the person something at once; a failure is only logged."""
        asker = await self._find_asker(payload)
        await self.replies.notify(replace(asker, response_url=find_url(payload)), sentence)

    async def send(self, payload: Json, reply: Reply) -> None:
        asker = await self._find_asker(payload)
        await self.replies.send(asker, reply, await self._controls(asker, payload, reply))

    async def _controls(self, asker: Asker, payload: Json, reply: Reply) -> Sequence[Json]:
        """The blocks below a reply, with a select or a button."""
        if reply.select:
            return render_select(reply.select, asker.thread, asker.person.locale)
        if reply.more:
            return render_more(reply.more, asker.person.locale)
        try:
            question = await self._find_question(asker, payload)
        except RequestError:
            return ()
        return question[1] if question else ()

    async def _find_asker(self, payload: Json) -> Asker:
        person = await self.directory.find_person(find_person(payload))
        is_click = "actions" in payload
        is_typed = is_click and bool(read_command(payload["actions"][0]))
        if payload.get("type") == SUBMISSION and not read_channel(payload):
            thread = await open_direct(self.client, person)
        else:
            thread = self.client.find_thread(*find_place(payload))
        return Asker(
            id=find_id(payload),
            person=person,
            thread=thread,
            response_url="" if is_click and not is_typed else find_url(payload),
            replaces=is_typed,
        )

    async def _run_command(self, asker: Asker, payload: Json) -> Reply:
        """Run a command, or ask back."""
        if question := await self._find_question(asker, payload):
            return Reply(say(asker.person.locale, question[0]))
        command, args = await self._read_command(payload)
        if command.name == ASK:
            return await self._ask(asker, Asked(args["text"], args["text"]))
        return await self.listener.on_command(asker.invoke(command.name, args))

    async def _find_question(
        self, asker: Asker, payload: Json
    ) -> tuple[LocalizedText, Sequence[Json]] | None:
        """What to ask back when a command is typed, with the select or button for the answer.

        Raises RequestError.
        """
        if "command" not in payload:
            return None
        command, args = await self._read_command(payload)
        words = " ".join((command.name, *args.values()))
        locale, erases = asker.person.locale, command.erases(args)
        if next(iter(args.values()), "") in command.threaded and not asker.thread.root:
            threads = await self._list_threads(asker.thread.channel)
            select = render_thread_select(words, threads, locale, erases=erases)
            return LocalizedText("slack-which-thread" if select else "slack-no-threads"), select
        if erases:
            button = render_confirmation(words, locale)
            return ask_to_erase(words), button
        return None

    async def _read_command(self, payload: Json) -> tuple[Command, dict[str, str]]:
        """The command that was typed or chosen, with its arguments. Raises RequestError."""
        if "actions" in payload:
            words, _ = read_command(payload["actions"][0]) or ("", "")
        else:
            text, here = str(payload.get("text") or ""), str(payload.get("channel_id") or "")
            words = (await self.directory.resolve(text, here)).strip()
        slash = str(payload.get("command") or "/troupe")
        return parse_command(words, self.listener.commands, slash)

    async def _list_threads(self, channel: Channel) -> Sequence[ThreadOverview]:
        """The channel's latest threads."""
        place = (channel.platform, channel.workspace)
        threads = await self.ports.chat_log.threads(*place, limit=_SEARCHED_THREADS)
        here = [each for each in threads if each.thread.channel == channel]
        return here[:_MOST_THREADS]

    async def _ask(self, asker: Asker, asked: Asked) -> Reply:
        """Start a request, in the thread where it was made or in one of its own."""
        files = tuple(replace(file, workspace=self.client.me.team) for file in asked.files)
        invocation = replace(
            asker.invoke(ASK, {"text": asked.text}), files=files, alone=asked.alone
        )
        has_form = any(each.form and each.name == ASK for each in self.listener.commands)
        if has_form and await self.listener.form(invocation) is None:  # the person may not ask
            return await self.listener.on_command(invocation)  # says why, and nothing is posted
        thread = await self._quote(asker, asked.words)
        if thread.channel.id.startswith("D") and thread != asker.thread:
            self.dispatcher.start(name_thread, self.client, thread, asked.text)
        return await self.listener.on_command(replace(invocation, thread=thread))

    async def _quote(self, asker: Asker, words: str) -> Thread:
        """Post what was asked, as others do not see it otherwise; it may begin a thread."""
        intro = LocalizedText("slack-asked", {"name": asker.person.name, "text": ""})
        text = f"{say(asker.person.locale, intro).strip()} {shorten(words, _LONGEST_ROOT)}"
        try:
            ts = await self.replies.post(asker, "asked", Page(render_words(text)))
        except SlackGone as gone:
            if gone.code in _NOT_MEMBER:
                raise RequestError("slack-not-in-channel") from gone
            raise
        return asker.thread if asker.thread.root else replace(asker.thread, root=ts)
