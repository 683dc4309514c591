"""Discord's addresses, and the page where its applications are set up."""

from dataclasses import dataclass

import yarl

PORTAL = "https://discord.com/developers/applications"
"""Where an application's token and intents are set."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The API, the gateway and the hosts that files come from."""

    api: str
    gateway: str
    cdn_hosts: tuple[str, ...]


def add_version(api: str) -> str:
    """The API's address with its version, which the setting may leave out."""
    address = api.rstrip("/")
    path = yarl.URL(address).path.rstrip("/")
    return address + {"": "/api/v10", "/api": "/v10"}.get(path, "")
