"""Conversations: channels, threads, people, files, messages, turns and requests."""

import re
import time
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

RunId = NewType("RunId", str)
"""The id of one run. Derived from the message's key, so it survives restarts."""

TaskId = NewType("TaskId", int)

FileHash = NewType("FileHash", str)
"""SHA-256 of a file's bytes, in hex."""


class Type(StrEnum):
    """The types of values that tasks exchange and people send."""

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


_STOPS = " .!?\u2026\u3002\uff01\uff1f"
FILE_TYPES = frozenset({Type.IMAGE, Type.AUDIO, Type.VIDEO, Type.DOCUMENT, Type.TABLE})


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """A Fluent message id with its arguments, translated only where it is shown."""

    id: str
    args: Mapping[str, "str | int | float | LocalizedText"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel or direct message of a platform.

    Nothing from one channel is shown in another, except liked plans from channels that the whole
    workspace can read.
    """

    platform: str
    workspace: str
    id: str

    @property
    def key(self) -> str:
        return f"{self.platform}:{self.workspace}:{self.id}"


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation: a channel and the id of the message that started it."""

    channel: Channel
    root: str
    closed: bool = field(compare=False, default=False)
    """A private thread: some readers of the channel cannot read it. Never shown elsewhere."""

    @property
    def key(self) -> str:
        return f"{self.channel.key}:{self.root}"


OWNER = "owner"
"""The role of whoever runs the program, where nobody else can reach it."""


@dataclass(frozen=True, slots=True)
class Person:
    """The author of a message. `id` is the platform's, unique within the workspace."""

    id: str
    name: str
    _: KW_ONLY
    locale: str = "en"
    is_bot: bool = False
    roles: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file in the file store. `media_type` was sniffed from the bytes; `size` is in bytes.

    `seconds` is the length of a sound or film; 0 if unknown.
    """

    hash: FileHash
    media_type: str
    name: str
    size: int
    description: str = ""
    seconds: float = 0.0

    @property
    def type(self) -> Type:
        return type_of(self.media_type)


SPREADSHEETS = frozenset(
    {
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.ms-excel",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12",
        "application/vnd.oasis.opendocument.spreadsheet",
    }
)
READ_AS: Mapping[str, str] = {
    **dict.fromkeys(SPREADSHEETS, "text/csv"),
    "image/heic": "image/jpeg",
    "image/heif": "image/jpeg",
}
"""What experts get of files that few of them read: a table as CSV, a phone's photo as JPEG."""
_TABLES = SPREADSHEETS | {"text/csv", "text/tab-separated-values"}


def type_of(media_type: str) -> Type:
    """The type of a file with this media type; unknown ones are documents."""
    family = media_type.partition("/")[0]
    if family in ("image", "audio", "video"):
        return Type(family)
    return Type.TABLE if media_type in _TABLES else Type.DOCUMENT


@dataclass(frozen=True, slots=True)
class Link:
    """A file on a platform, not yet downloaded. `size`: bytes as claimed; -1 if unknown."""

    url: str
    name: str
    _: KW_ONLY
    media_type: str = ""
    size: int = -1
    id: str = ""
    workspace: str = ""
    """Whose token fetches it, on a platform with a token for each workspace."""
    alt: str = ""
    """What it shows, in its sender's words."""


class Audience(StrEnum):
    """Who can read a channel."""

    UNKNOWN = ""
    CHANNEL = "channel"
    """Only its members: a private or shared channel, or a direct message."""
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Addressing:
    """Whether a message is addressed to the bot, as far as the platform says."""

    mentioned: bool = False
    direct: bool = False
    replied_to_bot: bool = False
    others_mentioned: bool = False
    audience: Audience = Audience.UNKNOWN

    @property
    def is_overheard(self) -> bool:
        """Whether nothing but its thread suggests that the message is for the bot."""
        return not (self.mentioned or self.direct or self.replied_to_bot)


@dataclass(frozen=True, slots=True)
class Rerun:
    """One task of an earlier run, to run again with another model; the rest is reused."""

    run: RunId
    task: TaskId
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message received from a platform. Within a channel, ids sort in message order."""

    id: str
    thread: Thread
    person: Person
    text: str
    files: tuple[Link, ...]
    at: datetime
    addressing: Addressing
    earlier: tuple[Link, ...] = ()
    """Files of the message that this one replies to, or of one above it."""
    replied_to: "Turn | None" = None
    """That message, without its files, unless the bot wrote it."""
    avoid: tuple[str, ...] = ()
    """Ids of models that a retry should not use again."""
    anew: bool = False
    """A retry: do not reuse earlier results."""
    beside: bool = False
    """A command: answered at once, even while another message of its thread is in progress."""
    retried_by: Person | None = None
    """Who pressed Retry. `person` stays the author of the text."""
    rerun: Rerun | None = None
    """What a person chose to run again; None to answer the whole message."""
    alone: bool = False
    """It is about nothing but what it brings: what stands above it is no context."""
    click: str = ""
    """The id of the click that asked for this run; "" for the message itself."""

    @property
    def content(self) -> tuple[str, ...]:
        """What an edit may change: the text, and which files there are."""
        return (self.text, *(link.id for link in self.files))

    @property
    def is_command(self) -> bool:
        """Whether it stands for a command: its id says nothing about when it was given."""
        return not self.id[:1].isdigit()

    @property
    def bare_text(self) -> str:
        """The text without the marks that people put around a command: "/stop", "Stop!"."""
        return self.text.strip().lstrip("/!").rstrip(_STOPS)

    @property
    def asker(self) -> Person:
        """The person whose permissions, limits and language apply."""
        return self.retried_by or self.person

    @property
    def key(self) -> str:
        return f"{self.thread.channel.key}:{self.id}"

    @property
    def lane(self) -> str:
        """The queue of this message: messages in one lane are answered one at a time."""
        return f"{self.thread.key} beside" if self.beside else self.thread.key


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file with its name in the thread, such as "image 2"."""

    name: str
    attachment: Attachment


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message in a thread, from a person or from the bot."""

    key: str
    person: Person
    text: str
    files: tuple[NamedFile, ...]
    at: datetime
    links: tuple[Link, ...] = ()
    """Its files that were not fetched: nobody has asked the bot about them yet."""
    sentence: str = ""
    """The id of the sentence of ours that the bot said instead of an answer."""
    results: str | None = None
    """What the bot found, without what it said of it; None: the text."""
    references: tuple[str, ...] = ()
    """The links and file names in what the bot said that were known then."""


@dataclass(frozen=True, slots=True)
class Context:
    """History: the thread's last turns and the channel's, each oldest first."""

    turns: tuple[Turn, ...] = ()
    _: KW_ONLY
    channel: tuple[Turn, ...] = ()
    summary: str = ""
    older: tuple[NamedFile, ...] = ()
    """Files from turns of the thread that are not in `turns`, oldest first."""
    earlier: tuple[Turn, ...] = ()
    """Turns of the thread before `turns`, oldest first. Prompts do not show them, but a plan may
    use the thread as a text."""
    is_partial: bool = False
    """Whether earlier messages could not be read in time."""

    @property
    def files(self) -> tuple[NamedFile, ...]:
        """The thread's earlier files, oldest first."""
        return (*self.older, *(file for turn in self.turns for file in turn.files))


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """A file that was sent but could not be used, and why."""

    name: str
    reason: LocalizedText


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSettings:
    """The settings of a channel; empty values mean the installation's default."""

    models: Mapping[str, str] = field(default_factory=dict)
    """Kind of task → id of the preferred model."""
    places: tuple[str, ...] = ()
    mention: str = ""
    """"always": only when mentioned; "threads": also follow-ups in threads it takes part in."""
    language: str = ""
    policy: Mapping[str, str] = field(default_factory=dict)
    """Rules on models: "licence" → "commercial", "deny" → comma-separated model ids, …"""
    learn: str = ""
    """Where plans liked here may serve as examples: "workspace", "channel" or "off"."""
    mention_offered: bool = False
    """Whether `mention` was offered here to somebody who did not want an answer."""
    listen: str = ""
    """What is kept of messages that are not for the bot: "threads": those of threads that it takes
    part in; "all": all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request: its text, its files and the history of its thread."""

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
    voice: NamedFile | None = None
    """The voice message that is the request; `text` has its words once it is transcribed."""
    rerun: Rerun | None = None
    overheard: bool = False
    """A message of a thread that the bot takes part in, without a mention or a reply to it."""
    began_at: float = field(default_factory=time.monotonic, compare=False)
    """When its run began, on the monotonic clock: queues serve the first one first."""

    @property
    def known_files(self) -> tuple[NamedFile, ...]:
        """The files of the thread, then those of the message, oldest first."""
        return (*self.context.files, *self.files)

    @property
    def has_listeners(self) -> bool:
        """Whether other people take part, so that the bot may have answered what was not for it."""
        turns = self.context.turns
        others = {turn.person.id for turn in turns if not turn.person.is_bot} - {self.person.id}
        return self.overheard or bool(others)

    def file(self, name: str) -> NamedFile | None:
        """The newest file with this name: its name in the thread ("image 2") or its file name.

        The file extension is optional; case, spaces, hyphens and underscores are ignored. Results
        need theirs: without it, their names are words of the requests that made them.
        """
        target, turns = _normalize(name), self.context.turns
        made = {file for turn in turns if turn.person.is_bot for file in turn.files}
        made.update(self.context.older)
        for file in reversed(self.known_files):
            file_name = file.attachment.name
            stem = "" if file in made else file_name.rpartition(".")[0]
            names = (file.name, file_name, stem)
            if target and target in map(_normalize, names):
                return file
        return None


_GAPS = re.compile(r"[\s_-]+")


def _normalize(name: str) -> str:
    return _GAPS.sub("", name).casefold()
