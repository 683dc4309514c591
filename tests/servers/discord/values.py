"""What the played Discord is made of: people, servers, channels and messages."""

import itertools
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

EPOCH_MS = 1_420_070_400_000
TEXT, DM, GROUP, NEWS, THREAD, PRIVATE_THREAD, STAGE, FORUM = 0, 1, 3, 5, 11, 12, 13, 15
DIRECT = (DM, GROUP)
DEFAULT, REPLY, THREAD_CREATED, COMMAND, THREAD_STARTER = 0, 19, 18, 20, 21
EPHEMERAL, LOADING, VOICE = 1 << 6, 1 << 7, 1 << 13
NO_PREVIEWS, LAYOUT = 1 << 2, 1 << 15
BUTTON, SELECT, TEXT_DISPLAY, GALLERY, CONTAINER = 2, 3, 10, 12, 17
MIB = 1 << 20
FILE_LIMITS = {0: 10 * MIB, 1: 10 * MIB, 2: 50 * MIB, 3: 100 * MIB}


class Refusal(Exception):
    """An answer other than success; a fault is one the caller should have avoided."""

    def __init__(
        self, status: int, code: int, message: str, *, fault: bool = False, errors: object = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.fault = fault
        self.errors = errors


class Snowflakes:
    """Ids that carry the time they were made at, as Discord's do."""

    def __init__(self) -> None:
        self._counter = itertools.count()

    def next(self, guild_shard: int | None = None) -> int:
        made = int(time.time() * 1000) - EPOCH_MS
        if guild_shard is not None:
            made = made // 2 * 2 + guild_shard
        return (made << 22) | (next(self._counter) & 0x3FFFFF)


@dataclass(slots=True)
class Account:
    """A person or a bot."""

    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"
    shown_as: str | None = None


@dataclass(slots=True)
class Upload:
    """A file on a message."""

    id: int
    filename: str
    body: bytes
    media_type: str = "application/octet-stream"
    description: str | None = None
    seconds: float | None = None
    title: str = ""
    hidden: bool = False
    """Whether its sender marked it as a spoiler, which need not show in its name."""

    @property
    def size(self) -> int:
        return len(self.body)


@dataclass(slots=True)
class Message:
    """One message, with everything that happened to it."""

    id: int
    channel: "Channel"
    author: Account
    content: str
    type: int = DEFAULT
    uploads: list[Upload] = field(default_factory=list)
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    mentions: list[Account] = field(default_factory=list)
    reference: "Message | None" = None
    snapshots: list["Message"] = field(default_factory=list)
    reactions: dict[str, list[int]] = field(default_factory=dict)
    flags: int = 0
    nonce: str | None = None
    seen_only_by: int | None = None
    interaction: Json | None = None
    """What is told of the interaction that it answers."""
    thread: "Channel | None" = None
    versions: list[str] = field(default_factory=list)
    edited_at: float | None = None
    deleted: bool = False

    @property
    def has_layout(self) -> bool:
        """Whether the message is one of Components V2."""
        return bool(self.flags & LAYOUT)

    @property
    def text(self) -> str:
        """What a person reads: the content, or all text displays."""
        parts = [part["content"] for part in self.parts if part["type"] == TEXT_DISPLAY]
        return "\n".join(parts) if self.has_layout else self.content

    @property
    def parts(self) -> list[Json]:
        """The components and those inside them, as they are shown from top to bottom."""
        found, waiting = [], list(reversed(self.components))
        while waiting:
            found.append(part := waiting.pop())
            waiting += reversed(part.get("components") or [])
        return found

    @property
    def colour(self) -> int | None:
        """The accent colour of the box around the message; None without box or colour."""
        boxes = [part for part in self.components if part["type"] == CONTAINER]
        return boxes[0].get("accent_color") if boxes else None

    @property
    def gallery(self) -> list[str]:
        """The alternative texts of the pictures and videos that are shown in galleries."""
        galleries = [part for part in self.parts if part["type"] == GALLERY]
        return [item.get("description") or "" for each in galleries for item in each["items"]]

    @property
    def buttons(self) -> list[Json]:
        return [part for part in self.parts if part["type"] in (BUTTON, SELECT)]

    def button(self, label: str) -> Json:
        """The button whose label or custom id has this text in it."""
        found = [
            b
            for b in self.buttons
            if label in b.get("label", "") or label in b.get("custom_id", "")
        ]
        assert found, f"no button {label!r} among {[b.get('label') for b in self.buttons]}"
        return found[0]


@dataclass(slots=True)
class Channel:
    """A place to talk: of a server, a thread, or a direct conversation."""

    id: int
    type: int
    name: str
    guild: "Guild | None" = None
    parent: "Channel | None" = None
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    people: list[Account] = field(default_factory=list)
    owner: Account | None = None
    archived: bool = False
    locked: bool = False
    private: bool = False
    typing: int = 0

    def has(self, account: Account) -> bool:
        """Whether somebody is in the server, or in the conversation."""
        return account.id in self.guild.members if self.guild else account in self.people

    @property
    def said(self) -> list[Message]:
        """The messages that are still there and that everybody sees."""
        return [m for m in self.messages.values() if not m.deleted and m.seen_only_by is None]

    def by(self, author: Account) -> list[Message]:
        return [m for m in self.said if m.author is author and m.type != THREAD_STARTER]


@dataclass(slots=True)
class Guild:
    """What Discord's people call a server."""

    id: int
    name: str
    owner: Account
    tier: int = 0
    locale: str = "en-US"
    everyone: int = 0
    emojis: list[Json] = field(default_factory=list)
    members: dict[int, Account] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)

    @property
    def file_limit(self) -> int:
        return FILE_LIMITS[self.tier]

    def threads(self) -> Iterator[Channel]:
        return (channel for channel in self.channels.values() if channel.type == THREAD)
