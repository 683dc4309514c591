"""Commands and button clicks, and the replies to them."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from pipeline.domain.conversation import Person, Thread
from pipeline.domain.files import Attachment, Link
from pipeline.domain.ids import RunId
from pipeline.domain.models import Model
from pipeline.domain.plans import TaskKind
from pipeline.domain.sentences import LocalizedText


@dataclass(frozen=True, slots=True)
class Option:
    """One argument of a command; the sentence "option-<name>" describes it.

    `choices`: the only values allowed, if any. `completed`: offer completions while people type.
    """

    name: str
    _: KW_ONLY
    required: bool = False
    choices: tuple[str, ...] = ()
    completed: bool = False
    file: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command, which each chat surface offers in its own form.

    The sentence "command-<name>" describes it.
    """

    name: str
    options: tuple[Option, ...] = ()
    _: KW_ONLY
    private: bool = True
    """Show the reply only to the person who asked, where the platform supports that."""
    threaded: tuple[str, ...] = ()
    """First arguments ("" for none) with which it is about the thread that it is given in."""
    erasing: tuple[str, ...] = ()
    """First arguments with which it deletes for good: confirm it where the platform can."""
    form: bool = False
    """Without arguments, a form asks for them where the platform has forms."""

    def erases(self, args: Mapping[str, str]) -> bool:
        """Whether the command deletes for good with these arguments."""
        return next(iter(args.values()), "") in self.erasing


@dataclass(frozen=True, slots=True, kw_only=True)
class InputField:
    """One field of a form: the argument of a command with this name."""

    name: str
    label: LocalizedText
    choices: tuple[str, ...] = ()
    """The words to choose from; none for free text. More than one are joined by commas."""
    chosen: tuple[str, ...] = ()
    most: int = 1
    """How many words may be chosen."""
    required: bool = False
    file: bool = False
    """It takes files instead of words."""


@dataclass(frozen=True, slots=True)
class InputForm:
    """A form for a command; what people fill in are the arguments of the command."""

    title: LocalizedText
    fields: tuple[InputField, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A command that a person issued. `id` is the platform's, used to handle it only once."""

    id: str
    command: str
    args: Mapping[str, str]
    person: Person
    thread: Thread
    files: tuple[Link, ...] = ()
    run: RunId | None = None
    """The run of a command sent as a message, so that `stop` and `status` can leave it out."""
    alone: bool = False
    """The request is about nothing but its own text and files: earlier messages are no context."""


class Action(StrEnum):
    """A button under an answer or a running plan, or a select under a reply."""

    STOP = "stop"
    RETRY = "retry"
    ANOTHER = "another"
    DETAILS = "details"
    UP = "up"
    DOWN = "down"
    CHOOSE = "choose"
    """An option of a `Select`: another model for one task."""
    FIRST = "first"
    """In a comparison: the result of the first model is better."""
    SECOND = "second"


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonClick:
    """A person pressed a button of a run, or chose an option: `value` is the option's.

    `id` is the platform's, used to handle it only once. `run` comes from the button,
    which a program can forge; the platform vouches for the rest.
    """

    id: str
    action: Action
    run: RunId
    person: Person
    thread: Thread
    value: str = ""
    shown: RunId | None = None
    """The run that the message with the button is a part of, as far as it is known."""
    direct: bool = False
    """In the person's direct messages with the bot."""


@dataclass(frozen=True, slots=True)
class SelectOption:
    """One option of a select, and the heading that it stands under."""

    value: str
    label: str
    group: str


@dataclass(frozen=True, slots=True)
class Select:
    """A select about a run; choosing an option is a `ButtonClick` with its value."""

    action: Action
    run: RunId
    options: tuple[SelectOption, ...]


@dataclass(frozen=True, slots=True)
class CommandSelect:
    """A select under a reply; choosing an option gives the command with it as first argument."""

    command: str
    label: LocalizedText
    options: tuple[SelectOption, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """The bot's reply to a command or a button click, in Markdown."""

    text: str
    _: KW_ONLY
    private: bool = True
    files: tuple[Attachment, ...] = ()
    run: RunId | None = None
    """The run that this started; its answer follows in the thread."""
    select: Select | None = None
    more: CommandSelect | None = None
    """What else the command can show."""


@dataclass(frozen=True, slots=True)
class Ability:
    """A kind of task, and the model that would do it or else why there is none."""

    kind: TaskKind
    model: Model | None = None
    problem: LocalizedText | None = None
    can_be_enabled: bool = False
    """Whether a setting would make it possible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What works in a channel now, and whether a person may change its settings."""

    abilities: tuple[Ability, ...]
    is_admin: bool

    @property
    def kinds(self) -> frozenset[str]:
        """The names of the kinds of tasks that can run."""
        return frozenset(each.kind.name for each in self.abilities if each.model)
