"""Slash commands and buttons: taken at once, answered when the conversation has an answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

import structlog

from adapters.slack.access import Json, Self
from adapters.slack.blocks import PREFIX, messages, said
from adapters.slack.directory import Directory
from adapters.slack.entities import channels_in, people_in, readable
from adapters.slack.incoming import PLATFORM, thread_of
from adapters.slack.posting import Post
from adapters.slack.refusals import Gone
from adapters.slack.replying import Asker, Replies
from pipeline.domain import (
    Action,
    Channel,
    Command,
    Invocation,
    Press,
    Reply,
    RunId,
    Sentence,
    Thread,
)
from pipeline.errors import TroupeError
from pipeline.ports import Listener
from pipeline.text import shortened
from pipeline.words import say

COMMAND = "/troupe"
_ASK, _HELP = "ask", "help"
_ROOT_TEXT = 2000
_NOT_HERE = frozenset({"not_in_channel", "channel_not_found"})

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Asking:
    """What people ask for by command and button. Every failure is told to who asked."""

    me: Self
    listener: Listener
    directory: Directory
    replies: Replies

    async def command(self, payload: Json) -> None:
        """A slash command: its first word says what, anything else is a request."""
        person = await self.directory.person(str(payload["user_id"]))
        channel = Channel(PLATFORM, self.me.team, str(payload["channel_id"]))
        asker = Asker(
            str(payload.get("trigger_id") or payload["response_url"]),
            person,
            Thread(channel, ""),
            str(payload.get("response_url") or ""),
        )
        text = await self._read(str(payload.get("text") or ""))
        await self._guarded(asker, lambda: self._commanded(asker, text))

    async def press(self, payload: Json) -> None:
        """A button under one of our messages."""
        action: Json = next(iter(payload.get("actions") or ()), {})
        word = str(action.get("action_id", "")).removeprefix(PREFIX)
        if word not in set(Action):
            return
        person = await self.directory.person(str(payload["user"]["id"]))
        message: Json = payload.get("message") or {}
        container: Json = payload.get("container") or {}
        place = str((payload.get("channel") or {}).get("id") or container["channel_id"])
        above = message or {"thread_ts": container.get("thread_ts"), "ts": container["message_ts"]}
        thread = thread_of(self.me, place, above)
        clicked = f"{payload['user']['id']}:{message.get('ts')}:{action.get('action_ts')}"
        asker = Asker(clicked, person, thread)
        pressed = Press(clicked, Action(word), RunId(str(action["value"])), person, thread)
        await self._guarded(asker, lambda: self.listener.pressed(pressed))

    async def _read(self, text: str) -> str:
        names = await self.directory.names(people_in(text), channels_in(text))
        return readable(text, names, {}, bot="")

    async def _commanded(self, asker: Asker, text: str) -> Reply:
        first, _, rest = text.strip().partition(" ")
        known = {command.name: command for command in self.listener.commands}
        command = known.get(first.lower())
        if command is None and text.strip() and _ASK in known:
            command, rest = known[_ASK], text.strip()
        if command is None and not text.strip():
            command = known.get(_HELP)
        if command is None:
            return self._unknown(asker, first)
        args = arguments(command, rest)
        for option in command.options:
            if option.required and not args.get(option.name):
                return _reply(
                    asker, "slack-missing-option", command=command.name, option=option.name
                )
        return await self._invoked(asker, command, args)

    async def _invoked(self, asker: Asker, command: Command, args: Mapping[str, str]) -> Reply:
        thread = asker.thread
        if command.name == _ASK:
            thread = await self._root(asker, args.get("text", ""))
        reply = await self.listener.invoked(
            Invocation(asker.id, command.name, args, asker.person, thread)
        )
        return replace(reply, private=command.private or reply.private)

    async def _root(self, asker: Asker, text: str) -> Thread:
        """A slash command leaves no message, so that one is made for the answer to stand below."""
        asked = Sentence("slack-asked", {"name": asker.person.name, "text": ""})
        words = f"{say(asker.person.locale, asked).strip()} {shortened(text, _ROOT_TEXT)}"
        content = said(messages(words)[0])
        post = Post(RunId(asker.id), "asked")
        ts, _ = await self.replies.posts.put(asker.thread, post, content)
        return Thread(asker.thread.channel, ts)

    def _unknown(self, asker: Asker, word: str) -> Reply:
        names = ", ".join(command.name for command in self.listener.commands)
        return _reply(asker, "slack-unknown-command", command=word, commands=names)

    async def _guarded(self, asker: Asker, work: Callable[[], Awaitable[Reply]]) -> None:
        """The boundary of a command or click: whatever goes wrong is told to who asked."""
        try:
            reply = await work()
        except Gone as gone:
            out = gone.code in _NOT_HERE
            reply = Reply(
                _worded(asker, Sentence("slack-not-in-channel") if out else gone.sentence)
            )
        except TroupeError as error:
            reply = Reply(_worded(asker, error.sentence))
        except Exception:
            reference = asker.id[-8:]
            log.exception("command or click broke", reference=reference)
            reply = Reply(_worded(asker, Sentence("slack-apology", {"reference": reference})))
        await self.replies.give(asker, reply)


def arguments(command: Command, words: str) -> dict[str, str]:
    """The words of a command shared out over its options; the last one takes all that is left."""
    options = [option for option in command.options if not option.file]
    parts = words.split(maxsplit=max(0, len(options) - 1)) if words.strip() else []
    return dict(zip((option.name for option in options), parts, strict=False))


def _reply(asker: Asker, sentence: str, **args: str) -> Reply:
    return Reply(_worded(asker, Sentence(sentence, args)))


def _worded(asker: Asker, sentence: Sentence) -> str:
    return say(asker.person.locale, sentence)
