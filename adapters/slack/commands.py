"""Slash commands and buttons: acknowledged at once, answered by the conversation."""

from collections.abc import Awaitable
from dataclasses import dataclass, replace

import structlog
from slack_bolt.context.respond.async_respond import AsyncRespond

from adapters.chat.events import contain_reply
from adapters.chat.presenter import post_once
from adapters.chat.rendering import Page
from adapters.slack.blocks import PREFIX, render_content, split_messages
from adapters.slack.client import NO_ANSWER, BotIdentity, Json, SlackClient, SlackGone
from adapters.slack.messages import PLATFORM, Directory, find_thread
from adapters.slack.surface import SlackSurface
from pipeline.domain import (
    Action,
    ButtonClick,
    Channel,
    Command,
    Invocation,
    LocalizedText,
    Person,
    Reply,
    RunId,
    Thread,
)
from pipeline.errors import RequestError
from pipeline.ports import Ledger, Listener
from pipeline.text import shorten
from pipeline.words import say

_ASK, _HELP = "ask", "help"
_LONGEST_ROOT = 2000
_NOT_HERE = frozenset({"not_in_channel", "channel_not_found"})
_MOST_RESPONSES = 5
"""Slack's limit for responses to one command."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who is answered and where: in a thread, or at the address that came with a command."""

    id: str
    person: Person
    thread: Thread
    response_url: str = ""


@dataclass(frozen=True, slots=True)
class SlackCommands:
    """What people ask for by command and button. Every failure is told to who asked."""

    me: BotIdentity
    listener: Listener
    directory: Directory
    client: SlackClient
    ledger: Ledger

    async def on_command(self, payload: Json) -> None:
        """A slash command: its first word names the command, anything else is a request."""
        person = await self.directory.find_person(str(payload["user_id"]))
        channel = Channel(PLATFORM, self.me.team, str(payload["channel_id"]))
        response_url = str(payload.get("response_url") or "")
        id_ = str(payload.get("trigger_id") or response_url)
        asker = _Asker(id_, person, Thread(channel, ""), response_url)
        text = await self.directory.resolve(str(payload.get("text") or ""))
        await self._answer(asker, self._run_command(asker, text.strip()))

    async def on_click(self, payload: Json) -> None:
        """A button under one of the bot's messages."""
        button: Json = payload["actions"][0]
        name = str(button.get("action_id", "")).removeprefix(PREFIX)
        if name not in set(Action):
            return
        container: Json = payload.get("container") or {}
        channel = str((payload.get("channel") or container).get("id") or container["channel_id"])
        message = {"ts": container.get("message_ts"), **container, **(payload.get("message") or {})}
        thread = find_thread(self.me, channel, message)
        person = await self.directory.find_person(str(payload["user"]["id"]))
        id_ = f"{person.id}:{message['ts']}:{button.get('action_ts')}"
        click = ButtonClick(id_, Action(name), RunId(str(button["value"])), person, thread)
        await self._answer(_Asker(id_, person, thread), self.listener.on_click(click))

    async def whisper(self, thread: Thread, person: Person, text: LocalizedText) -> None:
        """Tell one person something in a thread."""
        await self._send(_Asker("", person, thread), Reply(say(person.locale, text)))

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
        """A slash command leaves no message, so one is posted for the answer to stand below."""
        asked = LocalizedText("slack-asked", {"name": asker.person.name, "text": ""})
        words = f"{say(asker.person.locale, asked).strip()} {shorten(text, _LONGEST_ROOT)}"
        try:
            root = await self._post(asker, "asked", Page(split_messages(words)[0]))
        except SlackGone as gone:
            if gone.code in _NOT_HERE:
                raise RequestError("slack-not-in-channel") from gone
            raise
        return Thread(asker.thread.channel, root)

    async def _answer(self, asker: _Asker, work: Awaitable[Reply]) -> None:
        await self._send(asker, await contain_reply(work, asker.person.locale))

    async def _send(self, asker: _Asker, reply: Reply) -> None:
        """A reply, in as many messages as it needs; for the asker's eyes where that can be."""
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
        locale = asker.person.locale
        surface = SlackSurface(self.client, self.ledger, asker.thread, RunId(asker.id), locale)
        receipt, _ = await post_once(self.ledger, surface, f"{asker.id}:{part}", page)
        return receipt


def parse_arguments(command: Command, words: str) -> dict[str, str]:
    """The words of a command shared out over its options; the last one takes all that is left."""
    options = [option.name for option in command.options if not option.file]
    parts = words.strip().split(maxsplit=max(0, len(options) - 1))
    return dict(zip(options, parts, strict=False))


async def _respond(url: str, content: Json, *, is_private: bool) -> None:
    kind = "ephemeral" if is_private else "in_channel"
    try:
        respond = AsyncRespond(response_url=url)
        answer = await respond(**content, response_type=kind, replace_original=False)
    except NO_ANSWER as error:
        log.warning("slack did not take a response", error=str(error))
    else:
        log.debug("responded", status=answer.status_code)
