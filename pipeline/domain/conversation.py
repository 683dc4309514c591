"""Who says what where: threads, persons, files, turns and requests."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

RunId = NewType("RunId", str)
"""One request, from acceptance to answer. Derived from the message's key: stable over restarts."""

FileHash = NewType("FileHash", str)
"""SHA-256 of a file's bytes, in hex."""


class Type(StrEnum):
    """What can be handed from one task to another, and what a person can send."""

    TEXT = "text"
    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    DOCUMENT = "document"
    TABLE = "table"
    LABELS = "labels"
    BOXES = "boxes"
    MASKS = "masks"
    SPANS = "spans"
    NUMBER = "number"
    VECTOR = "vector"


FILE_TYPES = frozenset({Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.DOCUMENT, Type.TABLE})


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """Something the bot says: the id of a message and its arguments, put into words at the edge."""

    id: str
    args: Mapping[str, "str | int | float | LocalizedText"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Channel:
    """A place where people talk.

    Nothing said in one is shown in another, except plans that were liked where the whole
    workspace can read them.
    """

    platform: str
    workspace: str
    id: str

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.workspace}:{self.id}"


@dataclass(frozen=True, slots=True)
class Thread:
    """Where one conversation takes place: a channel and the message at its root."""

    channel: Channel
    root: str
    closed: bool = field(compare=False, default=False)
    """Not everybody who reads the channel can read it, so nothing of it is shown elsewhere."""

    @property
    def key(self) -> str:
        return f"{self.channel.key}:{self.root}"


@dataclass(frozen=True, slots=True)
class Person:
    """Who speaks. `id` is the platform's, unique within the workspace."""

    id: str
    name: str
    locale: str = "en"
    is_bot: bool = False
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file in our file store. `media_type` was sniffed from the bytes; `size` is in bytes."""

    hash: FileHash
    media_type: str
    name: str
    size: int
    description: str = ""

    @property
    def type(self) -> Type:
        return type_of(self.media_type)


_TABLES = frozenset({"text/csv", "text/tab-separated-values"})


def type_of(media_type: str) -> Type:
    """The type of a file with this media type; anything but the known families is a document."""
    family = media_type.partition("/")[0]
    if family in ("image", "audio", "video"):
        return Type(family)
    return Type.TABLE if media_type in _TABLES else Type.DOCUMENT


@dataclass(frozen=True, slots=True)
class Link:
    """A file as a platform names it, not yet fetched. `size` in bytes as claimed, -1: unknown."""

    url: str
    name: str
    media_type: str = ""
    size: int = -1
    id: str = ""


class Audience(StrEnum):
    """Who can read a channel in which something is said."""

    UNKNOWN = ""
    CHANNEL = "channel"
    """Only invited people: a private or shared channel, a direct message."""
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Addressing:
    """How a message concerns the bot, as the platform tells it."""

    mentioned: bool = False
    direct: bool = False
    replied_to_bot: bool = False
    others_mentioned: bool = False
    audience: Audience = Audience.UNKNOWN


@dataclass(frozen=True, slots=True)
class Incoming:
    """A message as a platform hands it over. `id` sorts in message order within its channel."""

    id: str
    thread: Thread
    person: Person
    text: str
    files: tuple[Link, ...]
    at: datetime
    addressing: Addressing
    earlier: tuple[Link, ...] = ()
    """Files of the message that this one replies to."""
    avoid: tuple[str, ...] = ()
    """Models that another try at this message is to do without."""
    anew: bool = False
    """Another try: nothing is taken from what was made before."""
    beside: bool = False
    """Answered beside what is under way in its thread, not after it: a command."""
    retried_by: Person | None = None
    """Who pressed Retry: their rights, limits and language count; the words stay the author's."""

    @property
    def asker(self) -> Person:
        """Whose rights, limits and language count."""
        return self.retried_by or self.person

    @property
    def key(self) -> str:
        return f"{self.thread.channel.key}:{self.id}"

    @property
    def lane(self) -> str:
        """Messages of one lane are answered one after the other."""
        return f"{self.thread.key} beside" if self.beside else self.thread.key


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file under the name a person would use in this thread: "image 2"."""

    name: str
    attachment: Attachment


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said in a thread, by a person or by the bot."""

    key: str
    person: Person
    text: str
    files: tuple[NamedFile, ...]
    at: datetime


@dataclass(frozen=True, slots=True)
class Context:
    """What came before: this thread's turns, oldest first, and the tail of the channel's log."""

    turns: tuple[Turn, ...] = ()
    channel: tuple[Turn, ...] = ()
    summary: str = ""
    older: tuple[NamedFile, ...] = ()
    """Files of the thread from before these turns, oldest first."""

    @property
    def files(self) -> tuple[NamedFile, ...]:
        """The thread's earlier files, oldest first."""
        return (*self.older, *(file for turn in self.turns for file in turn.files))


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A file that was sent and could not be taken, and why."""

    name: str
    reason: LocalizedText


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """What a channel has set for itself; empty means the installation's default."""

    models: Mapping[str, str] = field(default_factory=dict)
    """Kind of task → model id preferred here."""
    places: tuple[str, ...] = ()
    mention: str = ""
    """"always": only when mentioned; "threads": also follow-ups in threads it takes part in."""
    language: str = ""
    policy: Mapping[str, str] = field(default_factory=dict)
    """Rules on models: "licence" → "commercial", "deny" → comma-separated model ids, …"""
    learn: str = ""
    """How far what is liked here goes: "workspace", "channel" or "off"."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a person wants: the words, the files and what came before."""

    run: RunId
    thread: Thread
    person: Person
    text: str
    files: tuple[NamedFile, ...] = ()
    rejected: tuple[RejectedFile, ...] = ()
    context: Context = field(default_factory=Context)
    settings: ChannelSettings = field(default_factory=ChannelSettings)
    avoid: tuple[str, ...] = ()
    anew: bool = False

    @property
    def known_files(self) -> tuple[NamedFile, ...]:
        """The thread's files and those of the message, oldest first."""
        return (*self.context.files, *self.files)

    def file(self, name: str) -> NamedFile | None:
        """The newest file with this name: its name in the thread ("image 2") or its file name.

        The file name may be given without its ending.
        """
        wanted = _plain(name)
        for file in reversed(self.known_files):
            own = file.attachment.name
            names = (file.name, own, own.rpartition(".")[0])
            if wanted and wanted in map(_plain, names):
                return file
        return None


_GAPS = re.compile(r"[\s_-]+")


def _plain(name: str) -> str:
    return _GAPS.sub("", name).casefold()
