"""The port to the settings of channels."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pipeline.domain import Channel, ChannelSettings


@dataclass(frozen=True, slots=True)
class KnownChannel:
    """A channel, its settings, and when something was last written in it; None: never."""

    channel: Channel
    settings: ChannelSettings
    at: datetime | None


class SettingsStore(Protocol):
    """The settings of channels."""

    async def settings(self, channel: Channel) -> ChannelSettings:
        """A channel's settings; empty ones if there are none or they are unreadable."""

    async def set(self, channel: Channel, settings: ChannelSettings) -> None: ...

    async def list_channels(
        self, *, query: str = "", after: str = "", limit: int, without: Collection[str] = ()
    ) -> Sequence[KnownChannel]:
        """The channels that have settings or threads, in the order of their keys.

        `query`: a part of the key; `after`: the key before the first. Of the platforms `without`,
        only those that have settings.
        """
