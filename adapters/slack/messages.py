"""Turns Slack's messages into `Incoming`: people, names for ids, text, files."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

import structlog
from cachetools import TLRUCache

from adapters.chat.downloads import is_unexpected_page
from adapters.slack.client import Json, SlackClient, SlackGone, SlackRefused
from adapters.slack.contents import ESCAPES, find_attachments, read_text, read_words
from pipeline.bounds import bound_json
from pipeline.domain import Addressing, Audience, Blob, Incoming, Link, Person
from pipeline.errors import ChatError, FetchError, FetchUnavailable
from pipeline.ports import Fetch

SPOKEN = frozenset({None, "file_share", "thread_broadcast", "bot_message", "me_message"})
"""Subtypes of messages that people and bots write."""
SHARED = "is_ext_shared_channel"
"""Field beside an event: whether other organisations share the channel."""
_CLOSED = ("group", "im", "mpim")
"""Types of channels that only their members read."""
_SLACKBOT = "USLACKBOT"
_STUB = "check_file_info"
"""The access to a file of which Slack sends nothing but the id."""
_CANVAS = "application/vnd.slack-docs"
_DOCTYPE = b"<!DOCTYPE html>"
_DELETED = "tombstone"
"""The mode of a file that was deleted."""
_HOUR = 3600
"""Seconds for which a record is kept."""
_SOON = 2.0
"""Seconds after which Slack is asked again for a record that it did not return."""
_MOST = 10_000
"""Records that are kept."""
_NAME_SECONDS = 1.2
"""How long a lookup may hold up an event."""
_MOST_NAMES = 50
"""Most people, and most channels, that are looked up for one message."""
_GROUPS = frozenset({"channel", "here", "everyone", "group"})
_ENTITY = re.compile(r"<([^<>\n]+)>")
_PERSON = re.compile(r"<@([UWB][A-Z0-9]+)(?:\|[^<>]*)?>")
_CHANNEL_LETTERS = "CDG"
_CHANNEL = re.compile(r"<#([CDG][A-Z0-9]+)(?:\|([^<>]*))?>")

log = structlog.get_logger()


@dataclass(slots=True)
class Directory:
    """Names of people and channels, cached for an hour. A slow lookup never holds up an event."""

    client: SlackClient
    _cards: TLRUCache[str, Json] = field(default_factory=lambda: TLRUCache(_MOST, _keep_until))
    _lookups: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def find_person(self, user: str) -> Person:
        card = await self._find_card("users.info", "user", user)
        profile = card.get("profile") or {}
        name = profile.get("display_name") or card.get("real_name") or card.get("name") or user
        is_own = not card.get("is_stranger")  # others may be admins of their own workspace
        is_admin = is_own and (card.get("is_admin") or card.get("is_owner"))
        return Person(
            user,
            str(name),
            locale=str(card.get("locale") or "en"),
            is_bot=bool(card.get("is_bot")),
            roles=frozenset({"admin"} if is_admin else ()),
        )

    async def find_team(self, user: str) -> str:
        """The workspace of a person: of a shared channel, it may be another one."""
        card = await self._find_card("users.info", "user", user)
        return str(card.get("team_id") or self.client.me.team)

    async def may_read(self, user: str, channel: str) -> bool:
        """Whether a person may read a channel: a member, or anybody of us if it is public.

        Raises ChatError if Slack does not say.
        """
        try:
            answer = await self.client.call("conversations.info", channel=channel)
            card, about = answer["channel"], await self._find_card("users.info", "user", user)
            is_guest = about.get("is_restricted") or about.get("is_stranger") or not about
            if _is_public(card) and not is_guest:
                return True
            members = self.client.read_pages("conversations.members", "members", channel=channel)
            async for member in members:
                if str(member) == user:
                    return True
        except SlackGone as gone:
            log.info("channel not read", channel=channel, why=gone.code)
        return False

    async def resolve(self, text: str, here: str) -> str:
        """Write names for the ids in a text; the bot's own mention is left out.

        The name of a private channel is for its members: only `here`, in itself, is written.
        """
        bot = self.client.me.user
        people = islice(find_mentions(text) - {bot}, _MOST_NAMES)
        ids = (*people, *islice(find_unnamed_channels(text), _MOST_NAMES))
        async with asyncio.TaskGroup() as tasks:
            names = {id_: tasks.create_task(self._find_name(id_, here)) for id_ in ids}
        known = {id_: task.result() for id_, task in names.items()}
        return resolve_entities(text, known, bot)

    async def _find_name(self, id_: str, here: str) -> str:
        if id_[0] not in _CHANNEL_LETTERS:
            return (await self.find_person(id_)).name
        card = await self._find_card("conversations.info", "channel", id_)
        return str(((_is_public(card) or id_ == here) and card.get("name")) or id_)

    async def _find_card(self, method: str, part: str, id_: str) -> Json:
        """Slack's record of a person or channel; empty if Slack does not return it in time."""
        async with self._lookups.setdefault(id_, asyncio.Lock()):
            card: Json | None = self._cards.get(id_)
            if card is None:
                try:
                    async with asyncio.timeout(_NAME_SECONDS):
                        args: Json = {part: id_, "include_locale": True}
                        answer = await self.client.call(method, tries=2, **args)
                except (ChatError, TimeoutError):
                    answer = {}
                card = self._cards[id_] = answer.get(part) or {}
            return card


