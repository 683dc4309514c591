"""The set-up: what is configured, what a step of it has found and written, and how to begin."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pipeline.domain.health_checks import HealthCheck
from pipeline.domain.sentences import LocalizedText


class SetupStep(StrEnum):
    """What can be set up."""

    KEY = "key"
    """A key for a language model, or a token of Hugging Face."""
    SERVER = "server"
    """A server of language models on this machine."""
    SLACK = "slack"
    DISCORD = "discord"
    SHARING = "sharing"
    """People may share conversations of the page by a link."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A server of language models that runs on this machine."""

    name: str
    """What usually runs at its port, "" if nothing does."""
    address: str
    models: tuple[str, ...]
    is_used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyProvider:
    """Whose key may be pasted. `address` is "" for Hugging Face, whose token needs none."""

    id: str
    name: str
    address: str
    keys_at: str
    """The page on which keys are made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupState:
    """One thing that can be set up: whether it works now, in a sentence."""

    id: str
    is_on: bool
    text: LocalizedText
    problem: str = ""
    """Why something that is configured does not work, in the words of the system that said so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingAbility:
    """Kinds of tasks that do not work, and the one line that would turn them on."""

    needs: LocalizedText
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupStatus:
    """What is configured, what works now, and what each missing thing needs. Holds no secret."""

    generation: str
    """Another one each time the settings are read anew."""
    states: tuple[SetupState, ...]
    can: int
    """How many kinds of tasks run here now."""
    of: int
    missing: tuple[MissingAbility, ...]
    providers: tuple[KeyProvider, ...]
    servers: tuple[LocalServer, ...]
    folders: tuple[str, ...]
    """Where models for the expert server of this machine are looked for."""
    models: tuple[str, ...]
    """Those that were found there."""
    manifest_url: str
    """Creates the Slack app."""
    file: str
    """Where the settings are written."""
    undo: tuple[str, ...]
    """The names of the settings that would be taken back; empty if there is nothing to undo."""
    undo_step: str = ""
    """The step that changed them."""
    problem: LocalizedText | None = None
    """Why the last new settings were put back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupResult:
    """What a step has led to.

    Nothing was written unless every check that matters is good. `renews`: the program is about to
    read its settings anew.
    """

    is_good: bool
    findings: tuple[HealthCheck, ...] = ()
    written: tuple[str, ...] = ()
    """The names of the settings that were written."""
    renews: bool = False
    problem: LocalizedText | None = None
    """Why nothing could be checked, or why good settings were not written: then with the lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartExample:
    """A request to begin with, which works here now. `sample`: a file that the page draws."""

    id: str
    title: LocalizedText
    text: LocalizedText
    sample: str = ""


SetupFields = Mapping[str, str]
"""What a person entered for a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupRequest:
    """What a person entered. `only_check`: nothing is to be written."""

    step: SetupStep
    fields: SetupFields = field(default_factory=dict, repr=False)
    only_check: bool = False
