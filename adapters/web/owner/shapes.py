"""The JSON that the owner's pages take and get."""

from typing import Annotated, Any, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    StringConstraints,
    WithJsonSchema,
)
from typing_extensions import TypedDict

from adapters.web import shapes
from pipeline.domain import RunState

_Word = Annotated[str, StringConstraints(max_length=200)]
_MOST_CHANNELS = 200
"""Channels that are changed at once."""
_MOST_CHANGES = 50


def _read_moment(text: object) -> object:
    """Leaves what is written like a moment; pydantic takes numbers, too."""
    if not isinstance(text, str) or "T" not in text.upper():
        raise ValueError("not like 2026-11-29T18:00:00Z")
    return text


_Moment = Annotated[
    AwareDatetime,
    BeforeValidator(_read_moment),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class StatusQuery(BaseModel):
    """Since when what ended is told."""

    since: _Word = "6h"
    """Since when runs are counted: "6h", "30m", "2d", "18:00" or "2026-11-29T18:00"."""


class RunQuery(BaseModel):
    """Which runs are meant; what is empty excludes none."""

    state: Literal["", *RunState] = ""  # type: ignore[valid-type]
    platform: _Word = ""
    place: _Word = ""
    """A channel or a thread: its key ("slack:T1:C1"), or the end of it ("C1")."""
    person: _Word = ""
    """An id."""
    kind: _Word = ""
    """Of one of its tasks."""
    model: _Word = ""
    """A part of the name of one that worked on a task, or wrote the answer."""
    since: _Moment | None = None
    until: _Moment | None = None
    failed: bool = False
    words: _Word = ""
    """Of what went wrong, or a reference."""
    after: _Word = ""
    """`next` of the page before."""
    limit: Annotated[int, Field(ge=1, le=100)] = 40


class ChannelQuery(BaseModel):
    """Which channels are meant."""

    query: _Word = ""
    """A part of the channel's key."""
    after: _Word = ""
    """`next` of the page before."""
    limit: Annotated[int, Field(ge=1, le=200)] = 100


class ChannelChange(BaseModel):
    """New values of settings in some channels; "" or "default" resets one."""

    model_config = ConfigDict(extra="forbid")

    channels: Annotated[list[_Word], Field(min_length=1, max_length=_MOST_CHANNELS)]
    """Their keys."""
    changes: Annotated[dict[_Word, _Word], Field(min_length=1, max_length=_MOST_CHANGES)]
    preview: StrictBool = False
    """Whether only to tell what would change."""


class CheckFinding(TypedDict):
    """One result of the doctor's."""

    good: bool
    what: str
    why: str
    mend: str
    """What fixes it: a command, a line for `.env`, or a link."""
    note: bool
    """Whether it is good to know, and neither works nor has to be mended."""


class TaskAbility(TypedDict):
    """Whether a kind of task can be done here."""

    kind: str
    title: str
    model: str
    """The one that would do it; "" if there is none."""
    problem: str
    """Why there is none."""


class Checkup(TypedDict):
    """What the doctor found."""

    at: str | None
    """When; null before the first check."""
    findings: list[CheckFinding]
    tasks: list[TaskAbility]


class OwnerStatus(TypedDict):
    """What `troupe status --json` prints."""

    version: str
    running: dict[str, Any]
    database: dict[str, Any]
    spent_today: dict[str, Any]


class ListedRun(TypedDict):
    """A run in a list."""

    run: str
    reference: str
    """By which people and operators name it."""
    at: str
    """When it was kept."""
    state: str
    failed: bool
    channel: str
    thread: str
    person: str
    text: str
    """The beginning of the message."""
    kinds: list[str]
    failed_steps: int
    problems: str
    """What went wrong, a line each."""
    seconds: float | None
    calls: int
    """Of language models."""
    tokens: int
    cost: float | None
    """In US dollars; null if it is not known."""


class RunPage(TypedDict):
    """Some runs, newest first. It may have few, and still another page after it."""

    runs: list[ListedRun]
    live: list[dict[str, Any]]
    """The runs under way and those that wait, on the first page."""
    next: str
    """"" at the end."""


class ModelCall(TypedDict):
    """A call of a language model."""

    model: str
    took: float
    prompt_tokens: int
    """-1: not known."""
    reply_tokens: int
    cost: float | None
    error: str


class SentPrompt(TypedDict):
    """What a language model was asked, and what it replied."""

    model: str
    text: str
    reply: str


class RunDetails(ListedRun):
    """All that is known of a run."""

    message: str
    """The whole text of the message."""
    trace_id: str
    """The id of its trace; "" if traces are not sent."""
    prompts_version: str
    error: str
    """The class of the error behind an apology."""
    trace: str
    """The end of the traceback, if that was a bug."""
    undelivered: str
    stages: dict[str, float]
    """The seconds that each took."""
    model_calls: list[ModelCall]
    prompts: list[SentPrompt]
    keeps_prompts: bool
    """Whether prompts are kept at the moment."""
    record: shapes.Run
    """Its events and its answer, as `GET /api/runs/{run}` gives them."""


class LiveRun(TypedDict):
    """A run that has not ended, as far as it is known."""

    live: dict[str, Any]


class Failure(TypedDict):
    """A request to the page or the API that hit a bug."""

    reference: str
    at: str
    path: str
    error: str
    """The class of the error."""
    trace: str
    """The end of the traceback."""


class FailedRequest(TypedDict):
    """A reference that is no run's but a request's, since this program started."""

    request: Failure


class KnownChannel(TypedDict):
    """A channel with its settings."""

    channel: str
    platform: str
    workspace: str
    id: str
    at: str | None
    """When something was last written in a thread of it that is known."""
    settings: dict[str, str]
    """By name; "" is the installation's default."""


class SettingName(TypedDict):
    """A setting of channels; `choices` is empty where any word will do."""

    name: str
    choices: list[str]


class ChannelPage(TypedDict):
    """Some channels in the order of their keys, and the settings that all have."""

    channels: list[KnownChannel]
    settings: list[SettingName]
    next: str


class SettingChange(TypedDict):
    """A setting before and after a change; "" is the default."""

    channel: str
    name: str
    before: str
    after: str


class SettingChanges(TypedDict):
    """What was changed, or would be."""

    changes: list[SettingChange]
    done: bool


class StoredTable(TypedDict):
    """How many rows of a kind there are, and how many are deleted when."""

    name: str
    rows: int
    oldest: str | None
    due: int
    due_soon: int


class Storage(TypedDict):
    """What is stored, and what is deleted when. Sizes in bytes; counts stop at `most`."""

    database: int
    files: int
    file_bytes: int
    files_are_more: bool
    free: dict[str, int]
    tables: list[StoredTable]
    most: int
    retention_days: int
    cutoff: str
    keeps_prompts: bool
    swept_at: str | None