def _is_public(card: Json) -> bool:
    return bool(card.get("is_channel")) and not card.get("is_private")


def _keep_until(_: str, card: Json, now: float) -> float:
    """Slack is asked again soon for a record that it did not return."""
    return now + (_HOUR if card else _SOON)


# --- messages ---


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
    """A message of a channel, with names looked up for the ids in it."""
    message = bound_json(message)
    me, words = directory.client.me, read_words(message)
    mentioned = find_mentions(words)
    return Incoming(
        id=str(message["ts"]),
        thread=directory.client.find_thread(channel, find_root(message)),
        person=await _find_author(directory, message),
        text=await directory.resolve(read_text(message), channel),
        files=tuple(replace(file, workspace=me.team) for file in _find_files(message)),
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
    return read_text(new) != read_text(old) or list(_find_files(new)) != list(_find_files(old))


def is_empty(message: Json) -> bool:
    """Whether nothing is left of a message, as when its only file was deleted."""
    return not (read_text(message) or any(_find_files(message)))


def find_mentions(text: str) -> frozenset[str]:
    """The ids of the people who are mentioned."""
    return frozenset(_PERSON.findall(text))


def find_unnamed_channels(text: str) -> frozenset[str]:
    """The ids of the channels that are mentioned without their names."""
    return frozenset(channel for channel, name in _CHANNEL.findall(text) if not name)


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


# --- entities ---


def resolve_entities(text: str, names: Mapping[str, str], bot: str) -> str:
    """The text with mentions and links spelled out, the bot's own mention left out."""
    text = re.sub(rf"<@{bot}(?:\|[^<>]*)?>[ \t]*", "", text) if bot else text
    text = _ENTITY.sub(lambda match: _resolve_entity(match.group(1), names), text)
    for entity, character in reversed(ESCAPES):
        text = text.replace(entity, character)
    return text.strip("\r\n").rstrip()


def _resolve_entity(inside: str, names: Mapping[str, str]) -> str:
    target, _, label = inside.partition("|")
    kind, name = target[:1], target[1:]
    if kind == "@":
        return f"@{names.get(name) or label or name}"
    if kind == "#":
        return f"#{label or names.get(name) or name}"
    if kind == "!":
        word = name.partition("^")[0]
        return label or (f"@{word}" if word in _GROUPS else word)
    return _name_link(target, label)


def _name_link(target: str, label: str) -> str:
    """A link in words. Slack makes links of e-mail addresses and of names such as "notes.md"."""
    scheme, _, rest = target.partition(":")
    if not label or not scheme.startswith("http"):
        return label or target
    if label in (target, rest.removeprefix("//")):
        return target if "/" in label else label
    return f"{label} ({target})"


# --- files ---


async def download_file(link: Link, client: SlackClient, fetch: Fetch) -> Blob:
    """Download a file; only Slack's hosts get the bot's token. Raises FetchError.

    Slack, or another service that hosts a shared file, may answer 200 with a sign-in page; that
    is an error, too.
    """
    link = link if link.url else await _look_up_file(link, client)
    access = client.access
    blob = await fetch.get(
        link.url,
        headers={"Authorization": f"Bearer {access.bot_token}"},
        trusted=access.file_hosts,
        max_bytes=access.max_download,
    )
    if link.media_type == _CANVAS and not blob.data.startswith(_DOCTYPE):  # the inside of a page
        return Blob(_DOCTYPE + blob.data, "text/html", link.name)
    if is_unexpected_page(blob, link):
        host = urlsplit(link.url).hostname or ""
        if host not in access.file_hosts:
            raise FetchError("slack-file-elsewhere", name=link.name, host=host)
        raise FetchError("slack-file-sign-in", name=link.name)
    return Blob(blob.data, blob.media_type or link.media_type, link.name)


def _find_files(message: Json) -> Iterable[Link]:
    """The files of a message, and of the messages shared in it, without deleted ones."""
    for holder in (message, *find_attachments(message)):
        files = (file for file in holder.get("files") or () if file.get("mode") != _DELETED)
        yield from map(read_file, files)


def read_file(file: Json) -> Link:
    """A link to a file; the stub that Slack sends in shared channels has only an id."""
    is_stub = file.get("file_access") == _STUB
    url = "" if is_stub else str(file.get("url_private_download") or file.get("url_private") or "")
    name = str(file.get("name") or file.get("title") or "file")
    media_type, size = str(file.get("mimetype") or ""), int(file.get("size") or -1)
    alt = str(file.get("alt_txt") or file.get("title") or "")
    is_name = alt.casefold() in name.casefold()  # Slack makes the title of the name
    return Link(
        url, name, media_type=media_type, size=size, id=str(file["id"]), alt="" if is_name else alt
    )


async def _look_up_file(link: Link, client: SlackClient) -> Link:
    try:
        card = (await client.call("files.info", file=link.id)).get("file") or {}
    except SlackRefused:
        card = {}
    except ChatError as error:
        raise FetchUnavailable("slack-unreachable", method="files.info") from error
    file = read_file({**card, "id": link.id, "file_access": ""})
    if not file.url:
        raise FetchError("slack-file-gone", name=link.name)
    return file
