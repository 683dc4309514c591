"""Answers, with their files and notices."""

from dataclasses import KW_ONLY, dataclass, field

from pipeline.domain.files import Attachment
from pipeline.domain.ids import RunId, TaskId
from pipeline.domain.sentences import LocalizedText


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFile:
    """A file of an answer, its alternative text, and the model and task that made it."""

    attachment: Attachment
    alt: str
    model: str
    kind: str
    task: TaskId


@dataclass(frozen=True, slots=True)
class Authorship:
    """Which responder wrote an answer, and in how many seconds."""

    by: str
    took: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models that did the same task: A in an earlier run, B in this one."""

    kind: str
    first: str
    second: str
    results: tuple[str, ...] = field(default=(), compare=False)
    """Both results as Markdown, as the answer's text ends with them; () in older records."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: its text, files and notices."""

    run: RunId
    text: str
    _: KW_ONLY
    files: tuple[AnswerFile, ...] = ()
    notices: tuple[LocalizedText, ...] = ()
    """Problems, repairs, fallbacks and unused files, shown with the answer on every surface."""
    written: Authorship | None = field(default=None, compare=False)
    """None if there were no tasks."""
    comparison: Comparison | None = None
    """Set if the text and the files show the results of two models, for people to vote on."""
    is_silent: bool = False
    """The message was not meant for the bot: nothing is posted."""
    has_alternatives: bool = True
    """Whether a step could have used another model; unknown in records of older versions."""
    leaves_thread: bool = False
    """The bot stays out of the thread from here on, until somebody mentions it."""
    is_refusal: bool = False
    """Nothing was done: no step worked, or the text says why there is none, or asks back."""
    sentence: str = ""
    """The id of our own sentence, if the text is one; "" for a model's words."""
    results: str | None = None
    """The results, without the words around them; None: the text."""
    references: tuple[str, ...] = ()
    """The links and file names in the text, all of which were known."""
