"""What the owner's pages ask of the program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from pipeline.domain import Ability, HealthCheck
from pipeline.errors import RequestError
from pipeline.ports import KnownChannel, RunIndex


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkup:
    """What the doctor found last, and which tasks can be done."""

    at: datetime
    findings: Sequence[HealthCheck]
    abilities: Sequence[Ability]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A channel's setting as it is, and as it would be or has become; "" is the default."""

    channel: str
    name: str
    before: str
    after: str


class SettingRefused(RequestError):
    """There is no such setting or channel, or the setting does not take this value."""

    def __init__(self, id: str, **words: str) -> None:  # noqa: A002 - the sentence's own word
        super().__init__(id, **words)
        self.words = words


@dataclass(frozen=True, slots=True)
class SettingName:
    """A setting of channels, with the words that it takes, if they are few."""

    name: str
    choices: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTable:
    """How many rows of a kind there are, and how many are past their time or soon will be.

    Numbers stop at `most` of `Storage`. Moments are None where there is nothing.
    """

    name: str
    rows: int
    oldest: datetime | None
    due: int
    """Deleted at the next sweep."""
    due_soon: int
    """Deleted within a day after that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """What is stored, and what is deleted when. Sizes in bytes."""

    database: int
    files: int
    file_bytes: int
    files_are_more: bool
    """Whether there are more files than were counted."""
    free: Mapping[str, int]
    """Of the folders "home" and "files"."""
    tables: Sequence[StoredTable]
    most: int
    retention_days: int
    cutoff: datetime
    """What is older than this is deleted."""
    keeps_prompts: bool
    swept_at: datetime | None
    """When this program last deleted what was due."""


class Administration(Protocol):
    """What the owner of an installation sees of it and does with it."""

    async def status(self, since: str) -> Mapping[str, Any]:
        """What `troupe status --json` prints. Raises ValueError for a moment that is none."""

    async def live(self) -> Sequence[Mapping[str, Any]]:
        """The runs under way, and those that wait for their turn."""

    async def check(self) -> Checkup:
        """Test everything that is configured. Who asks meanwhile gets the same answer."""

    @property
    def checkup(self) -> Checkup | None:
        """What the last check found; None before the first."""

    async def list_channels(
        self, query: str, *, after: str, limit: int
    ) -> Sequence[KnownChannel]: ...

    def list_values(self, channel: KnownChannel) -> Mapping[str, str]:
        """The settings of a channel by name; "" is the default."""

    def list_settings(self) -> Sequence[SettingName]: ...

    async def change_channels(
        self, channels: Sequence[str], changes: Mapping[str, str], *, preview: bool
    ) -> Sequence[SettingChange]:
        """Change settings of channels, with the checks of the command `settings`.

        With `preview`, only tells what would be changed. Raises SettingRefused; then nothing was.
        """

    @property
    def keeps_prompts(self) -> bool:
        """Whether prompts are kept with their runs."""

    @property
    def is_traced(self) -> bool:
        """Whether traces of runs are sent."""

    async def measure(self) -> Storage: ...

    async def sweep(self) -> None:
        """Delete what is past its time, and files that nothing refers to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerPorts:
    """The ports of the owner's pages."""

    runs: RunIndex
    administration: Administration
