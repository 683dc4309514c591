"""What people ask beside plain requests: commands, buttons, votes, channel settings."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from pipeline.domain.conversation import Attachment, Link, LocalizedText, Person, RunId, Thread


@dataclass(frozen=True, slots=True)
class Option:
    """One argument of a command.

    `choices` are fixed words; `completed`: the bot offers completions while people type.
    """

    name: str
    says: str
    required: bool = False
    choices: tuple[str, ...] = ()
    completed: bool = False
    file: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """One row of the table of commands; every surface builds its own from it."""

    name: str
    says: str
    options: tuple[Option, ...] = ()
    private: bool = True
    """The answer is for the asker only, where the platform can."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command as a person gave it. `id` is the platform's, for taking it once."""

    id: str
    command: str
    args: Mapping[str, str]
    person: Person
    thread: Thread
    files: tuple[Link, ...] = ()
    run: RunId | None = None
    """The run that answers it, where it was said as a message; it does not stop or count itself."""


class Action(StrEnum):
    """A button under an answer or a running plan."""

    STOP = "stop"
    RETRY = "retry"
    ANOTHER = "another"
    DETAILS = "details"
    UP = "up"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class ButtonClick:
    """A person pressed a button of a run. `id` is the platform's, for taking it once."""

    id: str
    action: Action
    run: RunId
    person: Person
    thread: Thread


@dataclass(frozen=True, slots=True)
class Reply:
    """What the bot says to a command or a press, in Markdown."""

    text: str
    private: bool = True
    files: tuple[Attachment, ...] = ()
    run: RunId | None = None
    """The run that this started, whose answer follows in the thread."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that the doctor looked at. `mend` says how to put it right, mostly with a link."""

    what: LocalizedText
    good: bool
    mend: str = ""
