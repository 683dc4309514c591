"""Turns Slack's messages into `Incoming`: who wrote where, what, to whom, with which files."""

from dataclasses import replace
from datetime import UTC, datetime

from adapters.slack.reading.contents import read_text, read_words
from adapters.slack.reading.directory import Directory
from adapters.slack.reading.entities import find_mentions
from adapters.slack.reading.files import find_files
from adapters.slack.web_api.client import Json
from pipeline.bounds import bound_json
from pipeline.domain import Addressing, Audience, Incoming, Person

SPOKEN = frozenset({None, "file_share", "thread_broadcast", "bot_message", "me_message"})
"""Subtypes of messages that people and bots write."""
SHARED = "is_ext_shared_channel"
"""Field beside an event: whether other organisations share the channel."""
_CLOSED = ("group", "im", "mpim")
"""Types of channels that only their members read."""
_SLACKBOT = "USLACKBOT"


def find_time(id_: str) -> datetime | None:
    """When a message was written, by its id; None for the id of a run or a command."""
    whole, _, part = id_.partition(".")
    is_ts = whole.isdecimal() and part.isdecimal()
    return datetime.fromtimestamp(float(id_), UTC) if is_ts else None


def make_ts(at: datetime) -> str:
    """An id that a message of this time may have."""
    return f"{at.timestamp():.6f}"


def find_root(message: Json) -> str:
    """The root of a message's thread: it may be the message itself."""
    return str(message.get("thread_ts") or message["ts"])


async def read_message(directory: Directory, channel: str, message: Json) -> Incoming:
    """A message of a channel as `Incoming`, with names looked up for the ids in it.

    Its text has blocks, attachments and shared messages, too, the latter as quotes. Lists that no
    person makes so long are cut.
    """
    message = bound_json(message)
    me, words = directory.client.me, read_words(message)
    mentioned = find_mentions(words)
    return Incoming(
        id=str(message["ts"]),
        thread=directory.client.find_thread(channel, find_root(message)),
        person=await _find_author(directory, message),
        text=await directory.resolve(read_text(message), channel),
        files=tuple(replace(file, workspace=me.team) for file in find_files(message)),
        at=datetime.fromtimestamp(float(message["ts"]), UTC),
        addressing=Addressing(
            mentioned=me.user in mentioned,
            direct=channel.startswith("D"),
            others_mentioned=bool(mentioned - {me.user}) or "<!subteam^" in words,
            audience=_find_audience(channel, message),
        ),
    )


def is_edited(event: Json) -> bool:
    """Whether a person changed text or files; Slack also reports changes of link previews."""
    new, old = event.get("message") or {}, event.get("previous_message")
    if not old:
        return bool(new.get("edited"))
    return read_text(new) != read_text(old) or list(find_files(new)) != list(find_files(old))


def is_empty(message: Json) -> bool:
    """Whether nothing is left of a message, as when its only file was deleted."""
    return not (read_text(message) or any(find_files(message)))


def _find_audience(channel: str, message: Json) -> Audience:
    """Who can read the message; `app_mention` events and history do not say."""
    kind = message.get("channel_type")
    if channel.startswith("D") or kind in _CLOSED or message.get(SHARED):
        return Audience.CHANNEL
    return Audience.WORKSPACE if kind == "channel" else Audience.UNKNOWN


async def _find_author(directory: Directory, message: Json) -> Person:
    user = message.get("user")
    if user:
        person = await directory.find_person(str(user))
        is_unknown_bot = person.name == person.id and bool(message.get("bot_id"))
        return replace(person, is_bot=person.is_bot or is_unknown_bot or user == _SLACKBOT)
    bot = str(message.get("bot_id") or "unknown")
    return Person(bot, str(message.get("username") or bot), is_bot=True)
