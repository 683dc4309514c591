"""The make-believe workspace: people, channels, messages and files."""

import asyncio
import itertools
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

TEAM, APP = "T0TROUPE1", "A0TROUPE1"
BOT_TOKEN = "xoxb-1-2-troupe"
BOT_USER, BOT_ID = "U0TROUPE1", "B0TROUPE1"
ANNA, BEN = "U0ANNA001", "U0BEN0001"
GENERAL, RANDOM, SECRET = "C0GENERAL", "C0RANDOM1", "G0SECRET1"
ANNAS_DM = "D0ANNA001"
PING = re.compile(
    r"<!(?:channel|here|everyone)[^>]*>|<!subteam\^[^>]*>|<@[UW][A-Z0-9]+(?:\|[^>]*)?>"
)


@dataclass
class Message:
    """One message as Slack keeps it, with what it said before each edit."""

    channel: str
    body: Json
    history: list[Json] = field(default_factory=list)

    @property
    def ts(self) -> str:
        return str(self.body["ts"])

    @property
    def text(self) -> str:
        return str(self.body.get("text", ""))

    @property
    def thread(self) -> str:
        return str(self.body.get("thread_ts") or self.body["ts"])

    @property
    def by_bot(self) -> bool:
        return self.body.get("app_id") == APP


@dataclass
class Channel:
    """A channel, private channel, or direct message."""

    id: str
    name: str
    kind: str = "channel"
    members: set[str] = field(default_factory=set)
    messages: dict[str, Message] = field(default_factory=dict)
    shared: bool = False
    archived: bool = False


@dataclass
class StoredFile:
    """A file: announced, then uploaded, then shared."""

    id: str
    name: str
    length: int
    owner: str
    alt: str = ""
    title: str = ""
    media_type: str = "application/octet-stream"
    content: bytes | None = None
    shares: dict[str, list[str]] = field(default_factory=dict)
    address: str = ""
    stub: bool = False
    mode: str = "hosted"
    subtype: str = ""

    @property
    def shared(self) -> bool:
        return bool(self.shares)


@dataclass
class Workspace:
    """Everything the bot can see, and what it left there."""

    team: str = TEAM
    enterprise: str = ""
    bot_user: str = BOT_USER
    bot_id: str = BOT_ID
    bot_token: str = BOT_TOKEN
    org_wide: bool = False
    """Whether the token is that of the whole organisation."""
    people: dict[str, Json] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    files: dict[str, StoredFile] = field(default_factory=dict)
    emoji: dict[str, str] = field(default_factory=dict)
    reactions: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    statuses: list[Json] = field(default_factory=list)
    sessions: set[tuple[str, str]] = field(default_factory=set)
    """The threads that are sessions of an agent, each by its channel and root."""
    titles: dict[tuple[str, str], str] = field(default_factory=dict)
    prompts: list[Json] = field(default_factory=list)
    ephemerals: list[Json] = field(default_factory=list)
    responses: list[Json] = field(default_factory=list)
    triggers: dict[str, float] = field(default_factory=dict)
    """When each trigger id was given out, on the clock of the loop."""
    used_triggers: set[str] = field(default_factory=set)
    pings: list[str] = field(default_factory=list)
    deleted: list[Message] = field(default_factory=list)
    locked: set[str] = field(default_factory=set)
    """Roots of threads that admins have locked."""
    _ticks: Iterator[int] = field(default_factory=itertools.count)
    _began: int = field(default_factory=lambda: int(time.time()))

    @property
    def mention(self) -> str:
        """The bot's name as people write it."""
        return f"<@{self.bot_user}>"

    def begin_ids_at(self, number: int) -> None:
        """So that ids differ between workspaces, as Slack's do."""
        self._ticks = itertools.count(number)

    def next_ts(self) -> str:
        tick = next(self._ticks)
        return f"{self._began + tick // 1000}.{(tick % 1000) * 1000 + 119:06d}"

    def next_id(self, letter: str) -> str:
        return f"{letter}0{next(self._ticks):08d}"

    def next_trigger(self) -> str:
        """An id with which one modal may be opened, for a moment."""
        trigger = self.next_id("1")
        self.triggers[trigger] = read_clock()
        return trigger

    def find(self, channel: str, ts: str) -> Message | None:
        place = self.channels.get(channel)
        return place.messages.get(ts) if place else None

    def thread(self, channel: str, root: str) -> list[Message]:
        """The root and its replies, oldest first."""
        messages = self.channels[channel].messages.values()
        return [m for m in messages if root in (m.ts, m.body.get("thread_ts"))]

    def put(self, message: Message) -> Message:
        self.channels[message.channel].messages[message.ts] = message
        root = self.find(message.channel, message.thread)
        if root is not None and root is not message:
            root.body["thread_ts"] = root.ts
            root.body["reply_count"] = root.body.get("reply_count", 0) + 1
            root.body["latest_reply"] = message.ts
        return message

    def take_away(self, message: Message) -> None:
        del self.channels[message.channel].messages[message.ts]
        self.deleted.append(message)

    def note_pings(self, *texts: str) -> None:
        for text in texts:
            self.pings.extend(PING.findall(text))


def furnished(bot_user: str = BOT_USER, bot_id: str = BOT_ID) -> Workspace:
    """A workspace with two people, two open channels, a private one and a direct message."""
    emoji = {"party": "https://emoji.example/party.png"}
    space = Workspace(emoji=emoji, bot_user=bot_user, bot_id=bot_id)
    space.people = {
        ANNA: _person(ANNA, "anna", "Anna Schmidt", "en-GB"),
        BEN: _person(BEN, "ben", "Ben Jones", "en-US"),
        bot_user: _person(bot_user, "troupe", "Troupe", "en-US", bot_id),
    }
    everyone = {ANNA, BEN, bot_user}
    for channel in (
        Channel(GENERAL, "general", members=set(everyone)),
        Channel(RANDOM, "random", members=set(everyone)),
        Channel(SECRET, "secret", "group", members=set(everyone)),
        Channel(ANNAS_DM, "", "im", members={ANNA, bot_user}),
    ):
        space.channels[channel.id] = channel
    return space


def read_clock() -> float:
    """The time by which Slack limits and expires things: that of the loop."""
    return asyncio.get_running_loop().time()


def _person(user: str, name: str, real: str, locale: str, bot_id: str = "") -> Json:
    return {
        "id": user,
        "team_id": TEAM,
        "name": name,
        "real_name": real,
        "deleted": False,
        "is_bot": bool(bot_id),
        "is_admin": user == ANNA,
        "is_owner": False,
        "locale": locale,
        "tz": "Europe/Berlin",
        "profile": {"display_name": name, "real_name": real, "bot_id": bot_id or None},
    }
