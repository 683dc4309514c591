"""The port to the installations of a platform's app."""

from collections.abc import Mapping
from typing import Protocol


class Installations(Protocol):
    """The workspaces in which a platform's app is installed."""

    async def save(self, platform: str, place: str, body: str) -> None:
        """Store an installation durably, in place of an earlier one. Encrypt the tokens in it."""

    async def load(self, platform: str) -> Mapping[str, str]:
        """The installations by place."""

    async def remove(self, platform: str, place: str) -> None: ...
