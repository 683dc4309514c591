"""Conversations: channels, threads, people, messages and turns."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from enum import StrEnum

from pipeline.domain.files import Link, NamedFile
from pipeline.domain.ids import RunId, TaskId

_STOPS = " .!?\u2026\u3002\uff01\uff1f"
OWNER = "owner"
"""The role of whoever runs the program, where nobody else can reach it."""
INSTALLER = "installer"
"""The role of an owner who can turn more on by the set-up of the page on which they write."""


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

    @classmethod
    def parse(cls, key: str) -> "Channel":
        """The channel with this key. What the key lacks is empty."""
        platform, workspace, id_ = [*key.split(":", 2), "", ""][:3]
        return cls(platform, workspace, id_)


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


@dataclass(frozen=True, slots=True)
class Person:
    """The author of a message. `id` is the platform's, unique within the workspace."""

    id: str
    name: str
    _: KW_ONLY
    locale: str = "en"
    is_bot: bool = False
    roles: frozenset[str] = frozenset()


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
    """One task of an earlier run, to run again with what depends on it; the rest is reused."""

    run: RunId
    task: TaskId
    model: str = ""
    """The model that is to do it; "": the same as before."""


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
    """It is about nothing but its own text and files: earlier messages are no context."""
    click: str = ""
    """The id of the click that asked for this run; "" for the message itself."""
    after: str | None = None
    """Where a thread has branches: the run that it follows, "" for none; None: what is newest."""

    @property
    def content(self) -> tuple[str, ...]:
        """What an edit may change: the text, and which files there are."""
        return (self.text, *(link.id for link in self.files))

    @property
    def is_command(self) -> bool:
        """Whether it is a command; the id of a command says nothing about when it was given."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message in a thread, from a person or from the bot."""

    key: str
    person: Person
    text: str
    files: tuple[NamedFile, ...]
    at: datetime
    links: tuple[Link, ...] = ()
    """Its files that were not fetched, as nobody has asked the bot about them yet."""
    sentence: str = ""
    """The id of our own sentence, if the bot said one instead of an answer."""
    results: str | None = None
    """The results that the bot found, without the words around them; None: the text."""
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
