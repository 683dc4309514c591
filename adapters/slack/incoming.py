"""Slack's messages as the conversation takes them."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from adapters.slack.access import Json, Self
from adapters.slack.directory import Directory
from adapters.slack.entities import channels_in, emoji_in, people_in, quoted, readable
from pipeline.domain import Audience, Channel, Heard, Incoming, Link, Person, Thread

PLATFORM = "slack"
SAID = frozenset({None, "file_share", "thread_broadcast", "bot_message", "me_message"})
_STUB = "check_file_info"
_CLOSED = ("group", "im", "mpim")
SHARED = "is_ext_shared_channel"
"""Whether people of other organisations are in the channel; told beside the event."""
_SLACKBOT = "USLACKBOT"
_BLOCK_TEXT = frozenset({"text"})


def thread_of(me: Self, channel: str, message: Json) -> Thread:
    root = str(message.get("thread_ts") or message["ts"])
    return Thread(Channel(PLATFORM, me.team, channel), root)


async def incoming(me: Self, directory: Directory, channel: str, message: Json) -> Incoming:
    """A message of a channel, with the names of everybody and everything in it."""
    raw = written(message)
    people = people_in(raw) - {me.user}
    mentioned = people_in(spoken(message))
    async with asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(directory.names(people, channels_in(raw)))
        speaker = tasks.create_task(_speaker(directory, message))
    names = asked.result()
    return Incoming(
        id=str(message["ts"]),
        thread=thread_of(me, channel, message),
        person=speaker.result(),
        text=readable(raw, names, emoji_in(message.get("blocks")), bot=me.user),
        files=tuple(links(message)),
        at=datetime.fromtimestamp(float(message["ts"]), UTC),
        heard=Heard(
            mentioned=me.user in mentioned,
            direct=channel.startswith("D"),
            replied_to_bot=message.get("parent_user_id") == me.user,
            others_mentioned=bool(mentioned - {me.user})
            or bool(re.search(r"<!subteam\^", spoken(message))),
            audience=_audience(channel, message),
        ),
    )


def _audience(channel: str, message: Json) -> Audience:
    """Who can read along; mentions, and what is read later, do not tell it."""
    told = message.get("channel_type")
    if channel.startswith("D") or told in _CLOSED or message.get(SHARED):
        return Audience.CHANNEL
    return Audience.WORKSPACE if told == "channel" else Audience.UNKNOWN


def spoken(message: Json) -> str:
    """The words of a message; those of its blocks where it has no others. Only here are people called."""
    return str(message.get("text") or "") or " ".join(_block_texts(message.get("blocks")))


def written(message: Json) -> str:
    """What a message says, and what it passes on."""
    passed_on = quoted(_passed_on(message))
    return "\n".join(part for part in (spoken(message), passed_on) if part)


def links(message: Json) -> Iterable[Link]:
    """The files of a message, and of a message that it passes on."""
    yield from (link(file) for file in message.get("files") or ())
    for attachment in _passed_on(message):
        yield from (link(file) for file in attachment.get("files") or ())


def link(file: Json) -> Link:
    """A file as Slack names it; the stub of a shared channel has no address yet, only an id."""
    stub = file.get("file_access") == _STUB
    address = "" if stub else str(file.get("url_private_download") or file.get("url_private") or "")
    name = str(file.get("name") or file.get("title") or file.get("id") or "file")
    return Link(
        address, name, str(file.get("mimetype") or ""), int(file.get("size") or -1), str(file["id"])
    )


def by_bot(message: Json, me: Self) -> bool:
    return message.get("user") == me.user or message.get("bot_id") == me.bot


def was_edited(event: Json) -> bool:
    """Whether a person changed words or files, and not Slack its preview of a link."""
    new, old = event.get("message") or {}, event.get("previous_message")
    if not old:
        return bool(new.get("edited"))
    return written(new) != written(old) or list(links(new)) != list(links(old))


async def _speaker(directory: Directory, message: Json) -> Person:
    user = message.get("user")
    if user:
        person = await directory.person(str(user))
        unknown = person.name == person.id and bool(message.get("bot_id"))
        return replace(person, is_bot=person.is_bot or unknown or user == _SLACKBOT)
    bot = str(message.get("bot_id") or "unknown")
    return Person(bot, str(message.get("username") or bot), is_bot=True)


def _passed_on(message: Json) -> list[Json]:
    """Attachments that the message came with: not the previews that Slack adds of its links."""
    return [
        each
        for each in message.get("attachments") or ()
        if each.get("is_share") or not (each.get("from_url") or each.get("is_app_unfurl"))
    ]


def _block_texts(value: object) -> Iterable[str]:
    if isinstance(value, list):
        for part in value:
            yield from _block_texts(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in _BLOCK_TEXT and isinstance(part, str):
                yield part
            else:
                yield from _block_texts(part)
