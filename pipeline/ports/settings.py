"""The port to the settings of channels."""

from typing import Protocol

from pipeline.domain import Channel, ChannelSettings


class SettingsStore(Protocol):
    """The settings of channels."""

    async def settings(self, channel: Channel) -> ChannelSettings:
        """A channel's settings; empty ones if there are none or they are unreadable."""

    async def set(self, channel: Channel, settings: ChannelSettings) -> None: ...
