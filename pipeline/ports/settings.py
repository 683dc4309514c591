"""The ports to what was set up: by channels in their settings, by installing an app."""

from collections.abc import Mapping
from typing import Protocol

from pipeline.domain import Channel, ChannelSettings


class SettingsStore(Protocol):
    """The settings of channels."""

    async def settings(self, channel: Channel) -> ChannelSettings:
        """A channel's settings; empty ones if there are none or they are unreadable."""

    async def set(self, channel: Channel, settings: ChannelSettings) -> None: ...


class Installations(Protocol):
    """The workspaces in which a platform's app is installed."""

    async def save(self, platform: str, place: str, body: str) -> None:
        """Store an installation durably, in place of an earlier one. Encrypt the tokens in it."""

    async def load(self, platform: str) -> Mapping[str, str]:
        """The installations by place."""

    async def remove(self, platform: str, place: str) -> None: ...
