"""Slash commands and buttons: acknowledged at once, answered by the conversation."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus

import structlog
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.chat.presenter import post_once
from adapters.slack.blocks import PREFIX, SlackMessage, join_sections, split_messages
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
from pipeline.errors import TroupeError
from pipeline.ports import Ledger, Listener
from pipeline.text import shorten
from pipeline.words import say

COMMAND = "/troupe"
ANY_COMMAND = re.compile("^/")
"""Whatever the app calls its command."""
OUR_BUTTONS = re.compile(f"^{PREFIX}")
_ASK, _HELP = "ask", "help"
_LONGEST_ROOT = 2000
_NOT_HERE = frozenset({"not_in_channel", "channel_not_found"})
_MOST_RESPONSES, _TIMEOUT = 5, 10
"""Slack's limit for responses to one command, and seconds for each."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Asker:
    """Who is answered and where: in a thread, or at the address that came with a command."""

    id: str
    person: Person
    thread: Thread
    response_url: str = ""

    def reply(self, id: str, **args: str) -> Reply:  # noqa: A002 - the message's id
        return Reply(say(self.person.locale, LocalizedText(id, args)))


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
        await self._answer(asker, lambda: self._run_command(asker, text))

    async def on_click(self, payload: Json) -> None:
        """A button under one of the bot's messages."""
        action: Json = payload["actions"][0]
        name = str(action.get("action_id", "")).removeprefix(PREFIX)
        if name not in set(Action):
            return
        user = str(payload["user"]["id"])
        message: Json = payload.get("message") or {}
        container: Json = payload.get("container") or {}
        channel = str((payload.get("channel") or {}).get("id") or container["channel_id"])
        above = message or {"thread_ts": container.get("thread_ts"), "ts": container["message_ts"]}
        thread = find_thread(self.me, channel, above)
        person = await self.directory.find_person(user)
        id_ = f"{user}:{message.get('ts')}:{action.get('action_ts')}"
        click = ButtonClick(id_, Action(name), RunId(str(action["value"])), person, thread)
        await self._answer(_Asker(id_, person, thread), lambda: self.listener.on_click(click))

    async def whisper(self, thread: Thread, person: Person, text: LocalizedText) -> None:
        """Tell one person something in a thread."""
        await self._send(_Asker("", person, thread), Reply(say(person.locale, text)))

    async def _run_command(self, asker: _Asker, text: str) -> Reply:
        first, _, rest = text.strip().partition(" ")
        known = {command.name: command for command in self.listener.commands}
        command = known.get(first.lower())
        if command is None:
            rest = text.strip()
            command = known.get(_ASK if rest else _HELP)
        if command is None:
            commands = ", ".join(known)
            return asker.reply("slack-unknown-command", command=first, commands=commands)
        args = parse_arguments(command, rest)
        for option in command.options:
            if option.required and not args.get(option.name):
                names = {"command": command.name, "option": option.name}
                return asker.reply("slack-missing-option", **names)
        return await self._invoke(asker, command, args)

    async def _invoke(self, asker: _Asker, command: Command, args: Mapping[str, str]) -> Reply:
        thread = asker.thread
        if command.name == _ASK:
            thread = await self._begin_thread(asker, args.get("text", ""))
        reply = await self.listener.on_command(
            Invocation(asker.id, command.name, args, asker.person, thread)
        )
        return replace(reply, private=command.private or reply.private)

    async def _begin_thread(self, asker: _Asker, text: str) -> Thread:
        """A slash command leaves no message, so one is posted for the answer to stand below."""
        asked = LocalizedText("slack-asked", {"name": asker.person.name, "text": ""})
        words = f"{say(asker.person.locale, asked).strip()} {shorten(text, _LONGEST_ROOT)}"
        root = await self._post(asker, "asked", join_sections(split_messages(words)[0]))
        return Thread(asker.thread.channel, root)

    async def _answer(self, asker: _Asker, work: Callable[[], Awaitable[Reply]]) -> None:
        """The boundary of a command or click: whatever goes wrong is told to who asked."""
        try:
            reply = await work()
        except TroupeError as error:
            is_absent = isinstance(error, SlackGone) and error.code in _NOT_HERE
            text = LocalizedText("slack-not-in-channel") if is_absent else error.sentence
            reply = Reply(say(asker.person.locale, text))
        except Exception:
            reference = asker.id[-8:]
            log.exception("command or click broke", reference=reference)
            reply = asker.reply("slack-apology", reference=reference)
        await self._send(asker, reply)

    async def _send(self, asker: _Asker, reply: Reply) -> None:
        """A reply, in as many messages as it needs; for the asker's eyes where that can be."""
        for number, parts in enumerate(split_messages(reply.text)):
            message = join_sections(parts)
            if not reply.private and asker.thread.root:
                await self._post(asker, f"reply:{number}", message)
            elif asker.response_url and number < _MOST_RESPONSES:
                await _respond(asker.response_url, message, is_private=reply.private)
            else:
                await self.client.try_call(
                    "chat.postEphemeral",
                    channel=asker.thread.channel.id,
                    user=asker.person.id,
                    thread_ts=asker.thread.root or None,
                    text=message.text,
                    blocks=list(message.blocks),
                )

    async def _post(self, asker: _Asker, part: str, message: SlackMessage) -> str:
        locale = asker.person.locale
        surface = SlackSurface(self.client, self.ledger, asker.thread, RunId(asker.id), locale)
        receipt, _ = await post_once(self.ledger, surface, f"{asker.id}:{part}", message)
        return receipt


def parse_arguments(command: Command, words: str) -> dict[str, str]:
    """The words of a command shared out over its options; the last one takes all that is left."""
    options = [option for option in command.options if not option.file]
    parts = words.split(maxsplit=max(0, len(options) - 1)) if words.strip() else []
    return dict(zip((option.name for option in options), parts, strict=False))


async def _respond(url: str, message: SlackMessage, *, is_private: bool) -> None:
    webhook = AsyncWebhookClient(url, timeout=_TIMEOUT, retry_handlers=[])
    try:
        response = await webhook.send(
            text=message.text,
            blocks=message.blocks,
            response_type="ephemeral" if is_private else "in_channel",
            replace_original=False,
        )
    except NO_ANSWER as error:
        log.warning("slack did not take a response", error=str(error))
    else:
        if response.status_code != HTTPStatus.OK:
            log.warning("slack did not take a response", status=response.status_code)
