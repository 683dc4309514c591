"""The JSON that the set-up takes and gives."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

_MAX_FIELDS = 8


class SetupBody(BaseModel):
    """What a person entered for a step. `check`: nothing is written."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    fields: Annotated[
        dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=4000)]],
        Field(max_length=_MAX_FIELDS),
    ] = {}
    check: bool = False


class EmptyBody(BaseModel):
    """An empty object."""

    model_config = ConfigDict(extra="forbid")


class StartExample(TypedDict):
    """A request that works here now."""

    id: str
    title: str
    text: str
    sample: str
    """A file that the page draws for it: "invoice", "lake", or "" for none."""


class Start(TypedDict):
    """What there is to begin with."""

    examples: list[StartExample]
    owner: bool
    """Whether the caller runs the program."""
    do_more: bool
    """Whether the caller may set up more here: the owner, at the machine itself."""
    signed_in: bool
    """Whether the caller entered a token, and so can sign out."""
    sharing: bool
    """Whether conversations can be shared."""


class SetupFinding(TypedDict):
    """What a check has found."""

    good: bool
    id: str
    text: str
    why: str
    mend: str
    """What fixes it: a command, a line for .env, or a link."""
    note: bool
    """Whether it is good to know, and neither works nor has to be mended."""
    advice: str
    """What to do about it on the page, instead of `mend`."""


class SetupResult(TypedDict):
    """What a step has led to."""

    good: bool
    findings: list[SetupFinding]
    written: list[str]
    """The names of the settings that are now others."""
    renews: bool
    """Whether the program reads its settings anew after this."""
    problem: str
    """Why nothing could be checked or written."""


class SetupState(TypedDict):
    """One thing that can be set up."""

    id: str
    on: bool
    text: str
    problem: str
    """Why something that is on does not work at the moment."""


class KindCount(TypedDict):
    """How many kinds of tasks run here."""

    can: int
    all: int


class MissingAbility(TypedDict):
    """Kinds of tasks that do not run here, and what they need."""

    needs: str
    kinds: list[str]


class KeyProvider(TypedDict):
    """Whose key may be entered."""

    id: str
    name: str
    address: str
    keys_at: str


class LocalServer(TypedDict):
    """A server of language models on this machine."""

    name: str
    address: str
    models: list[str]
    used: bool


class LocalModels(TypedDict):
    """Models on this machine, and where they are looked for."""

    folders: list[str]
    models: list[str]


class SlackStart(TypedDict):
    """How the app for Slack is made."""

    manifest_url: str


class SetupStatus(TypedDict):
    """What is configured, what works, and what each missing thing needs."""

    generation: str
    """Another one each time the settings are read anew."""
    states: list[SetupState]
    kinds: KindCount
    missing: list[MissingAbility]
    providers: list[KeyProvider]
    servers: list[LocalServer]
    local: LocalModels
    slack: SlackStart
    file: str
    """Where settings are written."""
    undo: list[str]
    """The names of the settings of the last change."""
    undo_step: str
    """The step that it came from, such as "slack"; "" if there is none."""
    problem: str
    """Why the last new settings were put back."""
